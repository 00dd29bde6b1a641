"""What is said when something cannot be done: kindly, privately, and with what to do next."""

from __future__ import annotations

from textwrap import shorten
from typing import Final

from bot.engine.views import Phase
from bot.play import refusals as why
from bot.play.values import ChallengeStatus, OwnHand
from cardart.names import names_of
from cogs.words.people import joined, name, versus
from cogs.words.table import since, top

BROKEN = "Something went wrong on my side, and nothing was lost. Please try again; if it keeps happening, tell the host"
OLD_BUTTON = "This button is from an older time and does nothing any more. `/gin table` brings the table back."
NO_MATCH_BEFORE = "No match has ended here that you could play again. `/gin challenge` begins one."
CHANNEL_GONE = (
    "The channel of this match is gone. Use `/gin table` in another channel of the same server, and it goes on there."
)
CHANGED = "My commands have changed since Discord showed them to you. Reload it (Ctrl+R), or try again in a minute."
NOT_HERE = "I find nobody of that name on this server. Choose from the list that opens while you type."
SLOW_DOWN = "Discord asks me to slow down. Your move is safe; `/gin hand` shows it in a moment."
ONLY_IN_SERVERS = "This works in a server's channel, where the people you play with are."
NOT_A_PLAYER_THERE = "That person cannot see this channel, so they could not follow a match. Challenge them elsewhere."
NO_BOTS = "Bots cannot play gin rummy yet. Challenge a person, or leave the opponent open for anyone."
NO_DEAL = "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board."
MAY_NOT_SHOW = "A replay is shown to everyone in its match's own channel, by people who may write there."
ENDED_ALREADY = "That match is over already. `/gin-admin end` shows the ones that still run."
ANSWER_FIRST = "A knock is being answered: `/gin layoff` lays off a card, *all*, or *nothing*."
MANAGERS_ONLY = "Only people who may manage this server can do that. Ask one of them."

LONGEST_REASON: Final = 300
"""A reason may quote what somebody typed, which may be longer than a message."""


def offers_default(name: str) -> str:
    """Why a server cannot stop offering the rules that its challenges go by."""
    return f"**{name}** is what a challenge plays that names no rules. Choose other rules first, then what to offer."


def text(refusal: why.Refusal, person_id: int) -> str:
    """Why not, and what to do next, as the person is told who was refused."""
    match refusal:
        case why.NoMatch(here):
            if here:
                return "No match runs here, and you play nowhere else. Begin one with `/gin challenge`."
            return "There is no such match any more. `/gin games` lists yours."
        case why.WhichMatch():
            return "You play several matches. Which one do you mean?"
        case why.NotSeated(card):
            return f"You do not play in {versus(card)}. `/gin games` lists your matches, `/gin challenge` begins one."
        case why.NotYourTurn(hand):
            return _not_your_turn(hand)
        case why.Stale():
            return "The table has moved on since. This is how it stands now."
        case why.Illegal():
            return _illegal(refusal)
        case why.MatchOver(card):
            return f"The match {versus(card)} is over. `/gin rematch` plays another."
        case why.MatchRunning(card):
            return f"{versus(card)} still runs. A rematch can follow once it is over."
        case why.NoReplay():
            return _no_replay(refusal)
        case why.RematchBegun(card):
            return f"The rematch of {versus(card)} has begun already. `/gin games` shows where."
        case why.TooSoon(_, at):
            return f"A match can be claimed after seven days without a move: {since(at)}."
        case why.Frozen(card):
            return (
                f"The server of {versus(card)} removed me, so the match rests. It goes on as it stands "
                "if somebody there invites me again within thirty days."
            )
        case why.ChannelBusy(card):
            return (
                f"{versus(card)} runs in <#{card.channel_id}>. A channel holds one match: use another one, "
                "or let me create public threads here."
            )
        case why.WrongChannel(channels):
            return f"Gin rummy is played in {joined([f'<#{channel}>' for channel in channels])} on this server."
        case _:
            return _about_invitations(refusal, person_id)


def _about_invitations(refusal: why.Refusal, person_id: int) -> str:
    match refusal:
        case why.NotWithYourself():
            return "One cannot play gin rummy alone. Challenge somebody else, or leave the opponent open for anyone."
        case why.TooManyChallenges(pending):
            return f"You have {len(pending)} challenges open, and that is the most. `/gin withdraw` takes one back."
        case why.NotWelcome(opponent):
            return f"<@{opponent}> takes no challenges now. Leave the place open, or challenge somebody else."
        case why.TooManyNamed(most):
            people = "one opponent" if most == 1 else f"{most} others at most"
            return f"These rules are for you and {people}. Name fewer, or choose rules for more players."
        case why.AlreadyIn():
            return "You are in already. *Leave* gives your place up; whoever made the challenge starts or withdraws it."
        case why.NoPlaceLeft(invitation):
            return f"No place is left in {name(invitation.challenger)}'s challenge. `/gin challenge` makes your own."
        case why.NotEnoughPlayers(invitation) if invitation.can_start:
            return "These rules have no teams: each plays alone."
        case why.NotEnoughPlayers(invitation):
            there = len(invitation.players)
            are_in = "You are alone" if there == 1 else f"{there} are in"
            return f"{are_in}, and these rules need {invitation.seats[0]} players. Wait for more to join."
        case why.NoInvitation():
            return "There is no such challenge. `/gin challenge` makes one."
        case why.InvitationClosed(invitation):
            how = {
                ChallengeStatus.DRAFT: "not out yet",
                ChallengeStatus.PENDING: "out already",
                ChallengeStatus.ACCEPTED: "taken up already",
                ChallengeStatus.DECLINED: "declined",
                ChallengeStatus.WITHDRAWN: "withdrawn",
                ChallengeStatus.EXPIRED: "too old",
            }[invitation.status]
            return f"That challenge was {how}. `/gin challenge` makes a new one."
        case why.NotForYou(invitation):
            if invitation.challenger.id == person_id:
                return "This is your own challenge: somebody else must accept it. `/gin withdraw` takes it back."
            challenger = name(invitation.challenger)
            if invitation.is_lobby:
                return (
                    f"This is {challenger}'s table. Who is named may decline, who has joined may leave, and "
                    f"{challenger} alone starts it, changes it or takes it back. `/gin challenge` opens your own."
                )
            opponent = "anybody else" if invitation.opponent is None else name(invitation.opponent)
            return (
                f"This is {challenger}'s challenge: {opponent} may accept it, and only {challenger} takes it back. "
                "`/gin challenge` makes your own."
            )
        case _:
            return _about_rules(refusal)


def _about_rules(refusal: why.Refusal) -> str:
    match refusal:
        case why.UnknownRules(reason, offered):
            short = shorten(reason, LONGEST_REASON, placeholder=" …")
            return f"I cannot play by those rules: {short}.{_offered(offered)}"
        case why.NotOffered(asked, offered):
            return f"This server does not offer **{asked}**.{_offered(offered)}"
        case why.WrongRulesName(_, taken):
            if taken:
                return "That name belongs to built-in rules or to a leaderboard. Give yours another one."
            return "A name has 1 to 32 letters, digits, spaces and hyphens, and begins with a letter or digit."
        case why.TooManyHouseRules(most):
            return f"There are {most} house rules, and that is the most. `/gin-admin rules remove` makes room."
        case _:
            return f"{BROKEN}."


def _no_replay(refusal: why.NoReplay) -> str:
    between = versus(refusal.card)
    return {
        why.Unshown.NONE_OVER: f"No deal of {between} has come to a showdown yet. Its replay comes with it.",
        why.Unshown.IN_PLAY: "That deal is still in play. Once all hands are laid down, it can be watched again.",
        why.Unshown.BROKEN_OFF: "That deal was broken off before a showdown, so its hands stay hidden.",
        why.Unshown.VOID: "That deal was void: nobody laid a hand down, so its hands stay hidden.",
        why.Unshown.UNKNOWN: f"{between} has no such deal. Choose from the list that opens while you type.",
    }[refusal.why]


def _offered(names: tuple[str, ...]) -> str:
    return f" There are {joined([f'**{one}**' for one in names])}." if names else ""


def _not_your_turn(hand: OwnHand) -> str:
    turn_seat = hand.view.public.turn
    if hand.view.to_act:
        return "Nobody keeps you waiting: it is your own turn."
    if turn_seat is None:
        return "Your board is over. You will hear from me when the next round begins."
    return f"It is {name(hand.card.players[turn_seat])}'s turn. You will hear from me when it is yours."


def _illegal(refusal: why.Illegal) -> str:
    public, card, names = refusal.hand.view.public, refusal.card, names_of(refusal.hand.look.language)
    shown = "that card" if card is None else f"**{names.short(card)}**"
    match refusal.code:
        case "wall" | "no-gin" if public.phase is Phase.WALL:
            return (
                f"The stock is used up: take the {top(public, names)} only to knock or go gin with it, or `/gin pass`."
            )
        case "no-gin" if public.phase is Phase.LAY_OFF:
            return ANSWER_FIRST
        case "offer":
            return f"The deal begins with the upcard: take the {top(public, names)} with `/gin take`, or `/gin pass`."
        case "refused":
            return "Everybody passed the upcard, so the first card comes from the stock: `/gin draw`."
        case "draw-first":
            return "A turn begins with a card: `/gin draw` from the stock, or `/gin take` the top of the pile."
        case "drawn":
            return "You have drawn already. Now discard a card, and knock or go gin if you can."
        case "not-in-hand":
            return f"You do not hold {shown}. Choose a card of your hand."
        case "just-drawn":
            return f"You drew {shown} in this turn, so it stays for now. Discard another card."
        case "wall":
            return "The stock is used up, and you took the last discard: now knock or go gin."
        case "no-big-gin":
            return "These rules know no big gin: `/gin gin` goes gin with one card discarded."
        case "not-big-gin":
            return "That is not big gin: all eleven cards must be melded. Discard a card, and wait."
        case "lay-off-first":
            return ANSWER_FIRST
        case "lay-off":
            which = "That card" if card is None else shown
            return f"{which} fits none of the knocker's melds as they lie, or is in a meld of your own."
        case "no-lay-off":
            return "There is nothing to lay off on now: that comes after the other's knock."
        case "melds":
            return "The hand cannot be laid down like that. Choose from the list that opens while you type."
        case "just-taken":
            return f"You took {shown} from the pile in this turn, so it stays for now. Discard another card."
        case "too-much":
            choices = {choice.card: choice.leaves for choice in refusal.hand.view.discard_choices}
            leaves = f" leaves {choices[card]}" if card in choices else " leaves too much"
            most = (
                f"a knock may leave {public.knock_limit} at most"
                if public.knock_limit
                else "only gin goes out in this deal"
            )
            return f"Discarding {shown}{leaves}, and {most}. Discard, and wait."
        case "no-gin" if public.phase is Phase.OFFER:
            return f"Gin comes after a draw: take the {top(public, names)} with `/gin take`, or `/gin pass`."
        case "no-gin" if public.phase is Phase.DRAW:
            return "Gin comes after a draw: `/gin draw` from the stock, or `/gin take` the top of the pile."
        case "no-gin":
            knocks = any(choice.knocks for choice in refusal.hand.view.discard_choices)
            instead = "Knock or discard instead." if knocks else "Discard a card, and wait."
            return f"That is not gin yet: some deadwood is left whatever you discard. {instead}"
        case _:
            return "The rules do not allow that now. Your hand shows what you may do."
