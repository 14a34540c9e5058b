"""A real Alertmanager, configured as in the guide, posts alerts and their resolution to a room."""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from tests.conftest import Api, free_port
from tests.guides.blocks import blocks_of
from tests.house.sources import ROOT
from tests.wait_until import wait_until

PROGRAM = shutil.which("prometheus-alertmanager")
LABELS = {"alertname": "DiskFull", "instance": "db1"}


@pytest.fixture
def alertmanager(api: Api, tmp_path: Path) -> Iterator[httpx.Client]:
    """Run Alertmanager on loopback with the URL of the first room; it flushes its groups every second."""
    if PROGRAM is None:
        pytest.skip("Debian's prometheus-alertmanager is not installed")
    made = api.person.post(f"/v2/rooms/{api.room_id}/incoming-webhooks", json={"name": "Alertmanager"}).json()
    (tmp_path / "atrium-url").write_text(made["url"])
    (written,) = [
        each for each in blocks_of(ROOT / "docs/guides/tools.md") if each.options.get("file") == "alertmanager.yml"
    ]
    (tmp_path / "alertmanager.yml").write_text(written.content.replace("group_interval: 5m", "group_interval: 1s"))
    address = f"127.0.0.1:{free_port()}"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [PROGRAM, "--config.file=alertmanager.yml", "--storage.path=data", f"--web.listen-address={address}",
             "--cluster.listen-address="], cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        with httpx.Client(base_url=f"http://{address}", timeout=30) as client:
            wait_until(lambda: _is_ready(client, process), "Alertmanager is ready")
            yield client
    finally:
        process.terminate()
        process.wait(30)


def _is_ready(client: httpx.Client, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None
    try:
        return client.get("/-/ready").status_code == 200
    except httpx.TransportError:
        return False


def texts(api: Api) -> list[str]:
    return [each["text"] for each in api.person.get(api.messages).json()["messages"]]


@pytest.mark.contract("Client, agents and incoming webhooks 16")
def test_an_alert_and_its_resolution_are_posted_to_the_room(
    api: Api, alertmanager: httpx.Client, tmp_path: Path
) -> None:
    alert = {"labels": LABELS, "annotations": {"summary": "db1 has <2 % left & falls"}}
    assert alertmanager.post("/api/v2/alerts", json=[alert]).status_code == 200
    wait_until(lambda: texts(api), "the alert is posted")
    (text,) = texts(api)
    assert "FIRING: DiskFull" in text
    assert "db1 has <2 % left & falls" in text
    assert (
        alertmanager.post("/api/v2/alerts", json=[alert | {"endsAt": datetime.now(UTC).isoformat()}]).status_code == 200
    )
    wait_until(lambda: len(texts(api)) == 2, "its resolution is posted")
    assert "RESOLVED: DiskFull" in texts(api)[0]
    (message, _) = api.person.get(api.messages).json()["messages"]
    assert message["sender_type"] == "integration"
    assert "failed" not in (tmp_path / "log").read_text()
