"""Set up an organization in a folder of its own, bring a history in, serve it, and say what to try."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx
from rich.console import Console
from rich.panel import Panel

from demo.conversation import write_archive
from demo.webhook import verified_webhook

HERE = Path(__file__).parents[1]
FOLDER = Path(os.environ.get("ATRIUM_DEMO_DIR") or ("/var/lib/atrium-demo" if os.geteuid() == 0 else HERE / ".demo"))
ATRIUM = Path(sys.executable).with_name("atrium")
ARCHIVES = (Path(os.environ.get("DEMO_ARCHIVE", "")), HERE.parent / "shared" / "data" / "slack-racket.zip")
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run the demo until Ctrl-C. A second run finds what the first one left."""
    port = free_port(8700)
    environment = {**os.environ, "ATRIUM_DATA_DIR": str(FOLDER), "ATRIUM_PORT": str(port)}
    made = organization(environment)
    bring_history(environment, made)
    server = subprocess.Popen([ATRIUM, "serve"], env=environment, start_new_session=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        base_url = f"http://127.0.0.1:{port}"
        wait_until_up(base_url, server)
        with verified_webhook(base_url, made, free_port(8701)):
            show(base_url, made, longest_room(base_url, made))
            server.wait()
    except KeyboardInterrupt:
        console.print("\nStopping …")
    finally:
        server.terminate()
        server.wait(30)


def organization(environment: dict[str, str]) -> dict[str, str]:
    """The ids and keys of the demo's organization, made on the first run and kept beside its data."""
    kept = FOLDER / "demo.json"
    if kept.exists():
        found: dict[str, str] = json.loads(kept.read_text())
        return found
    console.print(f"Making an organization in {FOLDER} …")
    command = [str(ATRIUM), "init", "--organization", "Demo", "--email", "demo@example.org", "--name", "Demo", "--json"]
    printed = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout
    kept.touch(mode=0o600)
    kept.write_text(printed)
    made: dict[str, str] = json.loads(printed)
    return made


def bring_history(environment: dict[str, str], made: dict[str, str]) -> None:
    """Import an archive: DEMO_ARCHIVE, else a real one where it is at hand, else a made-up one."""
    done = FOLDER / "demo.imported"
    if done.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = next((path for path in ARCHIVES if path.is_file()), Path(folder) / "workshop.zip")
        if not archive.exists():
            write_archive(archive, datetime.now(UTC))
        ids = ["--organization", made["organization_id"], "--space", made["space_id"]]
        command = [str(ATRIUM), "import", "slack", str(archive), *ids]
        subprocess.run(command, env=environment, check=True)
    done.touch()


def longest_room(base_url: str, made: dict[str, str]) -> dict[str, str]:
    """The room with the longest past: the one that was imported."""
    headers = {"authorization": f"Bearer {made['personal_key']}"}
    answer = httpx.get(f"{base_url}/v2/spaces/{made['space_id']}/rooms", headers=headers).raise_for_status()
    rooms: list[dict[str, str]] = answer.json()["rooms"]
    return min(rooms, key=lambda room: room["created_at"])


def show(base_url: str, made: dict[str, str], room: dict[str, str]) -> None:
    """What is there and what to try."""
    bearer = f'-H "Authorization: Bearer {made["organization_key"]}"'
    messages = f"{base_url}/v2/rooms/{room['room_id']}/messages"
    console.print(Panel.fit(f"[bold]{base_url}[/]  API reference: {base_url}/docs", title="Atrium", padding=(1, 3)))
    console.print(f"sign-in link      {made['sign_in_url'].replace('http://127.0.0.1:8700', base_url)}")
    console.print(f"organization key  {made['organization_key']}   (acts as an integration)")
    console.print(f"personal key      {made['personal_key']}   (acts as you)\n")
    console.print(f"Try: the end of the history of #{room['name']}, a message of your own, the newest page")
    print(f"  curl -s {bearer} '{messages}?cursor_sent_at={room['last_message_at']}&limit=2'")
    print(f'  curl -s {bearer} -d \'{{"text": "Hello from curl"}}\' {messages}')
    print(f"  curl -s {bearer} '{messages}?limit=2'")
    console.print(
        f"\nThe whole history, walked window by window into a file:\n  ATRIUM_KEY={made['organization_key']} \\"
    )
    print(f"    .venv/bin/atrium export {room['room_id']} --url {base_url} --output history.jsonl")
    console.print("\nCtrl-C stops the server; `make demo` brings it back as it was.")


def free_port(wanted: int) -> int:
    """`wanted`, or another port where it is taken."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise SystemExit("no port is free")


def wait_until_up(base_url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait for the first answer; leave when the server does."""
    while server.poll() is None:
        try:
            httpx.get(f"{base_url}/docs/problems", timeout=2)
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(server.returncode)


if __name__ == "__main__":
    main()
