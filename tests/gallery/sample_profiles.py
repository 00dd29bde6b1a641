"""Made-up careers and weeks, for samples of the charts."""

from __future__ import annotations

from datetime import date, timedelta

from cardart.text.figures import Career, Result, Rival, Week

_DAY = date(2026, 11, 23)


def career(results: str, nets: tuple[int, ...], rival: Rival | None = None) -> Career:
    """A career of matches `w`on, `l`ost or `d`rawn; each brings, or costs, the next of the nets."""
    told: list[Result] = []
    for place, result in enumerate(results):
        net = nets[place % len(nets)] * {"w": 1, "l": -1}.get(result, 0)
        ended = _DAY - timedelta(days=2 * (len(results) - 1 - place))
        told.append(Result(ended, net, {"w": True, "l": False}.get(result)))
    won = results.count("w")
    return Career(
        mark="N",
        results=tuple(told),
        share=(200 * won + len(results)) // (2 * len(results)),
        streak=max(map(len, results.replace("d", "l").split("l"))),
        deals_won=5 * won,
        deals_lost=3 * won + 5 * (len(results) - won),
        gins=won,
        undercuts=won // 2,
        rival=rival,
    )


def weeks(*played: tuple[int, int]) -> tuple[Week, ...]:
    """Weeks of so many matches and players, up to the present one."""
    first = _DAY - timedelta(weeks=len(played) - 1)
    return tuple(Week(first + timedelta(weeks=place), *numbers) for place, numbers in enumerate(played))
