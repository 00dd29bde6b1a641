"""The rules of a match as one frozen value, each option declared at its field.

A `Rules` value is always valid: its values are in range and do not conflict, so the engine can play it.

To add an option, declare a field here, add its conflicts to `_conflicts`, implement it in the engine, add its default
to `tests/reference`, and add a record to `tests/records/options` that depends on it. Menus, texts and the page of rules
are generated from the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast

from bot.engine.cards.melds import Aces
from bot.engine.errors import NotationError, RulesError, quote
from bot.engine.rules.option import Choice, Numbers, Option, Value, option, play_option, scoring_option
from bot.engine.rules.presets import PRESETS, VERSION, VERSIONS

_POINTS_RANGE: Final = range(1001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One set of rules for a match. The defaults are the values in version 1 of the preset `classic`.

    Points are whole numbers. Raise `RulesError` if a value is out of range or values conflict.
    """

    format: Literal["duel", "rotation", "winner_stays", "partners", "penalty"] = option(
        "duel",
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
            "Four play in two teams, on two boards at once, and opponents swap after each round. A team that wins both "
            "boards scores their sum; otherwise the team with the higher score scores the difference. Either way the "
            "round is worth one line.",
        ),
        Choice(
            "penalty",
            "penalty points, the fewest win",
            "Two to four play at one table and collect penalty points; the fewest win. Two players get ten cards each, "
            "three or four get seven. After gin, all the others are charged their deadwood plus the gin bonus. After a "
            "knock, they are charged their deadwood minus the knocker's. After an undercut, all but the undercutter "
            "are charged their deadwood minus the undercutter's, and the knocker is charged the undercut bonus too.",
        ),
        sources="rotation and teams: [Lemus]; winner stays: [Pagat]; partners: [Pagat], [Bicycle]; penalty: [Knock "
        "Rules], second part",
    )
    cards_dealt: Literal[7, 10] = option(
        10,
        "Cards dealt",
        Choice(10, "ten cards", "Each player is dealt ten cards."),
        Choice(7, "seven cards", "Each player is dealt seven cards."),
        sources="[Knock Rules], second part",
        matters=lambda rules: rules.format != "penalty",
    )
    """Seven is for three or four players at one table; two players always get ten."""
    first_dealer: Literal["lowest_card", "random", "challenged", "challenger"] = play_option(
        "lowest_card",
        "First dealer",
        Choice("lowest_card", "the lowest card deals first", "Everyone draws a card, and the lowest deals first."),
        Choice("random", "a random first dealer", "The first dealer is chosen at random."),
        Choice("challenged", "the challenged player deals first", "The player who was challenged deals first."),
        Choice("challenger", "the challenger deals first", "The challenger deals first."),
        sources="lowest card: [Lemus], [Pagat]",
    )
    next_dealer: Literal["alternate", "loser", "winner"] = play_option(
        "alternate",
        "Next dealer",
        Choice("alternate", "the deal passes on", "The deal passes to the next player after every deal."),
        Choice("loser", "the loser deals next", "The loser of a deal deals the next one."),
        Choice("winner", "the winner deals next", "The winner of a deal deals the next one."),
        sources="loser: [Lemus]; winner: [Pagat], [Bicycle]; alternate: [How to Play], [Wikipedia], [EAAI]",
        matters=lambda rules: rules.format == "duel",
    )
    void_redeal: Literal["same_dealer", "deal_passes"] = play_option(
        "same_dealer",
        "After a void deal",
        Choice("same_dealer", "the same dealer after a void deal", "After a void deal the same player deals again."),
        Choice("deal_passes", "the deal passes on after a void deal", "After a void deal the deal passes on too."),
        sources="same dealer: [Lemus], [Pagat], [EAAI]",
    )
    knock_limit: int | Literal["upcard"] = play_option(
        10,
        "Knock limit",
        Choice(0, "gin only, no knocking", "There is no knocking: you can only go out with gin."),
        Choice(
            "upcard",
            "the upcard sets the knock limit",
            "The first upcard sets the knock limit: its points, so 10 for a court card.",
        ),
        numbers=Numbers(
            range(101),
            "knock with {n} or less",
            "You may knock if your deadwood is **{n}** or less after your discard.",
            usual=(0, 5, 7, 10, 15, 20),
        ),
        sources="upcard: [Laying Off], [Pagat], [Bicycle], [Wikipedia]",
    )
    oklahoma_ace: Literal[1, "gin_only"] = play_option(
        "gin_only",
        "Ace as the upcard",
        Choice(1, "an ace sets the limit to 1", "If the first upcard is an ace, the knock limit is 1."),
        Choice("gin_only", "an ace means gin only", "If the first upcard is an ace, you can only go out with gin."),
        sources="1: [Pagat]; gin only: [Bicycle], [Rubl]",
        matters=lambda rules: rules.knock_limit == "upcard",
    )
    spade_doubles: bool = play_option(
        False,
        "Spade as the upcard",
        Choice(True, "a spade doubles", "If the first upcard is a spade, everything the deal scores is doubled."),
        Choice(False, "no doubling", "A spade as the first upcard changes nothing."),
        sources="[Pagat], [Bicycle], [Wikipedia]",
        matters=lambda rules: rules.knock_limit == "upcard",
        optional=True,
    )
    oklahoma_boxes: bool = scoring_option(
        False,
        "Extra lines for gin and undercuts",
        Choice(
            True,
            "extra lines",
            "An undercut is worth one extra line, gin two. A spade that doubles the deal doubles these too.",
        ),
        Choice(False, "no extra lines", "Each deal won is worth one line."),
        sources="[Pagat]",
        matters=lambda rules: rules.knock_limit == "upcard",
        optional=True,
    )
    opening: Literal["offer", "offer_then_free", "free"] = play_option(
        "offer",
        "The opening",
        Choice(
            "offer",
            "the upcard is offered once to each player",
            "A deal begins with an offer: each player in turn may take the upcard or pass. If all pass, the first "
            "player draws from the stock.",
        ),
        Choice(
            "offer_then_free",
            "a passed upcard may still be taken",
            "A deal begins with an offer: each player in turn may take the upcard or pass. If all pass, the first "
            "player has a turn like any other, and may still take the upcard.",
        ),
        Choice(
            "free",
            "no offer of the upcard",
            "There is no offer of the upcard: a deal begins with a turn like any other, in which the first player "
            "draws from the stock or takes the upcard.",
        ),
        sources="offer, then free: [Knock Rules], first part; free: [Knock Rules], second part; offer: all other "
        "sources",
    )
    discard_drawn: Literal["free", "not_from_pile", "never"] = play_option(
        "not_from_pile",
        "Discarding a card just drawn",
        Choice("free", "any card may be discarded", "You may discard any card, even the one you have just taken."),
        Choice(
            "not_from_pile",
            "a card from the pile stays in hand for the turn",
            "A card taken from the discard pile may not be discarded in the same turn.",
        ),
        Choice(
            "never",
            "a drawn card stays in hand for the turn",
            "A card drawn from the stock or taken from the pile may not be discarded in the same turn.",
        ),
        sources="not from the pile: [Knock Rules], [Pagat], [Bicycle], [Wikipedia], [EAAI]; never: [Lemus]; free: "
        "[GRA], [How to Play]",
    )
    gin_bonus: int = scoring_option(
        25,
        "Gin bonus",
        numbers=Numbers(
            _POINTS_RANGE,
            "gin {n}",
            "The gin bonus is **{n}**. Nothing can be laid off on gin.",
            usual=(0, 10, 20, 25, 30, 50),
        ),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io], [Rubl]; 20: [Pagat], [Bicycle], [How to Play] in its house rule 3",
    )
    undercut_bonus: int = scoring_option(
        25,
        "Undercut bonus",
        numbers=Numbers(_POINTS_RANGE, "undercut {n}", "The undercut bonus is **{n}**.", usual=(0, 10, 20, 25, 30, 50)),
        sources="25: [Laying Off], [Lemus], [Yimmaw], [Knock Rules], [How to Play], [Wikipedia], [EAAI], "
        "[CardGames.io]; 20: [Rubl]; 10: [Pagat], [Bicycle]; 20 or 10: [How to Play] in its house rule 3",
        matters=lambda rules: rules.knock_limit != 0,
    )
    big_gin_bonus: int | None = scoring_option(
        None,
        "Big gin bonus",
        Choice(None, "no big gin", "There is no big gin: with all cards melded, discard one of them and go gin."),
        numbers=Numbers(
            range(1, 1001),
            "big gin {n}",
            "Big gin, all cards melded before the discard, earns **{n}** instead of the gin bonus.",
            usual=(30, 31, 50, 75),
        ),
        sources="30: [Yimmaw]; 31: [Knock Rules], [Wikipedia], [CardGames.io]",
        nothing="off",
        optional=True,
    )
    undercut_on_tie: bool = scoring_option(
        True,
        "Equal deadwood",
        Choice(True, "a tie undercuts", "Deadwood equal to the knocker's or lower is an undercut."),
        Choice(
            False,
            "undercut only when lower",
            "Only deadwood lower than the knocker's is an undercut; a tie scores nothing.",
        ),
        sources="on: [Laying Off], [Yimmaw], [Knock Rules], [How to Play], [Pagat], [Bicycle], [Wikipedia], [EAAI]; "
        "off: [Lemus], [Knock Rules] in its second part",
        matters=lambda rules: rules.knock_limit != 0,
    )
    lay_off: bool = play_option(
        True,
        "Lay-offs",
        Choice(True, "lay-offs", "After a knock the other players lay off cards on the knocker's melds."),
        Choice(False, "no lay-offs", "Nothing is laid off after a knock."),
        sources="off: [How to Play], house rule 1",
        matters=lambda rules: rules.knock_limit != 0,
    )
    lay_off_mode: Literal["automatic", "manual"] = play_option(
        "automatic",
        "Who chooses lay-offs",
        Choice("automatic", "automatic lay-offs", "The best melds and lay-offs are made automatically."),
        Choice(
            "manual",
            "lay-offs by hand",
            "The other players choose what they lay off, card by card or all at once, and may decline.",
        ),
        sources="automatic: [Yimmaw]; optional: [Laying Off]",
        matters=lambda rules: rules.knock_limit != 0 and rules.lay_off,
    )
    lay_off_chain: bool = play_option(
        True,
        "Lay-offs upon lay-offs",
        Choice(
            True,
            "lay-offs may build on lay-offs",
            "A card may be laid off next to one that was laid off before: 7, then 8, on 4-5-6.",
        ),
        Choice(
            False,
            "lay-offs on the original melds only",
            "A card may only be laid off next to the meld as it was laid down. Once a place is taken, it is closed to "
            "the next player.",
        ),
        sources="on: [Laying Off]; off: [Knock Rules], second part",
        matters=lambda rules: rules.knock_limit != 0 and rules.lay_off,
    )
    last_discard: Literal["void", "may_go_out"] = play_option(
        "void",
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
        sources="void and may go out: [Lemus]; may go out: [Pagat], [GRA]",
        matters=lambda rules: rules.stock_out == "void",
    )
    stock_out: Literal["void", "reshuffle"] = play_option(
        "void",
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
    )
    target: int | None = scoring_option(
        100,
        "Target",
        Choice(None, "no target", "There is no target."),
        numbers=Numbers(
            range(1, 10_001),
            "to {n}",
            "The game ends when a player or team reaches **{n}** points.",
            usual=(10, 25, 50, 75, 100, 125, 150, 200, 250, 500),
        ),
        sources="all",
    )
    deals: int | None = scoring_option(
        None,
        "Number of deals",
        Choice(None, "any number of deals", "There may be any number of deals."),
        numbers=Numbers(
            range(1, 1001),
            "for {n} scored deals",
            "The match ends after **{n}** scored deals.",
            usual=(1, 3, 5, 7, 10, 20),
        ),
        sources="a match of an agreed length",
        optional=True,
    )
    game_bonus: int = scoring_option(
        100,
        "Match bonus",
        Choice(0, "no match bonus", "There is no bonus for winning the match."),
        numbers=Numbers(
            _POINTS_RANGE,
            "match bonus {n}",
            "The player or team that reaches the target, or leads at the end, adds **{n}** points.",
            usual=(0, 50, 100, 150, 200),
        ),
        sources="all",
        matters=lambda rules: rules.format != "penalty",
    )
    line_bonus: int = scoring_option(
        20,
        "Bonus for each deal won",
        Choice(0, "no lines", "There is no bonus for deals won."),
        numbers=Numbers(
            _POINTS_RANGE,
            "each deal won {n}",
            "Each deal won is a line, and a line adds **{n}** points.",
            usual=(0, 10, 20, 25),
        ),
        sources="20: [How to Play], [Pagat], [Bicycle]; 25: [Lemus], [Knock Rules], [Wikipedia], [CardGames.io], "
        "[Rubl]",
        matters=lambda rules: rules.format != "penalty",
    )
    line_credit: Literal["at_end", "at_once"] = scoring_option(
        "at_end",
        "When lines count",
        Choice("at_end", "lines at the end", "Lines are added at the end and do not count towards the target."),
        Choice("at_once", "lines at once", "Lines are added right after their deal and count towards the target."),
        sources="at the end: all printed sources; at once: mobile apps",
        matters=lambda rules: rules.line_bonus > 0,
    )
    shutout: Literal[False, "plus_100", "game_bonus_doubled", "double_deals", "double_score"] = scoring_option(
        False,
        "Shutout bonus",
        Choice(False, "no shutout bonus", "There is no bonus for a shutout."),
        Choice("plus_100", "shutout 100", "A shutout adds **100** points."),
        Choice("game_bonus_doubled", "shutout doubles the match bonus", "A shutout doubles the match bonus."),
        Choice(
            "double_deals",
            "shutout doubles the points won in deals",
            "A shutout doubles the points won in deals, before lines are added.",
        ),
        Choice(
            "double_score",
            "shutout doubles points and match bonus",
            "A shutout doubles the points won in deals and the match bonus, but not the lines.",
        ),
        sources="plus 100: [Lemus]; match bonus doubled: [Pagat], [Bicycle]; deals doubled: [Knock Rules], "
        "[Wikipedia], [CardGames.io]; both doubled: [How to Play] in its house rule 4, [Rubl]",
        optional=True,
    )
    shutout_needs: Literal["loser_won_none", "winner_won_all"] = scoring_option(
        "loser_won_none",
        "What a shutout is",
        Choice("loser_won_none", "shutout if nobody else won", "It is a shutout if nobody else has won a deal."),
        Choice(
            "winner_won_all",
            "shutout if every deal was won",
            "It is a shutout if the winner has won every deal; a void deal spoils it.",
        ),
        sources="loser won none: all other sources; winner won all: [Knock Rules]",
        matters=lambda rules: rules.shutout is not False,
    )
    winner: Literal["highest_total", "first_to_target"] = scoring_option(
        "highest_total",
        "Who wins",
        Choice("highest_total", "the highest total wins", "The highest total wins, all bonuses included."),
        Choice(
            "first_to_target", "first to the target wins", "The first to reach the target wins, whatever the totals."
        ),
        sources="highest total: [Lemus], [Knock Rules], [How to Play]; first to the target: [Pagat]",
        matters=lambda rules: rules.format != "penalty",
    )
    scoring: Literal["single", "hollywood"] = scoring_option(
        "single",
        "Games at once",
        Choice("single", "one game", "One game is scored at a time."),
        Choice(
            "hollywood",
            "three games at once",
            "Three games are scored at once: your first win counts in the first game still open, your second in the "
            "first two, and every later win in all that are open. Each game closes at the target with its own bonuses. "
            "When all three are closed, the highest sum wins.",
        ),
        sources="three games at once: [Wikipedia]",
        optional=True,
    )
    aces: Aces = play_option(
        "low",
        "Aces",
        Choice("low", "aces low", "Aces are low: A-2-3 is a run, Q-K-A is not. An ace counts 1, a court card 10."),
        Choice("high_low", "aces high or low", "Aces are high or low: A-2-3 and Q-K-A are runs. An ace counts 1."),
        Choice(
            "round_the_corner",
            "runs go round the corner",
            "Runs go round the corner: K-A-2 is one. An ace counts **15**.",
        ),
        sources="low: all; the others: [Wikipedia]",
    )
    preset: str = "classic"
    """The preset that these rules started from. It is a label only and does not affect play."""

    def __post_init__(self) -> None:
        for name, definition in OPTIONS.items():
            value: Value = getattr(self, name)
            if not definition.allows(value):
                raise RulesError(
                    "knob-value",
                    f"{name}={definition.print(value)} is out of range: it must be {definition.allowed_text}",
                )
        if self.preset not in PRESETS:
            raise RulesError("preset", f"there is no preset {quote(self.preset)}")
        if reason := next(_conflicts(self), None):
            raise RulesError("knobs-conflict", reason)

    @staticmethod
    def parse(text: str, version: int = VERSION) -> Rules:
        """Parse rules: a preset, then `option=value` for each difference, as in `classic target=150`.

        The preset is taken from a version in `VERSIONS`, by default the current one. Raise `NotationError` for an
        unknown preset or option, an option given twice, or a value that the option does not allow, and `RulesError` if
        values conflict.
        """
        preset, *changes = text.split() or [""]
        if preset not in PRESETS:
            raise NotationError("preset", f"{quote(preset)} is not a preset: {', '.join(PRESETS)}")
        values: dict[str, Any] = {}
        for change in changes:
            name, _, value = change.partition("=")
            if name in values:
                raise NotationError("knob", f"{quote(name)} is given twice")
            if name not in OPTIONS:
                raise NotationError("knob", f"{quote(name)} is not an option of the rules: {', '.join(OPTIONS)}")
            try:
                values[name] = OPTIONS[name].parse(value)
            except NotationError as error:
                raise NotationError(error.code, f"{quote(change)}: {error}") from None
        values = {**PRESETS[preset].values, **VERSIONS[version].get(preset, {}), **values}
        return Rules(**values, preset=preset)

    def __str__(self) -> str:
        # Write every option that the preset sets, even if it is back at the default, so that later changes to the
        # preset do not affect old records.
        changed = PRESETS[self.preset].values
        names = (name for name in OPTIONS if name in changed or getattr(self, name) != DEFAULTS[name])
        return " ".join((self.preset, *map(self.option_text, names)))

    def option_text(self, name: str) -> str:
        """Return an option and its value in notation: `target=150`."""
        return f"{name}={OPTIONS[name].print(getattr(self, name))}"


OPTIONS: Final[Mapping[str, Option]] = {
    field.name: field.metadata["option"] for field in fields(Rules) if field.metadata
}
"""Every option of the rules by name, in the order of the fields."""

DEFAULTS: Final[Mapping[str, Value]] = {
    field.name: cast(Value, field.default) for field in fields(Rules) if field.metadata
}
"""The value of every option in `classic`."""


def _conflicts(rules: Rules) -> Iterator[str]:
    """Yield a description of each conflict between options."""
    if rules.cards_dealt == 7 and rules.format != "penalty":
        yield "cards_dealt=7 needs format=penalty: it is for three or four at one table"
    if rules.format != "duel" and rules.first_dealer in ("challenged", "challenger"):
        yield f"first_dealer={rules.first_dealer} is for two players"
    if rules.format == "winner_stays" and rules.next_dealer != "loser":
        yield "format=winner_stays needs next_dealer=loser, because the loser deals"
    if rules.format not in ("duel", "winner_stays") and rules.next_dealer != "alternate":
        yield f"format={rules.format} needs next_dealer=alternate, because the deal passes on"
    if rules.format in ("winner_stays", "partners") and rules.void_redeal == "deal_passes":
        yield f"format={rules.format} needs void_redeal=same_dealer: the format decides who deals after a void deal"
    for name in ("oklahoma_ace", "spade_doubles", "oklahoma_boxes"):
        if getattr(rules, name) != DEFAULTS[name] and rules.knock_limit != "upcard":
            yield f"{rules.option_text(name)} needs knock_limit=upcard"
    if rules.oklahoma_boxes and rules.format == "partners":
        yield "format=partners needs oklahoma_boxes=off, because each round is worth one line"
    if rules.format == "penalty" and (rules.oklahoma_boxes or rules.game_bonus or rules.line_bonus or rules.shutout):
        yield "format=penalty has no game, line or shutout bonus"
    if rules.lay_off_mode == "manual" and not rules.lay_off:
        yield "lay_off_mode=manual needs lay_off=on"
    if rules.last_discard == "may_go_out" and rules.stock_out == "reshuffle":
        yield "stock_out=reshuffle needs last_discard=void, because with reshuffles no discard is the last"
    if rules.last_discard == "may_go_out" and rules.format == "penalty":
        yield "last_discard=may_go_out is for two at a table"
    if rules.target is None and rules.deals is None:
        yield "target=none needs deals=N, or the match never ends"
    if rules.scoring == "hollywood" and rules.line_credit == "at_once":
        yield "scoring=hollywood needs line_credit=at_end, because it adds lines at the end"
    if rules.winner == "first_to_target" and rules.target is None:
        yield "winner=first_to_target needs a target"
    if rules.winner == "first_to_target" and rules.scoring == "hollywood":
        yield "scoring=hollywood needs winner=highest_total, because it is decided by the sum of its columns"
    if rules.winner == "first_to_target" and rules.format == "penalty":
        yield "winner=first_to_target is not for format=penalty, in which the fewest points win"
    if rules.scoring == "hollywood" and rules.format != "duel":
        yield "scoring=hollywood is for format=duel"
    if rules.scoring == "hollywood" and (rules.target is None or rules.deals is not None):
        yield "scoring=hollywood ends by its target alone"
