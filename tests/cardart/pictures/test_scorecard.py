"""The scorecard shows each deal, the sums, and the winner."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.engine.deals.moves import Seat
from bot.model.appearance import Appearance
from cardart import Portrait, draw_scorecard
from cardart.drawing.palette import RULE
from cardart.drawing.themes import THEMES
from cardart.parts.badges import badge
from cardart.pictures.scorecard import MAX_BOARDS, MAX_DEALS
from cardart.text import phrases
from cogs.showdowns.score_sheet import score_sheet
from tests.cardart.card_reader import count_patch, pixel_colour
from tests.cardart.views import MONOGRAMS, PORTRAITS, SYSTEMS, scored_matches
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_scorecards import scored as made_up
from tests.helpers.cases import thorough_after

each_system = pytest.mark.parametrize(("rules", "seats"), thorough_after(3, SYSTEMS))


@pytest.mark.thorough
@each_system
def test_the_alt_text_has_the_engines_totals(rules: str, seats: int) -> None:
    """In every format the alt text has each side's totals and the winner. The picture has at most 40 KB."""
    view, deals = scored_matches(1, rules, seats)[-1]
    picture = draw_scorecard(view, deals, PORTRAITS)
    sides = ["+".join(MONOGRAMS[seat] for seat in side) for side in view.sides]
    told = [", ".join(f"{side} {total}" for side, total in zip(sides, view.score.totals, strict=True))]
    told += [
        ", ".join(f"{side} {total}" for side, total in zip(sides, game.totals, strict=True))
        for game in view.score.columns
    ]
    assert all(text in picture.alt for text in told)
    if view.score.winner is not None:
        assert picture.alt.endswith(f"{sides[view.score.winner]} won by {abs(view.score.margin or 0)}.")
    assert len(picture.alt) <= 1024
    assert len(picture.content) <= 40 * 1024


@each_system
def test_each_side_has_its_badges_over_its_column(rules: str, seats: int) -> None:
    """Each player has a badge above their column in each game.

    The result at the bottom has the leaders' badges or, if three games are scored at once, every player's badge.
    """
    view, deals = scored_matches(1, rules, seats)[0]
    running = replace(view, score=replace(view.score, is_over=False))
    games = len(view.score.columns) or 1
    ahead = [seat for side, _ in phrases.match_lead(running) for seat in side]
    for seat in range(seats):
        patch = badge(Seat(seat), MONOGRAMS[seat], 50).image.crop((12, 12, 38, 38))
        again = games > 1 or seat in ahead
        assert count_patch(draw_scorecard(running, deals, PORTRAITS), patch) == games + again


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seats"), thorough_after(2, [*SYSTEMS, ("penalty", 2)]))
def test_many_deals_are_summed_up(rules: str, seats: int) -> None:
    """If there are many deals, the first are summed up, so that the height stays constant and the alt text fits."""
    partners = rules.startswith("partners")
    kind = " ".join(("0 knock", *"5987"[:seats])) if rules.startswith("penalty") else "0 knock 12"
    many, more = (
        draw_scorecard(*made_up(f"{rules.split()[0]} target=9999", ",".join([kind] * deals), seats), PORTRAITS)
        for deals in (40, 90)
    )
    assert many.size == more.size
    label = re.search(r"\. (?:Rounds )?1–(\d+): ", many.alt)
    assert label is not None
    assert int(label[1]) >= (40 - MAX_BOARDS) // 2 if partners else 40 - MAX_DEALS
    assert max(len(many.alt), len(more.alt)) <= 1024
    assert max(len(many.content), len(more.content)) <= 40 * 1024


@pytest.mark.parametrize(
    ("rules", "deals", "resigned", "told"),
    [
        ("classic", "0 knock 15,1 gin 24", None, "Points: S 15, N 49. N leads by 34."),
        ("classic", "void", None, "Nobody leads."),
        ("penalty", "0 knock 3 20", None, "S leads by 17."),
        ("classic", "0 knock 15,void,1 gin 24", None, "1 knock: S +15 = 15. 2 void: no points. 3 gin: N +49 = 49."),
        ("classic", "0 knock 15", 0, "Lines: S 20, N 0. Total: S 35, N 0. S resigned, N won."),
        ("research target=none deals=2", "0 knock 9,1 knock 9", None, "Total: S 9, N 9. A drawn match."),
        ("research target=none deals=3", "0 knock 9,1 knock 5,1 knock 4", None, "N won, equal totals."),
        ("classic target=50 winner=first_to_target", "1 knock 5," * 9 + "0 gin 30", None, "S won with 50 fewer points"),
        ("oklahoma oklahoma_boxes=on", "0 gin 9", None, "1 gin: S +34 (3 lines) = 34."),
        ("strict target=40", "1 gin 30", None, "Game: S 0, N 100. Lines: S 0, N 25. Shutout: S 0, N 100."),
        ("penalty", "0 knock 3 20,1 gin 12 0", None, "1 knock by S: N +17 = 17. 2 gin by N: S +37 = 37."),
        ("hollywood", "0 knock 9,0 gin 5", None, "1 knock: S +9, game 1 9. 2 gin: S +30, game 1 39, game 2 30."),
        ("partners", "0 knock 9,2 gin 5", None, "1.1 knock: S+E2 9. 1.2 gin: S+E2 30. Round 1: S+E2 +39 = 39."),
        ("partners", "0 knock 9,3 knock 9", None, "Round 1: no points."),
    ],
)
def test_the_alt_text_has_every_line(rules: str, deals: str, resigned: int | None, told: str) -> None:
    """The alt text has each deal's outcome and points, the sums, the bonuses, and the result of the match."""
    seats = 4 if rules == "partners" else 2
    assert told in draw_scorecard(*made_up(rules, deals, seats, resigned), PORTRAITS).alt


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0 knock 15", "1 knock 15"),
        ("0 gin 15", "0 undercut 15"),
        ("0 gin 15", "0 knock 40"),
        ("0 knock 15,void", "0 knock 15"),
        ("0 knock 15,1 knock 3", "1 knock 3,0 knock 15"),
    ],
)
def test_different_deals_make_a_different_picture(one: str, other: str) -> None:
    """The picture and the alt text depend on the winners, the outcomes, and the order of the deals."""
    first, second = (draw_scorecard(*made_up("classic", deals), PORTRAITS) for deals in (one, other))
    assert first.content != second.content
    assert first.alt != second.alt


def test_every_theme_shows_the_same_in_colours_of_its_own() -> None:
    """Each theme has its own colours, but the same alt text and size."""
    pads = [
        draw_scorecard(*made_up("classic", "0 gin 15,1 undercut 3"), PORTRAITS, Appearance(theme)) for theme in THEMES
    ]
    assert len({pad.content for pad in pads}) == len(THEMES)
    assert len({(pad.alt, pad.size) for pad in pads}) == 1


def test_names_are_refused_as_monograms() -> None:
    """A name in place of a monogram is refused."""
    with pytest.raises(ValueError, match="not a monogram"):
        draw_scorecard(*made_up("classic", "0 gin 15"), (Portrait("North", "North"), Portrait("S", "South")))


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (("hollywood target=10000", "0 gin 9,1 gin 9"), ("hollywood target=10000", "0 gin 990,1 gin 990")),
        (
            ("hollywood", "0 gin 90,1 gin 9,0 gin 9"),
            ("hollywood line_bonus=1000 game_bonus=1000", "0 gin 90,1 gin 9,0 gin 9"),
        ),
        (
            ("penalty", "0 knock 3 20 4 5," * 4 + "void"),
            ("penalty target=10000", "0 knock 3 2000 2400 2300," * 4 + "void"),
        ),
        (("partners", "0 knock 9,2 gin 5"), ("partners target=10000", "0 knock 900,2 gin 975")),
    ],
)
def test_numbers_keep_to_their_columns(small: tuple[str, str], large: tuple[str, str]) -> None:
    """Numbers of four and five digits do not touch the lines between columns."""
    seats = 2 if small[0].startswith("hollywood") else 4
    drawn: list[list[bytes]] = []
    for rules, deals in (small, large):
        view, finished = made_up(rules, deals, seats)
        with Image.open(BytesIO(draw_scorecard(view, finished, PORTRAITS).content)) as image:
            pixels = image.convert("RGB")
        number = len(view.sides) * (len(view.score.columns) or 1)
        # Three games with large numbers have narrower labels: there is a portrait instead of a line.
        is_wide = len({pixels.getpixel((296, y)) for y in range(110, 196)}) == 1
        labels = {6: 300 if is_wide else 230, 4: 230}.get(number, 254)
        edges = [labels + (776 - labels) * place // number for place in range(number)]
        drawn.append([pixels.crop((edge - 5, 200, edge + 2, pixels.height - 190)).tobytes() for edge in edges])
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("deals", ["0 gin 60,1 gin 9", "0 gin 130,0 gin 30,1 gin 9"])
def test_three_games_have_no_bonus_together_before_the_end(deals: str) -> None:
    """Until the match is over, the sum of the three games excludes bonuses, even if one of the games is over."""
    view, finished = made_up("hollywood", deals)
    alt = draw_scorecard(view, finished, PORTRAITS).alt
    assert alt.endswith(f" Without bonuses: S {view.score.scores[0]}, N {view.score.scores[1]}.")
    together = score_sheet(view, finished, MONOGRAMS).rpartition("```\n```\n")[2]
    assert f"{phrases.WITHOUT_BONUSES} │ {view.score.scores[0]} │ {view.score.scores[1]:2}\n" in together
    over, finished = made_up("hollywood target=20", "0 gin 9,0 gin 9,0 gin 9")
    assert " Total: S 462, N 0. S won by 462." in draw_scorecard(over, finished, PORTRAITS).alt


def test_a_long_name_of_two_words_has_two_lines() -> None:
    """A name that is too wide for its column and has a space is written in two lines, at the size of the others."""
    match = made_up("penalty", "0 knock 6 21 40 18", 4)
    one, two = (
        draw_scorecard(*match, [replace(shown, name=name) for shown in PORTRAITS])
        for name in ("Expertcomputer", "Expert computer")
    )
    assert two.size[1] > one.size[1]


@pytest.mark.parametrize("name", ["W" * 35, "李明", "Ann 🃏"])
@pytest.mark.parametrize(
    ("rules", "deals", "seats"), [("classic", "0 gin 15", 2), ("penalty", "0 knock 6 21 40 18", 4)]
)
def test_names_of_any_length_fit_into_their_columns(name: str, rules: str, deals: str, seats: int) -> None:
    """Names and faces cover no line between two columns, and the picture keeps its size."""
    faces = [replace(shown, name=name, avatar=sample_avatar("cat")) for shown in PORTRAITS]
    match = made_up(rules, deals, seats)
    plain, drawn = draw_scorecard(*match, PORTRAITS), draw_scorecard(*match, faces)
    assert (drawn.size, drawn.alt) == (plain.size, plain.alt)
    heads = range(110, 196)
    lines = [x for x in range(280, 770) if all(pixel_colour(plain, x, y) == RULE for y in heads)]
    assert len(lines) == 2 * (seats - 1)
    assert all(pixel_colour(drawn, x, y) == RULE for x in lines for y in heads)
    assert drawn.content != draw_scorecard(*match, [replace(shown, name="Bo") for shown in faces]).content
