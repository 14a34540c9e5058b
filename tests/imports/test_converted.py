"""Content of an export besides texts is converted as by an incoming webhook."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import Api
from tests.imports.export import history, members, one_day, run_import, slack_message
from tests.incoming.hooks import messages, new_hook
from tests.incoming.payloads import ALERTMANAGER, GRAFANA

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "*All* green"},
           "fields": [{"type": "mrkdwn", "text": "*by*\nAda"}, {"type": "plain_text", "text": "src/*.py, test/*.py"}]}  # fmt: skip
CONTEXT = {
    "type": "context",
    "elements": [{"type": "mrkdwn", "text": "build 7"}, {"type": "plain_text", "text": "main"}],
}
RICH = {"type": "rich_text", "elements": [
    {"type": "rich_text_section", "elements": [{"type": "text", "text": "so "}, {"type": "text", "text": "bold", "style": {"bold": True}}]},
    {"type": "rich_text_list", "style": "bullet", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "one_"}]}]}]}  # fmt: skip
TABLE = {"type": "table", "rows": [[{"type": "raw_text", "text": "a|b"}, {"type": "rich_text", "elements": [
    {"type": "rich_text_section", "elements": [{"type": "text", "text": "c", "style": {"bold": True}}]}]}], [{"type": "raw_text", "text": "d"}]]}  # fmt: skip
ATTACHMENT = {"pretext": "p", "author_name": "CI", "author_link": "https://ci/u", "title": "Build [7]", "title_link": "https://ci/7",
              "text": "failed", "fields": [{"title": "Branch", "value": "main"}, {"title": "n", "value": 5}], "footer": "from CI",
              "image_url": "https://ci/7.png"}  # fmt: skip


@pytest.mark.contract("Messages and blocks 30")
@pytest.mark.parametrize(
    "payload",
    [
        {"text": "Build 7 failed", "blocks": [SECTION, CONTEXT]},
        {"text": "so", "blocks": [RICH]},
        {"text": "Build 7 failed", "attachments": [ATTACHMENT]},
        {"text": "see", "attachments": [{"blocks": [SECTION, RICH]}, {"fallback": "f"}]},
        ALERTMANAGER,
        GRAFANA,
    ],
    ids=["blocks", "rich text", "attachment", "blocks in attachments", "alertmanager", "grafana"],
)
def test_an_import_and_a_webhook_convert_alike(api: Api, tmp_path: Path, payload: dict[str, Any]) -> None:
    entry = {**slack_message(1, "", user="", bot_id="B1", subtype="bot_message"), "text": "", **payload}
    run_import(api, one_day(tmp_path / "a.zip", [entry]))
    assert httpx.post(new_hook(api)["url"], json=payload, timeout=30).text == "ok"
    [imported], [posted] = history(api), messages(api)
    assert (imported["text"], imported["blocks"]) == (posted["text"], posted["blocks"])
    assert posted["text"] or posted["blocks"]


@pytest.mark.contract("Messages and blocks 30")
def test_blocks_that_only_repeat_the_text_are_left_out(api: Api, tmp_path: Path) -> None:
    rich = {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "user", "user_id": "U2"},
                    {"type": "text", "text": " read <this>: "},
                    {"type": "link", "url": "http://a.b", "text": "there"},
                ],
            }
        ],
    }
    entry = slack_message(1, "<@U2> read &lt;this&gt;: <http://a.b|there>", blocks=[rich])
    run_import(api, one_day(tmp_path / "a.zip", [entry]))
    [message] = history(api)
    bob = members(api)["Bob"]["person_id"]
    assert (message["text"], message["blocks"]) == (f"<@{bob}> read \\<this>: [there](http://a.b)", [])
    assert message["mentions"] == [bob]


@pytest.mark.contract("Messages and blocks 30")
def test_blocks_name_the_people_and_channels_of_the_export(api: Api, tmp_path: Path) -> None:
    pieces = [
        {"type": "user", "user_id": "U2"},
        {"type": "text", "text": " in "},
        {"type": "channel", "channel_id": "C1"},
    ]
    rich = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": pieces}]}
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "by <@U2>"}}
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "x", blocks=[rich, section])]))
    bob = members(api)["Bob"]["person_id"]
    assert [each["content"]["text"] for each in history(api)[0]["blocks"]] == [f"<@{bob}> in #general", f"by <@{bob}>"]


@pytest.mark.contract("Messages and blocks 30")
def test_a_table_becomes_a_table(api: Api, tmp_path: Path) -> None:
    run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "", blocks=[TABLE])]))
    [block] = history(api)[0]["blocks"]
    assert block["content"]["text"] == "| a\\|b | **c** |\n|---|---|\n| d |  |"


@pytest.mark.contract("Messages and blocks 29")
def test_what_cannot_be_converted_is_counted(api: Api, tmp_path: Path) -> None:
    odd = [
        {"type": "video"},
        {
            "type": "actions",
            "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Ok"}}, {"type": "static_select"}],
        },
        {"type": "image", "image_url": "file:///x"},
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "hologram"}]}]},
    ]
    result = run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "kept", blocks=odd)]))
    assert [each["text"] for each in history(api)] == ["kept"]
    line = "parts of messages without a counterpart, skipped: 5: block video, button, element static_select, image, element hologram"
    assert line in " ".join(result.text.split())


@pytest.mark.contract("Messages and blocks 29")
def test_blocks_that_do_not_fit_are_counted(api: Api, tmp_path: Path) -> None:
    section = {"type": "section", "text": {"type": "plain_text", "text": "字" * 20_000}}
    result = run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "x", blocks=[section] * 3)]))
    assert len(history(api)[0]["blocks"]) == 2
    assert "blocks skipped, because a message is limited to 128 KiB and 100 levels: 1" in result.text


def test_an_unknown_piece_of_rich_text_is_counted_also_where_the_rest_repeats_the_text(
    api: Api, tmp_path: Path
) -> None:
    pieces = [{"type": "text", "text": "see"}, {"type": "hologram", "label": "x"}]
    rich = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": pieces}]}
    result = run_import(api, one_day(tmp_path / "a.zip", [slack_message(1, "see", blocks=[rich])]))
    assert "parts of messages without a counterpart, skipped: 1: element hologram" in result.text
