"""What is said when something cannot be done: kindly, privately, and with what to do next."""

from __future__ import annotations

from bot.engine.rules import playable_presets
from bot.engine.views import Phase
from bot.play import refusals as why
from bot.play.values import ChallengeStatus, OwnHand
from cogs.words.game import since, top
from cogs.words.people import joined, name, versus

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
ENDED_ALREADY = "That match is over already. `/gin-admin end` shows the ones that still run."
MANAGERS_ONLY = "Only people who may manage this server can do that. Ask one of them."


def text(refusal: why.Refusal) -> str:
    """Why not, and what to do next."""
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
        case why.RematchBegun(card):
            return f"The rematch of {versus(card)} has begun already. `/gin games` shows where."
        case why.TooSoon(_, at):
            return f"A match can be claimed after seven days without a move: {since(at)}."
        case why.ChannelBusy(card):
            return (
                f"{versus(card)} runs in <#{card.channel_id}>. A channel holds one match: use another one, "
                "or let me create public threads here."
            )
        case why.WrongChannel(channels):
            return f"Gin rummy is played in {joined([f'<#{channel}>' for channel in channels])} on this server."
        case why.NotWithYourself():
            return "One cannot play gin rummy alone. Challenge somebody else, or leave the opponent open for anyone."
        case why.TooManyChallenges(pending):
            return f"You have {len(pending)} challenges open, and that is the most. `/gin withdraw` takes one back."
        case why.NotWelcome(opponent):
            return f"<@{opponent}> takes no challenges now. Leave the opponent open, or challenge somebody else."
        case why.UnknownRules():
            presets = joined([f"**{preset}**" for preset in playable_presets()])
            return f"I cannot play by those rules. There are {presets}: choose from the list that opens while you type."
        case _:
            return _about_invitations(refusal)


def _about_invitations(refusal: why.Refusal) -> str:
    match refusal:
        case why.NoInvitation():
            return "There is no such challenge. `/gin challenge` makes one."
        case why.InvitationClosed(invitation):
            how = {
                ChallengeStatus.PENDING: "open",
                ChallengeStatus.ACCEPTED: "taken up already",
                ChallengeStatus.DECLINED: "declined",
                ChallengeStatus.WITHDRAWN: "withdrawn",
                ChallengeStatus.EXPIRED: "too old",
            }[invitation.status]
            return f"That challenge was {how}. `/gin challenge` makes a new one."
        case why.NotForYou(invitation):
            challenger = name(invitation.challenger)
            opponent = "anybody else" if invitation.opponent is None else name(invitation.opponent)
            return (
                f"This is {challenger}'s challenge: {opponent} may accept it, and only {challenger} takes it back. "
                "`/gin challenge` makes your own."
            )
        case _:
            return f"{BROKEN}."


def _not_your_turn(hand: OwnHand) -> str:
    turn_seat = hand.view.public.turn
    if hand.view.to_act or turn_seat is None:
        return "Nobody keeps you waiting: it is your own turn."
    return f"It is {name(hand.card.players[turn_seat])}'s turn. You will hear from me when it is yours."


def _illegal(refusal: why.Illegal) -> str:
    public, card = refusal.hand.view.public, refusal.card
    shown = "that card" if card is None else f"**{card.symbol}**"
    match refusal.code:
        case "offer":
            return f"The deal begins with the upcard: take the {top(public)} with `/gin take`, or `/gin pass`."
        case "refused":
            return "Both of you passed the upcard, so the first card comes from the stock: `/gin draw`."
        case "draw-first":
            return "A turn begins with a card: `/gin draw` from the stock, or `/gin take` the top of the pile."
        case "drawn":
            return "You have drawn already. Now discard a card, and knock or go gin if you can."
        case "not-in-hand":
            return f"You do not hold {shown}. Choose a card of your hand."
        case "just-taken":
            return f"You took {shown} from the pile in this turn, so it stays for now. Discard another card."
        case "too-much":
            choices = {choice.card: choice.leaves for choice in refusal.hand.view.choices}
            leaves = f" leaves {choices[card]}" if card in choices else " leaves too much"
            return f"Discarding {shown}{leaves}, and a knock may leave {public.knock_limit} at most. Discard, and wait."
        case "no-gin" if public.phase is Phase.OFFER:
            return f"Gin comes after a draw: take the {top(public)} with `/gin take`, or `/gin pass`."
        case "no-gin" if public.phase is Phase.DRAW:
            return "Gin comes after a draw: `/gin draw` from the stock, or `/gin take` the top of the pile."
        case "no-gin":
            knocks = any(choice.knocks for choice in refusal.hand.view.choices)
            instead = "Knock or discard instead." if knocks else "Discard a card, and wait."
            return f"That is not gin yet: some deadwood is left whatever you discard. {instead}"
        case _:
            return "The rules do not allow that now. Your hand shows what you may do."
