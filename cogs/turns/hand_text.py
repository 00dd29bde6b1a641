"""A hand as text: the owner's options, the player whose turn it is, and the end of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches import facts
from bot.engine.matches.facts import best_lay_offs, can_take, has_laid_off, knock_choices, least_deadwood_left
from bot.engine.matches.views import SeatView
from bot.model.appearance import HandOrder
from bot.model.clocks import MAX_GIFT
from bot.model.matches import REMATCH_TIMEOUT, MadeCasual, MatchInfo, MatchKind, MatchStatus, OwnHand, Proposal
from bot.model.words import ordinal
from cardart.text.card_names import CardNames, card_names
from cardart.text.phrases import forfeit_text, winning_margin
from cardart.text.queries import hand_in_order
from cogs.fairness.verification_text import hands_open
from cogs.showdowns import showdown_text as showdown
from cogs.words import rules
from cogs.words.cards import arrangement, laid_off, melds, saving
from cogs.words.clocks import duration
from cogs.words.names import all_players, in_sentence, joined, name, opponents, place, side
from cogs.words.table import last_move, relative_time, top

NEW_DEAL_MOVES: Final = 2
"""Number of moves in a new deal after which its hands no longer show the result of the previous deal."""

MAX_LIST_LENGTH: Final = 3900
"""Maximum length of the list of a person's matches, in characters. A message has up to 4,000."""
KEPT_WAITING: Final = "You've been waiting for a week."
YOUR_HAND: Final = "Your hand against"
"""The beginning of a hand's title, unless the hand's owner sits out."""
YOUR_TURN: Final = "**Your turn:**"
NO_OTHER_MATCH: Final = "No other match is waiting for you now."
MADE_CASUAL: Final = {
    MadeCasual.REMOVER: "This match is now casual: a player left the server, and an opponent could have removed them."
}
"""The reasons why a running match became casual."""
ASKED_TOO_LATE: Final = (
    "-# It's too late to take your discard back: the next player has moved. You can ask again in this deal."
)
ASKED_ONCE: Final = "-# You can't ask to take back another discard in this deal."
_OFFERS: Final = {
    Proposal.CANCEL: ("to call the match off", "The match ends"),
    Proposal.PAUSE: ("to pause the match", "The match pauses"),
    Proposal.CONTINUE: ("to continue the match", "The match resumes"),
    Proposal.TAKE_BACK: ("to take back the last discard", "The card returns"),
}
"""For each proposal in a running match: the words for the offer, and for the result if all players agree."""


def title(hand: OwnHand) -> str:
    """Return the title of a hand: the opponents of its owner, or the players of the deal if its owner sits out."""
    view = hand.view
    others = [seat for seat in view.public.seats if seat != view.seat]
    if view.sits_out:
        return f"{side(hand.match, others)} play"
    return f"{YOUR_HAND} {joined([in_sentence(hand.match.players[seat]) for seat in others])}"


def opposing(hand: OwnHand) -> str:
    """Return a small line with the opponents and the place of a hand's match, for a message without the hand."""
    return f"-# Against {opponents(hand.match, hand.view.seat)} · {place(hand.match)}"


def turn_state(hand: OwnHand, names: CardNames) -> str:
    """Return the options of a hand's owner, or the player whose turn it is."""
    view, match = hand.view, hand.match
    if match.status is not MatchStatus.RUNNING:
        return "This match is over."
    if view.is_to_act:
        return f"{YOUR_TURN} {_can_do(match, view, names)}"
    rest = "You're sitting this deal out. " if view.sits_out else ""
    if view.public.turn is None:
        return f"{rest}You're done for this round. It ends when the other board finishes."
    awaited = name(match.players[view.public.turn])
    # An ephemeral message is updated only while its token is valid, so mention the button that updates it. No message
    # is updated at the time from which a nudge is possible.
    nudges = hand.awaited_seat is not None and not (hand.may_nudge or match.clock.is_live)
    return f"{rest}Waiting for {awaited}. Press *Refresh* to update{', or to nudge them after a day' * nudges}."


def _can_do(match: MatchInfo, view: SeatView, names: CardNames) -> str:
    public = view.public
    match public.phase:
        case Phase.OFFER:
            return f"take the {top(public, names)} or pass."
        case Phase.DRAW:
            if can_take(view):
                return f"draw from the stock or take the {top(public, names)}."
            return "everyone passed the upcard, so draw from the stock."
        case Phase.WALL:
            if can_take(view):
                return f"the stock has run out: go out with the {top(public, names)}, or pass."
            return f"the stock has run out and you can't go out with the {top(public, names)}, so pass."
        case Phase.LAY_OFF if public.knock is not None:
            knockers = f"{name(match.players[public.knock.seat])}'s melds"
            if best_lay_offs(view):
                return f"lay off cards on {knockers}."
            is_later = has_laid_off(view)
            way = "press *Done*" if is_later else "press *Show my hand*"
            if view.lay_offs:
                return f"laying off {'more' if is_later else 'a card'} won't lower your deadwood, so {way}."
            return f"no {'other ' if is_later else ''}card fits {knockers}, so {way}."
        case _:
            return _to_discard(view)


def _to_discard(view: SeatView) -> str:
    if view.can_go_gin or view.can_go_big_gin:
        return f"you have {'big gin' if view.can_go_big_gin else 'gin'}!"
    can_knock = bool(knock_choices(view))
    if not any(choice.is_allowed for choice in view.discard_choices):
        return "knock."
    return f"discard a card{', or knock' if can_knock else ''}."


def new_card(hand: OwnHand) -> str | None:
    """Name the card just drawn or taken, if any."""
    view, names = hand.view, card_names(hand.preferences.appearance.language)
    if view.new_card is None:
        return None
    return f"You {'took' if view.public.history[-1].verb is Verb.TAKE else 'drew'} {names.short(view.new_card)}."


def cards(hand: OwnHand) -> str | None:
    """Return a hand as text: cards in the owner's preferred order, melds and deadwood. None if the owner sits out.

    The order is that of the buttons.
    """
    view, names = hand.view, card_names(hand.preferences.appearance.language)
    if view.sits_out:
        return None
    order = hand.pictured.order
    if order is HandOrder.MELDS:
        return arrangement(view.arrangement, names)
    slots, laid = hand_in_order(view, order), view.arrangement
    in_order = names.short_row(card for card in slots if card in view.hand)
    return f"Hand: {in_order}\nMelds: {melds(laid.melds, names)}\nDeadwood: **{laid.deadwood}**"


def knocks_and_lay_offs(hand: OwnHand) -> str | None:
    """Return the possible lay-offs after a knock, or the possible knocks.

    If no knock is possible, return the least deadwood that a discard leaves; None if no discard reduces the deadwood.
    """
    view, names = hand.view, card_names(hand.preferences.appearance.language)
    if view.best_response is not None:
        fits = ", ".join(f"{laid_off(lay_off, names)} ({saving(lay_off)})" for lay_off in view.lay_offs)
        best = names.short_row(lay_off.card for lay_off in view.best_response.lay_offs) or "nothing"
        kept = view.best_response.arrangement.deadwood
        if not fits:
            return "None of your cards fits the knocker's melds."
        return f"Lay off: {fits}\nBest: {best}, leaving {kept} deadwood"
    knocks = knock_choices(view)
    cards = ", ".join(f"{names.short(choice.card)} (leaving {choice.deadwood})" for choice in knocks)
    least = least_deadwood_left(view)
    better = None if least is None else f"The best discard leaves {least} deadwood."
    return f"Knock with: {cards}" if cards else better


def last_deal(hand: OwnHand) -> str | None:
    """Return the result of the previous deal during the first moves of the current deal, and None later."""
    if len(hand.view.public.history) > NEW_DEAL_MOVES:
        return None
    if hand.match.day is not None and hand.finished_deals:
        return "-# Nobody won the last deal, so you both got new cards."
    if hand.last_deal is None:
        return None
    return f"-# {showdown.title(hand.last_deal, hand.match)}."


def claim_offer(match: MatchInfo) -> str:
    """Say that a waiting player may claim the match. Without a clock, also say why."""
    may = f"You can {claim(match)[0].lower()}{claim(match)[1:]}, or keep waiting."
    return may if match.clock.time is not None else f"{KEPT_WAITING} {may}"


def claim(match: MatchInfo) -> str:
    """Return the label of the claim button: with two players it claims the match, with more the seat."""
    return "Claim the match" if len(match.players) == 2 else "Claim the seat"


def may_call_off(hand: OwnHand) -> str:
    """Return the reason why a player who cannot claim a match may call it off alone."""
    match = hand.match
    if match.is_paused:
        return "It's been a week since you asked to continue. You can call the match off; it won't count."
    missing = [
        seat for seat, time in hand.times_left.items() if time.call_off_at is not None and seat != hand.view.seat
    ]
    who = name(match.players[missing[0]]) if missing else "One player"
    return f"{who} can no longer play in the channel. You can call the match off; it won't count."


def made_casual(match: MatchInfo) -> str | None:
    """Return a small line with the reason why a running match became casual; None if there is nothing to explain.

    If a computer took over a seat, `vacancies.played_on` reports that instead.
    """
    why = None if match.made_casual is None else MADE_CASUAL.get(match.made_casual)
    return None if why is None else f"-# {why}"


def gift(match: MatchInfo) -> str:
    """Format the amount of time that a waiting player may give."""
    return "a day" if match.clock.gift == MAX_GIFT else duration(match.clock.gift)


def paused(match: MatchInfo) -> str:
    """Say that a match is paused, and how to resume it."""
    return f"The match is paused. It resumes once {all_players(match)} press *Continue*."


def or_play_on(match: MatchInfo) -> str:
    """Return a sentence about the consequence of declining an offer."""
    return f"Or decline, and the match {'stays paused' if match.is_paused else 'continues'}."


def proposals(match: MatchInfo, own: Seat | None = None) -> str | None:
    """Return a text about the open or declined proposal in a running match, addressed to everyone or to the seat `own`.

    Return None if there is no proposal.
    """
    proposed = match.open_proposal
    if proposed is None or proposed not in _OFFERS:
        return None if (declined := _declined(match, own)) is None else f"{declined} the request."
    offer, then = _OFFERS[proposed]
    who = match.seats_proposing(proposed)
    if own is not None and own in who:
        if proposed is Proposal.TAKE_BACK:
            others, next_player = "everyone", "the next player"
            if len(match.players) == 2:
                others = next_player = opponents(match, own)
            asked = f"You asked {others} to let you take back your discard."
            return f"{asked} If {next_player} has already drawn, you'll read that after their turn."
        return f"{_offering(match, who, own, offer)}. {then} once {_others_agree(match, own)}."
    if own is None:
        then = "" if proposed is Proposal.TAKE_BACK else " Press *My hand* to answer."
        return f"{side(match, who)} would like {offer}.{then}"
    opened = None if proposed is not Proposal.CANCEL else hands_open(match)
    return " ".join(filter(None, (f"{side(match, who)} would like {offer}.", opened)))


def taken_back(hand: OwnHand) -> str:
    """Tell a player who let another one take a discard back that it is the other one's turn again."""
    turn = hand.view.public.turn
    assert turn is not None
    return f"{name(hand.match.players[turn])} has the card back. Wait for another discard."


def drew_before_request(match: MatchInfo) -> str:
    """Explain to a player why they need not answer the request to take back the last discard."""
    asking = side(match, match.seats_proposing(Proposal.TAKE_BACK))
    return f"{asking} asked to take back the last discard, but you had already drawn."


def drew_after_request(match: MatchInfo) -> str:
    """Explain to a player why they can no longer answer the request to take back the last discard."""
    asking = side(match, match.seats_proposing(Proposal.TAKE_BACK))
    return f"{asking} asked to take back the last discard. You drew a card instead, so it stands."


def rematch(match: MatchInfo, own: Seat | None = None) -> str | None:
    """Return the state of the rematch, addressed to everyone or to the seat `own`; None if it was not proposed.

    An open offer names the rules and the end of the match that it offers.
    """
    who, expires = match.seats_proposing(Proposal.REMATCH), relative_time(match.moved_at + REMATCH_TIMEOUT)
    offered = f"a rematch: {rules.name(match.rules, match.ruleset)}"
    if match.has_rematch:
        return "The rematch has started!"
    if own is not None and own in who:
        offering = _offering(match, who, own, offered)
        return f"{offering}. It starts if {_others_agree(match, own)}. The offer expires {expires}."
    if who:
        return f"{side(match, who)} would like {offered}. The offer expires {expires}."
    return None if (declined := _declined(match, own)) is None else f"{declined} the rematch."


def _offering(match: MatchInfo, who: Sequence[Seat], own: Seat | None, offer: str) -> str:
    others = [seat for seat in who if seat != own]
    return f"You and {side(match, others)} would like {offer}" if others else f"You offered {offer}"


def _others_agree(match: MatchInfo, own: Seat) -> str:
    return f"{opponents(match, own)} agrees" if len(match.players) == 2 else "everyone agrees"


def _declined(match: MatchInfo, own: Seat | None) -> str | None:
    """Return the beginning of a sentence about a declined offer: `North declined`. None if no offer was declined."""
    who = match.seats_proposing(Proposal.DECLINED)
    return f"{'You' if own in who else side(match, who)} declined" if who else None


def match_result(hand: OwnHand) -> str:
    """Return the result of a match, addressed to one of its players."""
    match, seat, public = hand.match, hand.view.seat, hand.view.public
    score, against = public.score, opponents(match, seat)
    if match.status is MatchStatus.CANCELLED:
        return f"Your match against {against} was called off. It doesn't count."
    forfeit, how = public.forfeit, ""
    if forfeit is not None:
        how = f" {'You' if forfeit.seat == seat else name(match.players[forfeit.seat])} {forfeit_text(forfeit)}."
        how += "" if hand.finished_deals or match.is_practice else " No deal was finished, so it doesn't count."
    if score.winner is None:
        if forfeit is None:
            return f"Your match against {against} ended in a draw."
        if forfeit.seat == seat:
            return f"You lost your match against {against}.{how}"
        return f"Your match against {against} ended without a winner.{how}"
    won = seat in public.sides[score.winner]
    if not won and len(match.sides) > 2:
        winner = side(match, match.sides[score.winner])
        return f"{winner} won{winning_margin(match.rules, score)}. {_own_place(hand)}{how}"
    shows_margin = forfeit is None and len(match.sides) == 2 and (won or (score.margin or 0) > 0)
    by = winning_margin(match.rules, score) if shows_margin else ""
    return f"You {'won' if won else 'lost'} your match against {against}{by}.{how}"


def _own_place(hand: OwnHand) -> str:
    """Return the place of one of three or more sides that did not win: `You came 2nd of 4.`"""
    places = facts.places(hand.match.rules, hand.view.public.score)
    own = places[facts.side_index(hand.view.seat, hand.match.sides)]
    came = "shared" if places.count(own) > 1 else "came"
    return f"You {came} {ordinal(own)}{' place' if came == 'shared' else ''} of {len(places)}."


def leaving(match: MatchInfo, seat: Seat) -> str:
    if match.is_practice:
        return f"Leave your practice match against {opponents(match, seat)}?"
    return f"Pause or leave your match against {opponents(match, seat)} in {place(match)}?"


def claiming(hand: OwnHand) -> str:
    """Return the reason why a player may claim a match, and the consequences."""
    match, why = hand.match, KEPT_WAITING
    if match.clock.time is not None and hand.awaited_seat is not None:
        why = f"{name(match.players[hand.awaited_seat])} has no time left."
    if len(match.players) == 2:
        return f"{why} You win the match."
    return f"{why} The player you're waiting for loses. The rest of you decide whether a computer takes the seat."


def pausing(hand: OwnHand) -> str:
    """Return the consequences of a pause, or the reason why the match cannot be paused."""
    match, seat = hand.match, hand.view.seat
    if match.is_alone(seat):
        return "No need to pause: the computers wait as long as you like."
    if match.is_paused:
        return "The match is already paused."
    return f"The match pauses {_when(hand, Proposal.PAUSE)}. A pause stops all clocks."


def calling_off(hand: OwnHand) -> str:
    """Return the consequences of calling the match off."""
    when = "at once" if hand.may_claim or hand.may_call_off else _when(hand, Proposal.CANCEL)
    return f"The match ends {when}. It won't count."


def _when(hand: OwnHand, proposal: Proposal) -> str:
    """Return the condition or time at which a player's proposal takes effect: `once North agrees`."""
    match = hand.match
    silent = [
        seat
        for seat, player in enumerate(match.players)
        if seat != hand.view.seat and player.computer is None and match.proposals[seat] is not proposal
    ]
    if not silent:
        return "at once"
    return f"once {name(match.players[silent[0]]) if len(silent) == 1 else 'everyone'} agrees"


def resigning(hand: OwnHand) -> str:
    """Return the consequences of resigning."""
    match, seat = hand.match, hand.view.seat
    if match.is_practice:
        return "You lose. Practice doesn't count."
    if any(seat in seats and len(seats) > 1 for seats in match.sides):
        then = "Your team loses"
    elif len(match.players) == 2:
        then = f"You lose, and {opponents(match, seat)} wins"
    else:
        then = "You lose. The match ends without a winner"
    if match.kind is MatchKind.CASUAL:
        return f"{then}. It's a casual match, so it doesn't count."
    if not hand.finished_deals:
        return f"{then}. No deal is over yet, so the match doesn't count."
    return f"{then}. The current deal isn't scored."


def turn_line(hand: OwnHand) -> str:
    state = "**your turn**" if hand.view.is_to_act else "paused" if hand.match.is_paused else "waiting"
    state += ", **you can call it off**" if hand.may_call_off and not hand.may_claim else ""
    if hand.match.vacant_seat is not None:
        state = "a player lost on time"
    against = opponents(hand.match, hand.view.seat)
    public = hand.view.public
    moved_at = last_move(public, hand.moved_at)
    match = f"{place(hand.match).capitalize()} against {against}"
    return f"{match}: {state}{_time_clause(hand)}, deal {public.number}, {moved_at}"


def turn_list(lines: Sequence[str], matches: int) -> str:
    """Return the list of a person's matches: as many `lines` as fit in a message, and the number left out."""
    listed, room = list[str](), MAX_LIST_LENGTH
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        listed.append(line)
    more = [f"… and {matches - len(listed)} more"] if matches > len(listed) else []
    return "\n".join(["### Your matches", *listed, *more])


def _time_clause(hand: OwnHand) -> str:
    """Return a clause with the remaining time of the player whose turn it is; empty without a clock."""
    whose = hand.view.seat if hand.view.is_to_act else hand.awaited_seat
    time = None if whose is None or hand.match.clock.time is None else hand.times_left.get(whose)
    if time is None or hand.match.is_paused:
        return ""
    if time.is_used_up:
        return ", your time is up" if hand.view.is_to_act else ", **their time is up**"
    if time.ends_at is None:
        return ""
    return f", {'your' if hand.view.is_to_act else 'their'} time runs out {relative_time(time.ends_at)}"


def in_direct_message(hand: OwnHand, text: str) -> str:
    """Add a sentence to a text, with a link to the direct messages that show the hand or the result."""
    if hand.match.status is not MatchStatus.RUNNING:
        shown = "The result"
    else:
        shown = "The match" if hand.view.sits_out else "Your hand"
    return f"{text} [{shown}](https://discord.com/channels/@me/{hand.dm_channel_id}) is in your DMs."
