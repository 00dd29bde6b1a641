"""Each value of each knob of the rules in words: a few for one line among others, and whole sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.engine.rules import Value

NUMBER: Final = "number"
"""The key of the words for any number; `{n}` in them is the number."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a value of a knob means: in a few words for one line among others, and in whole sentences."""

    short: str
    long: str


WORDS: Final[Mapping[str, Mapping[Value, Words]]] = MappingProxyType(
    {
        "format": {
            "duel": Words(
                "two players",
                "Two play.",
            ),
            "rotation": Words(
                "three players, the dealer sits out",
                "Three play: the dealer sits the deal out, and the deal passes on after each deal.",
            ),
            "winner_stays": Words(
                "three players, the loser sits out",
                "Three play: the loser of a deal sits the next one out and deals it; the winner stays.",
            ),
            "partners": Words(
                "two teams of two",
                "Four play in two teams, on two boards at once; opponents change each round. A side that wins both "
                "boards scores their sum; otherwise the side with more scores the difference. Either way it is one "
                "line.",
            ),
            "penalty": Words(
                "penalty points, the fewest win",
                "Two to four play at one table, two with ten cards each, three or four with seven, and collect "
                "penalty points: "
                "the fewest win. After gin all others are charged their deadwood and the gin bonus; after a knock "
                "their deadwood less the knocker's; after an undercut all "
                "but the undercutter their deadwood less the undercutter's, and the knocker the undercut bonus too.",
            ),
        },
        "cards_dealt": {
            10: Words("ten cards", "Ten cards each."),
            7: Words("seven cards", "Seven cards each."),
        },
        "first_dealer": {
            "lowest_card": Words(
                "the lowest card deals first", "Each draws a card for the first deal: the lowest deals."
            ),
            "random": Words("chance picks the first dealer", "Chance says who deals first."),
            "challenged": Words("the challenged deals first", "Who was challenged deals first."),
            "challenger": Words("the challenger deals first", "The challenger deals first."),
        },
        "next_dealer": {
            "alternate": Words("the deal passes on", "The deal passes on after each deal."),
            "loser": Words("the loser deals next", "The loser of a deal deals the next."),
            "winner": Words("the winner deals next", "The winner of a deal deals the next."),
        },
        "void_redeal": {
            "same_dealer": Words("after a void deal the same deals", "After a void deal the same player deals again."),
            "deal_passes": Words(
                "a void deal passes the deal on", "After a void deal the deal passes on all the same."
            ),
        },
        "knock_limit": {
            NUMBER: Words("knock with {n} or less", "Knock when your deadwood is **{n}** or less after the discard."),
            0: Words("gin only, no knocking", "There is no knocking: only gin goes out."),
            "upcard": Words(
                "the upcard sets the knock limit",
                "The first upcard says how much deadwood a knock may leave: its points, so 10 for a court card.",
            ),
        },
        "oklahoma_ace": {
            1: Words("an ace allows 1", "An ace as the upcard allows a knock with 1."),
            "gin_only": Words("an ace means gin only", "An ace as the upcard means that only gin goes out."),
        },
        "spade_doubles": {
            True: Words("a spade doubles", "When the upcard is a spade, all that the deal scores counts double."),
            False: Words("no doubling", "A spade as the upcard changes nothing."),
        },
        "oklahoma_boxes": {
            True: Words(
                "extra boxes", "An undercut earns one line more, gin two more; a spade that doubles, doubles those."
            ),
            False: Words("no extra boxes", "Each deal won is one line."),
        },
        "discard_drawn": {
            "free": Words("any card may be discarded", "Any card may be discarded, the one just taken too."),
            "not_from_pile": Words(
                "a taken card stays for the turn",
                "A card taken from the pile may not be discarded in the same turn.",
            ),
            "never": Words(
                "a drawn card stays for the turn",
                "The card just drawn or taken may not be discarded in the same turn.",
            ),
        },
        "gin_bonus": {NUMBER: Words("gin {n}", "The gin bonus is **{n}**. Nothing is laid off on gin.")},
        "undercut_bonus": {
            NUMBER: Words("undercut {n}", "The undercut bonus is **{n}**."),
        },
        "big_gin_bonus": {
            NUMBER: Words(
                "big gin {n}", "Big gin, all eleven cards melded without a discard, scores **{n}** in place of gin."
            ),
            None: Words("no big gin", "All eleven cards melded is gin with one of them discarded."),
        },
        "undercut_on_tie": {
            True: Words("a tie undercuts", "Deadwood as low as the knocker's undercuts."),
            False: Words(
                "undercut only when lower", "Only deadwood below the knocker's undercuts; a tie scores nothing."
            ),
        },
        "lay_off": {
            True: Words("lay-offs", "After a knock the others lay cards off on the knocker's melds."),
            False: Words("no lay-offs", "Nothing is laid off after a knock."),
        },
        "lay_off_mode": {
            "automatic": Words("lay-offs by themselves", "The best melds and lay-offs are made at once."),
            "manual": Words(
                "lay-offs by hand", "The others choose what they lay off, card by card or all, and may decline."
            ),
        },
        "lay_off_chain": {
            True: Words(
                "lay-offs may follow on", "A card may follow one that was laid off before it: 7 then 8 on 4-5-6."
            ),
            False: Words(
                "lay-offs on the original melds only",
                "A card goes only next to the meld as it was laid down, and a place that is taken is closed to the "
                "next.",
            ),
        },
        "last_discard": {
            "void": Words("no wall", "The discard that leaves two cards in the stock may not be taken any more."),
            "may_go_out": Words(
                "the wall",
                "The discard that leaves two cards in the stock may still be taken, only to knock or go gin.",
            ),
        },
        "stock_out": {
            "void": Words(
                "a used-up stock voids the deal",
                "When a discard leaves two cards in the stock and nobody goes out, the deal is void: nobody scores.",
            ),
            "reshuffle": Words(
                "a used-up stock is reshuffled",
                "When two cards are left in the stock, the discards below the top one are shuffled and go under them.",
            ),
        },
        "target": {
            NUMBER: Words("to {n}", "The game ends once somebody has **{n}** points."),
            None: Words("no target", "No number of points ends the game."),
        },
        "deals": {
            NUMBER: Words("for {n} scored deals", "The match ends after **{n}** scored deals."),
            None: Words("any number of deals", "There may be any number of deals."),
        },
        "game_bonus": {
            NUMBER: Words("match {n}", "Who reaches the target, or leads at the end, adds **{n}**."),
            0: Words("no match bonus", "Winning the match adds no points."),
        },
        "line_bonus": {
            NUMBER: Words("each deal won {n}", "Each deal won adds a line of **{n}**."),
            0: Words("no lines", "Deals won add no lines."),
        },
        "line_credit": {
            "at_end": Words("lines at the end", "Lines are added at the end and do not count towards the target."),
            "at_once": Words("lines at once", "Lines are added with their deal and count towards the target."),
        },
        "shutout": {
            False: Words("no shutout bonus", "Winning every deal earns nothing more."),
            "plus_100": Words("shutout 100", "A shutout adds **100**."),
            "game_bonus_doubled": Words("shutout doubles the match bonus", "A shutout doubles the match bonus."),
            "double_deals": Words(
                "shutout doubles the deals", "A shutout doubles the points of the deals, before the lines."
            ),
            "double_score": Words(
                "shutout doubles points and match bonus",
                "A shutout doubles the points of the deals and the match bonus, not the lines.",
            ),
        },
        "shutout_needs": {
            "loser_won_none": Words("shutout when the loser won none", "It is a shutout when the loser won no deal."),
            "winner_won_all": Words(
                "shutout when every deal was won",
                "It is a shutout when the winner won every deal; a void one spoils it.",
            ),
        },
        "winner": {
            "highest_total": Words("the highest total wins", "The highest total, all bonuses included, wins."),
            "first_to_target": Words(
                "first to the target wins", "Who reaches the target first wins, whatever the totals."
            ),
        },
        "scoring": {
            "single": Words("one game", "One score sheet."),
            "hollywood": Words(
                "three games at once",
                "Three games are scored at once: your first win counts in the first, your second in the first two, "
                "each later "
                "one in all three. Each game closes at the target with its own bonuses; all three make the match.",
            ),
        },
        "aces": {
            "low": Words("aces low", "Aces are low: A-2-3 is a run, Q-K-A is not. An ace counts 1, court cards 10."),
            "high_low": Words("aces high or low", "Aces are high or low: A-2-3 and Q-K-A are runs. An ace counts 1."),
            "round_the_corner": Words(
                "runs go round the corner", "Runs go round the corner: K-A-2 is one. An ace counts **15**."
            ),
        },
    }
)
"""Every value of every knob in words."""


TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "format": "Players",
        "cards_dealt": "Cards dealt",
        "first_dealer": "First dealer",
        "next_dealer": "Next dealer",
        "void_redeal": "After a void deal",
        "knock_limit": "Knock limit",
        "oklahoma_ace": "Ace as the upcard",
        "spade_doubles": "Spade as the upcard",
        "oklahoma_boxes": "Lines for gin and undercuts",
        "discard_drawn": "Discarding a card just drawn",
        "gin_bonus": "Gin bonus",
        "undercut_bonus": "Undercut bonus",
        "big_gin_bonus": "Big gin bonus",
        "undercut_on_tie": "Equal deadwood",
        "lay_off": "Lay-offs",
        "lay_off_mode": "Who chooses lay-offs",
        "lay_off_chain": "Lay-offs upon lay-offs",
        "last_discard": "The last discard",
        "stock_out": "A used-up stock",
        "target": "Target",
        "deals": "Number of deals",
        "game_bonus": "Match bonus",
        "line_bonus": "Bonus for each deal won",
        "line_credit": "When lines count",
        "shutout": "Shutout bonus",
        "shutout_needs": "What a shutout is",
        "winner": "Who wins",
        "scoring": "Games at once",
        "aces": "Aces",
    }
)
"""What each knob is about, as a menu names it."""


def said(knob: str, value: Value) -> Words:
    """A knob's value in words."""
    words = WORDS[knob]
    if value in words and type(value) in {type(key) for key in words if key == value}:
        return words[value]
    return Words(words[NUMBER].short.format(n=value), words[NUMBER].long.format(n=value))
