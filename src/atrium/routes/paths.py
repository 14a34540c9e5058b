"""Paths that several areas share."""

ORGANIZATION = "/v1/organizations/{organization_id}"
SPACE = "/v1/spaces/{space_id}"
ROOM = "/v2/rooms/{room_id}"
