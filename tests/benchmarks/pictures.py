"""Benchmark of pictures, compared to saving an RGBA image of the same size with Pillow."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from statistics import median
from time import perf_counter
from typing import TypeVar

from PIL import Image

from bot.engine.matches.replay import ReplayView
from cardart import (
    Picture,
    draw_activity,
    draw_daily_calendar,
    draw_daily_podium,
    draw_hand,
    draw_profile,
    draw_replay,
    draw_scorecard,
    draw_showdown,
    draw_table,
)
from cardart.pictures.replay import MAX_ACTIONS, frames
from tests.benchmarks import endurance
from tests.cardart.views import (
    PORTRAITS,
    SYSTEMS,
    answering_tables,
    answering_views,
    public_views,
    replay_views,
    scored_matches,
    seat_views,
    showdown_views,
)
from tests.gallery.sample_daily import calendar, daily_podium
from tests.gallery.sample_profiles import activity, profile

View = TypeVar("View")

_SEEDS = range(4)
_VIEWS = 60
_LONG_RULES = "straight stock_out=reshuffle target=none deals=2"
"""Rules with long deals."""
_MILLISECOND = 1e-3
_KILOBYTE = 1024
_MAX_GROWTH = 50
"""Maximum growth of resident memory, in MB."""


def measure() -> list[tuple[str, float, float, str]]:
    """Return the median time and size of each kind of picture as name, measured value, reference value and unit.

    The reference is the time and size of `Image.save` for the finished picture as plain RGBA.
    """
    hands = [view for seed in _SEEDS for view in seat_views(seed)]
    tables = [view for seed in _SEEDS for view in public_views(seed)]
    showdowns = [view for seed in _SEEDS for view in showdown_views(seed)]
    profiles = [profile("wld" * number, (40, 95, 70, 12, 31), (9, 5, 4)) for number in range(1, 101, 3)]
    busy = [activity(*((number * place % 17, place) for place in range(12))) for number in range(1, 30)]
    podiums = [
        daily_podium(*(f"Player{number} {32 - place} {number} gin" for place in range(3)), endings=(9, number, 3, 8, 1))
        for number in range(1, 30)
    ]
    calendars = [calendar(" ".join(f"{number * place % 60 - 15}" for place in range(42))) for number in range(1, 30)]
    pads = [score for system in SYSTEMS for score in scored_matches(0, *system)]
    fours = [view for seed in _SEEDS for view in showdown_views(seed, "penalty", 4)]
    return [
        *_compare("hand picture", [lambda view=view: draw_hand(view) for view in _sample(hands)]),
        *_compare(
            "hand answering a knock, picture",
            [lambda view=view: draw_hand(view) for view in _sample(answering_views())],
        ),
        *_compare("table picture", [lambda view=view: draw_table(view, PORTRAITS) for view in _sample(tables)]),
        *_compare(
            "table with an open knock, picture",
            [lambda view=view: draw_table(view, PORTRAITS) for view in _sample(answering_tables())],
        ),
        *_compare(
            "showdown picture", [lambda view=view: draw_showdown(view, PORTRAITS) for view in _sample(showdowns)]
        ),
        *_compare(
            "showdown of four, picture", [lambda view=view: draw_showdown(view, PORTRAITS) for view in _sample(fours)]
        ),
        *_measure_animations(),
        *_compare("score pad", [lambda score=score: draw_scorecard(*score, PORTRAITS) for score in _sample(pads)]),
        *_compare("profile", [lambda shown=shown: draw_profile(shown, PORTRAITS) for shown in profiles]),
        *_compare("activity of a server", [lambda told=told: draw_activity(told) for told in busy]),
        *_compare("podium of a day", [lambda shown=shown: draw_daily_podium(shown) for shown in podiums]),
        *_compare("calendar of a person", [lambda shown=shown: draw_daily_calendar(shown) for shown in calendars]),
        *_measure_new_process(),
    ]


def _measure_new_process() -> list[tuple[str, float, float, str]]:
    """Return the time in which a new process draws its first cards, and its memory growth over many pictures.

    The time is compared with the time in which Pillow saves one picture.
    """
    run = subprocess.run([sys.executable, "-m", endurance.__name__], check=True, capture_output=True, text=True)
    faces, plain, grown = map(float, run.stdout.split())
    return [
        ("every face and the back, drawn first", faces / _MILLISECOND, plain / _MILLISECOND, "ms"),
        (f"memory, grown over {endurance.PICTURES} pictures", grown, _MAX_GROWTH, "MB"),
    ]


def _measure_animations() -> list[tuple[str, float, float, str]]:
    """Return the time and size of animations, compared to Pillow's encoder with the same settings."""
    sample = _sample([view for seed in _SEEDS for view in replay_views(seed)])[:10]
    long_views = [
        view for seed in _SEEDS for view in replay_views(seed, _LONG_RULES) if view.action_count <= MAX_ACTIONS
    ]
    rows: list[tuple[str, float, float, str]] = []
    for name, views in (("replay", sample), ("longest replay", [max(long_views, key=lambda view: view.action_count)])):
        for quantity, measured, scale, unit in (
            ("time", _seconds, _MILLISECOND, "ms"),
            ("size", _size, _KILOBYTE, "KB"),
        ):
            ours = median(measured(lambda view=view: draw_replay(view, PORTRAITS).content) for view in views) / scale
            theirs = median(measured(lambda view=view: _save_animation(view)) for view in views) / scale
            rows.append((f"{name}, {quantity}", ours, theirs, unit))
    return rows


def _size(make: Callable[[], bytes]) -> float:
    return len(make())


def _save_animation(view: ReplayView) -> bytes:
    shown = [(image.convert("RGB"), milliseconds) for image, milliseconds in frames(view, PORTRAITS)]
    (first, _), *others = shown
    out = BytesIO()
    first.save(
        out,
        "WEBP",
        save_all=True,
        append_images=[image for image, _ in others],
        duration=[milliseconds for _, milliseconds in shown],
        lossless=True,
        method=1,
        quality=0,
    )
    return out.getvalue()


def _sample(views: Sequence[View]) -> Sequence[View]:
    """Return an evenly spaced sample of about `_VIEWS` views."""
    return views[:: max(1, len(views) // _VIEWS)]


def _compare(name: str, draws: Sequence[Callable[[], Picture]]) -> list[tuple[str, float, float, str]]:
    pictures = [draw() for draw in draws]
    plain = [_plain(picture) for picture in pictures]
    times = [
        (_seconds(draw), _seconds(lambda image=image: _save(image))) for draw, image in zip(draws, plain, strict=True)
    ]
    ours, theirs = (median(column) / _MILLISECOND for column in zip(*times, strict=True))
    size = median(len(picture.content) for picture in pictures) / _KILOBYTE
    plain_size = median(len(_save(image)) for image in plain) / _KILOBYTE
    return [(f"{name}, time", ours, theirs, "ms"), (f"{name}, size", size, plain_size, "KB")]


def _plain(picture: Picture) -> Image.Image:
    with Image.open(BytesIO(picture.content)) as image:
        return image.convert("RGBA")


def _save(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start
