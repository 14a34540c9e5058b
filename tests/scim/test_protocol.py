"""RFC 7644 beyond identity providers' requests: searches, order, pages, attributes, ETags, bulk, discovery, errors."""

from typing import Any

import pytest

from atrium.scim.dialect import MAX_OPERATIONS
from atrium.scim.normalization import MAX_VALUES
from tests.conftest import RunningServer, new_organization, running_server
from tests.scim.conftest import CORE_USER, ENTERPRISE, Directory, Json, error_in


@pytest.fixture
def staffed_directory(directory: Directory) -> tuple[Directory, dict[str, str]]:
    """Yield a directory with a few people and their ids by name; the organization's super_admin is "Ada"."""
    people = [
        ("bob", "Bob", "Builder", "Sales"),
        ("carol", "Carol", "Clerk", "Engines"),
        ("dave", "Dave", None, "Engines"),
        ("Eve", "Eve", "Auditor", None),
    ]
    ids = {"Ada": directory.api.person_id}
    for user_name, name, title, department in people:
        more: Json = {"title": title} if title else {}
        more |= {ENTERPRISE: {"department": department}} if department else {}
        ids[name] = directory.user(user_name, displayName=name, active=name != "Dave", **more)["id"]
    return directory, ids


@pytest.mark.contract("Directory provisioning 4")
@pytest.mark.parametrize(
    ("scim_filter", "names"),
    [
        ("title pr", "Bob Carol Eve"),
        ("not (title pr)", "Ada Dave"),
        ('title co "er" and displayName sw "b"', "Bob"),
        ('title eq "clerk" or title eq "AUDITOR"', "Carol Eve"),
        ("active eq false", "Dave"),
        ('active eq "False"', "Dave"),
        (f'{ENTERPRISE}:department eq "engines"', "Carol Dave"),
        (f'{CORE_USER}:userName eq "EVE"', "Eve"),
        ('userName gt "c" and userName lt "e"', "Carol Dave"),
        ('userName eq "bob" and title eq "Clerk"', ""),
        ('meta.created gt "2020-01-01T00:00:00Z" and displayName ew "e"', "Dave Eve"),
        ("userName eq 12", ""),
        ("emails pr", "Ada"),
        ('emails[type eq "work" and value co "@"]', "Ada"),
        ('members eq "x"', None),
        ("userName eq", None),
        ('userName xx "y"', None),
        ('nonsense eq "x"', None),
        ("active gt true", None),
        ("(" * 50 + "title pr" + ")" * 50, "Bob Carol Eve"),
        ("not (" * 50 + "title pr" + ")" * 50, None),
    ],
)
def test_a_filter_finds_its_matches(
    staffed_directory: tuple[Directory, dict[str, str]], scim_filter: str, names: str | None
) -> None:
    directory, ids = staffed_directory
    if names is None:
        error_in(directory.client.get("/Users", params={"filter": scim_filter}), 400, "invalidFilter")
    else:
        assert directory.search(filter=scim_filter) == [ids[name] for name in names.split()]
        body = {"filter": scim_filter, "schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]}
        answer = directory.client.post("/Users/.search", json=body)
        assert [each["id"] for each in answer.json()["Resources"]] == [ids[name] for name in names.split()]


@pytest.mark.contract("Directory provisioning 4")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"sortBy": "userName", "filter": "title pr"}, "Bob Carol Eve"),
        ({"sortBy": "displayName", "sortOrder": "descending"}, "Eve Dave Carol Bob Ada"),
        ({"sortBy": "title"}, "Eve Bob Carol Ada Dave"),
        ({"sortBy": "title", "sortOrder": "descending"}, "Ada Dave Carol Bob Eve"),
        ({"sortBy": "title", "startIndex": 2, "count": 2}, "Bob Carol"),
        ({"sortBy": f"{ENTERPRISE}:department", "count": 2}, "Carol Dave"),
        ({"startIndex": 2, "count": 2}, "Bob Carol"),
        ({"startIndex": -5, "count": 1}, "Ada"),
        ({"startIndex": 10**18}, ""),
        ({"count": 0}, ""),
        ({"count": -1}, ""),
    ],
    ids=str,
)
def test_order_and_pages(
    staffed_directory: tuple[Directory, dict[str, str]], query: dict[str, Any], names: str
) -> None:
    directory, ids = staffed_directory
    assert directory.search(**query) == [ids[name] for name in names.split()]
    page = directory.client.get("/Users", params=query).json()
    assert page["totalResults"] == (3 if "filter" in query else 5)


@pytest.mark.parametrize(
    "query",
    [
        "sortBy=nonsense",
        "sortBy=password",
        "startIndex=x",
        "count=%ff",
        "sortBy=emails[x",
        'filter=title eq "\\ud800"',
        'filter=userName eq "\\u0000"',
        "filter=" + " or ".join(["title pr"] * 500),
    ],
)
def test_an_invalid_search_is_rejected(directory: Directory, query: str) -> None:
    assert directory.client.get(f"/Users?{query}").status_code == 400


@pytest.mark.contract("Directory provisioning 4")
def test_the_root_searches_users_and_groups(staffed_directory: tuple[Directory, dict[str, str]]) -> None:
    directory, ids = staffed_directory
    group = directory.group("Bob", [ids["Carol"]])
    both = {"filter": 'displayName eq "bob"'}
    answer = directory.client.post("/.search", json=both).json()
    assert [each["id"] for each in answer["Resources"]] == [ids["Bob"], group["id"]]
    assert [each["meta"]["resourceType"] for each in answer["Resources"]] == ["User", "Group"]
    assert directory.search("/", **both) == [ids["Bob"], group["id"]]
    member = {"filter": f'members.value eq "{ids["Carol"]}"'}
    assert [each["id"] for each in directory.client.post("/.search", json=member).json()["Resources"]] == [group["id"]]
    last = directory.client.post("/.search", json={"sortBy": "displayName", "startIndex": 2, "count": 2}).json()
    assert [each["id"] for each in last["Resources"]] == [ids["Bob"], group["id"]]
    assert last["totalResults"] == 6
    assert directory.client.post("/Groups/.search", json=both).json()["totalResults"] == 1


@pytest.mark.contract("Directory provisioning 5")
@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({"attributes": "userName"}, {"schemas", "id", "userName"}),
        ({"attributes": "USERNAME,name.givenName"}, {"schemas", "id", "userName", "name"}),
        ({"attributes": f"{ENTERPRISE}:department"}, {"schemas", "id", ENTERPRISE}),
        ({"excludedAttributes": "name,meta,emails,id"}, {"schemas", "id", "userName", "active", ENTERPRISE}),
        ({"attributes": "nonsense"}, {"schemas", "id"}),
    ],
)
def test_attributes_are_selected(directory: Directory, query: dict[str, str], shown: set[str]) -> None:
    more = {"name": {"givenName": "A", "familyName": "B"}, ENTERPRISE: {"department": "D", "division": "E"}}
    user = directory.user(emails=[{"value": "x@example.org"}], **more)
    found = directory.read(user, **query)
    assert found.keys() == shown
    assert found.get("name", {"givenName": "A"}) == {"givenName": "A"}
    listed = directory.client.get("/Users", params={**query, "filter": f'id eq "{user["id"]}"'}).json()["Resources"]
    assert listed == [found]
    body = {"schemas": [CORE_USER], "userName": f"{user['userName']}2"}
    made = directory.client.post("/Users", params=query, json=body).json()
    assert made.keys() <= shown | {"active"}
    both = {"attributes": "id", "excludedAttributes": "name"}
    error_in(directory.client.get(f"/Users/{user['id']}", params=both), 400, "invalidValue")


@pytest.mark.contract("Directory provisioning 5")
def test_members_are_returned_as_requested(directory: Directory) -> None:
    user = directory.user(displayName="Ada")
    group = directory.group(members=[user["id"]])
    complete = {"value": user["id"], "$ref": user["meta"]["location"], "type": "User"}
    assert directory.read(group)["members"] == [complete]
    assert directory.read(group, attributes="members")["members"] == [complete]
    assert directory.read(group, attributes="members.value")["members"] == [{"value": user["id"]}]
    assert directory.read(group, attributes="members.display")["members"] == [{"display": "Ada"}]
    assert "members" not in directory.read(group, attributes="displayName")
    shown = directory.patch(
        group, {"op": "add", "path": "displayName", "value": "New"}, params={"attributes": "displayName"}
    )
    assert (shown.status_code, shown.json()["displayName"]) == (200, "New")


@pytest.mark.contract("Directory provisioning 7")
def test_entity_tags_protect_changes_and_save_responses(directory: Directory) -> None:
    for resource, change in (
        (directory.user(), {"op": "add", "path": "title", "value": "x"}),
        (directory.group(), {"op": "add", "path": "displayName", "value": "x"}),
    ):
        path, old = f"/{resource['meta']['resourceType']}s/{resource['id']}", resource["meta"]["version"]
        assert old.startswith('W/"')
        same = directory.client.get(path, headers={"if-none-match": f'"x", {old}'})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", old)
        assert directory.client.get(path, headers={"if-none-match": 'W/"x"'}).headers["etag"] == old
        assert directory.patch(resource, change, headers={"if-match": old}).is_success
        new = directory.read(resource)["meta"]["version"]
        assert new != old
        for method, body in (("PATCH", {"Operations": [change]}), ("PUT", resource), ("DELETE", None)):
            answer = directory.client.request(method, path, json=body, headers={"if-match": old})
            error_in(answer, 412)
        assert directory.client.get(path, headers={"if-none-match": old}).status_code == 200
        assert directory.client.delete(path, headers={"if-match": "*"}).status_code == 204


def test_a_users_version_covers_all_that_is_returned(directory: Directory) -> None:
    user = directory.user()
    versions = [user["meta"]["version"]]
    group = directory.group(members=[user["id"]])
    versions.append(directory.read(user)["meta"]["version"])
    directory.patch_and_read(group, {"op": "replace", "path": "displayName", "value": "Renamed"})
    versions.append(directory.read(user)["meta"]["version"])
    member = f"{directory.api.organization}/members/{user['id']}"
    assert directory.api.person.patch(member, json={"content": {"active": False}}).status_code == 200
    after = directory.read(user)
    assert after["active"] is False
    assert len({*versions, after["meta"]["version"]}) == 4


def bulk(directory: Directory, *operations: Json, **more: Any) -> list[Json]:
    schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"]
    answer = directory.client.post("/Bulk", json={"schemas": schemas, "Operations": list(operations), **more})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["Operations"])


def post(name: str, bulk_id: str = "b", **more: Any) -> Json:
    return {"method": "POST", "path": "/Users", "bulkId": bulk_id, "data": {"userName": name, **more}}


@pytest.mark.contract("Directory provisioning 6")
def test_bulk_operations_refer_to_each_other_in_any_order(directory: Directory) -> None:
    crew = {"displayName": "Crew", "members": [{"value": "bulkId:ada"}, {"value": "bulkId:bob"}]}
    group, ada, bob, renamed, gone = bulk(
        directory,
        {"method": "POST", "path": "/Groups", "bulkId": "crew", "data": crew},
        post("ada", "ada", **{ENTERPRISE: {"manager": {"value": "bulkId:bob"}}}),
        post("bob", "bob"),
        {
            "method": "PATCH",
            "path": "/Groups/bulkId:crew",
            "data": {"Operations": [{"op": "replace", "path": "displayName", "value": "Team"}]},
        },
        {"method": "DELETE", "path": "/Users/bulkId:bob"},
    )
    assert [each["status"] for each in (group, ada, bob, renamed, gone)] == ["201", "201", "201", "200", "204"]
    assert [each.get("bulkId") for each in (group, ada, bob)] == ["crew", "ada", "bob"]
    read = directory.client.get(group["location"]).json()
    assert read["displayName"] == "Team"
    assert [each["$ref"] for each in read["members"]] == [ada["location"]]
    made = directory.client.get(ada["location"]).json()
    assert made[ENTERPRISE]["manager"]["value"] == bob["location"].rpartition("/")[2]


@pytest.mark.contract("Directory provisioning 6")
def test_bulk_operations_fail_independently_until_fail_on_errors(directory: Directory) -> None:
    taken = directory.user("taken")
    version = {"method": "PATCH", "path": f"/Users/{taken['id']}", "version": 'W/"old"', "data": {"Operations": []}}
    operations = [
        post("one"),
        post("taken"),
        post("two"),
        {**post("three"), "bulkId": None},
        {"method": "GET", "path": f"/Users/{taken['id']}"},
        {"method": "POST", "path": "/Schemas", "bulkId": "s", "data": {}},
        version,
        {"method": "DELETE", "path": "/Users/nobody"},
        post("four", **{ENTERPRISE: {"manager": {"value": "bulkId:none"}}}),
        {"method": "PUT", "path": "/Groups/x", "data": {}},
    ]
    done = bulk(directory, *operations)
    statuses = ["201", "409", "201", "400", "400", "400", "412", "404", "400", "404"]
    assert [each["status"] for each in done] == statuses
    assert done[1]["response"]["scimType"] == "uniqueness"
    assert all("response" in each for each in done if each["status"] >= "400")
    assert set(directory.search(filter='userName eq "one" or userName eq "two" or userName eq "three"')) == {
        done[number]["location"].rpartition("/")[2] for number in (0, 2)
    }
    ended = bulk(directory, post("five"), post("taken"), post("six"), post("taken"), post("seven"), failOnErrors=2)
    assert [each["status"] for each in ended] == ["201", "409", "201", "409"]
    assert directory.search(filter='userName eq "seven"') == []


def test_bulk_operations_in_a_cycle_are_rejected(directory: Directory) -> None:
    boss = {ENTERPRISE: {"manager": {"value": "bulkId:b"}}}
    one, two = bulk(
        directory, post("a", "a", **boss), post("b", "b", **{ENTERPRISE: {"manager": {"value": "bulkId:a"}}})
    )
    assert (one["status"], two["status"]) == ("400", "400")


def test_the_number_of_values_of_an_attribute_is_limited(directory: Directory) -> None:
    many = [{"value": f"a{nr}@example.org", "type": "work"} for nr in range(MAX_VALUES + 1)]
    body = {"userName": "many", "emails": many}
    error_in(directory.client.post("/Users", json=body), 400, "invalidValue")
    assert directory.client.post("/Users", json={**body, "emails": many[1:]}).status_code == 201


@pytest.mark.contract("Directory provisioning 6")
def test_the_size_of_a_bulk_is_limited(directory: Directory) -> None:
    many = [post(f"u{nr}") for nr in range(MAX_OPERATIONS + 1)]
    error_in(directory.client.post("/Bulk", json={"Operations": many}), 413)
    error_in(directory.client.post("/Bulk", content=b" " * (2 << 20)), 413)
    error_in(directory.client.post("/Bulk", json={}), 400, "invalidSyntax")
    assert directory.search(filter='userName sw "u"') == []


def test_bulk_operations_run_in_order_of_their_references(directory: Directory) -> None:
    chain = [
        post(f"link{nr}", f"b{nr}", **{ENTERPRISE: {"manager": {"value": f"bulkId:b{nr + 1}"}}}, x=["-"] * 1000)
        for nr in range(99)
    ]
    done = bulk(directory, *chain, post("link99", "b99"))
    assert {each["status"] for each in done} == {"201"}


def test_a_deeply_nested_body_is_rejected(directory: Directory) -> None:
    for path in ("/Users", "/Groups", "/Bulk", "/.search"):
        for levels in (40, 500, 100_000):
            deep = f'{{"userName": "x", "x": {"[" * levels}{"]" * levels}}}'
            error_in(directory.client.post(path, content=deep), 400, "invalidSyntax")


@pytest.mark.contract("Directory provisioning 8")
def test_the_directory_describes_itself(directory: Directory) -> None:
    config = directory.client.get("/ServiceProviderConfig").json()
    assert all(config[name]["supported"] for name in ("patch", "bulk", "filter", "sort", "etag"))
    assert config["changePassword"] == {"supported": False}
    assert config["bulk"]["maxOperations"] == MAX_OPERATIONS
    for path, names in (("/Schemas", {"User", "EnterpriseUser", "Group"}), ("/ResourceTypes", {"User", "Group"})):
        page = directory.client.get(path).json()
        assert {each["name"] for each in page["Resources"]} == names
        assert page["totalResults"] == len(names)
        for each in page["Resources"]:
            one = directory.client.get(f"{path}/{each['id']}")
            assert one.json() == each
            assert each["meta"]["location"] == str(one.url)
        error_in(directory.client.get(f"{path}/nonsense"), 404)
        error_in(directory.client.get(path, params={"filter": "name pr"}), 403)


@pytest.mark.contract("Directory provisioning 9")
def test_every_error_follows_the_scim_schema(directory: Directory) -> None:
    error_in(directory.client.get("/nonsense"), 404)
    error_in(directory.client.get("/Users/a/b"), 404)
    answer = directory.client.delete("/Users")
    error_in(answer, 405)
    assert {"GET", "POST"} <= {each.strip() for each in answer.headers["allow"].split(",")}
    anonymous = directory.client.get("/Users", headers={"authorization": "Bearer x"})
    error_in(anonymous, 401)
    assert anonymous.headers["www-authenticate"] == "Bearer"
    error_in(directory.client.post("/Users", json={}), 400, "invalidValue")
    error_in(directory.client.post("/Users", json={"userName": "a\x00b"}), 400, "invalidValue")
    error_in(directory.client.post("/Users", json={"userName": "x" * 513}), 400, "invalidValue")
    error_in(directory.client.post("/Users", json={"userName": "x", "emails": "y"}), 400, "invalidValue")
    error_in(directory.client.get("/Users?filter=%00"), 400)
    outside = directory.api.client(None).get("/scim/v2x")
    assert outside.headers["content-type"] == "application/problem+json"


@pytest.mark.contract("Directory provisioning 3")
def test_an_invalid_patch_changes_nothing(directory: Directory) -> None:
    user = directory.user(title="Captain")
    first = {"op": "replace", "path": "title", "value": "Admiral"}
    for operation, scim_type in (
        ({"op": "frob", "path": "title", "value": "x"}, "invalidValue"),
        ({"op": "add", "path": "title"}, "invalidValue"),
        ({"op": "remove"}, "noTarget"),
        ({"op": "replace", "path": "emails[", "value": "x"}, "invalidPath"),
        ({"op": "add", "path": 'emails[type eq "\\udfff"].value', "value": "x"}, "invalidPath"),
        ({"op": "replace", "path": "id", "value": "x"}, "mutability"),
        ({"op": "replace", "path": "groups", "value": []}, "mutability"),
        ({"op": "remove", "path": "userName"}, "mutability"),
        ({"op": "replace", "path": "active", "value": "perhaps"}, "invalidValue"),
        ({"op": "replace", "path": 'emails[type co "work"].value', "value": "x"}, "noTarget"),
    ):
        error_in(directory.patch(user, first, operation), 400, scim_type)
    error_in(directory.client.patch(f"/Users/{user['id']}", json={"Operations": []}), 400, "invalidSyntax")
    error_in(directory.client.patch(f"/Users/{user['id']}", json={"Operations": ["x"]}), 400, "invalidSyntax")
    assert directory.read(user)["title"] == "Captain"


@pytest.mark.contract("Directory provisioning 9")
def test_rate_limit_errors_follow_the_scim_schema(server: RunningServer) -> None:
    with running_server(server.settings.with_changes(port=0, rate_limit=1)) as limited:
        api = new_organization(limited.settings, limited.url)
        client = api.integration
        answers = (client.get("/scim/v2/ServiceProviderConfig") for _ in range(500))
        over = next(answer for answer in answers if answer.status_code != 200)
        api.close()
    assert error_in(over, 429)
    assert int(over.headers["retry-after"]) >= 1


def test_a_create_repeated_with_its_idempotency_key_creates_once(directory: Directory) -> None:
    answers = [
        directory.client.post("/Groups", json={"displayName": "Once"}, headers={"idempotency-key": "k"})
        for _ in range(2)
    ]
    assert [each.status_code for each in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert len(directory.search("/Groups")) == 1
