"""Use `atrium mcp` as an agent does, with the MCP client over standard input and output."""

import asyncio
import os
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from tests.conftest import ATRIUM, Api, free_port


class Agent:
    """A session with the MCP server."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def use(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.session.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        return answer.structured_content

    async def error(self, tool: str, **arguments: Any) -> str:
        answer = await self.session.call_tool(tool, arguments)
        assert answer.is_error
        return answer.content[0].text


@asynccontextmanager
async def agent(url: str, key: str) -> AsyncIterator[Agent]:
    parameters = StdioServerParameters(
        command=str(ATRIUM), args=["mcp", "--url", url], env={"ATRIUM_KEY": key, "PATH": os.environ["PATH"]}
    )
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield Agent(session)


def run(url: str, key: str, work: Callable[[Agent], Awaitable[None]]) -> None:
    async def example() -> None:
        async with agent(url, key) as session:
            await work(session)

    asyncio.run(asyncio.wait_for(example(), 120))


async def find(agent: Agent, query: str) -> list[dict[str, Any]]:
    """Return the results of a search, once it finds something."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if results := (await agent.use("search", query=query))["results"]:
            return results
        await asyncio.sleep(0.2)
    raise AssertionError(f"never found: {query}")


@pytest.mark.contract("Client, agents and incoming webhooks 13")
def test_search_read_thread_reply(api: Api) -> None:
    bob_id, bob = api.new_person(email=f"bob{uuid4().hex}@example.org")
    root = api.send("The analytical engine is on fire")
    reply = api.send("Which wheel?", parent_id=root["message_id"])

    async def work(agent: Agent) -> None:
        (first, *_) = [each for each in await find(agent, "wheel") if each["type"] == "message"]
        assert (first["message_id"], first["thread_root_id"]) == (reply["message_id"], root["message_id"])
        where = {"room_id": first["room_id"], "root_id": first["thread_root_id"]}
        thread = await agent.use("read_thread", **where)
        assert (thread["root"]["text"], thread["root"]["sender"]) == ("The analytical engine is on fire", "Ada")
        assert [each["text"] for each in thread["replies"]] == ["Which wheel?"]
        sent = await agent.use(
            "send_message", room_id=first["room_id"], text="The third.", reply_to=first["thread_root_id"]
        )
        assert sent["sender_id"] == bob_id
        after = await agent.use("read_thread", **where, after=thread["position"])
        assert [each["message_id"] for each in after["replies"]] == [sent["message_id"]]

    run(api.url, bob, work)
    page = api.person.get(f"/v2/rooms/{api.room_id}/threads/{root['message_id']}/messages").json()
    last = page["messages"][-1]
    assert (last["text"], last["user_id"], last["sender_type"]) == ("The third.", bob_id, "person")


@pytest.mark.contract("Client, agents and incoming webhooks 14")
def test_it_sees_only_what_its_person_can_see(api: Api, outsider: Api) -> None:
    _, bob = api.new_person()
    private = api.new_space("private")
    hidden = api.new_room(private)
    secret = api.person.post(f"/v2/rooms/{hidden['room_id']}/messages", json={"text": "zeppelin in secret"}).json()
    outsider.send("zeppelin elsewhere")
    shown = api.send("zeppelin in the open")

    async def of_bob(agent: Agent) -> None:
        assert [each["room_id"] for each in (await agent.use("list_rooms"))["rooms"]] == [api.room_id]
        assert [each["message_id"] for each in await find(agent, "zeppelin")] == [shown["message_id"]]
        for room_id in (hidden["room_id"], outsider.room_id, str(uuid4())):
            for tool, more in (
                ("read_history", {}),
                ("read_thread", {"root_id": secret["message_id"]}),
                ("send_message", {"text": "hello"}),
            ):
                assert (await agent.error(tool, room_id=room_id, **more)).endswith(": Room not found.")
        refused = await agent.error("read_thread", room_id=api.room_id, root_id=secret["message_id"])
        assert "secret" not in refused
        rooms = await agent.use("read_history", room_id=api.room_id)
        assert [each["text"] for each in rooms["messages"]] == ["zeppelin in the open"]

    async def of_ada(agent: Agent) -> None:
        for _ in range(100):
            if len(results := await find(agent, "zeppelin")) == 2:
                break
            await asyncio.sleep(0.2)
        assert {each["message_id"] for each in results} == {secret["message_id"], shown["message_id"]}

    run(api.url, api.personal_key, of_ada)
    run(api.url, bob, of_bob)
    for client, room_id in ((api.person, hidden["room_id"]), (outsider.person, outsider.room_id)):
        sent = client.get(f"/v2/rooms/{room_id}/messages").json()["messages"]
        assert [each["text"] for each in sent if each["text"] == "hello"] == []
        assert len(sent) == 1


def test_it_loses_access_to_a_space_with_its_person(api: Api) -> None:
    bob_id, bob = api.new_person()
    private = api.new_space("private")
    room_id = api.new_room(private)["room_id"]
    secret = api.person.post(f"/v2/rooms/{room_id}/messages", json={"text": "zeppelin in secret"}).json()
    member = f"/v1/spaces/{private}/members/{bob_id}"
    assert api.person.put(member, json={"content": {"role": "member"}}).status_code == 200

    async def work(agent: Agent) -> None:
        assert [each["message_id"] for each in await find(agent, "zeppelin")] == [secret["message_id"]]
        assert room_id in [each["room_id"] for each in (await agent.use("list_rooms"))["rooms"]]
        assert api.person.delete(member).status_code == 204
        assert (await agent.use("search", query="zeppelin"))["results"] == []
        assert [each["room_id"] for each in (await agent.use("list_rooms"))["rooms"]] == [api.room_id]
        assert (await agent.error("read_history", room_id=room_id)).endswith(": Room not found.")
        assert (await agent.error("send_message", room_id=room_id, text="hello")).endswith(": Room not found.")

    run(api.url, bob, work)


def test_a_reader_cannot_send(api: Api) -> None:
    _, guest = api.new_person("guest")
    profile = api.client(guest).get("/v1/me/profile").json()
    path = f"/v1/spaces/{api.space_id}/members/{profile['person_id']}"
    assert api.person.put(path, json={"content": {"role": "reader"}}).status_code == 200

    async def work(agent: Agent) -> None:
        assert (await agent.use("read_history", room_id=api.room_id))["messages"] == []
        assert "role" in await agent.error("send_message", room_id=api.room_id, text="hello")

    run(api.url, guest, work)
    assert api.person.get(api.messages).json()["messages"] == []


def test_a_history_can_be_read_to_its_start(api: Api) -> None:
    texts = [api.send(f"message {number}")["text"] for number in range(7)]

    async def work(agent: Agent) -> None:
        read, before = [], None
        while True:
            piece = await agent.use("read_history", room_id=api.room_id, limit=3, before=before)
            read = [each["text"] for each in piece["messages"]] + read
            before = piece["older"]
            if before is None:
                break
        assert read == texts

    run(api.url, api.personal_key, work)


@pytest.mark.contract("Client, agents and incoming webhooks 13")
def test_a_thread_is_followed(api: Api) -> None:
    root = api.send("root")
    where = {"room_id": api.room_id, "root_id": root["message_id"]}

    async def work(agent: Agent) -> None:
        nothing = await agent.use("read_thread", **where, wait_seconds=1)
        assert (nothing["replies"], nothing["position"]) == ([], None)
        waiting = asyncio.create_task(agent.use("read_thread", **where, wait_seconds=60))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(api.send, "here it is", parent_id=root["message_id"])
        thread = await waiting
        assert [each["text"] for each in thread["replies"]] == ["here it is"]
        for number in range(3):
            await asyncio.to_thread(api.send, f"more {number}", parent_id=root["message_id"])
        piece = await agent.use("read_thread", **where, after=thread["position"], limit=2)
        assert ([each["text"] for each in piece["replies"]], piece["has_more"]) == (["more 0", "more 1"], True)

    run(api.url, api.personal_key, work)


def test_the_tools_have_descriptions_and_errors(api: Api) -> None:
    async def work(agent: Agent) -> None:
        tools = {tool.name: tool for tool in (await agent.session.list_tools()).tools}
        assert set(tools) == {"list_rooms", "read_history", "read_thread", "search", "send_message"}
        assert all(tool.description and tool.annotations for tool in tools.values())
        assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == ["send_message"]
        assert "not an id or position" in await agent.error("read_history", room_id="general")
        assert "not an id or position" in await agent.error("read_history", room_id=api.room_id, before="yesterday")
        assert "limit" in await agent.error("read_history", room_id=api.room_id, limit=0)
        assert "text" in await agent.error("send_message", room_id=api.room_id, text=" ")

    run(api.url, api.personal_key, work)


@pytest.mark.contract("Client, agents and incoming webhooks 14")
def test_a_revoked_key_ends_the_agents_access(api: Api) -> None:
    made = api.person.post("/v1/me/integrations", json={"content": {"name": "agent"}}).json()

    async def work(agent: Agent) -> None:
        assert len((await agent.use("list_rooms"))["rooms"]) == 1
        listed = api.person.get("/v1/me/integrations").json()["integrations"]
        (mine,) = [each for each in listed if each["name"] == "agent"]
        assert api.person.delete(f"/v1/me/integrations/{mine['api_key_id']}").status_code == 204
        assert "key" in await agent.error("list_rooms")

    run(api.url, made["key"], work)


@pytest.mark.parametrize(
    ("key", "url", "expected"),
    [
        ("", "http://127.0.0.1:1", "no key"),
        ("atro_integration", "http://127.0.0.1:1", "an agent acts as a person"),
        ("atrp_person", "http://localhost:port", "is not a URL"),
    ],
)
def test_invalid_keys_and_urls_are_rejected(key: str, url: str, expected: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ATRIUM_KEY"}
    done = subprocess.run(
        [ATRIUM, "mcp", "--url", url, "--key", key],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == 1
    assert expected in done.stderr
    assert done.stdout == ""


def test_an_unreachable_server_is_an_error(api: Api) -> None:
    async def work(agent: Agent) -> None:
        assert "cannot be reached" in await agent.error("list_rooms")

    run(f"http://127.0.0.1:{free_port()}", api.personal_key, work)
