"""The output of `atrium init` is complete on a narrow terminal, and it runs once."""

import os
import subprocess
from pathlib import Path

from atrium.kit.settings import Settings
from tests.conftest import ATRIUM, fresh_database

INIT = [ATRIUM, "init", "--organization", "Acme", "--email", "ada@example.org"]


def init(settings: Settings) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **settings.environment(), "COLUMNS": "60"}
    return subprocess.run(INIT, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_keys_and_links_are_not_wrapped_in_a_narrow_terminal_and_init_runs_only_once(
    settings: Settings, tmp_path: Path
) -> None:
    with fresh_database(settings) as own:
        first, second = (init(own.with_changes(data_dir=tmp_path)) for _ in range(2))
    shown = dict(line.split() for line in first.stdout.splitlines())
    assert {name for name in shown if not name.endswith("_id")} == {"organization_key", "personal_key", "sign_in_url"}
    assert "shown only once" in first.stderr
    assert len(shown["sign_in_url"]) > 60
    assert shown["sign_in_url"].isascii()
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith("atrium: this server already has an organization")
    assert str(tmp_path) in second.stderr
