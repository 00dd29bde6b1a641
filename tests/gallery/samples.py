"""Samples of every kind of picture in different states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Final

from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import TOO_LONG
from bot.engine.matches.replay import ReplayView
from bot.engine.matches.views import PublicView, SeatView, ShowdownView
from bot.model.appearance import Appearance, HandOrder
from bot.model.daily import DailyCalendar, DailyPodium
from bot.model.daily_standings import DailyBoard, DailyPeriod
from bot.model.history import Versus
from bot.model.ids import PersonId
from bot.model.ratings import Rating
from bot.model.seasons import Award, Awarded, Podium
from bot.model.standings import Order, Ranked
from bot.model.statistics import Activity, Category, Profile, Rank, Title
from bot.opponent.play.levels import Level
from cardart import (
    Picture,
    Portrait,
    draw_activity,
    draw_daily_calendar,
    draw_daily_podium,
    draw_daily_standings,
    draw_hand,
    draw_podium,
    draw_primer,
    draw_profile,
    draw_replay,
    draw_scorecard,
    draw_showdown,
    draw_standings,
    draw_step,
    draw_table,
    draw_themes,
    draw_versus,
)
from tests.gallery.deck import draw_deck
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_daily import DAY, calendar, daily_podium, results
from tests.gallery.sample_profiles import (
    activity,
    daily_board,
    daily_standings,
    moved,
    podium,
    profile,
    standings,
    superlative,
    versus,
)
from tests.gallery.sample_scorecards import scored
from tests.gallery.sample_views import (
    MatchState,
    answering,
    hand,
    hollywood,
    knock,
    replay,
    score,
    showdown,
    table,
)

Draw = Callable[[Appearance], Picture]

MONOGRAMS: Final = ("S", "N", "E2", "W")
FACES: Final = (
    Portrait("S", "South", sample_avatar("cat")),
    Portrait("N", "North", sample_avatar("woman")),
    Portrait("E2", "Expert computer", level=Level.EXPERT),
    Portrait("W", "West", sample_avatar("sunset")),
)
"""Portraits of people with avatars, and of a computer."""
LETTERS: Final = tuple(
    Portrait(mark, name) for mark, name in zip(MONOGRAMS, ("South", "North", "East", "West"), strict=True)
)
"""Portraits of people without avatars."""
_PAIR: Final = (FACES[1], FACES[0])
_LETTER_PAIR: Final = (LETTERS[1], LETTERS[0])
_COMPUTER: Final = (FACES[0], Portrait("C", "Casual computer", level=Level.CASUAL))
_LONG_NAMES: Final = tuple(
    replace(face, name=name)
    for face, name in zip(
        FACES, ("Maximilian-the-Great-of-the-North", "W" * 32, "\u674e\u660e", "Østergård \N{SPARKLES}"), strict=True
    )
)
_AVATARS: Final = {
    PersonId(place): sample_avatar(name) for place, name in ((1, "woman"), (2, "cat"), (4, "orbit"), (5, "sunset"))
}
"""Avatars of people in standings. Some people have none."""
_SAMPLE_PORTRAITS: Final = {"taken": _COMPUTER, "later": LETTERS, "rotation": LETTERS, "wall": _LONG_NAMES}
"""Portraits of single samples. All others have `FACES`."""

_TWO_TURNS: Final = "0 take 6d 0 x 6c 1 draw 1 x 7h"
_LATER: Final = MatchState(number=4, stock=16, score=score(37, 61), moves=_TWO_TURNS)
_THREE: Final = MatchState(
    rules="penalty",
    hand_sizes=(7, 7, 7),
    order=(2, 0, 1),
    score=score(12, 45, 8),
    turn=2,
    number=4,
    stock=18,
    moves="2 take 10c 2 x 9s 0 draw 0 x 6c 1 take Qd 1 x 7h",
)
_FOUR: Final = replace(
    _THREE,
    hand_sizes=(7,) * 4,
    order=(2, 3, 0, 1),
    score=score(12, 45, 8, 97),
    stock=11,
    moves="2 take 10c 2 x 8c 3 draw 3 x 9s 0 draw 0 x 6c 1 take Qd 1 x 7h",
)
_ROTATION: Final = MatchState(
    rules="rotation",
    hand_sizes=(10, 10, 0),
    order=(0, 1),
    dealer=2,
    turn=1,
    score=score(40, 61, 25),
    number=3,
    stock=19,
    moves="1 pass 0 take Jc 0 x 7h",
)
_PARTNERS: Final = MatchState(
    rules="partners",
    hand_sizes=(10, 0, 0, 10),
    order=(0, 3),
    dealer=3,
    turn=3,
    score=score(61, 85),
    board=2,
    number=4,
    stock=23,
    moves="3 draw 3 x 6c 0 take 10d 0 x 7h",
)
_SPADES: Final = "oklahoma spade_doubles=on oklahoma_boxes=on"
_OKLAHOMA: Final = MatchState(rules=_SPADES, upcard="4s", limit=4)
_WALL: Final = MatchState(rules="tournament", phase=Phase.WALL, stock=2, number=2, moves=_TWO_TURNS)
_MANUAL: Final = MatchState(
    rules="standard", phase=Phase.LAY_OFF, number=3, score=score(37, 61), moves=f"{_TWO_TURNS} 0 draw 0 x Kc"
)

_GAME: Final = score(152, 61, winner=0)
_GAMES: Final = hollywood(_GAME, score(104, 149), score(20, 77))

_SCORE_SHEET_DEALS: Final = (
    "0 knock 15,0 knock 12,1 knock 12,1 gin 24,0 knock 4,0 undercut 2,0 gin 5,1 knock 10,0 undercut 2"
)
"""The results of nine deals: the score sheet that the rules page shows as an example."""

_LONG: Final = profile("wwlwllwwdwlwwlllwlww" * 2, (62, 118, 40, 95, 203, 77, 31), (21, 12, 8))
_BUSY: Final = activity(
    (3, 4), (5, 6), (2, 3), (8, 7), (12, 9), (7, 6), (0, 0), (4, 4), (9, 8), (14, 11), (11, 9), (4, 6)
)

_SCORES: Final = (110, 35, 12, 104, 61, 128, 140, 20, 105, 88, 96, 96, 74, 112, 130, 45, 121, 9)
"""The points of nine matches between two people."""

_SWEDISH: Final = "10h Jh Qh Ac As Js Jc Qc Ks 4d"
_KNOCK: Final = "3d 4d 5d 4s 5s 6s 9c 9d 9s Ah"
_ANSWER: Final = "2h 3h 4h Ac 3c 6d 7s 8s 9h Kc"
_LAID_OFF: Final = "0:7s>4s5s6s 0:8s>4s5s6s"


def samples() -> Iterator[tuple[str, Draw]]:
    """Yield the file name of each sample, and a function that draws the sample in a given appearance."""
    for name, view in sample_hands():
        yield f"hand-{name}", partial(draw_hand, view)
    for name, view, order in sorted_hands():
        yield f"hand-{name}", partial(draw_hand, view, order=order)
    yield "hand-swedish", lambda appearance: draw_hand(hand(_SWEDISH), replace(appearance, language="sv"))
    for name, view in sample_tables():
        yield f"table-{name}", partial(draw_table, view, _SAMPLE_PORTRAITS.get(name, FACES))
    for name, view in _showdowns():
        yield f"showdown-{name}", partial(draw_showdown, view, _SAMPLE_PORTRAITS.get(name, FACES))
    for name, view in sample_replays():
        yield f"replay-{name}", partial(draw_replay, view, FACES)
        yield f"step-{name}", partial(draw_step, view, view.action_count - 1, FACES)
    for name, (view, deals) in _scorecards():
        yield f"scorecard-{name}", partial(draw_scorecard, view, deals, _SAMPLE_PORTRAITS.get(name, FACES))
    for name, shown in _profiles():
        yield f"profile-{name}", partial(draw_profile, shown, _LETTER_PAIR if name in ("down", "rated") else _PAIR)
    for name, (rows, order, category, own) in _standings():
        yield f"standings-{name}", partial(draw_standings, rows, order, category, own, avatars=_AVATARS)
    for name, (board, own) in _daily_standings():
        yield f"daily-standings-{name}", partial(draw_daily_standings, board, own, avatars=_AVATARS)
    for name, shown in podiums():
        avatars = {} if name == "bare" else _AVATARS
        yield f"podium-{name}", partial(draw_podium, *shown, avatars=avatars)
    for name, day in daily_podiums():
        avatars = {} if name == "bare" else _AVATARS
        yield f"daily-podium-{name}", partial(draw_daily_podium, day, avatars=avatars)
    for name, shown in daily_calendars():
        person = "Maximilian-the-Great-of-the-North" if name == "long-streak" else "North"
        yield f"daily-calendar-{name}", partial(draw_daily_calendar, shown, name=person)
    for name, pair, portraits in _pairs():
        yield f"versus-{name}", partial(draw_versus, pair, portraits)
    for name, told in _activities():
        yield f"activity-{name}", partial(draw_activity, told)
    yield "primer", draw_primer
    yield "themes", draw_themes
    yield "deck", draw_deck


def _profiles() -> Iterator[tuple[str, Profile]]:
    yield "first-match", profile("w", (85,), (1, 1, 0))
    yield "first-lost", profile("l", (120,), (1, 0, 1))
    yield "few", profile("wwlwdlww", (62, 118, 40, 95), (6, 4, 1))
    yield "many", _LONG
    results = "".join(Random(1).choices("wl", k=2000))
    yield "very-many", profile(results, (62, 118, 40, 95, 203, 77, 31), (912, 501, 398))
    titles = (Title("2026-10", Category.POINTS), Title("2026-Q3", Category.PENALTY))
    champion = replace(
        profile("wwlwdlww", (62, 118, 40, 95), (6, 4, 1)), rank=Rank(Rating(1658, 150), 1, 12), titles=titles
    )
    yield "champion", champion
    named = replace(champion.player, name="Maximilian-the-Great-of-the-North")
    long = (Title("2026-Q3", Category.PENALTY), *titles * 20)
    yield (
        "champion-long",
        replace(_LONG, player=named, rank=Rank(Rating(2658, 150), 123_456, 1_234_567), titles=long),
    )
    yield "rated", replace(_LONG, rank=Rank(Rating(1520, 150), 3, 12))
    yield "down", profile("llwllldll", (162, 218, 40), (9, 1, 7))


def _pairs() -> Iterator[tuple[str, Versus, tuple[Portrait, Portrait]]]:
    yield "first-match", versus("1", (110, 35)), _LETTER_PAIR
    yield "some", versus("12211d211", _SCORES), _PAIR
    long = "Wilhelmina Wonderful Wagonmaster", "Maximilian Mumblemore Mountweazel"
    results = "".join(Random(3).choices("12o-", k=1200))
    named = Portrait("W", long[0], sample_avatar("orbit")), Portrait("M", long[1])
    yield "many", versus(results, (1110, 35, 12, 1104, 61, 128)), named
    scripts = (
        Portrait("1", "李明", sample_avatar("sunset"), username="li.ming"),
        Portrait("2", "Иван", sample_avatar("cat")),
    )
    yield "other-scripts", versus("2o-2", (25, 100, 60, 45, 8, 0, 45, 102)), scripts


def _standings() -> Iterator[tuple[str, tuple[tuple[Ranked, ...], Order, Category, PersonId | None]]]:
    some = standings("North 24 15 612", "South 20 11 -85", "Østergård 9 7 204", "Иван 12 5 31", "李明 3 1 -40")
    wins, points = Order.WINS, Category.POINTS
    yield "few", (some, wins, points, PersonId(2))
    yield "one", (standings("North 1 1 85"), wins, points, None)
    long = ["Maximilian-the-Great-of-the-North 1204 980 123456", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW 1187 962 98210"]
    rest = [
        f"{name} 40 {20 - place} {100 - 40 * place}"
        for place, name in enumerate(["Annabelle", "Bob", "Cy", "Di-Marzio-Kowalczyk", "Eve", "Flo", "Gus", "Hal"])
    ]
    yield "many", (moved(standings(*long, *rest), 0, 2, -1, None, 0, 1, -2), wins, points, PersonId(7))
    yield "next-page", (moved(standings(*long, *rest, first=101), 12, -3, 0, 145, None), wins, points, None)
    rated = (*standings(*rest[:5]), *standings(*rest[5:], first=6, sigma=400.0))
    yield "rated", (moved(rated, 1, -1, 3, 0, -2, None), Order.RATING, points, PersonId(5))
    yield "by-points", (standings(*long, *rest), Order.POINTS, points, PersonId(1))
    yield "by-net", (moved(standings(*long, *rest), 0, 1, -1), Order.POINTS, Category.PENALTY, PersonId(1))
    yield "far-down", (standings(*long, *rest, first=9_995), Order.RATING, points, PersonId(3))


def _daily_standings() -> Iterator[tuple[str, tuple[DailyBoard, PersonId | None]]]:
    """Yield samples of daily standings. Nobody has played more days than there were, or a longer streak."""
    today = daily_standings(
        *("Annabelle 54 6 1 0 17", "Østergård 32 9 1 0 4", "Иван 32 11 1 0 23", "Di-Marzio-Kowalczyk 8 12 1 0 1"),
        *("李明 -14 10 1 0 2", "Flo -21 8 1 0 9"),
    )
    yield "today", (daily_board(today, own=today[1]), PersonId(2))
    one = daily_standings("North 32 9 1 0 1")
    yield "one", (daily_board(one, own=one[0]), PersonId(1))
    month = daily_standings(
        *("Annabelle 486 198 23 0 143", "Østergård 431 207 23 0 88", "Иван 402 181 21 1 12", "Maja 377 192 22 0 16"),
        *("Di-Marzio-Kowalczyk 377 203 23 0 23", "李明 352 188 21 0 5", "Flo 340 170 19 2 2", "Gus 338 201 22 1 9"),
        *("Hal 311 165 18 0 1", "Bob 298 204 23 0 31"),
    )
    yield "month", (daily_board(month, DailyPeriod.MONTH, month[4], 108), PersonId(5))
    (below,) = daily_standings("Cy 142 98 11 1 3", first=37, person=20)
    yield "pinned-below", (daily_board(month, DailyPeriod.MONTH, below, 108), PersonId(20))
    week = daily_standings(
        *("Annabelle 120 50 6 0 19", "Østergård 120 50 6 0 93", "Иван 64 45 5 0 0", "Di-Marzio-Kowalczyk 31 52 6 0 6"),
        *("李明 31 52 5 1 2", "Flo -12 55 6 0 6", "Gus -68 37 3 1 0"),
    )
    yield "tied", (daily_board(week, DailyPeriod.WEEK, week[2], today=date(2026, 11, 28)), PersonId(3))
    far_down = daily_standings(
        *("Nora 74 148 16 2 1", "Hal 71 61 7 0 0", "Bob 69 95 10 1 4", "Flo 66 40 5 0 5", "Eve 66 40 5 0 0"),
        *("Cy 58 212 23 3 2", "Dora 55 27 3 0 0", "李明 51 88 9 1 1"),
        first=101,
    )
    (above,) = daily_standings("Maja 83 119 13 1 6", first=97, person=20)
    yield "next-page", (daily_board(far_down, DailyPeriod.ALL, above, 108), PersonId(20))
    thousands = tuple(replace(row, place=row.place + 900) for row in far_down)
    yield "thousands", (daily_board(thousands, DailyPeriod.ALL, above, 1_008), PersonId(20))
    long = daily_standings(
        "Maximilian-the-Great-of-the-North 12345 9876 1204 96 1204",
        f"{'W' * 32} 11098 9321 1187 0 986",
        *("李明 9870 8765 1100 12 0", "Østergård -1234 1024 101 3 12"),
    )
    yield "long", (daily_board(long, DailyPeriod.ALL, long[0], 1_204, date(2030, 11, 23)), PersonId(1))


def podiums() -> Iterator[tuple[str, tuple[str, str, Podium, Sequence[Awarded]]]]:
    """Yield samples of podiums, each as a name, season, category, rows and superlatives."""
    month, points = "November 2026", "Matches for points"
    some = standings("North 24 15 612", "South 20 11 85", "Østergård 9 7 -204", sigma=400.0)
    both = (superlative(Award.GINS, "Østergård", 12, 3), superlative(Award.STREAK, "North", 7))
    most = (*both, superlative(Award.DEAL, "South", 118, 2))
    yield "three", (month, points, podium(*some), most)
    yield "two", (month, points, podium(*some[:2]), both)
    yield "one", (month, points, podium(some[0]), most[:1])
    yield "bare", (month, points, podium(*some), ())
    equal = standings("North 24 15 612", "South 24 15 612", "Østergård 24 15 612")
    first_two = (equal[0], replace(equal[1], place=1))
    yield "tied", ("4th quarter of 2026", "Team matches", podium(*first_two, some[2]), most)
    behind = standings("North 31 22 805", "South 24 15 612", "Østergård 24 15 612")
    yield "tied-behind", (month, points, podium(*behind[:2], replace(behind[2], place=2)), most)
    gins = [superlative(Award.GINS, name, 2, person) for person, name in enumerate(("North", "South", "Østergård"), 1)]
    shared = (*gins, superlative(Award.STREAK, "North", 7), superlative(Award.STREAK, "W" * 32, 7, 2), most[-1])
    yield "shared", (month, points, podium(*some), shared)
    yield "all-tied", (month, points, podium(*(replace(row, place=1) for row in equal)), most)
    long = standings("Maximilian-the-Great-of-the-North 1204 980 9999", f"{'W' * 32} 11 1 98", "李明 3 1 -40")
    far = (
        superlative(Award.GINS, "W" * 32, 12_345, 2),
        superlative(Award.STREAK, "Maximilian-the-Great-of-the-North", 1_234),
        superlative(Award.DEAL, "李明", 12_345, 3),
    )
    yield "long", ("4th quarter of 2026", "Matches for penalty points", podium(*long), far)


def daily_podiums() -> Iterator[tuple[str, DailyPodium]]:
    """Yield samples of podiums of a day."""
    some = ("North 54 6 gin", "South 32 9 undercut", "Østergård 32 11 knock")
    yield "three", daily_podium(*some, endings=(4, 2, 1, 4, 1))
    yield "two", daily_podium(*some[:2], endings=(0, 1, 1, 0, 0))
    yield "one", daily_podium("North -14 9 knock", endings=(0, 0, 0, 1, 0))
    yield "one-won", daily_podium("North 14 9 knock", endings=(1, 0, 0, 0, 0))
    mixed = ("North 54 6 gin", "South 5 9 knock", "Østergård -12 4 undercut")
    yield "mixed", daily_podium(*mixed, endings=(1, 1, 0, 2, 0))
    yield "bare", daily_podium(*some, endings=(1, 1, 1, 0, 0))
    tied = ("North 32 9 gin", "South 32 9 gin", "Østergård 12 1 knock")
    yield "tied", daily_podium(*tied, endings=(9, 8, 0, 12, 3), places=(1, 1, 3))
    yield "all-lost", daily_podium("North -3 9 knock", "South -8 4 knock", "W -8 5 gin", endings=(0, 0, 0, 3, 2))
    long = ("Maximilian-the-Great-of-the-North 104 15 big_gin", f"{'W' * 32} 104 15 gin", "李明 104 15 knock")
    yield "long", daily_podium(*long, endings=(123, 214, 132, 345, 119), places=(1, 1, 1))


def daily_calendars() -> Iterator[tuple[str, DailyCalendar]]:
    """Yield samples of calendars."""
    weeks = (
        "-19 14 30 72g -27 16 34   32 8 . . 35 63g 40   29 31g -8 36 x x 15   "
        "30 -44 37 17 38 25 o   -30 9 57g 52g 41 -12 37"
    )
    earlier = f"{results(31)} . {results(20)} ."
    yield "six-weeks", calendar(f"{weeks}   -5 28 54g 12 33", DAY + timedelta(days=4), earlier)
    yield "today", calendar(f"{weeks}   23 17 .", DAY + timedelta(days=2), earlier)
    yield "first-day", calendar("o")
    yield "no-streak", calendar(f"30g {weeks[3:]}   . . . . .", DAY + timedelta(days=4))
    yield "second-week", calendar("14 -8 . 30g 26 7 38", DAY + timedelta(days=3))
    long = f"{results(365)} . {results(364)} . {results(300)} . {results(299)} ."
    yield "past-year", calendar(f"{weeks}   23 17 -9 62g 4 22 104g", date(2027, 1, 10), long)
    yield "across-months", calendar(f"{weeks[24:]}   23 17 -9 . 62g 4 22   31 -3 48 12", date(2026, 12, 3), weeks[:24])
    yield "no-gaps", calendar(results(33), date(2026, 3, 4))
    yield "long-streak", calendar(results(40), date(2027, 1, 1), results(1_194))


def _activities() -> Iterator[tuple[str, Activity]]:
    yield "busy", _BUSY
    yield "first-day", activity((2, 3), is_daily=True)
    yield "second-day", activity((2, 3), (5, 6), is_daily=True)
    second_week = ((2, 3), (5, 6), (3, 4), (0, 0), (4, 5), (9, 8), (7, 6), (6, 7), (4, 5), (3, 5))
    yield "second-week", activity(*second_week, is_daily=True)
    yield "third-week", activity((14, 11), (23, 12), (8, 9))
    yield "much-by-day", activity(*((920 + 40 * (place % 5), 90 + 7 * place) for place in range(14)), is_daily=True)
    yield "much", activity(*((920 + 40 * (place % 5), 90 + 7 * place) for place in range(12)))


def sample_hands() -> Iterator[tuple[str, SeatView]]:
    """Yield the name and the view of each sample hand that is sorted by melds."""
    yield "dealt", hand("Ad 2c 2d 6c 7c 8d 9d 9s Jd Qs")
    yield "drawn", hand("10h Jh Qh Ac 2s 3s 4c 4h Js Qc Ks", "3s")
    yield "may-knock", hand("4c 4h 4s 10h Jh Qh Kh Ac 2s 3s 8c", "Kh")
    yield "gin", hand("Ac Ad As 3h 4h 5h 10s Js Qs Ks 3d", "5h")
    yield "big-gin", hand("Ac Ad As 3h 4h 5h 6h 10s Js Qs Ks", "6h", MatchState(rules="big"))
    yield "of-seven", hand("5c 5d 5h 9s Kd 2c 3c", setting=_FOUR)
    yield "round-the-corner", hand("Qs Ks As Kd Ad 2d 3d 8h 9h 10h 4c", "2d", MatchState(rules="round_the_corner"))
    yield "oklahoma", hand("Ad 2c 2d 6c 7c 8d 9d 9s Jd Qs", setting=_OKLAHOMA)
    yield "at-the-wall", hand("4c 4h 4s 10h Jh Qh Kh 2s 3s 4d", setting=_WALL)
    yield "laying-off", answering(_ANSWER, knock(1, _KNOCK), _MANUAL)
    yield "laid-some-off", answering("2h 3h 4h Ac 3c 6d 9h Kc", knock(1, _KNOCK, _LAID_OFF), _MANUAL)
    yield (
        "nothing-fits",
        answering("Ah 2h 3h Ac 3c 5h 7s 8c 10h Kc", knock(1, "6d 7d 8d Qh Qc Qs 2c 2d 2s 3s"), _MANUAL),
    )
    yield "fits-twice", answering("7s 8h 2c 2d 5h Kh Kc", knock(2, "7c 7d 7h 4s 5s 6s Ac"), replace(_THREE, turn=0))
    yield "others-lay-off", answering(_KNOCK, knock(0, _KNOCK, _LAID_OFF.replace("0:", "1:")), replace(_MANUAL, turn=1))


def sorted_hands() -> Iterator[tuple[str, SeatView, HandOrder]]:
    """Yield the name, the view and the order of each sample hand that is sorted by suit or by rank."""
    yield "by-suit", hand("4c 4h 4s 10h Jh Qh Kh Ac 2s 3s 8c", "Kh"), HandOrder.SUIT
    yield "by-rank", hand("Ac Ad As 3h 4h 5h 10s Js Qs Ks 3d", "5h"), HandOrder.RANK


def kinds_of_hands() -> Iterator[tuple[str, Draw]]:
    """Yield names and drawing functions: hands with zero to three melds in every order, then answers to a knock."""
    kinds = (
        ("7 without a meld", hand("2c 3d 5h 9s 10c Jd Kd", setting=_FOUR)),
        ("7 with a meld", hand("5c 5d 5h 2c 3c 9s Kd", setting=_FOUR)),
        ("8 with two melds", hand("5c 5d 5h 2c 3c 4c 9s Kd", "9s", _FOUR)),
        ("10 without a meld", hand("Ad 2c 2d 6c 7c 8d 9d 9s Jd Qs")),
        ("10 with a meld", hand("10h Jh Qh Ac 2s 3s 4c 4h 8s Qc")),
        ("10 with two melds", hand("4c 4h 4s 10h Jh Qh Kh Ac 2s 8c")),
        ("10 with three melds", hand("Ac Ad As 3h 4h 5h Js Qs Ks 9d")),
        ("11 without a meld", hand("Ad 2c 2d 6c 7c 8d 9d 9s Jd Qs Kh", "7c")),
        ("11 with a meld made now", hand("10h Jh Qh Ac 2s 3s 4c 4h Js Qc Ks", "Qh")),
        ("11 with two melds", hand("4c 4h 4s 10h Jh Qh Kh Ac 2s 3s 8c", "Kh")),
        ("11 with two melds, to knock", hand("4c 4h 4s 10h Jh Qh Ac 2s 3d Ah 6c", "6c")),
        ("11 with three melds", hand("Ac Ad As 3h 4h 5h 10s Js Qs Ks 3d", "5h")),
        ("11 with big gin", hand("Ac Ad As 3h 4h 5h 6h 10s Js Qs Ks", "6h", MatchState(rules="big"))),
    )
    for name, view in kinds:
        for order in HandOrder:
            yield f"{name}, by {order}", partial(draw_hand, view, order=order)
    for name, view in sample_hands():
        if view.public.phase is Phase.LAY_OFF:
            yield name, partial(draw_hand, view)


def sample_tables() -> Iterator[tuple[str, PublicView]]:
    yield "offer", table(MatchState(discards="Jc", stock=31, phase=Phase.OFFER))
    taken = "0 pass 1 take Jc"
    yield (
        "taken",
        table(MatchState(discards="", stock=31, hand_sizes=(10, 11), turn=1, phase=Phase.DISCARD, moves=taken)),
    )
    yield "later", table(_LATER)
    yield "over", table(replace(_LATER, turn=None, phase=Phase.DONE, score=score(112, 61, winner=0, bonus=100)))
    yield "three", table(_THREE)
    yield "four", table(_FOUR)
    yield "reshuffled", table(replace(_FOUR, turn=None, phase=Phase.RESHUFFLE, stock=2))
    yield (
        "resigned",
        table(replace(_THREE, turn=None, phase=Phase.DONE, resigned=1, score=replace(score(12, 45, 8), is_over=True))),
    )
    yield "rotation", table(_ROTATION)
    yield "partners", table(_PARTNERS)
    yield "partners-waiting", table(replace(_PARTNERS, turn=None, phase=Phase.DONE))
    yield (
        "hollywood",
        table(replace(_LATER, number=11, rules="hollywood", score=_GAMES, hand_sizes=(11, 10), phase=Phase.DISCARD)),
    )
    yield "oklahoma", table(replace(_LATER, rules=_SPADES, upcard="4s", limit=4))
    yield "gin-only", table(replace(_LATER, rules="straight target=none deals=5", limit=0))
    yield "either-goal", table(replace(_LATER, rules="penalty deals=20"))
    yield "wall", table(_WALL)
    yield "knocked", table(replace(_MANUAL, knock=knock(1, _KNOCK), score=score(37, 61)))
    laying_off = f"{_MANUAL.moves} 0 l 7s 0 l 8s"
    yield "laying-off", table(replace(_MANUAL, knock=knock(1, _KNOCK, _LAID_OFF), moves=laying_off))
    off = knock(2, "7c 7d 7h 4s 5s 6s Ac", "0:3s>4s5s6s 1:7s>4s5s6s")
    yield "knocked-four", table(replace(_FOUR, phase=Phase.LAY_OFF, turn=1, knock=off))


def _scorecards() -> Iterator[tuple[str, tuple[PublicView, tuple[ShowdownView, ...]]]]:
    yield "first-deal", scored("classic", "0 knock 15")
    yield "under-way", scored("classic", "0 knock 15,void,1 gin 24,1 knock 8")
    yield "over", scored("classic", _SCORE_SHEET_DEALS)
    yield "shutout", scored("strict", "1 gin 30,1 undercut 0,1 knock 18,1 gin 24")
    yield "boxes", scored(f"{_SPADES} target=150", "0 gin 30,1 undercut 4,1 gin 30,0 knock 20,1 knock 20,0 gin 90")
    yield "at-once", scored("classic line_credit=at_once line_bonus=10 target=250", "0 knock 15,0 gin 12,1 knock 12")
    yield "drawn", scored("research target=none deals=4", "0 knock 20,1 gin 8,void,0 knock 25,1 knock 12")
    yield "resigned", scored("classic", "0 knock 15,1 knock 31", resigned=0)
    yield "behind", scored("classic winner=first_to_target", f"{'1 knock 9,' * 9}0 gin 80")
    yield "long", scored("classic target=900", ",".join([_SCORE_SHEET_DEALS] * 3))
    yield "hollywood", scored("hollywood", f"{_SCORE_SHEET_DEALS},1 gin 40,0 undercut 12,1 knock 31,1 big_gin 40")
    yield "hollywood-over", scored("hollywood", "0 gin 90,1 knock 40,0 gin 30,0 knock 60,0 gin 70")
    yield "hollywood-large", scored("hollywood target=9000", ",".join(["0 gin 90", "1 gin 97", "0 undercut 60"] * 45))
    large = "hollywood target=9000 game_bonus=1000 line_bonus=1000 shutout=double_deals"
    yield "hollywood-largest", scored(large, ",".join(["0 gin 90"] * 81))
    yield "rotation", scored("rotation", "0 gin 20,1 knock 12,0 knock 31,1 undercut 2,0 knock 30", 3)
    yield "either-goal", scored("penalty deals=20", "0 knock 6 21,1 gin 30 0,1 undercut 9 7")
    yield "penalty", scored("penalty", "0 knock 6 21 40,2 gin 14 30 0,1 undercut 9 7 12", 3)
    four = "0 knock 6 21 40 18,2 gin 14 30 0 9,1 undercut 9 7 12 30,3 knock 11 20 8 2,0 knock 5 22 19 6"
    yield "penalty-four", scored("penalty", four, 4)
    yield "penalty-resigned", scored("penalty", "0 knock 6 21 40 18,2 gin 14 30 0 9", 4, resigned=1)
    rounds = "0 knock 6,3 knock 20,1 gin 20,void,0 knock 15,3 knock 15,1 knock 31,2 undercut 3"
    yield "partners", scored("partners", rounds, 4)
    yield "partners-over", scored("partners", f"{rounds},1 gin 30,3 gin 26", 4)


def _showdowns() -> Iterator[tuple[str, ShowdownView]]:
    now = score(29, 40)
    yield "knock", showdown("3d 4d 5d 4s 5s 6s 9c 9d 9s Jh", "Ah 2h 3h Ac 3c 4c 6d 7d 5h 7c", score=now)
    yield "undercut", showdown("Ac 2c 3c Ah 2h 3h 4d 5d 6d Kc", "As 2s 3s 4s 5s 9s 4h 5h 2d 3d", score=now)
    yield "gin", showdown("3d 4d 5d 4h 5h 6h 7h Qc Qd Qs", "6c 7c 8c 2h 2s 3h 3s 4c 5s Ks", score=now)
    yield (
        "big-gin",
        showdown("3d 4d 5d 6d 4h 5h 6h 7h Qc Qd Qs", "6c 7c 8c 2h 2s 3h 3s 4c 5s Ks", rules="big", score=now),
    )
    yield "many-lay-offs", showdown("5d 6d 7d 8s 9s 10s Qh Qc Qd Ac", "4d 3d 2d 8d 9d Js Qs 7s 6s Kh", score=now)
    yield "tie", showdown("Ac 2c 3c Ah 2h 3h 4d 5d 6d 9c", "As 2s 3s 4s 5s 6s 10h Jh Qh 9d", rules="strict", score=now)
    yield (
        "oklahoma",
        showdown(
            "Ac 2c 3c Ah 2h 3h 4d 5d 6d 3d",
            "As 2s 3s 4s 5s Kd 4h 5h Kh Kc",
            rules=_SPADES,
            upcard="4s",
            score=score(29, 60),
        ),
    )
    yield (
        "round-the-corner",
        showdown("Qs Ks As 4d 5d 6d 8c 8h 8d 2c", "2s 3s 4s 7d Kd Kc 9c 9h 3h Jh", rules="round_the_corner", score=now),
    )
    yield (
        "hollywood",
        showdown("Ac 2c 3c Ah 2h 3h 4d 5d 6d Kc", "As 2s 3s 4s 5s 9s 4h 5h 2d 3d", rules="hollywood", score=_GAMES),
    )
    yield (
        "rotation",
        showdown(
            "3d 4d 5d 4s 5s 6s 9c 9d 9s Jh",
            "Ah 2h 3h Ac 3c 4c 6d 7d 5h 7c",
            rules="rotation",
            seats=(0, 1),
            dealer=2,
            score=score(49, 60, 25),
        ),
    )
    yield (
        "partners",
        showdown(
            "3d 4d 5d 4h 5h 6h 7h Qc Qd Qs",
            "6c 7c 8c 2h 2s 3h 3s 4c 5s Ks",
            rules="partners",
            seats=(0, 3),
            board=2,
            score=score(43, 60),
        ),
    )
    three = ("7c 7d 7h 4s 5s 6s 9c", "7s 8h 2c 2d 5h Kh Kc", "3s 2h 10h Jh Qh 4c 4d")
    yield "penalty", showdown(*three, rules="penalty", seats=(2, 0, 1), score=score(49, 64, 8))
    four = ("7c 7d 7h 4s 5s 6s 9c", "7s 8h 2c 2d 5h Kh Kc", "3s 5d Ah Ad Ac As 2h", "3h 10h Jh Qh 10c 10d 6h")
    yield "penalty-undercut", showdown(*four, rules="penalty", seats=(2, 3, 0, 1), score=score(12, 45, 18, 50))
    gin = ("7c 7d 7h 3s 4s 5s 6s", "7s 8s 2c 2d 5h Kh Kc", "9s 2s Ah Ad As 4c 4d", "3h 10h Jh Qh 10c 10d 6h")
    yield "penalty-gin", showdown(*gin, rules="penalty", seats=(1, 2, 3, 0), score=score(12, 45, 18, 50))
    ended = ("3d 4d 5d 4h 5h 6h 7h Qc Qd Qs", "6c 7c 8c 2h 2s 3h 3s 4c 5s Ks")
    for name, rules, deals in (
        ("last", "classic", "0 knock 15,0 knock 12,1 knock 12,1 gin 24,0 knock 20,1 knock 10,0 gin 29"),
        ("last-shutout", "strict target=50", "0 gin 29"),
        ("last-hollywood", "hollywood target=900", ",".join(["0 gin 29"] * 19)),
    ):
        _, played = scored(rules, deals)
        yield name, showdown(*ended, rules=rules, number=len(played), score=played[-1].score)
    yield "void", showdown(score=now)
    yield "void-wall", showdown(rules="tournament void_redeal=deal_passes", score=now)
    yield "void-long", replace(showdown(score=now), outcome=TOO_LONG)
    yield "void-partners", showdown(rules="partners", seats=(2, 1), board=1, score=score(43, 60))


def sample_replays() -> Iterator[tuple[str, ReplayView]]:
    two = ("3d 4d 5d 4s 5s 9c 9d 9s Jh Kd", "Ah 2h 3h Ac 3c 4c 6d 7d 5h 7c")
    moves = "0 pass 1 pass 0 draw Qc 0 x Qc 1 take 1 x 7c 0 draw 6s 0 k Kd"
    yield "knock", replay(two, "Jc", moves, score=score(49, 60))
    three = ("7c 7d 7h 4s 5s Kd Qs", "7s 8h 2c 2d 5h Kh Kc", "3s 2h 10h Jh Qh 4c 4d")
    moves = "2 pass 0 pass 1 pass 2 draw 6s 2 x Qs 0 draw 9h 0 x 9h 1 draw As 1 x 4d 2 draw 9c 2 k Kd"
    yield "three", replay(three, "Jc", moves, rules="penalty", seats=(2, 0, 1), score=score(49, 64, 8))
