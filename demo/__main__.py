"""Set up an organization in a separate folder, serve it until Ctrl-C, and print how to sign in."""

import os
import shutil
import signal
from pathlib import Path

import msgspec
import platformdirs

from demo.organization import read_organization
from demo.receiver import Receiver, running_receiver
from demo.server import CommandFailed, Server, free_port
from demo.set_up import SavedDemo, create_organization, set_up
from demo.team import Team
from demo.tools import FAILURES, move_endpoint

HERE = Path(__file__).parents[1]


def _folder() -> Path:
    """Return the folder of the demo's data: `.demo` in the repository, unless that belongs to another user."""
    if named := os.environ.get("ATRIUM_DEMO_DIR"):
        return Path(named)
    if os.geteuid() == 0:
        return Path("/var/lib/atrium-demo")
    here = HERE / ".demo"
    is_own = here.stat().st_uid == os.geteuid() if here.exists() else os.access(HERE, os.W_OK)
    return here if is_own else platformdirs.user_data_path("atrium-demo")


FOLDER = _folder()
SAVED = FOLDER / "demo.json"
STARTED = FOLDER / "demo.started"


def main() -> None:
    """Run the demo until Ctrl-C. A second run continues with the same data."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.default_int_handler)
    try:
        saved = _read_saved()
        if saved is None:
            _clear()
        serve(Server(FOLDER, free_port(8700)), saved)
    except KeyboardInterrupt:
        print("\nStopped. `make demo` starts it again with the same data.")
    except CommandFailed as error:
        raise SystemExit(str(error)) from None
    except PermissionError as error:
        raise SystemExit(f"{error}; set ATRIUM_DEMO_DIR to a folder that you can write") from None


def serve(server: Server, saved: SavedDemo | None) -> None:
    """Serve the organization, after setting it up on the first run."""
    if saved is None:
        print(f"Creating an organization in {FOLDER}")
        first = create_organization(server)
        receiver = Receiver(free_port(8701), failures=FAILURES)
    else:
        receiver = Receiver(free_port(saved.port), saved.hook.secret)
    with running_receiver(receiver), server.running() as process:
        if saved is None:
            saved = set_up(server, first, receiver)
            _save(saved)
        team = Team(read_organization(), server.url, saved.organization_id, saved.keys, saved.people)
        move_endpoint(team, saved.hook, receiver.server_port)
        show(server, saved)
        process.wait()
    raise server.exit_error()


def show(server: Server, saved: SavedDemo) -> None:
    """Print the address, a sign-in link for the owner and one for a member, and how to stop."""
    content = read_organization()
    print(f"\n{content.name} is ready.\n\n  Address   {server.url}")
    for role, person in (("an administrator", content.owner), ("a member", content.visitor)):
        link = server.read(dict[str, str], "people", "sign-in-link", content.email(person))["sign_in_url"]
        print(f"  Sign in   as {content.people[person].name}, {role}:\n            {link}")
    messages = f"{server.url}/v2/rooms/{saved.rooms['forecasts']}/messages?limit=2"
    print(f"  API       curl -H 'Authorization: Bearer {saved.keys[content.owner]}' '{messages}'")
    print(f"            reference: {server.url}/docs")
    print("  Stop      Ctrl-C\n\nEach link works once.", flush=True)


def _read_saved() -> SavedDemo | None:
    try:
        return msgspec.json.decode(SAVED.read_bytes(), type=SavedDemo)
    except (FileNotFoundError, msgspec.DecodeError):
        return None  # a set-up that was cut off, or a demo of an earlier release


def _clear() -> None:
    """Create an empty folder. Delete only files of an earlier demo."""
    if FOLDER.exists() and any(FOLDER.iterdir()):
        if not (STARTED.exists() or SAVED.exists()):
            raise SystemExit(
                f"{FOLDER} contains files that do not belong to the demo; set ATRIUM_DEMO_DIR to another folder"
            )
        print(f"Replacing an earlier demo in {FOLDER}")
        shutil.rmtree(FOLDER)
    FOLDER.mkdir(parents=True, exist_ok=True)
    STARTED.touch()


def _save(saved: SavedDemo) -> None:
    """Save the organization and its keys, readable only by the owner of the folder."""
    SAVED.touch(mode=0o600)
    SAVED.write_bytes(msgspec.json.encode(saved))


if __name__ == "__main__":
    main()
