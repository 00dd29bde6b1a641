"""Texts about the rule options: titles, menus, the meaning of each value, and sources.

The engine declares the options and their values in `bot/engine/rules/rules.py`. This module has an entry for each
option, in the same order. `docs/rules.md` is generated from the declarations and these texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.engine.rules import Value


class Menu(StrEnum):
    """The menu in which players can change an option."""

    PLAY = "play"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class ValueText:
    """The texts of one value: a few words for lists, and full sentences in Markdown."""

    short: str
    long: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTexts:
    """The texts of one option.

    `menu` is None if only presets set the option. `values` are the values with texts of their own.
    `numbers` are the texts of all other numbers, with `{n}` for the number; a menu offers the `usual` ones. `sources`
    cites the publications at the end of `docs/rules.md` by labels in square brackets. A full description of the
    rules omits an `optional` option that has its default value.
    """

    title: str
    menu: Menu | None
    values: Mapping[Value, ValueText]
    numbers: ValueText | None = None
    usual: Sequence[int] = ()
    sources: str
    optional: bool = False

    def text(self, value: Value) -> ValueText:
        """Return the texts of a value that the option allows."""
        if self.numbers is None or value in self.values:
            return self.values[value]
        return ValueText(self.numbers.short.format(n=value), self.numbers.long.format(n=value))


RULE_TEXTS: Final[Mapping[str, OptionTexts]] = {
    "format": OptionTexts(
        title="Players",
        menu=None,
        values={
            "duel": ValueText("two players", "Two players play each other."),
            "rotation": ValueText(
                "three players, the dealer sits out",
                "Three play: the dealer sits out, and the deal passes on after every deal.",
            ),
            "winner_stays": ValueText(
                "three players, the loser sits out",
                "Three play: the loser of a deal sits out and deals the next one. The winner stays.",
            ),
            "partners": ValueText(
                "two teams of two",
                "Four play in two teams, on two boards at once, and opponents swap after each round. A team that wins "
                "both boards scores their sum; otherwise the team with the higher score scores the difference. Either "
                "way, the round is worth one line.",
            ),
            "penalty": ValueText(
                "penalty points, the fewest win",
                "Two to four play at one table and collect penalty points; the player who has the fewest points wins. "
                "Two "
                "players get ten cards each; three or four players get seven each. After gin, all the others are "
                "charged their deadwood plus the gin "
                "bonus. After a knock, they are charged their deadwood minus the knocker's. After an undercut, all "
                "but the undercutter are charged their deadwood minus the undercutter's, and the knocker is charged "
                "the undercut bonus too.",
            ),
        },
        sources="rotation and teams: [Lemus]; winner stays: [Pagat]; partners: [Pagat], [Bicycle]; penalty: [Knock "
        "Rules], second part",
    ),
    "cards_dealt": OptionTexts(
        title="Cards dealt",
        menu=None,
        values={
            10: ValueText("ten cards", "Each player is dealt ten cards."),
            7: ValueText("seven cards", "Each player is dealt seven cards."),
        },
        sources="[Knock Rules], second part",
    ),
    "first_dealer": OptionTexts(
        title="First dealer",
        menu=Menu.PLAY,
        values={
            "lowest_card": ValueText(
                "the lowest card deals first", "Everyone draws a card, and the lowest deals first."
            ),
            "random": ValueText("a random first dealer", "The first dealer is chosen at random."),
            "challenged": ValueText("the challenged player deals first", "The player who was challenged deals first."),
            "challenger": ValueText("the challenger deals first", "The challenger deals first."),
        },
        sources="lowest card: [Lemus], [Pagat]",
    ),
    "next_dealer": OptionTexts(
        title="Next dealer",
        menu=Menu.PLAY,
        values={
            "alternate": ValueText("the deal passes on", "The deal passes to the next player after every deal."),
            "loser": ValueText("the loser deals next", "The loser of a deal deals the next one."),
            "winner": ValueText("the winner deals next", "The winner of a deal deals the next one."),
        },
        sources="loser: [Lemus]; winner: [Pagat], [Bicycle]; alternate: [How to Play], [Wikipedia], [EAAI]",
    ),
    "void_redeal": OptionTexts(
        title="After a void deal",
        menu=Menu.PLAY,
        values={
            "same_dealer": ValueText(
                "the same player deals again after a void deal", "After a void deal, the same player deals again."
            ),
            "deal_passes": ValueText(
                "the deal passes on after a void deal", "The deal passes on even after a void deal."
            ),
        },
        sources="same dealer: [Lemus], [Pagat], [EAAI]",
    ),
    "knock_limit": OptionTexts(
        title="Knock limit",
        menu=Menu.PLAY,
        values={
            0: ValueText("gin only, no knocking", "There is no knocking: you can go out only with gin."),
            "upcard": ValueText(
                "the upcard sets the knock limit",
                "The knock limit is the point value of the first upcard: 10 for a face card.",
            ),
        },
        numbers=ValueText(
            "knock with {n} or less", "You can knock if your deadwood is **{n}** or less after your discard."
        ),
        usual=(0, 5, 7, 10, 15, 20),
        sources="upcard: [Laying Off], [Pagat], [Bicycle], [Wikipedia]",
    ),
    "oklahoma_ace": OptionTexts(
        title="Ace as the upcard",
        menu=Menu.PLAY,
        values={
            1: ValueText("an ace sets the limit to 1", "If the first upcard is an ace, the knock limit is 1."),
            "gin_only": ValueText(
                "an ace means gin only", "If the first upcard is an ace, you can go out only with gin."
            ),
        },
        sources="1: [Pagat]; gin only: [Bicycle], [Rubl]",
    ),
    "spade_doubles": OptionTexts(
        title="Spade as the upcard",
        menu=Menu.PLAY,
        values={
            True: ValueText(
                "a spade doubles", "If the first upcard is a spade, everything the deal scores is doubled."
            ),
            False: ValueText("no doubling", "A spade as the first upcard changes nothing."),
        },
        sources="[Pagat], [Bicycle], [Wikipedia]",
        optional=True,
    ),
    "oklahoma_boxes": OptionTexts(
        title="Extra lines for gin and undercuts",
        menu=Menu.SCORING,
        values={
            True: ValueText(
                "extra lines",
                "An undercut is worth one extra line, and gin is worth two. A spade that doubles the deal doubles "
                "these lines too.",
            ),
            False: ValueText("no extra lines", "Each deal won is worth one line."),
        },
        sources="[Pagat]",
        optional=True,
    ),
    "opening": OptionTexts(
        title="The opening",
        menu=Menu.PLAY,
        values={
            "offer": ValueText(
                "the upcard is offered once to each player",
                "A deal starts with an offer: each player in turn can take the upcard or pass. If all pass, the first "
                "player draws from the stock.",
            ),
            "offer_then_free": ValueText(
                "a passed upcard can still be taken",
                "A deal starts with an offer: each player in turn can take the upcard or pass. If all pass, the first "
                "player has a turn like any other, and can still take the upcard.",
            ),
            "free": ValueText(
                "no offer of the upcard",
                "There is no offer of the upcard: a deal starts with a turn like any other, in which the first player "
                "draws from the stock or takes the upcard.",
            ),
        },
        sources="offer, then free: [Knock Rules], first part; free: [Knock Rules], second part; offer: all other "
        "sources",
    ),
    "discard_drawn": OptionTexts(
        title="Discarding a card just drawn",
        menu=Menu.PLAY,
        values={
            "free": ValueText(
                "any card can be discarded", "You can discard any card, even the one you have just taken."
            ),
            "not_from_pile": ValueText(
                "a card from the pile stays in hand for the turn",
                "A card you take from the discard pile can't be discarded in the same turn.",
            ),
            "never": ValueText(
                "a drawn card stays in hand for the turn",
                "A card you draw or take can't be discarded in the same turn.",
            ),
        },
        sources="not from the pile: [Knock Rules], [Pagat], [Bicycle], [Wikipedia], [EAAI]; never: [Lemus]; free: "
        "[GRA], [How to Play]",
    ),
    "gin_bonus": OptionTexts(
        title="Gin bonus",
        menu=Menu.SCORING,
        values={},
        numbers=ValueText("gin {n}", "The gin bonus is **{n}**. You can't lay off cards on gin."),
        usual=(0, 10, 20, 25, 30, 50),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io], [Rubl]; 20: [Pagat], [Bicycle], [How to Play] in its house rule 3",
    ),
    "undercut_bonus": OptionTexts(
        title="Undercut bonus",
        menu=Menu.SCORING,
        values={},
        numbers=ValueText("undercut {n}", "The undercut bonus is **{n}**."),
        usual=(0, 10, 20, 25, 30, 50),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io]; 20: [Rubl]; 10: [Pagat], [Bicycle]; 20 or 10: [How to Play] in its house rule 3",
    ),
    "big_gin_bonus": OptionTexts(
        title="Big gin bonus",
        menu=Menu.SCORING,
        values={
            None: ValueText("no big gin", "There is no big gin: if all your cards are melded, discard one and go gin."),
        },
        numbers=ValueText(
            "big gin {n}",
            "Big gin means that all your cards are melded before the discard. It earns **{n}** instead "
            "of the gin bonus.",
        ),
        usual=(30, 31, 50, 75),
        sources="30: [Yimmaw]; 31: [Knock Rules], [Wikipedia], [CardGames.io]",
        optional=True,
    ),
    "undercut_on_tie": OptionTexts(
        title="Equal deadwood",
        menu=Menu.SCORING,
        values={
            True: ValueText(
                "a tie undercuts", "It's an undercut if an opponent's deadwood is equal to the knocker's or lower."
            ),
            False: ValueText(
                "undercut only when lower",
                "It's an undercut only if an opponent's deadwood is lower than the knocker's; a tie scores nothing.",
            ),
        },
        sources="on: [Laying Off], [Yimmaw], [Knock Rules], [How to Play], [Pagat], [Bicycle], [Wikipedia], [EAAI]; "
        "off: [Lemus], [Knock Rules] in its second part",
    ),
    "lay_off": OptionTexts(
        title="Lay-offs",
        menu=Menu.PLAY,
        values={
            True: ValueText("lay-offs", "After a knock, the other players can lay off cards on the knocker's melds."),
            False: ValueText("no lay-offs", "There are no lay-offs after a knock."),
        },
        sources="off: [How to Play], house rule 1",
    ),
    "lay_off_mode": OptionTexts(
        title="Who chooses lay-offs",
        menu=Menu.PLAY,
        values={
            "automatic": ValueText("automatic lay-offs", "The best melds and lay-offs are made automatically."),
            "manual": ValueText(
                "lay-offs by hand",
                "The other players choose what they lay off, card by card or all at once, and can decline.",
            ),
        },
        sources="automatic: [Yimmaw]; optional: [Laying Off]",
    ),
    "lay_off_chain": OptionTexts(
        title="Lay-offs upon lay-offs",
        menu=Menu.PLAY,
        values={
            True: ValueText(
                "lay-offs can build on lay-offs",
                "You can lay off a card next to one that was laid off before: a 7, then an 8, on 4-5-6.",
            ),
            False: ValueText(
                "lay-offs on the original melds only",
                "You can lay off a card only next to the meld as it was laid down. Once a place is taken, it's closed "
                "to the next player.",
            ),
        },
        sources="on: [Laying Off]; off: [Knock Rules], second part",
    ),
    "last_discard": OptionTexts(
        title="The last discard",
        menu=Menu.PLAY,
        values={
            "void": ValueText(
                "the last discard can't be taken",
                "Once only two cards are left in the stock, the last discard can't be taken.",
            ),
            "may_go_out": ValueText(
                "the last discard can be taken to go out",
                "When only two cards are left in the stock, you can still take the last discard, but only to knock or "
                "go gin.",
            ),
        },
        sources="void and may go out: [Lemus]; may go out: [Pagat], [GRA]",
    ),
    "stock_out": OptionTexts(
        title="A used-up stock",
        menu=Menu.PLAY,
        values={
            "void": ValueText(
                "a used-up stock voids the deal",
                "If only two cards are left in the stock and nobody goes out, the deal is void: nobody scores.",
            ),
            "reshuffle": ValueText(
                "a used-up stock is reshuffled",
                "When the stock is down to two cards, all discards but the top one are shuffled and put under them.",
            ),
        },
        sources="reshuffle: [Knock Rules], second part",
    ),
    "target": OptionTexts(
        title="Target",
        menu=Menu.SCORING,
        values={None: ValueText("no target", "There is no target score.")},
        numbers=ValueText("to {n}", "The game ends when a player or team reaches **{n}** points."),
        usual=(10, 25, 50, 75, 100, 125, 150, 200, 250, 500),
        sources="all",
    ),
    "deals": OptionTexts(
        title="Number of deals",
        menu=Menu.SCORING,
        values={None: ValueText("any number of deals", "The match has no fixed number of deals.")},
        numbers=ValueText("for {n} scored deals", "The match ends after **{n}** scored deals."),
        usual=(1, 3, 5, 7, 10, 20),
        sources="a match of an agreed length",
        optional=True,
    ),
    "game_bonus": OptionTexts(
        title="Match bonus",
        menu=Menu.SCORING,
        values={0: ValueText("no match bonus", "There is no bonus for winning the match.")},
        numbers=ValueText(
            "match bonus {n}", "The player or team that reaches the target, or leads at the end, adds **{n}** points."
        ),
        usual=(0, 50, 100, 150, 200),
        sources="all",
    ),
    "line_bonus": OptionTexts(
        title="Bonus for each deal won",
        menu=Menu.SCORING,
        values={0: ValueText("no lines", "There is no bonus for deals won.")},
        numbers=ValueText("each deal won {n}", "Each deal won earns a line, and each line adds **{n}** points."),
        usual=(0, 10, 20, 25),
        sources="20: [How to Play], [Pagat], [Bicycle]; 25: [Lemus], [Knock Rules], [Wikipedia], [CardGames.io], "
        "[Rubl]",
    ),
    "line_credit": OptionTexts(
        title="When lines count",
        menu=Menu.SCORING,
        values={
            "at_end": ValueText("lines at the end", "Lines are added at the end and don't count towards the target."),
            "at_once": ValueText(
                "lines at once", "Lines are added right after their deal and count towards the target."
            ),
        },
        sources="at the end: all printed sources; at once: mobile apps",
    ),
    "shutout": OptionTexts(
        title="Shutout bonus",
        menu=Menu.SCORING,
        values={
            False: ValueText("no shutout bonus", "There is no bonus for a shutout."),
            "plus_100": ValueText("shutout 100", "A shutout adds **100** points."),
            "game_bonus_doubled": ValueText("shutout doubles the match bonus", "A shutout doubles the match bonus."),
            "double_deals": ValueText(
                "shutout doubles the points won in deals",
                "A shutout doubles the deal points, before line bonuses are added.",
            ),
            "double_score": ValueText(
                "shutout doubles points and match bonus",
                "A shutout doubles the deal points and the match bonus, but not the line bonuses.",
            ),
        },
        sources="plus 100: [Lemus]; match bonus doubled: [Pagat], [Bicycle]; deals doubled: [Knock Rules], "
        "[Wikipedia], [CardGames.io]; both doubled: [How to Play] in its house rule 4, [Rubl]",
        optional=True,
    ),
    "shutout_needs": OptionTexts(
        title="What a shutout is",
        menu=Menu.SCORING,
        values={
            "loser_won_none": ValueText("shutout if nobody else won", "It's a shutout if nobody else has won a deal."),
            "winner_won_all": ValueText(
                "shutout if every deal was won",
                "It's a shutout if the winner has won every deal; a void deal spoils it.",
            ),
        },
        sources="loser won none: all other sources; winner won all: [Knock Rules]",
    ),
    "winner": OptionTexts(
        title="Who wins",
        menu=Menu.SCORING,
        values={
            "highest_total": ValueText("the highest total wins", "The highest total wins, all bonuses included."),
            "first_to_target": ValueText(
                "first to the target wins", "The first to reach the target wins, whatever the totals."
            ),
        },
        sources="highest total: [Lemus], [Knock Rules], [How to Play]; first to the target: [Pagat]",
    ),
    "scoring": OptionTexts(
        title="Games at once",
        menu=Menu.SCORING,
        values={
            "single": ValueText("one game", "One game is scored at a time."),
            "hollywood": ValueText(
                "three games at once",
                "Three games are scored at once: your first win counts in the first game still open, your second in "
                "the first two, and every later win in all that are open. Each game closes at the target with its own "
                "bonuses. When all three are closed, the highest sum wins.",
            ),
        },
        sources="three games at once: [Wikipedia]",
        optional=True,
    ),
    "aces": OptionTexts(
        title="Aces",
        menu=Menu.PLAY,
        values={
            "low": ValueText(
                "aces low", "Aces are low: A-2-3 is a run, Q-K-A is not. An ace counts 1, a face card 10."
            ),
            "high_low": ValueText(
                "aces high or low", "Aces are high or low: A-2-3 and Q-K-A are runs. An ace counts 1."
            ),
            "round_the_corner": ValueText(
                "runs go round the corner", "Runs go round the corner: K-A-2 is a run. An ace counts **15**."
            ),
        },
        sources="low: all; the others: [Wikipedia]",
    ),
}
"""The texts of every option, in the order of the fields of `Rules`."""
