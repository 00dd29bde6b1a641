"""The stored data behind the ranges of luck agree with the simulation that generates such data."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bot.luck import simulation
from bot.luck.bands import OneDeal, load_data
from bot.luck.measures import NO_LUCK, Luck
from bot.luck.simulation import BATCH_COUNT, BATCH_SIZE, deal_distribution, play_batch


@pytest.mark.parametrize(
    "matches",
    [pytest.param(4, marks=pytest.mark.thorough), pytest.param(3 * BATCH_SIZE, marks=pytest.mark.nightly)],
)
def test_a_sample_agrees_with_the_data(matches: int) -> None:
    """A part of the data, simulated again with the same seed, agrees with all data within 4 standard errors.

    By chance, one sample in 16,000 would not. The cards follow from the seed, so the sample is the same each time,
    unless another processor rounds differently.
    """
    data, parts = load_data(), play_batch(load_data()["seed"], 0, matches)
    deals = len(parts) // 2
    assert deals < data["deals"] / 4
    full, sample = OneDeal(**data["one_deal"]), deal_distribution(parts)
    root = math.sqrt(len(parts))
    assert sample.opening == pytest.approx(full.opening, abs=4 * full.opening_deviation / root)
    assert sample.useful == pytest.approx(full.useful, abs=4 * full.useful_deviation / full.draws / root)
    # Both seats draw nearly the same number of cards in a deal, so a deal counts as one observation. The standard
    # deviation of the number of draws is at most 3.5.
    assert sample.draws == pytest.approx(full.draws, abs=4 * 3.5 / math.sqrt(deals))
    for name in ("gins", "undercuts"):
        chance = asdict(full)[name]
        assert asdict(sample)[name] == pytest.approx(chance, abs=4 * math.sqrt(chance / len(parts)))
    for name in ("opening_deviation", "useful_deviation"):
        assert asdict(sample)[name] == pytest.approx(asdict(full)[name], rel=4 / root)


@pytest.mark.nightly
def test_the_number_of_processes_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes save the same data as one, in the order of the batches."""
    monkeypatch.setattr(simulation, "DATA_PATH", tmp_path / "bands.json")
    monkeypatch.setattr(simulation, "play_batch", artificial_luck)
    monkeypatch.setattr(simulation, "data_from", all_data)
    seed = str(tmp_path / "the last share is played")
    assert simulation.main(["--shares", "4", "--jobs", "2", "--seed", seed]) == 0
    expected = all_data([part for share in range(4) for part in artificial_luck(seed, share)], seed)
    assert json.loads((tmp_path / "bands.json").read_text()) == expected


def all_data(parts: Sequence[Luck], seed: str) -> list[object]:
    """Stand-in for `data_from`: return the seed and the luck of all deals as a list."""
    return [seed, *(asdict(part) for part in parts)]


def artificial_luck(seed: str, share: int) -> list[Luck]:
    """Stand-in for `play_batch`: return artificial luck. Of four batches, the first one finishes last.

    The seed is the path of a file, which the last batch creates and the first batch waits for.
    """
    if share == 3:
        Path(seed).touch()
    deadline = time.monotonic() + 60
    while share == 0 and not Path(seed).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return [replace(NO_LUCK, deals=share, draws=number) for number in range(2)]


def test_the_default_number_of_matches_fits_the_data() -> None:
    """The default number of matches is consistent with the number of deals in the data."""
    assert load_data()["deals"] / (BATCH_COUNT * BATCH_SIZE) == pytest.approx(6, abs=2)
