"""Words for people: names as they come, and messages within what Discord takes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.engine.match import Match
from bot.engine.rules import Rules
from bot.engine.views import public_view, showdown_view
from bot.play import refusals as why
from bot.play.values import (
    ChallengeStatus,
    EndPost,
    Invitation,
    MatchCard,
    MatchStatus,
    Player,
    Table,
    Wish,
)
from cogs.answers import Message
from cogs.panels import match as panels
from cogs.panels.invitation import invitation
from cogs.pictures import Pictures
from cogs.words import game, pages, people, refusals
from tests.engine.decks import random_actions
from tests.helpers.markdown import read

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LONGEST = "*_~`|" * 6 + "xy"
NAMES = (
    *("North", "a", "", "   ", "a\nb", "שלום", "🃏👑", "\u202eabc", LONGEST),
    *("*bold* _it_ `code`", "@everyone <@123456789012345678>", "<#123456789012345678>", "[a](https://b.example)"),
)
ODD_NAMES = st.text(
    st.sampled_from("\\`*_~|[]()<>#:@/ a1é😀\u200b-&!") | st.characters(), max_size=40
) | st.sampled_from(("2", "22", "Иван", "李明", "2Fast", "A", "Á", "AB", "1", "3"))
MOST = 4000
"""Discord's limit for all the text of a message."""


def _card(*names: str | None, rules: Rules | None = None, status: MatchStatus = MatchStatus.RUNNING) -> MatchCard:
    players = tuple(Player(None if name is None else 10**18 + seat, name) for seat, name in enumerate(names))
    return MatchCard(
        id=10**6,
        guild_id=10**18,
        channel_id=10**18,
        homeless=False,
        status=status,
        version=10**4,
        revision=10**4,
        rules=rules or Rules(),
        players=players,
        wishes=(Wish.CANCEL, Wish.CANCEL),
        started_at=NOW,
        moved_at=NOW,
        ended_at=None,
    )


def _length(message: Message) -> int:
    return message.layout.content_length()


def _long_match(deals: int) -> Match:
    """A match of so many deals, to a target that is far away."""
    rules = Rules(target=10_000)
    steps = islice(random_actions(7, rules), 20_000)
    return next(after for _, _, after in steps if len(after.finished) >= deals and after.deal is not None)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_plain_text_that_cannot_reach_out_of_its_line(name: str) -> None:
    """Markdown, mentions, line ends and turned writing stay without effect, and something is always there."""
    shown = people.safe(name)
    assert shown.startswith("\u2068")
    assert shown.endswith("\u2069")
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert read(shown)[1] == []
    assert len(shown) <= 2 * people.LONGEST + 4
    assert len(shown) > 2


@example("https://a||b||`", "[**x**](y)")
@example("[||](x", "https://||z")
@example("<@1> <#2> <t:3:R> </gin hand:4> <:a:5>", "@here http://x/__u__")
@given(ODD_NAMES, ODD_NAMES)
def test_names_are_shown_as_they_are(first: str, second: str) -> None:
    """Side by side in one line any two names are shown sign by sign, and nothing in them is markup."""
    names = [Player(1, name) for name in (first, second)]
    assume("someone" not in map(people.plain, names))
    shown, marked = read(" vs ".join(map(people.name, names)))
    assert marked == []
    expected = " vs ".join(f"\u2068{people.plain(name)}\u2069" for name in names)
    assert shown.replace("@\u200b", "@") == expected.replace("@\u200b", "@")


def test_markup_is_found_where_there_is_some() -> None:
    """The reader that the test above relies on sees what Discord would: else nothing would be proved."""
    assert read("a **b** ||c|| [d](https://e.example) <@5> @") == (
        "a     @",
        ["**b**", "||c||", "[d](https://e.example)", "<@5>"],
    )
    assert read(r"\*b\* snake_case") == ("*b* snake_case", [])


def test_a_name_with_open_turns_of_writing_closes_them() -> None:
    """Signs that turn the direction of writing are closed, or taken out, before the name ends."""
    assert "\u202e" not in people.safe("\u202eabc")
    assert "\u2066" not in people.safe("abc\u2066")
    assert people.safe("a\u2069b") == "\u2068ab\u2069"


def test_a_name_has_words_where_markdown_does_not_apply() -> None:
    """On menus a name is never empty, and someone without one is called so."""
    assert people.plain(Player(1, "North")) == "North"
    assert people.plain(Player(1, "  ")) == "someone"
    assert people.plain(Player(1, None)) == "someone"
    assert people.plain(Player(None, None)) == people.FORGOTTEN
    assert people.name(Player(5, None)) == "<@5>"


def test_monograms_differ() -> None:
    """Seats carry a letter each, two where the first is taken, and a number where there are none."""
    assert people.marks(_card("North", "South")) == ("N", "S")
    assert people.marks(_card("Anna", "Abel")) == ("A", "AB")
    assert people.marks(_card("שלום", "🃏")) == ("1", "2")
    assert people.marks(_card("A", "A")) == ("A", "2")
    assert people.marks(_card("Émile", None)) == ("E", "2")


@example(["2Fast", "Иван"])
@example(["22", "2"])
@example(["4", "4", "", "3"])
@given(st.lists(ODD_NAMES, min_size=2, max_size=4))
def test_monograms_differ_whatever_the_names(names: list[str]) -> None:
    """Up to four seats always have one each, of A-Z and 0-9."""
    found = people.marks(_card(*names))
    assert len({*found}) == len(names)
    assert all(re.fullmatch(r"[A-Z0-9]{1,2}", mark) for mark in found)


def test_a_score_sheet_of_a_long_match_fits_into_a_message() -> None:
    """With hundreds of deals the first ones are summed up in one line, and the totals still add up."""
    match = _long_match(150)
    card = _card(LONGEST, LONGEST, rules=match.rules)
    post = EndPost(card, public_view(match), tuple(showdown_view(match, n) for n in range(1, len(match.finished) + 1)))
    for shown in (panels.score(post), panels.end(post)):
        assert _length(shown) < MOST
    lines = game.score_sheet(post).splitlines()
    assert lines[2].startswith("1–110 ")
    assert len([line for line in lines if " = " in line or " void" in line]) >= 20
    assert lines[-2].split() == ["Points", *map(str, post.view.score.scores)]


async def test_the_table_fits_into_a_message_with_the_longest_names() -> None:
    """Names of all stars, a late deal, and an offer to call the match off."""
    match = _long_match(3)
    pictures = Pictures()
    try:
        shown = await panels.table(Table(_card(LONGEST, LONGEST, rules=match.rules), public_view(match)), pictures)
    finally:
        pictures.close()
    assert _length(shown) < MOST / 2


def test_every_refusal_has_words_that_say_what_to_do_next() -> None:
    """Each reason of the game's is worded, names no class or field, and none falls back to an error of ours."""
    card = _card("North", "South")
    invited = Invitation(
        id=1,
        guild_id=1,
        channel_id=1,
        challenger=card.players[0],
        opponent=None,
        rules=Rules(),
        status=ChallengeStatus.EXPIRED,
        revision=1,
        expires_at=NOW,
        match_id=None,
    )
    reasons: tuple[why.Refusal, ...] = (
        why.NoMatch(here=True),
        why.NoMatch(here=False),
        why.WhichMatch((card, card)),
        why.NotSeated(card),
        why.MatchOver(card),
        why.MatchRunning(card),
        why.RematchBegun(card),
        why.TooSoon(card, NOW),
        why.Frozen(card),
        why.ChannelBusy(card),
        why.WrongChannel((1, 2)),
        why.NotWithYourself(),
        why.TooManyChallenges((invited,) * 5),
        why.NotWelcome(1),
        why.NoInvitation(),
        *(why.InvitationClosed(replace(invited, status=status)) for status in ChallengeStatus),
        why.NotForYou(invited),
        why.NotForYou(replace(invited, opponent=card.players[1])),
        why.UnknownRules("nothing"),
    )
    for reason in reasons:
        told = refusals.text(reason)
        assert refusals.BROKEN not in told
        assert type(reason).__name__ not in told
        assert told.endswith((".", "?"))


@pytest.mark.parametrize("status", ChallengeStatus)
def test_an_invitation_says_what_became_of_it(status: ChallengeStatus) -> None:
    """Buttons only while it is open; afterwards one sentence."""
    card = _card("North", "South")
    shown = invitation(Invitation(1, 1, 1, card.players[0], card.players[1], Rules(), status, 1, NOW, None))
    buttons = [item for item in shown.layout.walk_children() if hasattr(item, "press")]
    assert bool(buttons) == (status is ChallengeStatus.PENDING)
    assert bool(shown.pings) == (status is ChallengeStatus.PENDING)


def test_the_longer_texts_fit() -> None:
    """Help, commands and rules together stay within one message."""
    assert len(pages.HELP) + len(pages.COMMANDS) + len(pages.rules(Rules())) < MOST
