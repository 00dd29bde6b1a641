"""The data behind the ranges match the program that generates them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bot.luck import simulation
from bot.luck.bands import OneDeal, contents
from bot.luck.measures import NOTHING, Luck
from bot.luck.simulation import MATCHES, SHARES, one_deal, play


@pytest.mark.parametrize(
    "matches",
    [pytest.param(4, marks=pytest.mark.thorough), pytest.param(3 * MATCHES, marks=pytest.mark.nightly)],
)
def test_a_sample_agrees_with_the_data(matches: int) -> None:
    """The same seed reproduces a part of the data, with each mean within 4 standard errors.

    A sample cannot agree more closely than that, and one in 16,000 would not. The cards follow from the seed, so the
    sample is the same each time, unless another processor rounds differently.
    """
    data, parts = contents(), play(contents()["seed"], 0, matches)
    deals = len(parts) // 2
    assert deals < data["deals"] / 4
    whole, sample = OneDeal(**data["one_deal"]), one_deal(parts)
    root = math.sqrt(len(parts))
    assert sample.opening == pytest.approx(whole.opening, abs=4 * whole.opening_deviation / root)
    assert sample.useful == pytest.approx(whole.useful, abs=4 * whole.useful_deviation / whole.draws / root)
    # Both seats of a deal draw nearly the same number of cards, with a standard deviation of at most 3.5.
    assert sample.draws == pytest.approx(whole.draws, abs=4 * 3.5 / math.sqrt(deals))
    for name in ("gins", "undercuts"):
        chance = asdict(whole)[name]
        assert asdict(sample)[name] == pytest.approx(chance, abs=4 * math.sqrt(chance / len(parts)))
    for name in ("opening_deviation", "useful_deviation"):
        assert asdict(sample)[name] == pytest.approx(asdict(whole)[name], rel=4 / root)


@pytest.mark.thorough
def test_the_number_of_processes_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes save the same data as one, in the order of the batches."""
    monkeypatch.setattr(simulation, "DATA", tmp_path / "bands.json")
    monkeypatch.setattr(simulation, "play", lucks)
    monkeypatch.setattr(simulation, "made_of", as_played)
    seed = str(tmp_path / "the last share is played")
    assert simulation.main(["--shares", "4", "--jobs", "2", "--seed", seed]) == 0
    expected = as_played([part for share in range(4) for part in lucks(seed, share)], seed)
    assert json.loads((tmp_path / "bands.json").read_text()) == expected


def as_played(parts: Sequence[Luck], seed: str) -> list[object]:
    """Return all data of some deals, as a list."""
    return [seed, *(asdict(part) for part in parts)]


def lucks(seed: str, share: int) -> list[Luck]:
    """Return artificial luck for a batch. Of four batches, the first one finishes last.

    The seed is the path of a file that exists once the last batch was played.
    """
    if share == 3:
        Path(seed).touch()
    given_up = time.monotonic() + 60
    while share == 0 and not Path(seed).exists() and time.monotonic() < given_up:
        time.sleep(0.01)
    return [replace(NOTHING, deals=share, draws=number) for number in range(2)]


def test_the_program_makes_some_fifty_thousand_deals() -> None:
    """The default number of matches agrees with the number of deals in the data."""
    assert contents()["deals"] / (SHARES * MATCHES) == pytest.approx(6, abs=2)
