"""The rules of a match as one frozen value, each option declared at its field.

A `Rules` value is always valid: its values are in range and do not conflict, so the engine can play it.

CONTRIBUTING.md has the steps for adding an option, and decision 5 the reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast

from bot.engine.cards.melds import Aces
from bot.engine.errors import NotationError, RulesError, quote
from bot.engine.rules.option import Option, Value, option
from bot.engine.rules.presets import PRESETS, VERSION, VERSIONS

_POINTS_RANGE: Final = range(1001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One set of rules for a match. The defaults are the values in version 1 of the preset `classic`.

    `docs/rules.md` explains every option and value. Points are whole numbers. Raise `RulesError` if a value is out of
    range or values conflict.
    """

    format: Literal["duel", "rotation", "winner_stays", "partners", "penalty"] = option(
        "duel", ("duel", "rotation", "winner_stays", "partners", "penalty")
    )
    cards_dealt: Literal[7, 10] = option(10, (10, 7), matters=lambda rules: rules.format != "penalty")
    """Seven is for three or four players at one table; two players always get ten."""
    first_dealer: Literal["lowest_card", "random", "challenged", "challenger"] = option(
        "lowest_card", ("lowest_card", "random", "challenged", "challenger")
    )
    next_dealer: Literal["alternate", "loser", "winner"] = option(
        "alternate", ("alternate", "loser", "winner"), matters=lambda rules: rules.format == "duel"
    )
    void_redeal: Literal["same_dealer", "deal_passes"] = option("same_dealer", ("same_dealer", "deal_passes"))
    knock_limit: int | Literal["upcard"] = option(10, ("upcard",), numbers=range(101))
    oklahoma_ace: Literal[1, "gin_only"] = option(
        "gin_only", (1, "gin_only"), matters=lambda rules: rules.knock_limit == "upcard"
    )
    spade_doubles: bool = option(False, (True, False), matters=lambda rules: rules.knock_limit == "upcard")
    oklahoma_boxes: bool = option(False, (True, False), matters=lambda rules: rules.knock_limit == "upcard")
    opening: Literal["offer", "offer_then_free", "free"] = option("offer", ("offer", "offer_then_free", "free"))
    discard_drawn: Literal["free", "not_from_pile", "never"] = option(
        "not_from_pile", ("free", "not_from_pile", "never")
    )
    gin_bonus: int = option(25, numbers=_POINTS_RANGE)
    undercut_bonus: int = option(25, numbers=_POINTS_RANGE, matters=lambda rules: rules.knock_limit != 0)
    big_gin_bonus: int | None = option(None, (None,), numbers=range(1, 1001), nothing="off")
    undercut_on_tie: bool = option(True, (True, False), matters=lambda rules: rules.knock_limit != 0)
    lay_off: bool = option(True, (True, False), matters=lambda rules: rules.knock_limit != 0)
    lay_off_mode: Literal["automatic", "manual"] = option(
        "automatic", ("automatic", "manual"), matters=lambda rules: rules.knock_limit != 0 and rules.lay_off
    )
    lay_off_chain: bool = option(True, (True, False), matters=lambda rules: rules.knock_limit != 0 and rules.lay_off)
    last_discard: Literal["void", "may_go_out"] = option(
        "void", ("void", "may_go_out"), matters=lambda rules: rules.stock_out == "void"
    )
    stock_out: Literal["void", "reshuffle"] = option("void", ("void", "reshuffle"))
    target: int | None = option(100, (None,), numbers=range(1, 10_001))
    deals: int | None = option(None, (None,), numbers=range(1, 1001))
    game_bonus: int = option(100, numbers=_POINTS_RANGE, matters=lambda rules: rules.format != "penalty")
    line_bonus: int = option(20, numbers=_POINTS_RANGE, matters=lambda rules: rules.format != "penalty")
    line_credit: Literal["at_end", "at_once"] = option(
        "at_end", ("at_end", "at_once"), matters=lambda rules: rules.line_bonus > 0
    )
    shutout: Literal[False, "plus_100", "game_bonus_doubled", "double_deals", "double_score"] = option(
        False, (False, "plus_100", "game_bonus_doubled", "double_deals", "double_score")
    )
    shutout_needs: Literal["loser_won_none", "winner_won_all"] = option(
        "loser_won_none", ("loser_won_none", "winner_won_all"), matters=lambda rules: rules.shutout is not False
    )
    winner: Literal["highest_total", "first_to_target"] = option(
        "highest_total", ("highest_total", "first_to_target"), matters=lambda rules: rules.format != "penalty"
    )
    scoring: Literal["single", "hollywood"] = option("single", ("single", "hollywood"))
    aces: Aces = option("low", ("low", "high_low", "round_the_corner"))
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
