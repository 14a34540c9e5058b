"""Schemathesis takes the OpenAPI document at its word and finds nothing that is not so.

Left out of its checks: `positive_data_acceptance` (a body may fit its schema and still be refused for what a schema
cannot say: a time that has passed, a parent that is not there, an Idempotency-Key used before); `use_after_free`,
`ensure_resource_availability` and `object_level_authorization` (of its stateful phase, which is left out; test_rooms,
test_blocks and test_unreachable_rooms hold the same by name). What takes things away for good is left out of the
operations, so that the ids given stay good; test_openapi walks it. So is the stream of live events, whose answer has no
end, and so are the resumable uploads, whose protocol asks for a 412 that is no answer to a bad request elsewhere; a tus
client holds them (test_tus).
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunningServer, new_organization
from tests.contract.tour import furnish

ST = Path(sys.executable).with_name("st")
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "missing_required_header", "unsupported_method",
    "allow_header_conformance", "ignored_auth",
)  # fmt: skip
KEEP = "^(delete_|remove_(space_)?(member|group)|revoke_|listen$|(create|read|append_to)_upload$)"


@pytest.mark.timeout(1200)  # the limit of what it runs is shorter
def test_schemathesis_finds_no_violation(server: RunningServer, tmp_path: Path) -> None:
    api = new_organization(server.settings, server.url)
    world = furnish(api)
    ids = [f'"path.{name}" = "{value}"\n' for name, value in world.ids.items() if name.endswith("_id")]
    config = tmp_path / "schemathesis.toml"
    own = f'parameters."path.api_key_id" = "{world.own_key_id}"\n'
    own_key = f'[[operations]]\ninclude-operation-id = "rotate_own_key"\n{own}'
    config.write_text("[parameters]\n" + "".join(ids) + own_key)
    ran = subprocess.run(
        [
            ST, "--config-file", config, "run", f"{server.url}/openapi.json", "--checks", ",".join(CHECKS),
            "--phases", "examples,coverage,fuzzing", "--max-examples", "4", "--seed", "1", "--continue-on-failure",
            "--generation-database", "none", "--exclude-operation-id-regex", KEEP,
            "--header", f"Authorization: Bearer {api.personal_key}",
        ],
        check=False, cwd=tmp_path, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    api.close()
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    found = re.search(r"(\d+) generated, (\d+) passed", ran.stdout)
    assert found, ran.stdout[-2000:]
    assert int(found[2]) > 1000
