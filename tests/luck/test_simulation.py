"""The data behind the ranges are what the program makes."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.luck import simulation
from bot.luck.bands import OneDeal, contents
from bot.luck.measures import Luck
from bot.luck.simulation import MATCHES, SHARES, made_of, one_deal, play


@pytest.mark.parametrize(
    "matches",
    [pytest.param(24, marks=pytest.mark.slow), pytest.param(3 * MATCHES, marks=pytest.mark.nightly)],
)
def test_a_sample_agrees_with_the_data(matches: int) -> None:
    """The same program and seed make the same deals again, of which each mean is within 4 standard errors.

    It cannot be closer than chance allows a sample to be, and one in 16,000 would be further away. The cards follow
    from the seed, so it is the same sample each time, unless another processor rounds otherwise.
    """
    data, parts = contents(), play(contents()["seed"], 0, matches)
    deals = len(parts) // 2
    assert deals < data["deals"] / 4
    whole, sample = OneDeal(**data["one_deal"]), one_deal(parts)
    root = math.sqrt(len(parts))
    assert sample.opening == pytest.approx(whole.opening, abs=4 * whole.opening_deviation / root)
    assert sample.useful == pytest.approx(whole.useful, abs=4 * whole.useful_deviation / whole.draws / root)
    # The draws of both seats of a deal are nearly the same number, which scatters by 3.5 at most.
    assert sample.draws == pytest.approx(whole.draws, abs=4 * 3.5 / math.sqrt(deals))
    for name in ("gins", "undercuts"):
        chance = asdict(whole)[name]
        assert asdict(sample)[name] == pytest.approx(chance, abs=4 * math.sqrt(chance / len(parts)))
    for name in ("opening_deviation", "useful_deviation"):
        assert asdict(sample)[name] == pytest.approx(asdict(whole)[name], rel=4 / root)


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes save what one would, in the order of the shares."""
    monkeypatch.setattr(simulation, "DATA", tmp_path / "bands.json")
    monkeypatch.setattr(simulation, "play", play_four)
    assert simulation.main(["--shares", "3", "--jobs", "2", "--seed", "few"]) == 0
    expected = made_of([part for share in range(3) for part in play_four("few", share)], "few")
    assert json.loads((tmp_path / "bands.json").read_text()) == json.loads(json.dumps(expected))


def play_four(seed: str, share: int) -> list[Luck]:
    """Play a share of four matches."""
    return play(seed, share, 4)


def test_the_program_makes_some_fifty_thousand_deals() -> None:
    """By itself it plays as many matches as the data are of."""
    assert contents()["deals"] / (SHARES * MATCHES) == pytest.approx(6, abs=2)
