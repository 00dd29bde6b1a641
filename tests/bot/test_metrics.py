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

from bot import metrics
from bot.connection import measurements
from bot.metrics import serve_metrics
from bot.play.refusals import Unavailable
from tests.helpers.living import running_bot
from tests.helpers.ports import free_port
from tests.helpers.processes import ROOT
from tests.helpers.waiting import eventually

MONITORING: Final = ROOT / "deploy" / "monitoring"


@pytest.mark.thorough
def test_metrics_are_served_in_the_format_of_prometheus() -> None:
    """Metrics are served in Prometheus' format, until the end of the `serve_metrics` block."""
    port = free_port()
    metrics.ANSWERS.labels("gin hand").observe(0.2)
    with serve_metrics(("127.0.0.1", port)), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
    samples = families["deadwood_answer_seconds"].samples
    assert any(sample.labels == {"used": "gin hand"} and sample.name.endswith("_count") for sample in samples)
    assert "process_resident_memory_bytes" in families
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("is_served", [True, False])
def test_metrics_are_served_only_with_an_address(is_served: bool) -> None:
    """A server thread runs only if an address is given, and ends with the `serve_metrics` block."""
    before = threading.active_count()
    with serve_metrics(("127.0.0.1", free_port()) if is_served else None):
        assert threading.active_count() - before == is_served
    assert threading.active_count() == before


@pytest.mark.thorough
def test_alert_series_exist_from_the_start() -> None:
    """Every series in the alert rules exists at the start: Prometheus sees no increase in a series that starts at 1."""
    script = "from bot import metrics; import prometheus_client; print(prometheus_client.generate_latest().decode())"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    served_series = {
        (sample.name, label, value)
        for family in text_string_to_metric_families(run.stdout)
        for sample in family.samples
        for label, value in sample.labels.items()
    }
    alert_series = {
        (name, label, value)
        for name, label, values in re.findall(
            r'(deadwood_\w+_total)\{(\w+)=~?"([^"]+)"\}', (MONITORING / "alerts.yaml").read_text()
        )
        for value in values.split("|")
    }
    assert len(alert_series) > 5
    assert alert_series <= served_series


@pytest.mark.thorough
async def test_failed_measurements_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failed measurements are counted even if no one plays, and measuring continues."""
    monkeypatch.setattr(measurements, "MEASURE_INTERVAL", 0.05)
    monkeypatch.setattr(metrics, "is_served", lambda: True)

    async def fail() -> None:
        raise Unavailable

    def failed() -> float:
        return REGISTRY.get_sample_value("deadwood_measurements_failed_total") or 0

    async with running_bot(tmp_path) as alive:
        before = failed()
        monkeypatch.setattr(alive.app.census, "backlog", fail)
        await eventually(lambda: failed() >= before + 2)
        assert not alive.client.background_failure.done()


def test_each_alert_is_tested_and_documented() -> None:
    """Every alert has a test, and docs/hosting/monitoring.md explains it."""
    alerts = set(re.findall(r"- alert: (\w+)", (MONITORING / "alerts.yaml").read_text()))
    tested = set(re.findall(r'alertname="(\w+)"', (MONITORING / "alerts.test.yaml").read_text()))
    assert tested == alerts
    page = (ROOT / "docs" / "hosting" / "monitoring.md").read_text()
    assert [alert for alert in sorted(alerts) if f"`{alert}`" not in page] == []


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed (Debian package prometheus)")
def test_alerts_fire_when_they_should() -> None:
    """promtool accepts the Prometheus configuration, and the tests of the alert rules pass."""
    for command in (["check", "config", "prometheus.yaml"], ["test", "rules", "alerts.test.yaml"]):
        run = subprocess.run(["promtool", *command], cwd=MONITORING, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("file", ["alerts.yaml", "grafana/deadwood.json"])
def test_alerts_and_the_dashboard_use_existing_metrics(file: str) -> None:
    """Alerts and the dashboard use only metrics that the bot serves."""
    parts = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
    served_names = {family.name + part for family in REGISTRY.collect() for part in parts.get(family.type, [""])}
    used_names = set(re.findall(r"\b(?:deadwood|process)_\w+", (MONITORING / file).read_text()))
    assert len(used_names) > 8
    assert used_names <= served_names
