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
from cogs.kit.components import button, link
from cogs.kit.layout import Accent, Item, Picture, message, with_picture
from cogs.kit.messages import Message
from cogs.showdowns import showdown_text
from cogs.showdowns.score_sheet import sheet_facts
from cogs.standings.versus_panel import versus_button
from cogs.tables import reminder_text as reminders
from cogs.turns import hand_text
from cogs.turns.games_panel import games_button
from cogs.turns.last_moves_panel import moves_button
from cogs.turns.match_options import answer_buttons, continue_button, vacancy_buttons
from cogs.turns.over_panel import ended_with_showdown, look_back_buttons, rematch_buttons
from cogs.words import clocks as clock_texts
from cogs.words import rules as rules_text
from cogs.words import table as table_text
from cogs.words import vacancies
from cogs.words.names import in_sentence, joined, opponents, place

MATCH_IS_OVER: Final = "your match is over"
"""The part of a ping that says that the match is over."""


async def table(shown: matches.Table, pictures: Pictures) -> Message:
    """Return the public table. It does not depend on hidden cards.

    The text below the picture has only what players look for first, and what the picture does not show. Without the
    picture, it has everything.
    """
    match, view, names = shown.match, shown.view, card_names(shown.match.appearance.language)
    vacancy = vacancy_buttons(match)

    def compose(picture: Picture | None) -> Message:
        details = f"{table_text.details(shown, names)}\n-# {table_text.dealt(shown)}"
        in_words = [] if picture is not None else [details, table_text.recent_turns(match, view, names)]
        return message(
            Accent.WAITING,
            table_text.turn(shown),
            clock_texts.times(match, shown.times_left),
            table_text.scores(match, view),
            *in_words,
            vacancies.playing_on(match),
            hand_text.proposals(match),
            title=table_text.title(shown),
            picture=picture,
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

    return with_picture(compose, await pictures.table(shown))


def _hand_button(match: matches.MatchInfo) -> Item:
    return button(match.id, match.version, Action.SHOW_HAND, "My hand", ButtonStyle.primary)


async def end(summary: matches.MatchSummary, pictures: Pictures) -> Message:
    """Return the end of a match: its last showdown or else its scorecard, the result, and buttons for a rematch."""
    match = summary.match
    last = matches.Showdown(match, summary.deals[-1]) if ended_with_showdown(match, summary.view) else None

    def compose(picture: Picture | None) -> Message:
        key, *sheet, rules = sheet_facts(summary)
        in_words = [key, *sheet] if picture is None else [key] if last is None else []
        # With a picture, only the score sheet has the rules, but a casual match also says so here.
        says_rules = picture is None or match.kind is matches.MatchKind.CASUAL
        return message(
            Accent.OVER,
            None if last is None else showdown_text.title(last.view, match),
            showdown_text.hands(last) if last is not None and picture is None else None,
            showdown_text.places(summary),
            *in_words,
            rules if says_rules else None,
            verification_text.SEEDS_USED_UP if summary.seeds_used_up else None,
            vacancies.played_on(match),
            hand_text.made_casual(match),
            showdown_text.TOO_LONG if summary.is_full else None,
            showdown_text.ratings(match),
            hand_text.rematch(match) if match.has_rematch else None,
            title=showdown_text.end_title(summary),
            picture=picture,
            # An open offer of a rematch has a message of its own with these buttons.
            rows=[
                [
                    *([] if match.offers_rematch else rematch_buttons(match)),
                    *look_back_buttons(match, last, has_sheet=bool(summary.deals)),
                ]
            ],
        )

    drawn = await (pictures.scorecard(summary, match.appearance) if last is None else pictures.showdown(last))
    return with_picture(compose, drawn)


async def score(
    summary: matches.MatchSummary, preferences: Preferences, pictures: Pictures, *, elsewhere: bool = False
) -> Message:
    """Return the current score sheet, and the match's channel if `elsewhere` is True."""
    where = f"-# The match in {place(summary.match)}" if elsewhere and not summary.match.is_practice else None
    title = showdown_text.end_title(summary)
    buttons = [versus_button(summary.match), games_button()]

    def compose(picture: Picture | None) -> Message:
        # The picture's description names the players by their monograms, so it needs the key.
        key, *sheet, rules = sheet_facts(summary)
        shown = [key, rules] if picture is not None else [key, *sheet, rules]
        return message(Accent.WAITING, *shown, where, title=title, picture=picture, rows=[buttons])

    drawn = await pictures.scorecard(summary, preferences.appearance) if preferences.pictures else None
    return with_picture(compose, drawn)


def lost_seat(match: matches.MatchInfo) -> Message:
    """Return the message that replaces a player's hand after a computer took over their seat."""
    return message(Accent.OVER, vacancies.taken_over(match), rows=[[games_button()]])


def card(shown: matches.Card) -> Message:
    """Return the card of a match in the parent channel of its thread: the players, the score, and the way there."""
    match, view = shown.match, shown.view
    is_over = match.status is not matches.MatchStatus.RUNNING
    result = showdown_text.end_title(matches.MatchSummary(match, view, ())) if is_over else None
    terms = f"-# {rules_text.name(match.rules, match.ruleset)}"
    if match.kind is matches.MatchKind.CASUAL:
        terms += " · casual"
    elif not is_over:
        # A match that is over might not count, for example because it was called off.
        terms += " · rated"
    thread = link("Open thread", f"https://discord.com/channels/{match.guild_id}/{match.channel_id}")
    return message(
        Accent.OVER if is_over else Accent.WAITING,
        None if result is None else f"**{result}**",
        table_text.side_scores(match, view),
        terms if is_over else f"{terms} · deal {view.number}",
        rows=[[None if is_over else _hand_button(match), thread]],
    )


def rematch_offer(shown: matches.RematchOffer) -> Message:
    """Return the offer of a rematch to the players who have not answered it, or say that it was declined."""
    offer = hand_text.rematch(shown.match) or ""
    if not shown.asked:
        return message(Accent.OVER, offer)
    asked = joined([f"<@{person_id}>" for person_id in shown.asked])
    return message(Accent.YOURS, f"{asked}\n{offer}", rows=[rematch_buttons(shown.match)], pings=shown.pinged)


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
            text = f"{person}, the match is waiting for your answer. {question}"
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    if match.status is not matches.MatchStatus.RUNNING:
        offer, buttons = hand_text.rematch(match, call.seat), rematch_buttons(match, call.seat)
    else:
        offer = None if match.open_proposal is None else hand_text.proposals(match, call.seat)
        buttons = [_hand_button(match), *answer_buttons(match, call.seat)]
    if call.may_claim:
        reason = "your opponent has no time left."
        if match.clock.time is None:
            reason = f"{hand_text.KEPT_WAITING[0].lower()}{hand_text.KEPT_WAITING[1:]}"
        text = " ".join(filter(None, (f"{person}, {reason}", "Press *My hand* to see what you can do.", offer)))
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    if call.may_call_off and not call.is_turn:
        who = "your opponent" if len(match.players) == 2 else "one player"
        missing = f"{person}, {who} can no longer play in the channel. You can call the match off."
        text = " ".join(filter(None, (missing, offer)))
        return message(Accent.YOURS, text, rows=[buttons], pings=(call.person_id,))
    against = f"You're playing against {joined([in_sentence(match.players[seat]) for seat in call.opponents])}."
    told = [person, offer]
    if call.is_turn:
        says = "it's your turn" if call.reminder is None else reminders.call(call.reminder)
        told = [" ".join(filter(None, (f"{person}, {says}. {against}", offer)))]
    unseen = None if call.unseen_deal is None else matches.Showdown(match, call.unseen_deal)
    text = "\n".join(filter(None, (*told, unseen and showdown_text.result(unseen))))
    # An offer of a rematch names the rules itself.
    is_offer = not call.is_turn and match.status is matches.MatchStatus.RUNNING
    rules = f"-# {rules_text.name(match.rules, match.ruleset)}" if is_offer else None
    return message(Accent.YOURS, text, rules, rows=[buttons], pings=(call.person_id,))
