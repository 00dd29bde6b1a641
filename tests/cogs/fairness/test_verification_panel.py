"""The messages about verifiable deals."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from discord import ui

from bot.engine.fairness.audit import Answer, SeedKind
from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.fairness import Commitment, Fairness, GivenWords
from bot.model.ids import ChainId
from bot.model.matches import MatchStatus
from cogs.actions import Action, Subject
from cogs.fairness import verification_panel as panels
from cogs.fairness import verification_text as texts
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import Accent
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    button_labels,
    challenge_by,
    length,
    match_between,
    seeds_of,
    text_of,
    verified_deal,
)
from tests.helpers.cases import thorough_after
from tests.helpers.message_parts import buttons_in

MATCH = replace(match_between("North", "South"), fairness=Fairness.VERIFIABLE)


def test_the_commitment_is_one_line_without_pings() -> None:
    """The message with the commitment is one line with a button that explains it. It pings nobody."""
    shown = panels.commitment(Commitment(ChainId(1), bytes(32)))
    (explain,) = buttons_in(shown)
    assert ComponentEvent.parse(explain.custom_id or "") == ComponentEvent(Subject.MENU, 0, Action.HOW_VERIFIED)
    assert bytes(32).hex() in text_of(shown)
    assert shown.pings == ()
    assert len(text_of(shown).splitlines()) == 1


def test_the_deal_of_the_day_claims_only_what_its_seal_proves() -> None:
    """Without players' words, a check names no words, and neither it nor its explanation says that nobody chose cards.

    The title names the day's deal.
    """
    deal = verified_deal(*seeds_of("house", "house", kind=SeedKind.HOUSE))
    daily = panels.verified(replace(deal, match=replace(deal.match, day=date(2026, 8, 2))))
    assert "Daily 214" in text_of(daily)
    assert texts.contributions(deal) not in text_of(daily)
    assert texts.outcome(deal) not in text_of(daily)
    assert texts.DAILY_LIMIT in text_of(daily)
    assert texts.HOW not in text_of(panels.how(daily=True))
    (explain,) = buttons_in(daily)
    asked = ComponentEvent(Subject.MENU, 0, Action.HOW_VERIFIED, argument=panels.DAILY)
    assert ComponentEvent.parse(explain.custom_id or "") == asked


def test_older_matches_have_no_verification_buttons() -> None:
    """A match that began before deals could be verified has no buttons to verify it or to enter words."""
    before = match_between("North", "South")
    assert panels.verify_button(before) is None
    assert panels.words_button(before) is None
    assert panels.words_button(challenge_by("North")) is None
    assert panels.verify_button(MATCH) is not None
    assert panels.words_button(replace(challenge_by("North"), committed=True)) is not None


def test_the_answer_has_files_and_names_its_presenter() -> None:
    """A private answer has the files, and buttons that fit the match's state; a public one names its presenter."""
    deal = verified_deal(*seeds_of("a", "b"))
    private = panels.verified(deal, own=True, can_show_to_all=True)
    assert [file.name for file in private.attached] == ["match-1000000.gin", "verify.py", "match-1000000-words.txt"]
    assert private.attached[1].content.startswith(b'"""Check the cards of a gin rummy record')
    assert button_labels(private) == ["How?", "My shuffle words …", "Show everyone"]
    removed = panels.verified(verified_deal(*seeds_of(None, None)))
    assert [file.name for file in removed.attached] == ["match-1000000.gin", "verify.py"]
    finished = replace(deal, match=replace(deal.match, status=MatchStatus.FINISHED))
    assert button_labels(panels.verified(finished, own=True)) == ["How?"]
    public = panels.verified(deal, shown_by="West")
    assert button_labels(public) == ["How?"]
    assert "Shown by ⁨West⁩" in text_of(public)


@pytest.mark.parametrize(("answer", "accent"), [(Answer.OK, Accent.YOURS), (Answer.WRONG, Accent.TROUBLE)])
def test_a_wrong_answer_has_the_trouble_colour(answer: Answer, accent: Accent) -> None:
    """An answer with the result WRONG has the colour for trouble."""
    shown = panels.verified(verified_deal(*seeds_of("a", "b"), answer=answer))
    (container,) = shown.components
    assert container["accent_color"] == accent.value


@pytest.mark.parametrize("changes", thorough_after(1, [0, 40]))
def test_the_longest_answer_fits_a_message(changes: int) -> None:
    """An answer for four players who have the longest names and changed their words many times fits a message."""
    words = ("*`_~" * MAX_WORDS_LENGTH)[:MAX_WORDS_LENGTH]
    deal = verified_deal(*seeds_of(*[words] * 4, early=True), rules="partners", answer=Answer.WRONG)
    names = match_between(*[LONGEST_NAME] * 4, rules="partners")
    seeds, given = deal.all_seeds * (1 + changes), tuple(seed * (1 + changes) for seed in deal.audit.seeds)
    deal = replace(
        deal,
        match=replace(names, fairness=Fairness.VERIFIABLE),
        all_seeds=seeds,
        audit=replace(deal.audit, seeds=given, differences=deal.audit.differences * 100),
        board=2,
    )
    shown = panels.verified(deal, own=True, can_show_to_all=True)
    assert length(shown) <= MESSAGE_LIMIT
    assert [file.name for file in shown.attached][2:] == ["match-1000000-words.txt"]
    custom_ids = [button.custom_id for button in buttons_in(shown)]
    assert len({*custom_ids}) == len(custom_ids)


def test_the_dialog_has_the_current_words() -> None:
    """The dialog has the current words, the maximum length of words, and the action of the button that opened it."""
    asked = panels.words_dialog(Action.MATCH_WORDS, MATCH.id, GivenWords("before", None, early=False))
    assert asked.custom_id == f"gin:{MATCH.id}:0:match_words"
    (label,) = asked.children
    assert isinstance(label, ui.Label)
    field = label.component
    assert isinstance(field, ui.TextInput)
    assert (field.default, field.max_length, field.required) == ("before", MAX_WORDS_LENGTH, True)
    assert len(asked.title) <= 45


def test_own_words_have_a_button_to_change_them() -> None:
    """In matches and challenges, a player's words are shown with buttons to change them and to explain them."""
    saved = panels.words(MATCH, GivenWords("a", 3, early=False), saved=True)
    assert button_labels(saved) == ["My shuffle words …", "How?"]
    assert "**Saved.**" in text_of(saved)
    open_one = replace(challenge_by("North"), committed=True)
    assert button_labels(panels.words(open_one, None)) == ["My shuffle words …", "How?"]
