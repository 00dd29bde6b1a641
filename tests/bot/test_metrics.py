"""The bot's metrics, as Prometheus reads them."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Final

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from bot import measurements, metrics
from bot.metrics import served
from bot.play.refusals import Unavailable
from tests.helpers.living import living
from tests.helpers.ports import free_port
from tests.helpers.processes import ROOT
from tests.helpers.waiting import eventually

MONITORING: Final = ROOT / "deploy" / "monitoring"


@pytest.mark.thorough
def test_metrics_are_served_in_the_format_of_prometheus() -> None:
    """Metrics are served in Prometheus' format, and only during the block."""
    port = free_port()
    metrics.ANSWERS.labels("gin hand").observe(0.2)
    with served(("127.0.0.1", port)), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        families = {one.name: one for one in text_string_to_metric_families(answer.read().decode())}
    samples = families["deadwood_answer_seconds"].samples
    assert any(one.labels == {"used": "gin hand"} and one.name.endswith("_count") for one in samples)
    assert "process_resident_memory_bytes" in families
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("wanted", [True, False])
def test_metrics_are_served_only_where_they_are_wanted(wanted: bool) -> None:
    """Without an address, there is no server thread. With an address, the thread ends with the block."""
    before = threading.active_count()
    with served(("127.0.0.1", free_port()) if wanted else None):
        assert threading.active_count() - before == wanted
    assert threading.active_count() == before


@pytest.mark.thorough
def test_what_alerts_count_is_there_from_the_start() -> None:
    """Every series in the alert rules starts at 0: Prometheus sees no increase in a series that starts at 1."""
    script = "from bot import metrics; import prometheus_client; print(prometheus_client.generate_latest().decode())"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    there = {
        (one.name, label, value)
        for family in text_string_to_metric_families(run.stdout)
        for one in family.samples
        for label, value in one.labels.items()
    }
    asked = {
        (name, label, value)
        for name, label, values in re.findall(
            r'(deadwood_\w+_total)\{(\w+)=~?"([^"]+)"\}', (MONITORING / "alerts.yaml").read_text()
        )
        for value in values.split("|")
    }
    assert len(asked) > 5
    assert asked <= there


@pytest.mark.thorough
async def test_a_database_that_cannot_be_used_is_noticed_by_the_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Failed measurements are counted even if no one plays, and measuring continues."""
    monkeypatch.setattr(measurements, "EVERY", 0.05)
    monkeypatch.setattr(metrics, "are_read", lambda: True)

    async def fail() -> None:
        raise Unavailable

    def failed() -> float:
        return REGISTRY.get_sample_value("deadwood_measurements_failed_total") or 0

    async with living(tmp_path) as alive:
        before = failed()
        monkeypatch.setattr(alive.app.census, "backlog", fail)
        await eventually(lambda: failed() >= before + 2)
        assert not alive.client.background_failure.done()


def test_each_alert_is_tried_and_explained() -> None:
    """Every alert has a test, and operating.md explains it."""
    alerts = set(re.findall(r"- alert: (\w+)", (MONITORING / "alerts.yaml").read_text()))
    tried = set(re.findall(r'alertname="(\w+)"', (MONITORING / "alerts.test.yaml").read_text()))
    assert tried == alerts
    page = (ROOT / "docs" / "operating.md").read_text()
    assert [one for one in sorted(alerts) if f"`{one}`" not in page] == []


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (Debian package prometheus)")
def test_alerts_fire_when_they_should() -> None:
    """promtool accepts the configuration and the rules' tests pass."""
    for command in (["check", "config", "prometheus.yaml"], ["test", "rules", "alerts.test.yaml"]):
        run = subprocess.run(["promtool", *command], cwd=MONITORING, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("file", ["alerts.yaml", "grafana/deadwood.json"])
def test_alerts_and_the_dashboard_ask_for_measures_that_exist(file: str) -> None:
    """Alerts and the dashboard use only metrics that the bot serves."""
    parts = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
    there = {family.name + part for family in REGISTRY.collect() for part in parts.get(family.type, [""])}
    asked = set(re.findall(r"\b(?:deadwood|process)_\w+", (MONITORING / file).read_text()))
    assert len(asked) > 8
    assert asked <= there
