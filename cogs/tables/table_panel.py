"""The public messages of a match: the table, the showdown, the end, and pings."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.model import matches
from bot.model.people import Preferences
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.fairness import verification_text
from cogs.fairness.verification_panel import verify_button
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, message
from cogs.kit.messages import Message
from cogs.showdowns import showdown_text
from cogs.showdowns.score_sheet import sheet_facts
from cogs.standings.versus_panel import versus_button
from cogs.tables import reminder_text as reminders
from cogs.turns import hand_text
from cogs.turns.games_panel import games_button
from cogs.turns.hand_panel import answer_buttons, continue_button, vacancy_buttons
from cogs.turns.last_moves_panel import moves_button
from cogs.turns.over_panel import deal_buttons, rematch_buttons
from cogs.words import clocks as clock_texts
from cogs.words import rules as rules_text
from cogs.words import table as table_text
from cogs.words import vacancies
from cogs.words.names import joined, name, opponents, place

MATCH_IS_OVER: Final = "your match is over"
"""The part of a ping that says that the match is over."""


async def table(shown: matches.Table, pictures: Pictures) -> Message:
    """Return the public table. It does not depend on hidden cards."""
    match, view, names = shown.match, shown.view, card_names(shown.match.appearance.language)
    vacancy = vacancy_buttons(match)
    return message(
        Accent.WAITING,
        table_text.turn(shown),
        clock_texts.times(match, shown.times_left),
        table_text.knock(match, view, names),
        f"{table_text.scores(match, view)}\n{table_text.piles(view, names)}\n"
        f"-# {table_text.dealt(shown)} · {rules_text.name(view.rules, match.ruleset)}\n"
        f"-# {table_text.cards_in_hand(shown)}",
        vacancies.playing_on(match),
        table_text.recent_turns(match, view, names),
        hand_text.proposals(match),
        title=table_text.title(shown),
        picture=await pictures.table(shown),
        rows=[
            [
                _hand_button(match),
                button(match.id, match.version, Action.SHOW_SCORE, "Score"),
                button(match.id, match.version, Action.SHOW_RULES, "Rules"),
                moves_button(match, view.board),
                # No pause or resignation is possible until the players have decided about a vacant seat.
                None if vacancy else button(match.id, match.version, Action.LEAVE_MATCH, "Pause or leave"),
            ],
            [continue_button(match) if match.is_paused else None, *vacancy],
        ],
    )


def _hand_button(match: matches.MatchInfo) -> Item:
    return button(match.id, match.version, Action.SHOW_HAND, "My hand", ButtonStyle.primary)


async def showdown(shown: matches.Showdown, pictures: Pictures | None) -> Message:
    """Return the showdown of a deal, with buttons for its replay and review. Without `pictures` it is text only."""
    return message(
        Accent.OVER,
        showdown_text.hands(shown),
        showdown_text.running_score(shown),
        verification_text.checkable(shown),
        title=showdown_text.title(shown.view, shown.match),
        picture=None if pictures is None else await pictures.showdown(shown),
        rows=[deal_buttons(shown)],
    )


async def end(summary: matches.MatchSummary, pictures: Pictures) -> Message:
    """Return the end of a match: the score sheet, with buttons for a rematch."""
    match = summary.match
    return message(
        Accent.OVER,
        *sheet_facts(summary),
        verification_text.SEEDS_USED_UP if summary.seeds_used_up else None,
        vacancies.played_on(match),
        hand_text.made_casual(match),
        showdown_text.TOO_LONG if summary.is_full else None,
        showdown_text.ratings(match),
        hand_text.rematch(match),
        title=showdown_text.end_title(summary),
        picture=await pictures.scorecard(summary, match.appearance),
        rows=[[*rematch_buttons(match), versus_button(match), verify_button(match), games_button()]],
    )


async def score(
    summary: matches.MatchSummary, preferences: Preferences, pictures: Pictures, *, elsewhere: bool = False
) -> Message:
    """Return the current score sheet, and the match's channel if `elsewhere` is True."""
    picture = await pictures.scorecard(summary, preferences.appearance) if preferences.pictures else None
    where = f"-# The match in {place(summary.match)}" if elsewhere and not summary.match.is_practice else None
    title = showdown_text.end_title(summary)
    return message(Accent.WAITING, *sheet_facts(summary), where, title=title, picture=picture)


def lost_seat(match: matches.MatchInfo) -> Message:
    """Return the message that replaces a player's hand after a computer took over their seat."""
    return message(Accent.OVER, vacancies.taken_over(match), rows=[[games_button()]])


def ping(call: matches.Ping) -> Message:
    """Return a ping: about the player's turn, about an offer, or about the end of the match."""
    match, person = call.match, f"<@{call.person_id}>"
    if call.is_over:
        how = "your match was called off" if match.status is matches.MatchStatus.CANCELLED else MATCH_IS_OVER
        text = f"{person}, {how}. You played against {opponents(match, call.seat)}."
        return message(Accent.OVER, text, pings=(call.person_id,))
    if match.vacant_seat is not None:
        buttons = [_hand_button(match), *vacancy_buttons(match, call.seat)]
        question = vacancies.question(match, call.seat)
        text = f"{person}, {question[0].lower()}{question[1:]}"
        if not call.lost_on_time:
            text = f"{person}, the match waits for your answer. {question}"
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    if match.status is not matches.MatchStatus.RUNNING:
        offer, buttons = hand_text.rematch(match, call.seat), rematch_buttons(match, call.seat)
    else:
        offer = None if match.open_proposal is None else hand_text.proposals(match, call.seat)
        buttons = [_hand_button(match), *answer_buttons(match, call.seat)]
    if call.may_claim:
        reason = "you wait for somebody who has no time left."
        if match.clock.time is None:
            reason = f"{hand_text.KEPT_WAITING[0].lower()}{hand_text.KEPT_WAITING[1:]}"
        text = " ".join(filter(None, (f"{person}, {reason}", "*My hand* has the buttons for what you can do.", offer)))
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    if call.may_call_off and not call.is_turn:
        missing = f"{person}, a player cannot reach the table. You may call the match off."
        text = " ".join(filter(None, (missing, offer)))
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    against = f"You play against {joined([name(match.players[seat]) for seat in call.opponents])}."
    turn = f"{person}, there is an offer for you."
    if call.is_turn:
        turn = f"{person}, {'it is your turn' if call.reminder is None else reminders.call(call.reminder)}. {against}"
    text = " ".join(filter(None, (turn, offer)))
    rules = None if call.is_turn else f"-# {rules_text.name(match.rules, match.ruleset)}"
    return message(Accent.YOURS, text, rules, rows=[buttons], pings=(call.person_id,))
