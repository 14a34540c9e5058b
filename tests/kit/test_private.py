"""Other users of the machine and other programs cannot read the data folder or the settings."""

import ast
import asyncio
import os
from pathlib import Path

import pytest

import atrium
from atrium.kit.postgres.embedded import sole_server
from atrium.kit.process.commands import minimal_environment
from atrium.kit.settings import Settings
from atrium.kit.storage import open_storage

STARTS = {"create_subprocess_exec", "create_subprocess_shell", "Popen", "run", "check_call", "check_output"}
SOURCES = sorted(Path(str(atrium.__file__)).parent.rglob("*.py"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def open_umask() -> object:
    before = os.umask(0o022)
    yield before
    os.umask(before)


@pytest.mark.contract("Conventions 7")
@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize("existing", [False, True])
def test_media_is_readable_only_by_its_owner(tmp_path: Path, existing: bool) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    if existing:
        (settings.data_dir / "media").mkdir(parents=True, mode=0o755)
    storage = open_storage(settings)
    asyncio.run(storage.put("film/part", b"frames"))
    assert mode(settings.data_dir / "media") == 0o700


@pytest.mark.contract("Conventions 7")
@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize(("user", "expected"), [(1000, 0o700), (0, 0o755)])
def test_the_data_folder_is_readable_only_by_its_owner_unless_postgresql_has_its_own_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, expected: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir(mode=0o755)
    for folder in (old, new):
        with sole_server(folder):
            assert mode(folder) == expected


def test_other_programs_receive_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATRIUM_SECRET_KEY", "s" * 32)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s")
    given = minimal_environment()
    assert given["PATH"] == os.environ["PATH"]
    assert [name for name in given if name.startswith(("ATRIUM", "AWS"))] == []


@pytest.mark.contract("Conventions 7")
def test_every_program_is_started_with_an_explicit_environment() -> None:
    calls = [
        (path.name, call.lineno, {each.arg for each in call.keywords})
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[0] in {"subprocess", "asyncio"}
        if ast.unparse(call.func).rpartition(".")[2] in STARTS and ast.unparse(call.func) != "asyncio.run"
    ]
    assert len(calls) >= 4
    assert [call for call in calls if "env" not in call[2]] == []
