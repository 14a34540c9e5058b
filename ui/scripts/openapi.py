"""Writes the OpenAPI document from the route table, without a running server: what the client's types are made of."""

import json
import sys
from pathlib import Path

from atrium.routes import ROUTES
from atrium.server.openapi import document

out = Path(sys.argv[1])
text = json.dumps(document(ROUTES))
if not out.exists() or out.read_text() != text:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text)
