"""The demo of a checkout and a browser that is signed in to it."""

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, StorageState


@contextmanager
def running_demo(checkout: Path, archive: bool = False) -> Iterator[str]:
    """Run the demo of a checkout, with the shared archive if wanted. Yield a sign-in link."""
    with tempfile.TemporaryDirectory(prefix="atc-") as folder:
        environment = {**os.environ, "ATRIUM_DEMO_DIR": f"{folder}/demo"} | ({} if archive else {"DEMO_ARCHIVE": ""})
        command = [str(checkout / ".venv/bin/python"), "-u", "-m", "demo"]
        with subprocess.Popen(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True) as demo:
            try:
                assert demo.stdout
                yield next(found[0] for line in demo.stdout if (found := re.search(r"http\S+/sign-in\S+", line)))
            finally:
                demo.send_signal(signal.SIGINT)
                demo.communicate(timeout=60)


def sign_in(browser: Browser, link: str) -> tuple[StorageState, str]:
    """Sign in. Return the session, which is stored nowhere, and the room's address."""
    page = browser.new_page()
    page.goto(link)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/rooms/*")
    state, address = page.context.storage_state(), page.url
    page.context.close()
    return state, address
