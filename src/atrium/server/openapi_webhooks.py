"""The `webhooks` section of the OpenAPI document: the requests that webhooks receive."""

from typing import Any

from atrium.event_types.api import EventType

SIGNED_HEADERS = {
    "X-Service-Delivery": "01936f4e-8f2a-7c31-9d4b-5e6f70819203",
    "X-Service-Signature": "sha256=5f0d…",
    "webhook-id": "01936f4e-8f2a-7c31-9d4b-5e6f70819203",
    "webhook-timestamp": "1795252033",
    "webhook-signature": "v1,K5oZ…",
}


def operation_of(event: EventType, ref_template: str) -> dict[str, Any]:
    """Return the request that subscribed webhooks receive. `ref_template` makes the reference to a schema."""
    headers = {"X-Service-Event": event.event_type, **SIGNED_HEADERS}
    name = event.schema["$ref"].rpartition("/")[2]
    media = {"schema": {"$ref": ref_template.format(name=name)}, "example": event.example}
    return {
        "operationId": f"on_{event.event_type}",
        "tags": ["webhooks"],
        "summary": event.description.capitalize(),
        "description": "Answer with 2xx within 15 seconds; otherwise the event is sent again for more than a day.",
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string", "examples": [example]}}
            for name, example in headers.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": media}},
        "responses": {"2XX": {"description": "The event was received."}},
        "security": [],
    }
