"""Verifiable deals in words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from bot.engine.fairness import verify
from bot.engine.fairness.audit import Answer, SeedKind
from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.fairness import Fairness, GivenWords
from bot.model.statistics import Player
from cogs.fairness import verification_text as texts
from tests.cogs.samples import challenge_by, match_between, recorded, seeds_of, showdowns_of, verified_deal


def test_the_commitment_is_one_line_with_every_digit() -> None:
    """The line with the commitment has all 64 digits, for comparison, and mentions no one."""
    line = texts.commitment(bytes(range(32)))
    assert f"`{bytes(range(32)).hex()}`" in line
    assert "\n" not in line
    assert "@" not in line


@pytest.mark.parametrize(
    ("answer", "first_words"),
    [
        (Answer.OK, "**Checked: nobody chose these cards.**"),
        (Answer.CONSISTENT, "**I found nothing wrong with these cards.**"),
        (Answer.WRONG, "**Something is wrong.**"),
    ],
)
def test_each_answer_has_its_text(answer: Answer, first_words: str) -> None:
    """The text begins with the result of the check. It then names what does not fit, or counts the checked shuffles."""
    told = texts.outcome(verified_deal(*seeds_of("a", "b"), answer=answer))
    assert told.startswith(first_words)
    assert ("Doesn't match: cards of event 2" in told) == (answer is Answer.WRONG)
    counted = "I checked 2 shuffles of this match. 1 more shuffle is sealed until the deal is over." in told
    assert counted == (answer is not Answer.WRONG)


def test_without_a_finished_deal_nothing_is_checked() -> None:
    """The text says that there is nothing to check yet, and does not say that the cards are fair."""
    deal = verified_deal(*seeds_of("a", "b"))
    told = texts.outcome(replace(deal, audit=replace(deal.audit, checked=())))
    assert told.startswith("**Nothing to check yet.** The cards are sealed until the deal is over.")
    partners = verified_deal(*seeds_of(*"abcd"), rules="partners")
    assert "until the round is over" in texts.outcome(replace(partners, audit=replace(deal.audit, checked=())))


def test_omitted_shuffles_are_counted() -> None:
    """The text says how many shuffles the match file leaves out while a deal is in progress."""
    deal = verified_deal(*seeds_of("a", "b"))
    assert texts.outcome(replace(deal, unrecorded_events=0)).endswith("I checked 2 shuffles of this match.")
    assert "2 more shuffles are sealed until the deal is over." in texts.outcome(replace(deal, unrecorded_events=2))


def test_a_sealed_deal_refers_to_earlier_deals() -> None:
    """While a deal is in play, the text says that it is sealed, and gives the result for the earlier deals."""
    deal = verified_deal(*seeds_of("a", "b"))
    sealed = replace(deal, number=2, events=deal.events[2:])
    assert texts.outcome(sealed).startswith(
        "**The cards of this deal are still sealed.** Nobody chose the cards of the "
    )
    consistent = replace(sealed, audit=replace(deal.audit, answer=Answer.CONSISTENT))
    assert "I found nothing wrong with the cards of the earlier deals." in texts.outcome(consistent)


def test_incomplete_checks_have_a_reason() -> None:
    """Incomplete checks have a reason: removed or unknown words, a late commitment, or a missing secret."""
    removed = verified_deal(*seeds_of("a", None), answer=Answer.CONSISTENT)
    assert "⁨South⁩ had their shuffle words deleted" in texts.outcome(removed)
    late = verified_deal(*seeds_of("a", "b"), fairness=Fairness.UNPOSTED, answer=Answer.CONSISTENT)
    assert "the seal wasn't posted in time" in texts.outcome(late)
    whole = verified_deal(*seeds_of("a", "b"), answer=Answer.CONSISTENT)
    withheld = replace(whole, audit=replace(whole.audit, withheld=(1, 2)))
    assert "the secrets of 2 shuffles" in texts.outcome(withheld)
    assert "some of the players' shuffle words are missing" in texts.outcome(whole)


def test_the_promise_has_its_time_and_link() -> None:
    """The commitment has its time and a link; if posted late, the text says that players cannot check the match."""
    told = texts.promise(verified_deal(*seeds_of("a", "b")))
    assert told.startswith("**Seal**, posted <t:1795262400:f> in [this message](https://discord.com/channels/")
    assert f"`{bytes(32).hex()}`" in told
    unposted = texts.promise(verified_deal(*seeds_of("a", "b"), fairness=Fairness.UNPOSTED))
    assert unposted.startswith(f"**Seal:** `{bytes(32).hex()}`")
    assert "proves nothing" in unposted
    practice = verified_deal(*seeds_of("a", "b"))
    assert "/channels/@me/" in texts.promise(replace(practice, match=replace(practice.match, guild_id=None)))


def test_a_takeover_keeps_the_persons_words() -> None:
    """If a computer took over a seat, the seat keeps the shuffle words of the person who left."""
    shown = verified_deal(*seeds_of("a", "b", None), rules="rotation", answer=Answer.CONSISTENT)
    for seat, leaver in enumerate(shown.match.players):
        left = tuple(leaver if index == seat else None for index in range(3))
        now = tuple(Player(None, "Computer") if player is leaver else player for player in shown.match.players)
        later = replace(shown, match=replace(shown.match, players=now, leavers=left))
        assert texts.contributions(later) == texts.contributions(shown)
        assert texts.outcome(later) == texts.outcome(shown)


def test_each_players_seed_is_shown() -> None:
    """A player's seed is shown as the player's words, quoted safely, or as a number with the reason for it.

    Words that were given before the commitment was posted are marked.
    """
    told = texts.contributions(verified_deal(*seeds_of("**@everyone**", None)))
    assert "⁨North⁩: “⁨\\*\\*@\u200beveryone\\*\\*⁩”" in told
    assert "⁨South⁩: deleted" in told
    early = texts.contributions(verified_deal(*seeds_of("a", "b", early=True)))
    assert "“⁨a⁩”, added before the seal, so the person who runs this bot could have used them to cheat" in early
    for kind, says in (
        (SeedKind.MESSAGE, "none, so I used the ID of my 🔒 message: `7`"),
        (SeedKind.NONE, "none, and there was no 🔒 message, so I used `7`"),
        (SeedKind.HOUSE, "I always use `7` here"),
    ):
        assert says in texts.contributions(verified_deal(*seeds_of("7", "7", kind=kind)))


def test_invisible_words_are_described() -> None:
    """Invisible words are described, because the quotes would look empty."""
    assert "only invisible characters" in texts.quoted("\u3164")
    assert len(texts.quoted("x" * MAX_WORDS_LENGTH)) > MAX_WORDS_LENGTH


def test_sealed_cards_are_not_shown() -> None:
    """Each shuffle of the deal has a line with its cards, or says that they are sealed."""
    cut, deck, stock = (texts.events(verified_deal(*seeds_of("a", "b"))) or "").splitlines()
    assert cut == "-# Shuffle 1, the cut: A♣ A♦"
    assert deck.startswith("-# Shuffle 2, the deck: A♣ A♦ A♥ A♠ 2♣")
    assert stock == "-# Shuffle 3, the reshuffled stock: sealed until the deal is over"


AWKWARD_WORDS: Final = (
    "plain",
    'it\'s $HOME & "more"',
    "a`b```c",
    "süd ♠",
    "\u202eright to left",
    "👩\u200d🚀",
    "-x",
    "%PATH% ^ !",
)
"""Shuffle words with characters that are special in a shell, a Discord message or a terminal."""


@pytest.mark.parametrize("words", AWKWARD_WORDS)
def test_the_command_is_the_same_in_every_shell(words: str) -> None:
    """The command to verify a match needs no quoting: it names a file instead of containing the shuffle words."""
    deal = verified_deal(*seeds_of(words, "b"))
    line = texts.command(deal)
    assert re.fullmatch("[a-z0-9. -]+", line)
    assert line.endswith(f" --commit {bytes(32).hex()} --words-from {texts.words_name(deal)}")
    assert f"```sh\n{line}\n```" in texts.by_hand(deal)


@pytest.mark.parametrize("words", AWKWARD_WORDS)
def test_the_words_file_round_trips(words: str, tmp_path: Path) -> None:
    """`verify.py` reads the players' exact words from their file, in seat order."""
    file = tmp_path / "words.txt"
    file.write_bytes(texts.words_file(verified_deal(*seeds_of(words, "b"))).encode())
    assert verify.words_file(str(file)) == [(0, words), (1, "b")]


def test_unknown_seeds_are_left_out() -> None:
    """The words file leaves out removed words. The command leaves out a commitment that was not posted in time."""
    assert texts.words_file(verified_deal(*seeds_of(None, "b"))) == "1=b\n"
    late = verified_deal(*seeds_of("a", "b"), fairness=Fairness.UNPOSTED)
    assert texts.command(late) == "python3 verify.py match-1000000.gin --words-from match-1000000-words.txt"
    removed = verified_deal(*seeds_of(None, None))
    assert texts.words_file(removed) == ""
    assert texts.command(removed).endswith(f"--commit {bytes(32).hex()}")


def test_a_showdown_says_when_its_deal_can_be_checked() -> None:
    """A showdown says if its deal can be checked now, after the other board, or never.

    It says nothing in matches that are older than verifiable deals.
    """
    (*_, shown) = showdowns_of(recorded("004-score-sheet"))
    assert texts.checkable(shown) is None
    fair = replace(shown, match=replace(shown.match, fairness=Fairness.VERIFIABLE))
    assert texts.checkable(fair) == texts.CHECKED
    too_late = replace(fair, match=replace(shown.match, fairness=Fairness.UNPOSTED))
    assert texts.checkable(too_late) == texts.NOT_CHECKED
    one_board = replace(fair, view=replace(shown.view, boards=2, board_points=()))
    assert texts.checkable(one_board) == texts.CHECKED_LATER
    assert texts.checkable(replace(fair, view=replace(shown.view, boards=2, board_points=(5, 0)))) == texts.CHECKED


def test_own_words_name_their_first_deal() -> None:
    """The text about a player's shuffle words names the first deal for which they count.

    It advises changing words that were given before the 🔒 was posted. Without words, it names the ID used instead.
    """
    match = replace(match_between("North", "South"), fairness=Fairness.VERIFIABLE)
    assert "I use your words from the first shuffle on." in texts.own_words(GivenWords("a", None, early=False), match)
    later = texts.own_words(GivenWords("a", 5, early=False), match)
    assert later == "Your shuffle words: “⁨a⁩”\nI use your words from deal 5 on."
    assert texts.EARLY_WORDS in texts.own_words(GivenWords("a", None, early=True), match)
    assert "the ID of my 🔒 message" in texts.own_words(None, match)
    assert (
        texts.own_words(None, replace(match, fairness=Fairness.UNPOSTED)) == "You haven't added any shuffle words yet."
    )
    assert texts.whose_words(challenge_by("North")) == "Your shuffle words · ⁨North⁩'s challenge"
    assert texts.whose_words(match) == f"Your shuffle words · ⁨North⁩ vs ⁨South⁩ in <#{match.channel_id}>"
    practice = replace(match_between("North", "South"), channel_id=None)
    assert texts.whose_words(practice) == "Your shuffle words · ⁨North⁩ vs ⁨South⁩"


def test_the_texts_are_short() -> None:
    """The explanation of shuffle words has two sentences, which fit in a dialog. *How?* has four steps and a note."""
    assert len(texts.WHAT_WORDS_DO) <= 100
    assert texts.WHAT_WORDS_DO.count(".") == 2
    assert len(texts.HOW.splitlines()) == 5
