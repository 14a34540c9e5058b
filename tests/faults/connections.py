"""Connections that send what no client sends."""

import json
import socket
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit


def connect(url: str) -> socket.socket:
    where = urlsplit(url)
    return socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=60)


def read_answer(line: socket.socket) -> tuple[int, Any]:
    answer = HTTPResponse(line)
    answer.begin()
    received = answer.read()
    return answer.status, json.loads(received) if received.startswith(b"{") else None
