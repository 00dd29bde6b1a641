"""The texts of refusals."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

import bot.engine.deals.lay_offs
import bot.engine.deals.phases
import bot.play.matches.turns
from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.engine.rules import OPTIONS, PRESETS
from bot.model.appearance import Appearance
from bot.model.challenges import ChallengeStatus
from bot.model.clocks import Clock, TimeLeft
from bot.model.discord_codes import LASTING_REFUSALS
from bot.model.ids import ChannelId, PersonId
from bot.model.matches import MatchKind, MatchStatus
from bot.model.offers import StandingOffers
from bot.model.people import Preferences
from bot.play import refusals as why
from cogs import refusals as texts
from cogs.delivery.refusals import FAULT, no_room_to_continue, refused_answer, refused_in
from cogs.rules.refusals import MAX_NAMES
from tests.cogs.samples import MESSAGE_LIMIT, NOW, challenge_by, hand_of, match_between, person_id, recorded_until

MATCH = match_between("North", "South")
TRY = replace(MATCH, kind=MatchKind.PRACTICE, guild_id=None, channel_id=None, day=date(2026, 11, 21))
NORTH, STRANGER = person_id(0), PersonId(7)
HAND = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 0)
MOVE_REFUSAL_CODES = sorted(
    {
        code
        for module in (bot.engine.deals.phases, bot.engine.deals.lay_offs, bot.play.matches.turns)
        for code in re.findall(r'(?:return|Illegal\(hand,) "([a-z-]+)",', Path(str(module.__file__)).read_text("utf-8"))
    }
    - {"over", "stock"}
)
"""All codes of moves refused by the engine or the services, except those that no player can cause."""


def _lobby_refusals() -> Iterator[why.Refusal]:
    for rules in ("rotation", "partners", "penalty"):
        lobby = challenge_by("North", "East", named=("South",), rules=rules)
        yield why.NotForYou(lobby)
        yield why.NoPlaceLeft(lobby)
        yield why.AlreadyIn(lobby)
        yield why.NotEnoughPlayers(lobby)
        yield why.NoTeams(lobby)


REASONS: tuple[why.Refusal, ...] = (
    why.Unavailable(),
    why.OutcomeUnknown(),
    why.Stopping(),
    why.AlreadyOffered(StandingOffers((challenge_by("North"),)), None, "mark"),
    why.NoMatch(in_channel=True),
    why.NoMatch(in_channel=False),
    why.WhichMatch((MATCH, MATCH)),
    why.NotSeated(MATCH),
    why.NotSeated(replace(MATCH, status=MatchStatus.FINISHED)),
    why.NotYourTurn(HAND),
    why.NotYourTurn(hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 1)),
    why.Stale(HAND),
    why.MatchOver(MATCH),
    why.MatchRunning(MATCH),
    why.NotOver(MATCH),
    why.NewDaily(),
    why.TryCalledOff(),
    why.ProfileHidden(STRANGER),
    *(refusal(MATCH, problem) for refusal in (why.NoReplay, why.NotReviewable) for problem in why.NoReplayReason),
    why.NotVerifiable(MATCH),
    why.NotCommitted(challenge_by("North")),
    *(why.InvalidWords(problem) for problem in why.WordsProblem),
    why.TooManyWords(MATCH),
    why.NoOffer(MATCH),
    why.RematchBegun(MATCH),
    why.TooSoon(MATCH, None),
    why.TooSoon(MATCH, TimeLeft(timedelta(hours=1), NOW)),
    why.TooSoon(MATCH, TimeLeft(timedelta(hours=1), None)),
    why.TooSoon(replace(MATCH, clock=Clock.parse("2d")), TimeLeft(timedelta(hours=1), NOW)),
    why.BackAtTable(HAND),
    why.Damaged(MATCH),
    why.Paused(MATCH),
    why.NotPaused(MATCH),
    why.Vacant(replace(MATCH, vacant_seat=Seat(0))),
    why.Vacant(replace(MATCH, vacant_seat=Seat(1))),
    why.NotVacant(MATCH),
    why.NoTimeToGive(MATCH),
    why.TooMuchTime(MATCH),
    *(why.NoNudge(MATCH, reason, Seat(0)) for reason in why.NudgeRefusal),
    why.TooLongAway(14, 20),
    why.TooLongAway(1, 1),
    why.TooLongAway(0, 0),
    why.NotAway(),
    why.UnknownTimeZone("Mars/Olympus"),
    why.UnknownTimeZone("EST", ("America/New_York", "America/Toronto")),
    why.UnreadableHour("noon"),
    why.UnknownClock("soon"),
    why.Frozen(MATCH),
    why.ChannelBusy(MATCH),
    *(why.ChannelBusy(MATCH, reason) for reason in why.NoThreadReason),
    why.WrongChannel((ChannelId(1), ChannelId(2))),
    why.NotWithYourself(),
    why.TooManyChallenges((challenge_by("North"),) * 5),
    why.NoPractice(),
    why.NotPractice(MATCH),
    why.NoAdvice(),
    why.Sealed(TRY),
    why.DayOver(TRY),
    why.NotInDaily(TRY),
    why.NoDaily(NOW),
    why.NoReview(),
    why.NotInDeal(MATCH),
    why.NotInDeal(MATCH, whole_match=True),
    why.NotInDeal(replace(MATCH, status=MatchStatus.FINISHED), whole_match=True),
    why.NoDealFinished(),
    why.TooMuchPractice((MATCH,) * 3),
    why.NotWelcome(STRANGER),
    why.Blocked(STRANGER),
    *(why.CannotTakeBack(MATCH, has_drawn) for has_drawn in (False, True)),
    why.TooManyBlocked(25),
    why.NoChallenge(),
    *(why.ChallengeClosed(challenge_by("North", status=status)) for status in ChallengeStatus),
    why.NotForYou(challenge_by("North")),
    why.NotForYou(challenge_by("North", named=("South",))),
    why.TooManyNamed(1),
    why.TooManyNamed(3),
    why.WrongNumber(3, range(2, 3), ("penalty", "rotation")),
    why.WrongNumber(2, range(2, 5), ()),
    *_lobby_refusals(),
    why.UnknownRules("nothing"),
    why.UnknownRules("nothing " * 2000, tuple(PRESETS)),
    why.UnknownRules("nothing", tuple(PRESETS), "bridge " * 2000),
    why.UnknownOption("nothing", asked="knock"),
    why.WrongValue("nothing", asked="50x", option="knock_limit"),
    why.NotOffered("strict", ("classic", "Friday night")),
    why.WrongRulesName("strict", taken=True),
    why.WrongRulesName("?", taken=False),
    why.TooManyHouseRules(25),
    *(why.Illegal(HAND, code, card) for code in MOVE_REFUSAL_CODES for card in (None, Card.parse("Kd"))),
)


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: type(reason).__name__)
def test_every_refusal_has_a_text(reason: why.Refusal) -> None:
    """Each text is a sentence that fits a message, names no class, and does not report an internal error."""
    for person in (NORTH, STRANGER):
        text = texts.text(reason, person)
        assert FAULT not in text
        assert "You can't do that now" not in text
        assert type(reason).__name__ not in text
        assert text.endswith((".", "?"))
        assert len(text) < MESSAGE_LIMIT


def test_no_refusal_is_left_out() -> None:
    """`REASONS` contains every refusal class."""
    existing = {
        refusal_class
        for _, refusal_class in inspect.getmembers(why, inspect.isclass)
        if issubclass(refusal_class, why.Refusal)
    }
    assert {type(reason) for reason in REASONS} == existing - {why.Refusal, why.MatchRefusal, why.ChallengeRefusal}
    assert {"too-much", "lay-off", "not-big-gin", "wall", "no-gin", "no-lay-off"} < set(MOVE_REFUSAL_CODES)


def test_a_misspelt_name_of_rules_is_guessed() -> None:
    """For a misspelt name of rules, the closest name is suggested; for a name unlike all of them, all are listed."""
    names = ("classic", "standard", "Mum's rules")
    guesses = {"clasic": "classic", "STANDART": "standard", "mums rules": "Mum's rules"}
    for asked, guess in guesses.items():
        guessed = texts.text(why.UnknownRules("no", names, asked), NORTH)
        assert guessed.endswith(f"Did you mean **{guess}**?")
        assert "The choices are" not in guessed
    unlike = texts.text(why.UnknownRules("no", names, "bridge"), NORTH)
    assert "Did you mean" not in unlike
    assert all(f"**{name}**" in unlike for name in names)


def test_many_names_of_rules_are_not_listed() -> None:
    """A text lists up to `MAX_NAMES` names of rules; for more, it refers to the completions."""
    names = tuple(f"House {number}" for number in range(MAX_NAMES + 1))
    for offered, lists in ((names[:-1], True), (names, False)):
        for refusal in (why.UnknownRules("no", offered, "bridge"), why.NotOffered("bridge", offered)):
            text = texts.text(refusal, NORTH)
            assert (names[0] in text) == ("The choices are" in text) == lists
            assert ("Choose from the list" in text) == (not lists)


def test_refused_rules_name_what_was_typed() -> None:
    """The text names the rules, option or value that is unknown, the closest option, or what the option accepts."""
    missing = texts.text(why.UnknownRules("no", tuple(PRESETS), "foo=bar"), NORTH)
    assert missing.startswith("I don't know the rules **⁨foo=bar⁩**.")
    assert "`classic target=50`" in missing
    assert "**⁨foo\\*⁩**" in texts.text(why.UnknownRules("no", tuple(PRESETS), "foo*"), NORTH)
    near, far = (texts.text(why.UnknownOption("no", asked=asked), NORTH) for asked in ("knock", "zzz"))
    assert near == "I don't know the option **⁨knock⁩**. Did you mean **knock_limit**?"
    assert far.startswith("I don't know the option **⁨zzz⁩**. To see every option,")
    assert not any(option in far for option in OPTIONS)
    value, none = (texts.text(why.WrongValue("no", asked=asked, option="knock_limit"), NORTH) for asked in ("50x", ""))
    assert value == "`knock_limit` can't be **⁨50x⁩**. It can be `0` to `100` or `upcard`."
    assert none == "`knock_limit` needs a value. It can be `0` to `100` or `upcard`."


def test_a_shortened_reason_refers_to_the_full_list() -> None:
    """A shortened list of options refers to the draft of a challenge, which has all of them."""
    assert "every option" in texts.text(why.UnknownRules("one of " + "many, " * 100), NORTH)
    assert "every option" not in texts.text(why.UnknownRules("nothing"), NORTH)


def test_a_refusal_depends_on_who_is_refused() -> None:
    """Challengers read that the challenge is their own; others read the names of its owner and possible opponents."""
    named, open_to_all = challenge_by("North", named=("South",)), challenge_by("North")
    assert texts.text(why.NotForYou(named), NORTH).startswith("You can't answer your own challenge")
    assert f"Only <@{person_id(1)}> can answer <@{person_id(0)}>'s challenge" in texts.text(
        why.NotForYou(named), STRANGER
    )
    assert "Only someone else can answer" in texts.text(why.NotForYou(open_to_all), STRANGER)
    saved = texts.text(why.NoPlaceLeft(challenge_by("North", named=("South", "East"), rules="rotation")), STRANGER)
    assert f"saved for <@{person_id(1)}> and <@{person_id(2)}>" in saved
    lobby = challenge_by("North", "South", "East", rules="rotation")
    assert f"Only <@{person_id(0)}> can start, change or close this table" in texts.text(why.NotForYou(lobby), STRANGER)
    assert texts.text(why.NotForYou(lobby), NORTH).startswith("This is your own table")
    assert texts.text(why.NotForYou(lobby), person_id(1)).endswith("Press *Leave* to give up your seat.")
    duel = challenge_by("North", named=("South",))
    assert texts.text(why.NotForYou(duel), person_id(1)).endswith("press *Accept* or *Decline*.")
    assert texts.text(why.AlreadyIn(lobby), NORTH).startswith("That player has already joined")
    assert texts.text(why.AlreadyIn(lobby), STRANGER) == "You've already joined. Press *Leave* to give up your seat."
    assert "These rules have no teams" in texts.text(why.NoTeams(lobby), NORTH)
    alone = texts.text(why.NotEnoughPlayers(challenge_by("North", rules="rotation")), NORTH)
    assert alone.startswith("Only you have joined.")
    assert "3" in alone


def test_refused_time_depends_on_the_clock() -> None:
    """If a player cannot give time, the text says whether the match has no clock, or nobody else needs time."""
    without = texts.text(why.NoTimeToGive(MATCH), NORTH)
    assert texts.text(why.NoTimeToGive(replace(MATCH, clock=Clock.parse("2d"))), NORTH) != without


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (why.NotWithYourself(), "Challenge someone else, or let anyone accept."),
        (why.NotWelcome(STRANGER), "<@7> isn't taking challenges right now."),
        (why.Blocked(STRANGER), "You've blocked <@7>."),
        (
            why.TooManyChallenges((challenge_by("North"),) * 5),
            "5 open challenges.",
        ),
        (why.TooManyNamed(2), "These rules allow only 2 opponents."),
        (why.ChallengeClosed(challenge_by("North", status=ChallengeStatus.EXPIRED)), "That challenge has expired."),
        (why.ChallengeClosed(challenge_by("North", status=ChallengeStatus.ACCEPTED)), "has already been accepted."),
        (
            why.WrongChannel((ChannelId(1), ChannelId(2))),
            "you can play gin rummy only in <#1> or <#2>.",
        ),
        (why.TooLongAway(1, 1), "can last 1 day at most. You have 1 day of holiday left this year."),
        (why.UnknownClock("soon"), "I don't know the clock **⁨soon⁩**."),
        (
            why.UnknownRules("no rules 'x'", ("classic",)),
            "by these rules: no rules 'x'. The choices are **classic**.",
        ),
        (why.NotOffered("strict", ("classic",)), "This server doesn't offer **strict**. The choices are **classic**."),
        (why.WrongRulesName("Classic", taken=True), "That name is taken"),
        (why.WrongRulesName("_x_", taken=False), "1 to 32 letters"),
        (why.TooManyHouseRules(25), "This server already has 25 sets of house rules."),
        (why.ChannelBusy(MATCH, why.NoThreadReason.BOT_MAY_NOT), "⁨North⁩ vs ⁨South⁩ is running in <#"),
        (why.ChannelBusy(MATCH, why.NoThreadReason.IN_THREAD), "Only one match can run in a thread."),
        (why.RematchBegun(MATCH), "The rematch of ⁨North⁩ vs ⁨South⁩ has started."),
        (why.NoOffer(MATCH), "That offer in ⁨North⁩ vs ⁨South⁩ is no longer open."),
        (why.TooSoon(MATCH, TimeLeft(timedelta(hours=1), NOW)), "after a week without a move, which is <t:"),
        (why.BackAtTable(HAND), "That player is back, so their clock is running again."),
        (why.UnknownTimeZone("EST", ("America/New_York",)), "Did you mean *New York*?"),
        (why.UnknownTimeZone("Atlantis"), "I don't know the time zone **⁨Atlantis⁩**."),
    ],
    ids=lambda value: value.partition(".")[0] if isinstance(value, str) else str(value),
)
def test_refusals_of_challenges_and_of_matches(refusal: why.Refusal, expected: str) -> None:
    """Each text gives the reason with the relevant names, numbers and channels."""
    assert expected in texts.text(refusal, NORTH)


def test_only_one_reason_asks_for_a_permission() -> None:
    """Only one of the reasons for a missing thread asks people to give the bot a permission."""
    told = [why.ChannelBusy(MATCH, reason) for reason in why.NoThreadReason]
    assert ["create public threads" in texts.text(reason, STRANGER) for reason in told].count(True) == 1
    told = [no_room_to_continue(reason) for reason in told]
    assert ["create public threads" in text for text in told].count(True) == 1
    assert all("once the other match is over" in text for text in told)


def test_every_lasting_refusal_has_a_text() -> None:
    """Each refusal in `LASTING_REFUSALS` has a text about a channel, and a text for a refused answer.

    The first names the channel. The second says that the person's move counts, if it was saved.
    """
    for code in LASTING_REFUSALS:
        assert "<#7>" in refused_in(7, code)
        assert refused_answer(code, saved=True).startswith("That worked.")


def test_finished_matches_say_did_not_play() -> None:
    """The text says *did not play* for a finished match, and *are not playing* for a running one."""
    for status, begins in ((MatchStatus.RUNNING, "You aren't playing"), (MatchStatus.CANCELLED, "You didn't play")):
        assert texts.text(why.NotSeated(replace(MATCH, status=status)), STRANGER).startswith(f"{begins} in ")


def test_a_full_lobby_has_a_text_for_its_owner() -> None:
    """For a full lobby, the owner's text names *Start* if the match can start. Others read the owner's name."""
    full = why.NoPlaceLeft(challenge_by("North", "South", "East", rules="rotation"))
    assert texts.text(full, NORTH) == "Your table is full. Press *Start*."
    assert texts.text(full, STRANGER).startswith("⁨North⁩'s table is full.")
    for rules, joined, named in (("rotation", ("South",), ("East",)), ("penalty", ("South",), ("East", "West"))):
        challenge = challenge_by("North", *joined, named=named, rules=rules)
        owner_text = texts.text(why.NoPlaceLeft(challenge), NORTH)
        assert owner_text.startswith("The last seat")
        assert ("*Start*" in owner_text) == challenge.can_start == (rules == "penalty")


def test_a_review_is_refused_in_its_own_words() -> None:
    """Refused reviews do not mention replays, and refused replays do not mention reviews."""
    for reason in why.NoReplayReason:
        review, replay = why.NotReviewable(MATCH, reason), why.NoReplay(MATCH, reason)
        assert re.search("replay|watch", texts.text(review, NORTH)) is None
        assert "review" not in texts.text(replay, NORTH)
    sat_out = texts.text(why.NotInDeal(MATCH, whole_match=True), NORTH)
    assert sat_out == "You've sat out every deal so far."


def test_the_used_up_stock_has_two_texts() -> None:
    """A player may take the last discard only to go out, and must go out after taking it; the texts say so."""
    wall = hand_of(recorded_until("options/last_discard-may_go_out", Phase.WALL), 0)
    assert "take the **4♣** only if you can go out" in texts.text(why.Illegal(wall, "wall", None), STRANGER)
    assert "you took the last discard" in texts.text(why.Illegal(HAND, "wall", None), STRANGER)


def test_a_knock_with_too_much_says_how_much() -> None:
    """If a knock leaves too much deadwood, the text has that number and the limit, or says that only gin is allowed."""
    choice = HAND.view.discard_choices[0]
    text = texts.text(why.Illegal(HAND, "too-much", choice.card), STRANGER)
    assert (
        f"Discarding **{choice.card.symbol}** leaves {choice.deadwood} deadwood, but you can knock only with 10" in text
    )
    polish = replace(HAND, preferences=Preferences(appearance=Appearance(language="pl")))
    assert "You don't hold **D♥**" in texts.text(why.Illegal(polish, "not-in-hand", Card.parse("Qh")), STRANGER)
    public = replace(HAND.view.public, knock_limit=0)
    gin_only = replace(HAND, view=replace(HAND.view, public=public))
    text = texts.text(why.Illegal(gin_only, "too-much", choice.card), STRANGER)
    assert "but you need gin to go out in this deal" in text
    assert "You can't go gin with this hand" in text


def test_a_refused_knock_names_the_cards_that_can_knock() -> None:
    """A refused knock lists the cards that can knock, best first, or says that there are none."""
    choices = tuple(replace(choice, can_knock=number < 2) for number, choice in enumerate(HAND.view.discard_choices))
    hand = replace(HAND, view=replace(HAND.view, discard_choices=choices))
    best, other = sorted(choices[:2], key=lambda choice: choice.deadwood)
    expected = f"**{best.card.symbol}** (leaving {best.deadwood}) or **{other.card.symbol}** (leaving {other.deadwood})"
    text = texts.text(why.Illegal(hand, "too-much", choices[2].card), STRANGER)
    assert text.endswith(f"You can knock with {expected}, or discard a card.")
    none = replace(
        hand, view=replace(hand.view, discard_choices=tuple(replace(choice, can_knock=False) for choice in choices))
    )
    text = texts.text(why.Illegal(none, "too-much", choices[2].card), STRANGER)
    assert text.endswith("You can't knock with this hand. Discard a card.")
