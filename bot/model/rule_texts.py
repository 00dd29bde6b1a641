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
            "duel": ValueText("two players", "Two players play against each other."),
            "rotation": ValueText(
                "three players (the dealer sits out)",
                "Three players take turns dealing, and the dealer sits out.",
            ),
            "winner_stays": ValueText(
                "three players (the loser sits out)",
                "Two of three players play each deal. The loser deals the next one and sits it out. The winner plays "
                "on.",
            ),
            "partners": ValueText(
                "two teams of two",
                "Four play in two teams, on two boards at once. Opponents swap after each round. A team that wins both "
                "boards scores the sum of both. Otherwise, the team with more points scores the "
                "difference. The team that scores earns one line for the round.",
            ),
            "penalty": ValueText(
                "penalty points (fewest points wins)",
                "Two to four play at one table and collect penalty points. The player with the fewest points wins. Two "
                "players get ten cards each; three or four players get seven each. After gin, each other player is "
                "charged their deadwood plus the gin bonus. After a knock, each other player is charged their deadwood "
                "minus the knocker's. After an undercut, everyone except the undercutter is charged their deadwood "
                "minus the undercutter's. The knocker is also charged the undercut bonus.",
            ),
        },
        sources="`rotation`: [Lemus]; `winner_stays`: [Pagat]; `partners`: [Lemus], [Pagat], [Bicycle]; `penalty`: "
        "[Knock Rules] (second part)",
    ),
    "cards_dealt": OptionTexts(
        title="Cards dealt",
        menu=None,
        values={
            10: ValueText("ten cards", "Each player is dealt ten cards."),
            7: ValueText("seven cards", "Each player is dealt seven cards."),
        },
        sources="[Knock Rules] (second part)",
    ),
    "first_dealer": OptionTexts(
        title="First dealer",
        menu=Menu.PLAY,
        values={
            "lowest_card": ValueText(
                "the player with the lowest card deals first",
                "Everyone cuts the deck. The player with the lowest card deals first.",
            ),
            "random": ValueText("a random first dealer", "The first dealer is chosen at random."),
            "challenged": ValueText("the challenged player deals first", "The player who was challenged deals first."),
            "challenger": ValueText("the challenger deals first", "The challenger deals first."),
        },
        sources="`lowest_card`: [Lemus], [Pagat]",
    ),
    "next_dealer": OptionTexts(
        title="Next dealer",
        menu=Menu.PLAY,
        values={
            "alternate": ValueText("players take turns dealing", "Players take turns dealing."),
            "loser": ValueText("the loser deals next", "The player who loses a deal is the next dealer."),
            "winner": ValueText("the winner deals next", "The player who wins a deal is the next dealer."),
        },
        sources="`loser`: [Lemus]; `winner`: [Pagat], [Bicycle]; `alternate`: [How to Play], [Wikipedia], [EAAI]",
    ),
    "void_redeal": OptionTexts(
        title="Dealer after a void deal",
        menu=Menu.PLAY,
        values={
            "same_dealer": ValueText(
                "the same player deals again after a void deal", "After a void deal, the same player deals again."
            ),
            "deal_passes": ValueText(
                "the next player deals after a void deal", "After a void deal, the next player deals."
            ),
        },
        sources="`same_dealer`: [Lemus], [Pagat], [EAAI]",
    ),
    "knock_limit": OptionTexts(
        title="Knock limit",
        menu=Menu.PLAY,
        values={
            0: ValueText("no knocking", "There is no knocking: you can go out only with gin."),
            "upcard": ValueText(
                "the upcard sets the knock limit",
                "The knock limit is the point value of the upcard, such as 10 for a face card.",
            ),
        },
        numbers=ValueText(
            "knock with {n} or less", "You can knock if your deadwood is **{n}** or less after your discard."
        ),
        usual=(0, 5, 7, 10, 15, 20),
        sources="`upcard`: [Laying Off], [Pagat], [Bicycle], [Wikipedia]",
    ),
    "oklahoma_ace": OptionTexts(
        title="Ace as the upcard",
        menu=Menu.PLAY,
        values={
            1: ValueText("an ace upcard sets the knock limit to 1", "If the upcard is an ace, the knock limit is 1."),
            "gin_only": ValueText(
                "an ace upcard means gin only", "If the upcard is an ace, you can go out only with gin."
            ),
        },
        sources="`1`: [Pagat]; `gin_only`: [Bicycle], [Rubl]",
    ),
    "spade_doubles": OptionTexts(
        title="Spade as the upcard",
        menu=Menu.PLAY,
        values={
            True: ValueText(
                "a spade upcard doubles the points",
                "If the upcard is a spade, all points for the deal are doubled.",
            ),
            False: ValueText("no doubling", "A spade as the upcard doesn't double the points."),
        },
        sources="[Pagat], [Bicycle], [Wikipedia]",
        optional=True,
    ),
    "oklahoma_boxes": OptionTexts(
        title="Extra lines for gin and undercuts",
        menu=Menu.SCORING,
        values={
            True: ValueText(
                "extra lines for gin and undercuts",
                "An undercut earns one extra line, and gin earns two. If a spade doubles the points for a deal, it "
                "doubles these lines too.",
            ),
            False: ValueText("no extra lines", "Each deal won earns one line."),
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
                "At the start of a deal, each player in turn can take the upcard or pass. If all pass, the first "
                "player draws from the stock.",
            ),
            "offer_then_free": ValueText(
                "the upcard can be taken even after all pass",
                "At the start of a deal, each player in turn can take the upcard or pass. If all pass, the first "
                "player takes a normal turn and can still take the upcard.",
            ),
            "free": ValueText(
                "the first player draws from the stock or takes the upcard",
                "A deal starts with a normal turn: the first player draws from the stock or takes the upcard.",
            ),
        },
        sources="`offer_then_free`: [Knock Rules] (first part); `free`: [Knock Rules] (second part); `offer`: all "
        "other sources",
    ),
    "discard_drawn": OptionTexts(
        title="Discarding a card just drawn",
        menu=Menu.PLAY,
        values={
            "free": ValueText("any card can be discarded", "You can discard any card, even the one you just took."),
            "not_from_pile": ValueText(
                "no discarding a card you just took",
                "You can't discard a card in the same turn you take it from the discard pile.",
            ),
            "never": ValueText(
                "no discarding a card you just drew or took",
                "You can't discard a card in the same turn you draw or take it.",
            ),
        },
        sources="`not_from_pile`: [Knock Rules], [Pagat], [Bicycle], [Wikipedia], [EAAI]; `never`: [Lemus]; `free`: "
        "[GRA], [How to Play]",
    ),
    "gin_bonus": OptionTexts(
        title="Gin bonus",
        menu=Menu.SCORING,
        values={},
        numbers=ValueText("gin {n}", "The gin bonus is **{n}**. Nobody can lay off cards after gin."),
        usual=(0, 10, 20, 25, 30, 50),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io], [Rubl]; 20: [Pagat], [Bicycle], [How to Play] (house rule 3)",
    ),
    "undercut_bonus": OptionTexts(
        title="Undercut bonus",
        menu=Menu.SCORING,
        values={},
        numbers=ValueText("undercut {n}", "The undercut bonus is **{n}**."),
        usual=(0, 10, 20, 25, 30, 50),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io]; 20: [Rubl]; 10: [Pagat], [Bicycle]; 20 or 10: [How to Play] (house rule 3)",
    ),
    "big_gin_bonus": OptionTexts(
        title="Big gin bonus",
        menu=Menu.SCORING,
        values={
            None: ValueText("no big gin", "There is no big gin. If all your cards are melded, discard one and go gin."),
        },
        numbers=ValueText(
            "big gin {n}",
            "It's big gin if all your cards are melded before you discard. Big gin earns **{n}** instead of the gin "
            "bonus.",
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
                "a tie is an undercut",
                "It's an undercut if an opponent has less deadwood than the knocker, or the same amount.",
            ),
            False: ValueText(
                "no undercut on a tie",
                "It's an undercut only if an opponent has less deadwood than the knocker. A tie scores nothing.",
            ),
        },
        sources="`on`: [Laying Off], [Yimmaw], [Knock Rules], [How to Play], [Pagat], [Bicycle], [Wikipedia], [EAAI]; "
        "`off`: [Lemus], [Knock Rules] (second part)",
    ),
    "lay_off": OptionTexts(
        title="Lay-offs",
        menu=Menu.PLAY,
        values={
            True: ValueText("lay-offs", "After a knock, the other players can lay off cards on the knocker's melds."),
            False: ValueText("no lay-offs", "There are no lay-offs after a knock."),
        },
        sources="`off`: [How to Play] (house rule 1)",
    ),
    "lay_off_mode": OptionTexts(
        title="Who chooses lay-offs",
        menu=Menu.PLAY,
        values={
            "automatic": ValueText("automatic lay-offs", "The best melds and lay-offs are chosen automatically."),
            "manual": ValueText(
                "manual lay-offs",
                "The other players choose their lay-offs. They can lay off cards one by one, all at once, or not at "
                "all.",
            ),
        },
        sources="`automatic`: [Yimmaw]; `manual`: [Laying Off]",
    ),
    "lay_off_chain": OptionTexts(
        title="Building on laid-off cards",
        menu=Menu.PLAY,
        values={
            True: ValueText(
                "building on laid-off cards",
                "You can lay off cards next to cards already laid off. On 4-5-6, you can lay off a 7 and then an 8.",
            ),
            False: ValueText(
                "no building on laid-off cards",
                "You can't lay off cards next to cards already laid off. On 4-5-6, you can lay off a 7, but nobody can "
                "then lay off an 8.",
            ),
        },
        sources="`on`: [Laying Off]; `off`: [Knock Rules] (second part)",
    ),
    "last_discard": OptionTexts(
        title="The last discard",
        menu=Menu.PLAY,
        values={
            "void": ValueText(
                "the last discard can't be taken",
                "When only two cards are left in the stock, the last discard can't be taken.",
            ),
            "may_go_out": ValueText(
                "the last discard can be taken to go out",
                "When only two cards are left in the stock, you can take the last discard, but only to knock or go "
                "gin.",
            ),
        },
        sources="`void`: [Lemus]; `may_go_out`: [Lemus], [Pagat], [GRA]",
    ),
    "stock_out": OptionTexts(
        title="When the stock runs out",
        menu=Menu.PLAY,
        values={
            "void": ValueText(
                "the deal is void when the stock runs out",
                "If only two cards are left in the stock and nobody goes out, the deal is void: nobody scores.",
            ),
            "reshuffle": ValueText(
                "discards are reshuffled when the stock runs out",
                "When only two cards are left in the stock, all discards except the top one are shuffled and put under "
                "the stock.",
            ),
        },
        sources="`reshuffle`: [Knock Rules] (second part)",
    ),
    "target": OptionTexts(
        title="Target",
        menu=Menu.SCORING,
        values={None: ValueText("no target", "There is no target score.")},
        numbers=ValueText("to {n}", "The game ends when a score reaches **{n}**."),
        usual=(10, 25, 50, 75, 100, 125, 150, 200, 250, 500),
        sources="all",
    ),
    "deals": OptionTexts(
        title="Number of deals",
        menu=Menu.SCORING,
        values={
            None: ValueText("any number of deals", "The match has no fixed number of deals."),
            1: ValueText("1 scored deal", "The match ends after **1** scored deal."),
        },
        numbers=ValueText("{n} scored deals", "The match ends after **{n}** scored deals."),
        usual=(1, 3, 5, 7, 10, 20),
        sources="none: matches of a fixed length are our addition",
        optional=True,
    ),
    "game_bonus": OptionTexts(
        title="Match bonus",
        menu=Menu.SCORING,
        values={0: ValueText("no match bonus", "There is no match bonus.")},
        numbers=ValueText(
            "match bonus {n}",
            "The match bonus is **{n}** points, for reaching the target or leading at the end.",
        ),
        usual=(0, 50, 100, 150, 200),
        sources="all",
    ),
    "line_bonus": OptionTexts(
        title="Bonus for each deal won",
        menu=Menu.SCORING,
        values={0: ValueText("no bonus for deals won", "There is no bonus for deals won.")},
        numbers=ValueText("{n} for each deal won", "Each deal won earns a line, and each line adds **{n}** points."),
        usual=(0, 10, 20, 25),
        sources="20: [How to Play], [Pagat], [Bicycle]; 25: [Lemus], [Knock Rules], [Wikipedia], [CardGames.io], "
        "[Rubl]",
    ),
    "line_credit": OptionTexts(
        title="When line bonuses are added",
        menu=Menu.SCORING,
        values={
            "at_end": ValueText(
                "line bonuses are added at the end",
                "Line bonuses are added at the end and don't count towards the target.",
            ),
            "at_once": ValueText(
                "line bonuses are added after each deal",
                "Each line bonus is added right after the deal and counts towards the target.",
            ),
        },
        sources="`at_end`: all printed sources; `at_once`: mobile apps",
    ),
    "shutout": OptionTexts(
        title="Shutout bonus",
        menu=Menu.SCORING,
        values={
            False: ValueText("no shutout bonus", "There is no bonus for a shutout."),
            "plus_100": ValueText("100 for a shutout", "A shutout adds **100** points."),
            "game_bonus_doubled": ValueText("a shutout doubles the match bonus", "A shutout doubles the match bonus."),
            "double_deals": ValueText(
                "a shutout doubles the deal points",
                "A shutout doubles the deal points, but not the bonuses.",
            ),
            "double_score": ValueText(
                "a shutout doubles the deal points and match bonus",
                "A shutout doubles the deal points and the match bonus, but not the line bonuses.",
            ),
        },
        sources="`plus_100`: [Lemus]; `game_bonus_doubled`: [Pagat], [Bicycle]; `double_deals`: [Knock Rules], "
        "[Wikipedia], [CardGames.io]; `double_score`: [How to Play] (house rule 4), [Rubl]",
        optional=True,
    ),
    "shutout_needs": OptionTexts(
        title="What counts as a shutout",
        menu=Menu.SCORING,
        values={
            "loser_won_none": ValueText(
                "it's a shutout if nobody but the winner won a deal",
                "It's a shutout if nobody but the winner won a deal.",
            ),
            "winner_won_all": ValueText(
                "it's a shutout only if the winner won every deal",
                "It's a shutout only if the winner won every deal and no deal was void.",
            ),
        },
        sources="`winner_won_all`: [Knock Rules]; `loser_won_none`: all other sources",
    ),
    "winner": OptionTexts(
        title="Who wins",
        menu=Menu.SCORING,
        values={
            "highest_total": ValueText("the highest total wins", "The highest total wins, including all bonuses."),
            "first_to_target": ValueText(
                "first to the target wins", "The first to reach the target wins, even with a lower total."
            ),
        },
        sources="`highest_total`: [Lemus], [Knock Rules], [How to Play]; `first_to_target`: [Pagat]",
    ),
    "scoring": OptionTexts(
        title="Number of games",
        menu=Menu.SCORING,
        values={
            "single": ValueText("one game", "One game is scored at a time."),
            "hollywood": ValueText(
                "three games at once",
                "Three games are scored at once. The first deal you win counts in one game, the second in two, and "
                "each later one in three: in the first of the games that aren't over. A game is over when its target "
                "is reached. Each game has its own bonuses. When all three are over, the highest total wins.",
            ),
        },
        sources="`hollywood`: [Wikipedia]",
        optional=True,
    ),
    "aces": OptionTexts(
        title="Aces",
        menu=Menu.PLAY,
        values={
            "low": ValueText(
                "aces low",
                "Aces are low: A-2-3 is a run, but Q-K-A is not. An ace counts 1, and a face card counts 10.",
            ),
            "high_low": ValueText(
                "aces high or low", "Aces are high or low: A-2-3 and Q-K-A are runs. An ace counts 1."
            ),
            "round_the_corner": ValueText(
                "runs go round the corner (K-A-2)",
                "Runs go round the corner: K-A-2 is a run. An ace counts **15**.",
            ),
        },
        sources="`low`: all sources; all other values: [Wikipedia]",
    ),
}
"""The texts of every option, in the order of the fields of `Rules`."""
