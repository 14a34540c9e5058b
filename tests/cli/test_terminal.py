"""The error that a person sees when a command cannot continue."""

import os
import subprocess
from pathlib import Path

from tests.conftest import ATRIUM, Api


def test_an_error_is_one_line_and_exits_with_1(api: Api, tmp_path: Path) -> None:
    odd = tmp_path / "[bold]x.zip"
    odd.write_text("no zip")
    done = subprocess.run(
        [ATRIUM, "import", "slack", odd, "--organization", api.organization_id, "--space", api.space_id],
        env={**os.environ, **api.settings.environment()},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "atrium: nothing was imported: [bold]x.zip: is not a zip file\n"
