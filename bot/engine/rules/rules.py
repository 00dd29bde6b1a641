"""The rules of a match as one frozen value, each option declared at its field.

A `Rules` value is always sound: its values are in range and make sense together, and so the engine can play it.

To add an option, declare a field here, implement it in the engine, give `tests/reference` its default, and add a record
to `tests/records/options` that it changes. Menus, texts and the page of rules follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from bot.engine.errors import NotationError, RulesError
from bot.engine.melds import Aces
from bot.engine.rules.option import METADATA_KEY, Choice, Menu, Numbers, Option, Value, option
from bot.engine.rules.presets import PRESETS

_POINTS: Final = range(1001)


def _upcard_sets_limit(rules: Rules) -> bool:
    return rules.knock_limit == "upcard"


def _has_knocks(rules: Rules) -> bool:
    return rules.knock_limit != 0


def _has_lay_offs(rules: Rules) -> bool:
    return _has_knocks(rules) and rules.lay_off


def _has_bonuses(rules: Rules) -> bool:
    return rules.format != "penalty"


_NO_BONUSES: Final = "format=penalty has no game, line or shutout bonus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One agreed system of rules; the defaults are version 1 of `classic`. Points are whole numbers.

    Raises:
        RulesError: a value is out of range, or values do not make sense together.
    """

    format: Literal["duel", "rotation", "winner_stays", "partners", "penalty"] = field(
        default="duel",
        metadata=option(
            "Players",
            Choice("duel", "two players", "Two players play each other."),
            Choice(
                "rotation",
                "three players, the dealer sits out",
                "Three play: the dealer sits out, and the deal passes on after every deal.",
            ),
            Choice(
                "winner_stays",
                "three players, the loser sits out",
                "Three play: the loser of a deal sits out the next one and deals it. The winner stays.",
            ),
            Choice(
                "partners",
                "two teams of two",
                "Four play in two teams, on two boards at once, and opponents swap after each round. A team that wins "
                "both boards scores their sum; otherwise the team with the higher score scores the difference. Either "
                "way the round is worth one line.",
            ),
            Choice(
                "penalty",
                "penalty points, the fewest win",
                "Two to four play at one table and collect penalty points; the fewest win. Two players get ten cards "
                "each, three or four get seven. After gin, all the others are charged their deadwood plus the gin "
                "bonus. After a knock, they are charged their deadwood minus the knocker's. After an undercut, all but "
                "the undercutter are charged their deadwood minus the undercutter's, and the knocker is charged the "
                "undercut bonus too.",
            ),
            sources="rotation and teams: [Lemus]; winner stays: [Pagat]; partners: [Pagat], [Bicycle]; "
            "penalty: [Knock Rules], second part",
            menu=None,
        ),
    )
    cards_dealt: Literal[7, 10] = field(
        default=10,
        metadata=option(
            "Cards dealt",
            Choice(10, "ten cards", "Each player is dealt ten cards."),
            Choice(7, "seven cards", "Each player is dealt seven cards."),
            sources="[Knock Rules], second part",
            menu=None,
            matters=_has_bonuses,
            conflicts=(
                (
                    lambda rules: rules.cards_dealt == 7 and rules.format != "penalty",
                    "cards_dealt=7 is for three or four at one table: format=penalty",
                ),
            ),
        ),
    )
    """7 is for three or four at one table; two are dealt ten all the same."""
    first_dealer: Literal["lowest_card", "random", "challenged", "challenger"] = field(
        default="lowest_card",
        metadata=option(
            "First dealer",
            Choice("lowest_card", "the lowest card deals first", "Everyone draws a card, and the lowest deals first."),
            Choice("random", "a random first dealer", "The first dealer is chosen at random."),
            Choice("challenged", "the challenged player deals first", "The player who was challenged deals first."),
            Choice("challenger", "the challenger deals first", "The challenger deals first."),
            sources="lowest card: [Lemus], [Pagat]",
            menu=Menu.PLAY,
            conflicts=(
                (
                    lambda rules: rules.format != "duel" and rules.first_dealer in ("challenged", "challenger"),
                    "first_dealer={rules.first_dealer} is for two players",
                ),
            ),
        ),
    )
    next_dealer: Literal["alternate", "loser", "winner"] = field(
        default="alternate",
        metadata=option(
            "Next dealer",
            Choice("alternate", "the deal passes on", "The deal passes to the next player after every deal."),
            Choice("loser", "the loser deals next", "The loser of a deal deals the next one."),
            Choice("winner", "the winner deals next", "The winner of a deal deals the next one."),
            sources="loser: [Lemus]; winner: [Pagat], [Bicycle]; alternate: [How to Play], [Wikipedia], [EAAI]",
            menu=Menu.PLAY,
            matters=lambda rules: rules.format == "duel",
            conflicts=(
                (
                    lambda rules: rules.format == "winner_stays" and rules.next_dealer != "loser",
                    "in format=winner_stays the loser deals: next_dealer=loser",
                ),
                (
                    lambda rules: rules.format not in ("duel", "winner_stays") and rules.next_dealer != "alternate",
                    "in format={rules.format} the deal passes on: next_dealer=alternate",
                ),
            ),
        ),
    )
    void_redeal: Literal["same_dealer", "deal_passes"] = field(
        default="same_dealer",
        metadata=option(
            "After a void deal",
            Choice(
                "same_dealer", "the same dealer after a void deal", "After a void deal the same player deals again."
            ),
            Choice("deal_passes", "the deal passes on after a void deal", "After a void deal the deal passes on too."),
            sources="same dealer: [Lemus], [Pagat], [EAAI]",
            menu=Menu.PLAY,
            conflicts=(
                (
                    lambda rules: rules.format in ("winner_stays", "partners") and rules.void_redeal == "deal_passes",
                    "format={rules.format} decides who deals after a void deal: void_redeal=same_dealer",
                ),
            ),
        ),
    )
    knock_limit: int | Literal["upcard"] = field(
        default=10,
        metadata=option(
            "Knock limit",
            Numbers(
                range(101),
                "knock with {n} or less",
                "You may knock if your deadwood is **{n}** or less after your discard.",
                usual=(0, 5, 7, 10, 15, 20),
            ),
            Choice(0, "gin only, no knocking", "There is no knocking: you can only go out with gin."),
            Choice(
                "upcard",
                "the upcard sets the knock limit",
                "The first upcard sets the knock limit: its points, so 10 for a court card.",
            ),
            sources="upcard: [Laying Off], [Pagat], [Bicycle], [Wikipedia]",
            menu=Menu.PLAY,
        ),
    )
    oklahoma_ace: Literal[1, "gin_only"] = field(
        default="gin_only",
        metadata=option(
            "Ace as the upcard",
            Choice(1, "an ace sets the limit to 1", "If the first upcard is an ace, the knock limit is 1."),
            Choice("gin_only", "an ace means gin only", "If the first upcard is an ace, you can only go out with gin."),
            sources="1: [Pagat]; gin only: [Bicycle], [Rubl]",
            menu=Menu.PLAY,
            matters=_upcard_sets_limit,
            conflicts=(
                (
                    lambda rules: rules.oklahoma_ace == 1 and not _upcard_sets_limit(rules),
                    "oklahoma_ace=1 needs knock_limit=upcard",
                ),
            ),
        ),
    )
    spade_doubles: bool = field(
        default=False,
        metadata=option(
            "Spade as the upcard",
            Choice(True, "a spade doubles", "If the first upcard is a spade, everything the deal scores is doubled."),
            Choice(False, "no doubling", "A spade as the first upcard changes nothing."),
            sources="[Pagat], [Bicycle], [Wikipedia]",
            menu=Menu.PLAY,
            matters=_upcard_sets_limit,
            conflicts=(
                (
                    lambda rules: rules.spade_doubles and not _upcard_sets_limit(rules),
                    "spade_doubles=on needs knock_limit=upcard",
                ),
            ),
            optional=True,
        ),
    )
    oklahoma_boxes: bool = field(
        default=False,
        metadata=option(
            "Lines for gin and undercuts",
            Choice(
                True,
                "extra lines",
                "An undercut is worth one extra line, gin two. A spade that doubles the deal doubles these too.",
            ),
            Choice(False, "no extra lines", "Each deal won is worth one line."),
            sources="[Pagat]",
            menu=Menu.SCORING,
            matters=_upcard_sets_limit,
            conflicts=(
                (
                    lambda rules: rules.oklahoma_boxes and not _upcard_sets_limit(rules),
                    "oklahoma_boxes=on needs knock_limit=upcard",
                ),
                (
                    lambda rules: rules.oklahoma_boxes and rules.format == "partners",
                    "a round of format=partners is one line: oklahoma_boxes=off",
                ),
                (lambda rules: rules.oklahoma_boxes and not _has_bonuses(rules), _NO_BONUSES),
            ),
            optional=True,
        ),
    )
    discard_drawn: Literal["free", "not_from_pile", "never"] = field(
        default="not_from_pile",
        metadata=option(
            "Discarding a card just drawn",
            Choice("free", "any card may be discarded", "You may discard any card, even the one you have just taken."),
            Choice(
                "not_from_pile",
                "a card from the pile stays for the turn",
                "A card taken from the discard pile may not be discarded in the same turn.",
            ),
            Choice(
                "never",
                "a drawn card stays for the turn",
                "A card drawn from the stock or taken from the pile may not be discarded in the same turn.",
            ),
            sources="not from the pile: [Knock Rules], [Pagat], [Bicycle], [Wikipedia], [EAAI]; never: [Lemus]; "
            "free: [GRA], [How to Play]",
            menu=Menu.PLAY,
        ),
    )
    gin_bonus: int = field(
        default=25,
        metadata=option(
            "Gin bonus",
            Numbers(
                _POINTS,
                "gin {n}",
                "The gin bonus is **{n}**. Nothing can be laid off on gin.",
                usual=(0, 10, 20, 25, 30, 50),
            ),
            sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
            "[CardGames.io], [Rubl]; 20: [Pagat], [Bicycle], [How to Play] in its house rule 3",
            menu=Menu.SCORING,
        ),
    )
    undercut_bonus: int = field(
        default=25,
        metadata=option(
            "Undercut bonus",
            Numbers(_POINTS, "undercut {n}", "The undercut bonus is **{n}**.", usual=(0, 10, 20, 25, 30, 50)),
            sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
            "[CardGames.io]; 20: [Rubl]; 10: [Pagat], [Bicycle]; 20 or 10: [How to Play] in its house rule 3",
            menu=Menu.SCORING,
            matters=_has_knocks,
        ),
    )
    big_gin_bonus: int | None = field(
        default=None,
        metadata=option(
            "Big gin bonus",
            Numbers(
                range(1, 1001),
                "big gin {n}",
                "Big gin, all cards melded before the discard, earns **{n}** instead of the gin bonus.",
                usual=(30, 31, 50, 75),
            ),
            Choice(None, "no big gin", "There is no big gin: with all cards melded, discard one of them and go gin."),
            sources="30: [Yimmaw]; 31: [Knock Rules], [Wikipedia], [CardGames.io]",
            menu=Menu.SCORING,
            nothing="off",
            optional=True,
        ),
    )
    undercut_on_tie: bool = field(
        default=True,
        metadata=option(
            "Equal deadwood",
            Choice(True, "a tie undercuts", "Deadwood equal to the knocker's or lower is an undercut."),
            Choice(
                False,
                "undercut only when lower",
                "Only deadwood lower than the knocker's is an undercut; a tie scores nothing.",
            ),
            sources="on: [Laying Off], [Yimmaw], [Knock Rules], [How to Play], [Pagat], [Bicycle], [Wikipedia], "
            "[EAAI]; off: [Lemus], [Knock Rules] in its second part",
            menu=Menu.SCORING,
            matters=_has_knocks,
        ),
    )
    lay_off: bool = field(
        default=True,
        metadata=option(
            "Lay-offs",
            Choice(True, "lay-offs", "After a knock the other players lay off cards on the knocker's melds."),
            Choice(False, "no lay-offs", "Nothing is laid off after a knock."),
            sources="off: [How to Play], house rule 1",
            menu=Menu.PLAY,
            matters=_has_knocks,
        ),
    )
    lay_off_mode: Literal["automatic", "manual"] = field(
        default="automatic",
        metadata=option(
            "Who chooses lay-offs",
            Choice("automatic", "automatic lay-offs", "The best melds and lay-offs are made automatically."),
            Choice(
                "manual",
                "lay-offs by hand",
                "The other players choose what they lay off, card by card or all at once, and may decline.",
            ),
            sources="automatic: [Yimmaw]; optional: [Laying Off]",
            menu=Menu.PLAY,
            matters=_has_lay_offs,
            conflicts=(
                (
                    lambda rules: rules.lay_off_mode == "manual" and not rules.lay_off,
                    "lay_off_mode=manual needs lay_off=on",
                ),
                (
                    lambda rules: rules.lay_off_mode == "manual" and rules.preset == "express",
                    "express always lays off at once: lay_off_mode=automatic",
                ),
            ),
        ),
    )
    lay_off_chain: bool = field(
        default=True,
        metadata=option(
            "Lay-offs upon lay-offs",
            Choice(
                True,
                "lay-offs may build on lay-offs",
                "A card may be laid off next to one that was laid off before: 7, then 8, on 4-5-6.",
            ),
            Choice(
                False,
                "lay-offs on the original melds only",
                "A card may only be laid off next to the meld as it was laid down. Once a place is taken, it is closed "
                "to the next player.",
            ),
            sources="on: [Laying Off]; off: [Knock Rules] in its second part",
            menu=Menu.PLAY,
            matters=_has_lay_offs,
        ),
    )
    last_discard: Literal["void", "may_go_out"] = field(
        default="void",
        metadata=option(
            "The last discard",
            Choice(
                "void",
                "the last discard may not be taken",
                "The discard made with two cards left in the stock may not be taken.",
            ),
            Choice(
                "may_go_out",
                "the last discard may be taken to go out",
                "The discard made with two cards left in the stock may still be taken, but only to knock or go gin.",
            ),
            sources="both: [Lemus]; the wall: [Pagat], [GRA]",
            menu=Menu.PLAY,
            matters=lambda rules: rules.stock_out == "void",
            conflicts=(
                (
                    lambda rules: rules.last_discard == "may_go_out" and rules.stock_out == "reshuffle",
                    "a stock that is reshuffled has no last discard: last_discard=void",
                ),
                (
                    lambda rules: rules.last_discard == "may_go_out" and rules.format == "penalty",
                    "last_discard=may_go_out is for two at a table",
                ),
            ),
        ),
    )
    stock_out: Literal["void", "reshuffle"] = field(
        default="void",
        metadata=option(
            "A used-up stock",
            Choice(
                "void",
                "a used-up stock voids the deal",
                "If only two cards are left in the stock and nobody goes out, the deal is void: nobody scores.",
            ),
            Choice(
                "reshuffle",
                "a used-up stock is reshuffled",
                "When two cards are left in the stock, the discards below the top one are shuffled and put under them.",
            ),
            sources="reshuffle: [Knock Rules], second part",
            menu=Menu.PLAY,
        ),
    )
    target: int | None = field(
        default=100,
        metadata=option(
            "Target",
            Numbers(
                range(1, 10_001),
                "to {n}",
                "The game ends when a player or team reaches **{n}** points.",
                usual=(10, 25, 50, 75, 100, 125, 150, 200, 250, 500),
            ),
            Choice(None, "no target", "There is no target."),
            sources="all",
            menu=Menu.SCORING,
            conflicts=(
                (
                    lambda rules: rules.target is None and rules.deals is None,
                    "target=none needs deals=N, or the match never ends",
                ),
            ),
        ),
    )
    deals: int | None = field(
        default=None,
        metadata=option(
            "Number of deals",
            Numbers(
                range(1, 1001),
                "for {n} scored deals",
                "The match ends after **{n}** scored deals.",
                usual=(1, 3, 5, 7, 10, 20),
            ),
            Choice(None, "any number of deals", "There may be any number of deals."),
            sources="a match of an agreed length",
            menu=Menu.SCORING,
            optional=True,
        ),
    )
    game_bonus: int = field(
        default=100,
        metadata=option(
            "Match bonus",
            Numbers(
                _POINTS,
                "match bonus {n}",
                "The player or team that reaches the target, or leads at the end, adds **{n}** points.",
                usual=(0, 50, 100, 150, 200),
            ),
            Choice(0, "no match bonus", "There is no bonus for winning the match."),
            sources="all",
            menu=Menu.SCORING,
            matters=_has_bonuses,
            conflicts=((lambda rules: rules.game_bonus > 0 and not _has_bonuses(rules), _NO_BONUSES),),
        ),
    )
    line_bonus: int = field(
        default=20,
        metadata=option(
            "Bonus for each deal won",
            Numbers(
                _POINTS,
                "each deal won {n}",
                "Each deal won is a line, and a line adds **{n}** points.",
                usual=(0, 10, 20, 25),
            ),
            Choice(0, "no lines", "There is no bonus for deals won."),
            sources="20: [How to Play], [Pagat], [Bicycle]; 25: [Lemus], [Knock Rules], [Wikipedia], [CardGames.io], "
            "[Rubl]",
            menu=Menu.SCORING,
            matters=_has_bonuses,
            conflicts=((lambda rules: rules.line_bonus > 0 and not _has_bonuses(rules), _NO_BONUSES),),
        ),
    )
    line_credit: Literal["at_end", "at_once"] = field(
        default="at_end",
        metadata=option(
            "When lines count",
            Choice("at_end", "lines at the end", "Lines are added at the end and do not count towards the target."),
            Choice("at_once", "lines at once", "Lines are added with their deal and count towards the target."),
            sources="at the end: all; at once: mobile apps",
            menu=Menu.SCORING,
            matters=lambda rules: rules.line_bonus > 0,
            conflicts=(
                (
                    lambda rules: rules.scoring == "hollywood" and rules.line_credit == "at_once",
                    "scoring=hollywood adds lines at the end: line_credit=at_end",
                ),
            ),
        ),
    )
    shutout: Literal[False, "plus_100", "game_bonus_doubled", "double_deals", "double_score"] = field(
        default=False,
        metadata=option(
            "Shutout bonus",
            Choice(False, "no shutout bonus", "There is no bonus for a shutout."),
            Choice("plus_100", "shutout 100", "A shutout adds **100** points."),
            Choice("game_bonus_doubled", "shutout doubles the match bonus", "A shutout doubles the match bonus."),
            Choice(
                "double_deals",
                "shutout doubles the deals",
                "A shutout doubles the points won in deals, before lines are added.",
            ),
            Choice(
                "double_score",
                "shutout doubles points and match bonus",
                "A shutout doubles the points won in deals and the match bonus, but not the lines.",
            ),
            sources="plus 100: [Lemus]; match bonus doubled: [Pagat], [Bicycle]; deals doubled: [Knock Rules], "
            "[Wikipedia], [CardGames.io]; both doubled: [How to Play] in its house rule 4, [Rubl]",
            menu=Menu.SCORING,
            conflicts=((lambda rules: rules.shutout is not False and not _has_bonuses(rules), _NO_BONUSES),),
            optional=True,
        ),
    )
    shutout_needs: Literal["loser_won_none", "winner_won_all"] = field(
        default="loser_won_none",
        metadata=option(
            "What a shutout is",
            Choice("loser_won_none", "shutout if nobody else won", "It is a shutout if nobody else has won a deal."),
            Choice(
                "winner_won_all",
                "shutout if every deal was won",
                "It is a shutout if the winner has won every deal; a void deal spoils it.",
            ),
            sources="the loser won none: all; the winner won all: [Knock Rules]",
            menu=Menu.SCORING,
            matters=lambda rules: rules.shutout is not False,
        ),
    )
    winner: Literal["highest_total", "first_to_target"] = field(
        default="highest_total",
        metadata=option(
            "Who wins",
            Choice("highest_total", "the highest total wins", "The highest total wins, all bonuses included."),
            Choice(
                "first_to_target",
                "first to the target wins",
                "The first to reach the target wins, whatever the totals.",
            ),
            sources="highest total: [Lemus], [Knock Rules], [How to Play]; first to the target: [Pagat]",
            menu=Menu.SCORING,
            matters=_has_bonuses,
            conflicts=(
                (
                    lambda rules: rules.winner == "first_to_target" and rules.target is None,
                    "winner=first_to_target needs a target",
                ),
                (
                    lambda rules: rules.winner == "first_to_target" and rules.scoring == "hollywood",
                    "scoring=hollywood is decided by the sum of its columns: winner=highest_total",
                ),
                (
                    lambda rules: rules.winner == "first_to_target" and rules.format == "penalty",
                    "in format=penalty the fewest points win: winner=highest_total",
                ),
            ),
        ),
    )
    scoring: Literal["single", "hollywood"] = field(
        default="single",
        metadata=option(
            "Games at once",
            Choice("single", "one game", "One game is scored at a time."),
            Choice(
                "hollywood",
                "three games at once",
                "Three games are scored at once: your first win counts in the first game, your second in the first "
                "two, and every later win in all three. Each game closes at the target with its own bonuses. When all "
                "three are closed, the highest sum wins.",
            ),
            sources="three at once: [Wikipedia]",
            menu=Menu.SCORING,
            conflicts=(
                (
                    lambda rules: rules.scoring == "hollywood" and rules.format != "duel",
                    "scoring=hollywood is for format=duel",
                ),
                (
                    lambda rules: rules.scoring == "hollywood" and (rules.target is None or rules.deals is not None),
                    "scoring=hollywood ends by its target alone",
                ),
            ),
            optional=True,
        ),
    )
    aces: Aces = field(
        default="low",
        metadata=option(
            "Aces",
            Choice("low", "aces low", "Aces are low: A-2-3 is a run, Q-K-A is not. An ace counts 1, a court card 10."),
            Choice("high_low", "aces high or low", "Aces are high or low: A-2-3 and Q-K-A are runs. An ace counts 1."),
            Choice(
                "round_the_corner",
                "runs go round the corner",
                "Runs go round the corner: K-A-2 is one. An ace counts **15**.",
            ),
            sources="low: all; the others: [Wikipedia]",
            menu=Menu.PLAY,
        ),
    )
    preset: str = "classic"
    """The preset that these rules started from: a name for people, without effect on play."""

    def __post_init__(self) -> None:
        for name, one in OPTIONS.items():
            value: Value = getattr(self, name)
            if not one.allows(value):
                raise RulesError("knob-value", f"{name}={one.print(value)} is out of range: it is {one.choices}")
        if self.preset not in PRESETS:
            raise RulesError("preset", f"there is no preset {self.preset!r}")
        for one in OPTIONS.values():
            for is_senseless, reason in one.conflicts:
                if is_senseless(self):
                    raise RulesError("knobs-conflict", reason.format(rules=self))

    @staticmethod
    def parse(text: str) -> Rules:
        """Read rules: a preset, then `option=value` for each that differs, as `classic target=150`.

        Raises:
            NotationError: an unknown preset or option, an option twice, or a value that is none of the option's.
            RulesError: the values do not make sense together.
        """
        preset, *changes = text.split() or [""]
        if preset not in PRESETS:
            raise NotationError("preset", f"{preset!r} is no preset: {', '.join(PRESETS)}")
        values: dict[str, Any] = dict(PRESETS[preset].values)
        seen: set[str] = set()
        for change in changes:
            name, _, value = change.partition("=")
            if name in seen:
                raise NotationError("knob", f"{name!r} is given twice")
            if name not in OPTIONS:
                raise NotationError("knob", f"{name!r} is not an option of the rules: {', '.join(OPTIONS)}")
            seen.add(name)
            try:
                values[name] = OPTIONS[name].parse(value)
            except NotationError as error:
                raise NotationError(error.code, f"{change!r}: {error}") from None
        return Rules(**values, preset=preset)

    def __str__(self) -> str:
        return " ".join((self.preset, *(self.written(name) for name in OPTIONS if self._must_be_written(name))))

    def written(self, name: str) -> str:
        """Return an option and its value in notation: `target=150`."""
        return f"{name}={OPTIONS[name].print(getattr(self, name))}"

    def _must_be_written(self, name: str) -> bool:
        """Return whether an option differs from the default, or is back at the default that the preset changes.

        So no later change of a preset reaches an old record.
        """
        value: Value = getattr(self, name)
        return value != DEFAULTS[name] or PRESETS[self.preset].values.get(name, value) != value


OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {one.name: one.metadata[METADATA_KEY] for one in fields(Rules) if METADATA_KEY in one.metadata}
)
"""Every option of the rules by its name, in the order of the fields."""

DEFAULTS: Final[Mapping[str, Value]] = MappingProxyType(
    {one.name: cast(Value, one.default) for one in fields(Rules) if one.name in OPTIONS}
)
"""The value of every option in `classic`."""
