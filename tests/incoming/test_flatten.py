"""Conversion of Slack's format to Markdown and blocks."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atrium.blocks.model import TypedContent
from atrium.incoming.slack import read_post
from atrium.kit.errors import InvalidRequest
from atrium.slack.content import to_content
from atrium.slack.model import SlackAttachment, SlackMessage
from tests.incoming.payloads import ALERTMANAGER, ALERTMANAGER_PLAIN, GRAFANA

ADA = "01936f4e-8f2a-7c31-9d4b-5e6f70819203"


def convert(payload: Any) -> tuple[str, list[Any]]:
    text, blocks = to_content(msgspec.convert(payload, SlackMessage))
    return text, msgspec.to_builtins(blocks)


def block(kind: str, **content: Any) -> dict[str, Any]:
    return {"type": kind, "content": content}


@pytest.mark.parametrize(
    ("mrkdwn", "markdown"),
    [
        ("plain", "plain"),
        ("*bold* _it_ ~gone~ `code *x*`", "**bold** _it_ ~~gone~~ `code *x*`"),
        ("<https://example.org|here> &amp; &lt;there&gt;", r"[here](https://example.org) & \<there>"),
        ("<!here> <@U123|ada> <#C1|general>", "@here @ada #general"),
        (f"<@{ADA}> look", f"<@{ADA}> look"),
    ],
)
def test_the_text_of_a_payload_is_mrkdwn(mrkdwn: str, markdown: str) -> None:
    assert convert({"text": mrkdwn}) == (markdown, [])


@pytest.mark.contract("Client, agents and incoming webhooks 15")
def test_a_grafana_alert_is_flattened() -> None:
    text, blocks = convert(GRAFANA)
    assert text == (
        "@channel @S1\n\n"
        "**[\\[FIRING:1\\] Disk full (val1)](http://localhost/alerting/list)**\n\n"
        "**Firing**\n\nValue: B=22, C=1\nLabels:\n - alertname = Disk full\n - lbl1 = val1\nAnnotations:\n"
        " - summary = <90% & rising>\nSilence: http://localhost/alerting/silence/new?alertmanager=grafana"
        "&matcher=alertname%3DDisk+full&matcher=lbl1%3Dval1\nPanel: http://localhost/d/abcd?viewPanel=efgh\n\n"
        "_Grafana v12.1.0_"
    )
    alt = "[FIRING:1] Disk full (val1)"
    assert blocks == [block("image", url="https://www.example.com/test.png", alt=alt, caption="")]


@pytest.mark.contract("Client, agents and incoming webhooks 15")
def test_an_alertmanager_alert_is_flattened() -> None:
    assert convert(ALERTMANAGER) == (
        "**[\\[FIRING:2\\] HighLatency (api prod)](http://alertmanager:9093/#/alerts?receiver=slack)**\n\n"
        "**p99** above `2s` for [5 minutes](http://grafana/d/x)\n\n"
        "- **severity**: page\n- **runbook**: https://runbooks.example.org/latency\n\n"
        "[Silence](http://alertmanager:9093/#/silences/new)",
        [],
    )
    title = "**[\\[RESOLVED\\] HighLatency (api prod)](http://alertmanager:9093/#/alerts?receiver=slack)**"
    assert convert(ALERTMANAGER_PLAIN) == (title, [])


@pytest.mark.contract("Client, agents and incoming webhooks 19")
def test_block_kit_becomes_blocks_and_replaces_the_text() -> None:
    payload = {
        "text": "for the notification",
        "blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": "Deploy  *done*"}},
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": "*All* green"},
                "fields": [{"type": "mrkdwn", "text": "*by*\nAda"}, {"type": "plain_text", "text": "*raw*"}],
                "accessory": {"type": "image", "image_url": "https://example.org/a.png", "alt_text": "a"},
            },
            {"type": "divider"},
            {
                "type": "image",
                "image_url": "https://example.org/b.png",
                "alt_text": "b",
                "title": {"type": "plain_text", "text": "B"},
            },
            {"type": "context", "elements": [{"type": "mrkdwn", "text": "v1"}, {"type": "plain_text", "text": "v2"}]},
            {
                "type": "actions",
                "elements": [
                    {
                        "type": "button",
                        "text": {"type": "plain_text", "text": "Open [x]"},
                        "url": "https://example.org/(x)",
                    },
                    {"type": "button", "text": {"type": "plain_text", "text": "nothing here"}, "value": "1"},
                ],
            },
            {"type": "markdown", "text": "# as it is"},
            {
                "type": "rich_text",
                "elements": [
                    {
                        "type": "rich_text_section",
                        "elements": [
                            {"type": "text", "text": "so "},
                            {"type": "text", "text": "bold ", "style": {"bold": True}},
                            {"type": "link", "url": "https://example.org", "text": "there"},
                            {"type": "emoji", "name": "tada"},
                            {"type": "broadcast", "range": "here"},
                            {"type": "user", "user_id": "U1"},
                        ],
                    },
                    {
                        "type": "rich_text_list",
                        "style": "ordered",
                        "elements": [
                            {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]},
                            {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]},
                        ],
                    },
                    {
                        "type": "rich_text_preformatted",
                        "elements": [{"type": "text", "text": "a *b*", "style": {"bold": True}}],
                    },
                    {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said"}]},
                ],
            },
            {"type": "video", "title": "unknown to us"},
            {"type": 7},
            {},
        ],
    }
    text, blocks = convert(payload)
    assert text == ""
    assert blocks == [
        block("heading", text=r"Deploy \*done*", level=2),
        block("paragraph", text="**All** green\n\n**by**\nAda\n\n\\*raw*"),
        block("image", url="https://example.org/a.png", alt="a", caption=""),
        block("divider"),
        block("image", url="https://example.org/b.png", alt="b", caption="B"),
        block("paragraph", text="v1 · v2"),
        block("paragraph", text="[Open \\[x\\]](<https://example.org/(x)>)"),
        block("paragraph", text="# as it is"),
        block("paragraph", text="so **bold** [there](https://example.org):tada:@here@U1"),
        block("list", items=["one", "two"], ordered=True),
        block("code", text="a *b*", language=""),
        block("quote", text="said"),
    ]


@pytest.mark.contract("Client, agents and incoming webhooks 19")
def test_blocks_in_attachments_and_fallback_texts_are_flattened() -> None:
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "inside"}}
    assert convert({"attachments": [{"blocks": [section], "fallback": "no"}]}) == (
        "",
        [block("paragraph", text="inside")],
    )
    assert convert({"attachments": [{"fallback": "instead"}]}) == ("instead", [])
    assert convert({"text": "kept", "blocks": [{"type": "unknown"}]}) == ("kept", [])
    assert convert({"text": None, "blocks": None, "attachments": None}) == ("", [])
    assert (
        convert({"attachments": [{"fields": [{"title": "n", "value": 5}, {"value": True}, {}]}]})[0]
        == "- **n**: 5\n- True"
    )


def test_invalid_urls_are_not_linked() -> None:
    odd = {
        "title": "t",
        "title_link": "javascript:alert(1)",
        "image_url": "data:x",
        "actions": [{"text": "x", "url": "/"}],
    }
    assert convert({"attachments": [odd]}) == ("**t**", [])
    assert convert({"blocks": [{"type": "image", "image_url": "http://a b/"}]}) == ("", [])


def test_long_content_is_truncated_to_the_bounds() -> None:
    text, blocks = convert({"text": "x" * 50_000, "attachments": [{"image_url": "https://e.org/" + "y" * 3000}]})
    assert (len(text), text[-1], blocks) == (40_000, "…", [])
    headers = [{"type": "header", "text": {"type": "plain_text", "text": "h" * 3000}}] * 150
    assert [len(each["content"]["text"]) for each in convert({"blocks": headers})[1]] == [2000] * 100
    assert convert({"text": "a\x00b"})[0] == "a\ufffdb"
    assert convert({"blocks": [{"type": "section", "text": {"type": "plain_text", "text": "a\x00b"}}]})[1] == [
        block("paragraph", text="a\ufffdb")
    ]


WORDS = ["type", "text", "elements", "fields", "url", "image_url", "title", "style", "accessory", "blocks", "name"]
VALUES = ["header", "section", "image", "context", "actions", "markdown", "rich_text", "rich_text_list", "link", "user"]
VALUES += [
    "rich_text_section",
    "rich_text_preformatted",
    "plain_text",
    "http://",
    "https://e.org/ x",
    "\x00",
    "",
    "*a*",
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(VALUES) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=20,
)


@given(blocks=st.lists(st.dictionaries(st.sampled_from(WORDS), ANYTHING, max_size=5), max_size=3), text=st.text())
def test_any_blocks_within_the_bounds_are_accepted(blocks: list[Any], text: str) -> None:
    flat = to_content(SlackMessage(text=text, blocks=blocks, attachments=[SlackAttachment(title=text, blocks=blocks)]))
    assert "\x00" not in flat.text
    assert msgspec.json.decode(msgspec.json.encode(flat.blocks), type=list[TypedContent]) == flat.blocks


@pytest.mark.parametrize("body", [b"payload=%7B%22text%22%3A%22hi%22%7D", b'{"text":"hi"}', b' {"text": "hi", "x": 1}'])
def test_a_form_may_contain_json(body: bytes) -> None:
    assert read_post(body) == SlackMessage(text="hi")


@pytest.mark.parametrize("body", [b"", b"text=hi", b"payload=", b"payload=hi", b"payload=%5B%5D", b"\xff"])
def test_a_form_without_json_is_rejected(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read_post(body)
