"""What the bot measures, as Prometheus reads it."""

from __future__ import annotations

import re
import socket
import urllib.request
from typing import Final

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from bot import metrics
from bot.metrics import parse_address, served
from tests.helpers.processes import ROOT

MONITORING: Final = ROOT / "deploy" / "monitoring"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:9464", ("::1", 9464)),
        (":9464", ("127.0.0.1", 9464)),
    ],
)
def test_addresses_are_read(text: str, address: tuple[str, int]) -> None:
    """Without a host, only this machine can read them."""
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["9464", "somewhere", "host:70000", "::1:9464", ""])
def test_other_texts_are_refused(text: str) -> None:
    """The message says how an address is written."""
    with pytest.raises(ValueError, match=r"127\.0\.0\.1:9464"):
        parse_address(text)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.slow
def test_metrics_are_served_in_the_format_of_prometheus() -> None:
    """They can be read as long as the block runs, and nowhere after it."""
    port = free_port()
    metrics.ANSWERS.labels("gin hand").observe(0.2)
    with served(("127.0.0.1", port)), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        families = {one.name: one for one in text_string_to_metric_families(answer.read().decode())}
    samples = families["deadwood_answer_seconds"].samples
    assert any(one.labels == {"used": "gin hand"} and one.name.endswith("_count") for one in samples)
    assert "process_resident_memory_bytes" in families
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0


def test_without_an_address_nothing_is_served() -> None:
    """Nobody listens unless a host wants it."""
    with served(None):
        pass


@pytest.mark.parametrize("file", ["alerts.yaml", "grafana/deadwood.json"])
def test_alerts_and_the_dashboard_ask_for_measures_that_exist(file: str) -> None:
    """A name that the bot does not serve would never raise an alarm."""
    parts = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
    there = {family.name + part for family in REGISTRY.collect() for part in parts.get(family.type, [""])}
    asked = set(re.findall(r"\b(?:deadwood|process)_\w+", (MONITORING / file).read_text()))
    assert len(asked) > 8
    assert asked <= there
