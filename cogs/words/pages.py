"""Longer texts: the help, the rules, and what is kept of a person."""

from __future__ import annotations

from bot.engine.rules import Rules

HELP = """\
**1.** Each player holds ten cards. Collect **melds**: runs (5♥ 6♥ 7♥) and sets (Q♠ Q♦ Q♣). The rest is **deadwood**: \
an ace counts 1, court cards 10, others their pips.
**2.** At your turn take the top of the discard pile, or draw from the stock (the cards face down); then discard a card.
**3.** With 10 points of deadwood or less you may **knock**; without any you go **gin**.
**4.** After a knock your opponent lays off cards on your melds. The lower deadwood scores the difference.
**5.** Gin earns 25 more, and so does an **undercut**: being as low as the knocker. First to 100 ends the match."""

COMMANDS = """\
`/gin challenge` begins a match, `/gin hand` shows your cards, `/gin table` the table, `/gin games` your matches.
Every button is a command too: `draw`, `take`, `pass`, `discard`, `knock`, `gin`, `score`, `resign`, `rematch`.
`/gin me preferences` sets direct messages and pings, `/gin rules` explains the rules in full."""

PRIVACY = """\
I keep your Discord id, the name you had last and when, your preferences, your invitations, and the matches you \
played with their moves and results. I keep no messages and nothing about you from elsewhere. Your cards are shown \
to nobody but you until a deal is over.
*Export* sends you all of it as a file. *Forget me* removes it at once: running matches are resigned, and finished \
ones keep a seat without a name."""

FORGET = """\
Shall I forget you? Your running matches are resigned, your invitations withdrawn, your preferences and your place on \
every leaderboard removed. Finished matches keep a seat without a name. This cannot be undone."""


def rules(agreed: Rules) -> str:
    """The rules of a match in plain words, from the very values the engine plays by."""
    discarding = {
        "free": "Any card may be discarded.",
        "not_from_pile": "A card taken from the pile may not be discarded in the same turn.",
        "never": "The card just drawn or taken may not be discarded in the same turn.",
    }[agreed.discard_drawn]
    knock = (
        f"Knock when your deadwood is **{agreed.knock_limit}** or less after the discard."
        if agreed.knock_limit
        else "There is no knocking: only gin goes out."
    )
    undercut = "as low as the knocker's or lower" if agreed.undercut_on_tie else "lower than the knocker's"
    lay_off = (
        " After a knock the opponent's melds and lay-offs are chosen for the best. Nothing is laid off on gin."
        if agreed.lay_off
        else " Nothing is laid off."
    )
    scoring = [
        f"- {knock}{lay_off if agreed.knock_limit else ''}",
        f"- Gin scores the opponent's deadwood and **{agreed.gin_bonus}**.",
    ]
    if agreed.knock_limit:
        scoring += [
            "- A knock scores the difference of the two deadwoods.",
            f"- Undercut: deadwood {undercut} scores the difference and **{agreed.undercut_bonus}** for the opponent.",
        ]
    ends = [f"a player has **{agreed.target}** points"] if agreed.target is not None else []
    ends += [f"**{agreed.deals}** deals are scored"] if agreed.deals is not None else []
    bonuses = [f"**{agreed.game_bonus}** for that player"] if agreed.game_bonus else []
    bonuses += [f"**{agreed.line_bonus}** for each deal won (the lines)"] if agreed.line_bonus else []
    added = f" Then {' and '.join(bonuses)} are added." if bonuses else ""
    return "\n".join(
        (
            "- Ten cards each. Aces are low and count 1, court cards 10, others their pips.",
            "- The upcard is offered first: to the player who did not deal, then to the dealer.",
            f"- Each turn draw one card, from the stock or the pile, and discard one. {discarding}",
            *scoring,
            "- A deal is void once two cards are left in the stock: the same player deals again, else they alternate.",
            f"- The match ends once {' or '.join(ends)}.{added} The higher total wins.",
        )
    )
