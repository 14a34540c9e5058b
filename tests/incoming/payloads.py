"""Payloads of Grafana's and Alertmanager's Slack notifiers, and how they check the response.

They are built like the sources do: grafana/alerting receivers/slack and prometheus/alertmanager notify/slack.
"""

import json
from typing import Any

import httpx

GRAFANA: dict[str, Any] = {
    "channel": "#test",
    "username": "Grafana",
    "icon_emoji": ":emoji:",
    "attachments": [
        {
            "title": "[FIRING:1] Disk full (val1)",
            "title_link": "http://localhost/alerting/list",
            "text": (
                "**Firing**\n\nValue: B=22, C=1\nLabels:\n - alertname = Disk full\n - lbl1 = val1\nAnnotations:\n"
                " - summary = <90% & rising>\nSilence: http://localhost/alerting/silence/new?alertmanager=grafana"
                "&matcher=alertname%3DDisk+full&matcher=lbl1%3Dval1\nPanel: http://localhost/d/abcd?viewPanel=efgh\n"
            ),
            "image_url": "https://www.example.com/test.png",
            "fallback": "[FIRING:1] Disk full (val1)",
            "footer": "Grafana v12.1.0",
            "footer_icon": "https://grafana.com/static/assets/img/fav32.png",
            "color": "#D63232",
            "ts": 1795252033,
            "pretext": "<!channel|channel> <!subteam^S1>",
            "mrkdwn_in": ["pretext"],
        }
    ],
}

ALERTMANAGER: dict[str, Any] = {
    "channel": "#alerts",
    "username": "Alertmanager",
    "attachments": [
        {
            "title": "[FIRING:2] HighLatency (api prod)",
            "title_link": "http://alertmanager:9093/#/alerts?receiver=slack",
            "pretext": "",
            "text": "*p99* above `2s` for <http://grafana/d/x|5 minutes>\n",
            "fallback": "[FIRING:2] HighLatency (api prod) | http://alertmanager:9093/#/alerts?receiver=slack",
            "callback_id": "",
            "fields": [
                {"title": "severity", "value": "page", "short": True},
                {"title": "runbook", "value": "<https://runbooks.example.org/latency>", "short": False},
            ],
            "actions": [
                {
                    "type": "button",
                    "text": "Silence",
                    "url": "http://alertmanager:9093/#/silences/new",
                    "style": "danger",
                }
            ],
            "footer": "",
            "color": "danger",
            "mrkdwn_in": ["fallback", "pretext", "text"],
        }
    ],
}

# Alertmanager's default: an empty text.
ALERTMANAGER_PLAIN: dict[str, Any] = {
    "channel": "#alerts",
    "username": "Alertmanager",
    "attachments": [
        {
            "title": "[RESOLVED] HighLatency (api prod)",
            "title_link": "http://alertmanager:9093/#/alerts?receiver=slack",
            "text": "",
            "fallback": "[RESOLVED] HighLatency (api prod) | http://alertmanager:9093/#/alerts?receiver=slack",
            "callback_id": "",
            "footer": "",
            "color": "good",
            "mrkdwn_in": ["fallback", "pretext", "text"],
        }
    ],
}


def as_go_sends(payload: dict[str, Any]) -> bytes:
    """Encode as Go does: `<`, `>` and `&` escaped, a line break at the end."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return (text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026") + "\n").encode()


def is_delivered(answer: httpx.Response) -> bool:
    """Return whether both notifiers treat it as delivered: 200, and `ok` if it is not JSON."""
    if answer.status_code != 200:
        return False
    if answer.headers["content-type"].startswith("application/json"):
        return answer.json().get("ok") is True
    return answer.content == b"ok"
