"""Schemathesis tests the server against its OpenAPI document and finds no violation.

These checks are left out:

- `positive_data_acceptance`: a body may fit its schema and still be rejected for a reason that a schema cannot express,
  such as a time in the past, a missing parent or a used Idempotency-Key.
- `use_after_free`, `ensure_resource_availability` and `object_level_authorization`: they belong to the stateful phase,
  which does not run. test_rooms, test_blocks and test_unreachable_rooms check the same.

So are these operations:

- Permanent deletions, so that the given ids stay valid; test_openapi calls them.
- The stream of live events, whose response has no end.
- Resumable uploads, whose protocol requires a 412 that is no response to invalid input elsewhere; a tus client tests
  them (test_tus).
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunningServer, new_organization
from tests.contract.tour import populate

ST = Path(sys.executable).with_name("st")
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "missing_required_header", "unsupported_method",
    "allow_header_conformance", "ignored_auth",
)  # fmt: skip
KEEP = "^(delete_|remove_(space_)?(member|group)|revoke_|listen$|(create|read|append_to)_upload$|(create|append_to|cancel)_import$)"

# Few variables, because `requests` goes through all of them with each request to look for a proxy. Hypothesis keeps
# its table of characters in the folder.
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", ""), "NO_PROXY": "*",
    "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(__file__).parents[2] / ".hypothesis"),
}  # fmt: skip


@pytest.mark.timeout(1200)  # the limit of each command is shorter
def test_schemathesis_finds_no_violation(server: RunningServer, tmp_path: Path) -> None:
    api = new_organization(server.settings, server.url)
    world = populate(api)
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
        check=False, cwd=tmp_path, capture_output=True, text=True, timeout=900, env=ENVIRONMENT,
    )  # fmt: skip
    api.close()
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    found = re.search(r"(\d+) generated, (\d+) passed", ran.stdout)
    assert found, ran.stdout[-2000:]
    assert int(found[2]) > 1000
