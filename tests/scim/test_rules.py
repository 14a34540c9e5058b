"""Pure functions: conversions change nothing valid, lookups miss no match, steps are sets."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scim2_models import ScimFilter

from atrium.scim import compatibility, profile
from atrium.scim.errors import ScimError
from atrium.scim.etags import names
from atrium.scim.lookups import lookup_of
from atrium.scim.members import Add, Remove, RemoveMatching, Replace, split_member_operations
from atrium.scim.normalization import exact, folded
from atrium.scim.requests import apply, operations, patch, search
from atrium.scim.resources import ENTERPRISE, GROUP_SCHEMA, USER, USER_SCHEMA

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters='"\\', categories=["L", "N", "P"]), min_size=1, max_size=12
)
BARE = st.from_regex(r"[A-Za-z0-9@._+-]{1,20}", fullmatch=True).filter(
    lambda text: text.lower() not in compatibility.WORDS
)
ATTRIBUTES = st.sampled_from(
    ["userName", "externalId", "displayName", "emails.value", "title", 'emails[type eq "work"].value']
)
OPERATORS = st.sampled_from(["eq", "ne", "co", "sw", "ew"])


unhurried = settings(deadline=None)  # the machine may be busy


def quote(text: str) -> str:
    return str(ScimFilter.quote(text))


TERMS = st.builds(lambda a, o, v: f"{a} {o} {quote(v)}", ATTRIBUTES, OPERATORS, WORDS) | st.sampled_from(
    ["active eq true", "title pr", 'emails[type eq "home"]', "meta.created pr"]
)
FILTERS = st.recursive(
    TERMS,
    lambda inner: (
        st.builds(lambda a, o, b: f"({a}) {o} ({b})", inner, st.sampled_from(["and", "or"]), inner)
        | inner.map(lambda term: f"not ({term})")
    ),
    max_leaves=4,
)
EMAILS = st.lists(st.fixed_dictionaries({"value": WORDS, "type": st.sampled_from(["work", "home"])}), max_size=2)
USERS = st.fixed_dictionaries(
    {"userName": WORDS, "emails": EMAILS, "active": st.booleans()},
    optional={"title": WORDS, "displayName": WORDS, "externalId": WORDS},
)


@unhurried
@given(FILTERS)
def test_a_valid_filter_does_not_change(text: str) -> None:
    assert compatibility.add_quotes(text) == text
    assert search(("User",), {"filter": text}).filter == text


@unhurried
@given(ATTRIBUTES, OPERATORS, BARE)
def test_a_bare_value_is_read_as_quoted(attribute: str, operator: str, value: str) -> None:
    bare = search(("User",), {"filter": f"{attribute} {operator} {value} and active eq true"}).filter
    assert bare == f"{attribute} {operator} {quote(value)} and active eq true"


@unhurried
@given(st.text(max_size=60))
def test_any_text_is_a_filter_or_rejected(text: str) -> None:
    try:
        search(("User",), {"filter": text})
    except ScimError as error:
        assert error.scim_type in ("invalidFilter", "invalidValue")


@pytest.mark.contract("Directory provisioning 4")
@unhurried
@given(FILTERS, st.lists(USERS, min_size=1, max_size=4))
def test_a_lookup_misses_no_match(text: str, people: list[dict[str, Any]]) -> None:
    scim_filter = ScimFilter.__class_getitem__(USER)(text)
    lookup = lookup_of(scim_filter)
    for each in people:
        user = USER.model_validate(each)
        if lookup is not None and scim_filter.match(user):
            keys = profile.keys_of(user)
            found = {
                "userName": [keys.user_name],
                "externalId": [keys.external_id],
                "displayName": [keys.display_name],
                "emails": keys.emails,
            }
            assert lookup.key in found[lookup.attribute]


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ('userName eq "x"', "userName"),
        ('externalId eq "x"', "externalId"),
        ('id eq "x"', "id"),
        ('displayName eq "x"', "displayName"),
        ('emails.value eq "x"', "emails"),
        ('emails eq "x"', "emails"),
        ('emails[type eq "work"].value eq "x"', "emails"),
        ('emails[type eq "work" and value eq "x"]', "emails"),
        ('groups.value eq "x"', "groups"),
        ('active eq true and userName eq "x"', "userName"),
        ('userName eq "x" or title pr', None),
        ('not (userName eq "x")', None),
        ('userName sw "x"', None),
        ('emails.type eq "work"', None),
        (f'{ENTERPRISE}:department eq "x"', None),
        ('emails[type eq "x"]', None),
        ('emails[type eq "work" or value eq "x"]', None),
        ('name.givenName eq "x"', None),
    ],
)
def test_the_filters_of_providers_use_an_index(text: str, attribute: str | None) -> None:
    lookup = lookup_of(ScimFilter.__class_getitem__(USER)(text))
    assert (lookup and lookup.attribute) == attribute


@unhurried
@given(st.text(max_size=30))
def test_a_key_is_its_own_key(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert exact(exact(text)) == exact(text)
    assert folded(exact(text)) == folded(text)


PATHS = st.sampled_from(
    [
        None,
        "title",
        "active",
        "name",
        "name.givenName",
        "emails",
        'emails[type eq "work"].value',
        "members",
        f"{ENTERPRISE}:manager",
        f"{ENTERPRISE}:department",
        ENTERPRISE,
        "userName",
        "id",
        "x",
        "emails[",
        "",
        " ",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["True", "False", "a@b.c"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["value", "type", "givenName", "active", "manager", "emails", "id", ENTERPRISE]), inner
        )
    ),
    max_leaves=5,
)
OPERATIONS = st.fixed_dictionaries(
    {"op": st.sampled_from(["Add", "add", "Replace", "remove", "Remove", "x", 1, None])},
    optional={"path": PATHS, "value": VALUES},
)


@unhurried
@given(st.lists(OPERATIONS, min_size=1, max_size=3))
def test_any_patch_is_applied_or_rejected_and_the_original_does_not_change(ops: list[dict[str, Any]]) -> None:
    before = USER.model_validate({"userName": "ada", "active": True, "emails": [{"value": "a@x.org", "type": "work"}]})
    dumped = before.model_dump()
    try:
        after = apply(patch(USER, operations({"Operations": ops})), before)
    except ScimError:
        after = before
    assert before.model_dump() == dumped
    assert after.user_name
    assert USER.model_validate(profile.attributes_of(after)).user_name == after.user_name


@unhurried
@given(OPERATIONS)
def test_normalizing_an_operation_is_idempotent(operation: dict[str, Any]) -> None:
    for once in compatibility.operations(operation):
        assert compatibility.operations(once) == [once]


ONE, TWO = "01936f4e-8f2a-7c31-9d4b-5e6f70819203", "01936f4e-8f2a-7c31-9d4b-5e6f70819204"


@pytest.mark.parametrize(
    ("operation", "step"),
    [
        ({"op": "add", "path": "members", "value": [{"value": ONE}]}, Add),
        ({"op": "Add", "path": "Members", "value": {"value": ONE}}, Add),
        ({"op": "add", "value": {"members": [{"value": ONE}]}}, Add),
        ({"op": "add", "path": f'members[value eq "{ONE}"]', "value": []}, Add),
        ({"op": "replace", "path": "members", "value": [ONE]}, Replace),
        ({"op": "replace", "value": {"Members": [{"$ref": f"https://x/Users/{ONE}"}]}}, Replace),
        ({"op": "remove", "path": "members", "value": [{"value": ONE}]}, Remove),
        ({"op": "remove", "path": "members", "value": [ONE]}, Remove),
        ({"op": "remove", "path": "members", "value": ONE}, Remove),
        ({"op": "remove", "path": f"members[value eq {ONE}]"}, Remove),
    ],
)
def test_a_step_on_members_is_read_in_every_format(operation: dict[str, Any], step: type) -> None:
    [found], others = split_member_operations(operations({"Operations": [operation]}))
    assert isinstance(found, step)
    assert not isinstance(found, RemoveMatching)
    assert [str(each) for each in found.ids] == [ONE]
    assert others == []


def test_members_and_other_attributes_are_separated() -> None:
    ops = [
        {"op": "remove", "path": f'members[value eq "{ONE}" or value eq "{TWO}"]'},
        {"op": "replace", "value": {"displayName": "x", "members": []}},
        {"op": "remove", "path": 'members[display eq "x"]'},
        {"op": "remove", "path": "members"},
        {"op": "add", "path": "externalId", "value": "7"},
    ]
    steps, others = split_member_operations(operations({"Operations": ops}))
    assert [type(each) for each in steps] == [Remove, Replace, RemoveMatching, Replace]
    assert [str(each) for each in steps[0].ids] == [ONE, TWO]  # type: ignore[union-attr]
    assert [each.get("path") for each in others] == [None, "externalId"]
    assert others[0]["value"] == {"displayName": "x"}


@pytest.mark.parametrize(
    ("fields", "name", "address"),
    [
        ({"displayName": "Ada L.", "name": {"formatted": "Dr. Ada"}}, "Ada L.", None),
        ({"displayName": " ", "name": {"formatted": "Dr. Ada"}}, "Dr. Ada", None),
        (
            {"name": {"givenName": "Ada"}, "emails": [{"value": "h@x.org"}, {"value": "w@x.org", "type": "work"}]},
            "Ada",
            "w@x.org",
        ),
        ({"emails": [{"value": "w@x.org", "type": "work"}, {"value": "p@x.org", "primary": True}]}, "ada", "p@x.org"),
        ({"userName": "ada@x.org", "emails": [{"value": "nonsense"}]}, "ada@x.org", "ada@x.org"),
        ({"displayName": "x" * 300}, "x" * 200, None),
    ],
    ids=["display name", "formatted", "parts", "user name", "user name as address", "long"],
)
def test_name_and_address_are_read_from_a_user(fields: dict[str, Any], name: str, address: str | None) -> None:
    user = USER.model_validate({"userName": "ada", **fields})
    assert (profile.name_of(user), profile.address_of(user)) == (name, address)


@pytest.mark.parametrize(
    ("header", "matches"),
    [('W/"1"', True), ('"1"', True), ("*", True), ('"2", W/"1"', True), ('W/"2"', False), ("", False), ("1", True)],
)
def test_tags_are_compared_weakly(header: str, matches: bool) -> None:
    assert names(header, 'W/"1"') is matches


def mixed_case(text: str) -> st.SearchStrategy[str]:
    """Return spellings of a text in other cases."""
    return st.lists(st.booleans(), min_size=len(text), max_size=len(text)).map(
        lambda upper: "".join(c.upper() if is_upper else c.lower() for c, is_upper in zip(text, upper, strict=True))
    )


def spellings(schema: str, attribute: str) -> st.SearchStrategy[str]:
    """Return the ways to write the path of an attribute: with or without its schema, in any case, among spaces."""
    space = st.sampled_from(["", " "])
    names = st.one_of(mixed_case(attribute), st.builds(str.__add__, mixed_case(f"{schema}:"), mixed_case(attribute)))
    return st.builds(lambda before, name, after: before + name + after, space, names, space)


MEMBER_VALUES = st.sampled_from([ONE, [ONE], {"value": ONE}, [{"value": ONE}], [{"$ref": f"https://x/Users/{ONE}"}]])


@pytest.mark.contract("Directory provisioning 11")
@unhurried
@given(spellings(GROUP_SCHEMA, "members"), MEMBER_VALUES, st.sampled_from(["remove", "add", "replace"]))
def test_members_in_any_spelling_are_those_members(path: str, value: Any, verb: str) -> None:
    expected = [{"remove": Remove, "add": Add, "replace": Replace}[verb]([UUID(ONE)])]
    assert split_member_operations(operations({"Operations": [{"op": verb, "path": path, "value": value}]})) == (
        expected,
        [],
    )
    if verb != "remove":
        assert split_member_operations(operations({"Operations": [{"op": verb, "value": {path: value}}]})) == (
            expected,
            [],
        )


WORK = {"userName": "ada", "emails": [{"value": "a@x", "type": "work"}, {"value": "h@x", "type": "home"}]}
MAIL = st.builds(
    "".join,
    st.tuples(
        spellings(USER_SCHEMA, "emails").map(str.strip),
        mixed_case("[type "),
        mixed_case("eq "),
        st.sampled_from(['"work"', "work"]),
        mixed_case("].value"),
    ),
)


@pytest.mark.contract("Directory provisioning 11")
@unhurried
@given(MAIL, st.sampled_from(["add", "Replace"]), st.booleans())
def test_an_address_by_its_type_is_changed_with_and_without_a_path(path: str, verb: str, has_path: bool) -> None:
    op = {"op": verb, "path": path, "value": "n@x"} if has_path else {"op": verb, "value": {path: "n@x"}}
    after = apply(patch(USER, operations({"Operations": [op]})), USER.model_validate(WORK))
    assert [each.value for each in after.emails or ()] == ["n@x", "h@x"]


@pytest.mark.contract("Directory provisioning 11")
@unhurried
@given(spellings(USER_SCHEMA, "emails"), st.sampled_from(["h@x", ["h@x"], {"value": "h@x"}, [{"value": "h@x"}]]))
def test_removing_an_entry_of_a_list_in_any_spelling_leaves_the_others(path: str, value: Any) -> None:
    op = {"op": "remove", "path": path, "value": value}
    after = apply(patch(USER, operations({"Operations": [op]})), USER.model_validate(WORK))
    assert [each.value for each in after.emails or ()] == ["a@x"]


@pytest.mark.contract("Directory provisioning 11")
@pytest.mark.parametrize(
    "op",
    [
        {"value": {"nonsense": 1}},
        {"value": {"title": "x", "nonsense": 1}},
        {"value": {"name": {"nonsense": 1}}},
        {"value": {"manager": "8"}},
        {"value": {'emails[type eq "work"].nonsense': 1}},
        {"value": {"emails[": 1}},
        {"value": {"emails": [{"value": "a@x", "nonsense": 1}]}},
        {"value": {ENTERPRISE: {"nonsense": 1}}},
        {"path": f"{USER_SCHEMA}:nonsense", "value": 1},
        {"path": f"{ENTERPRISE.upper()}:nonsense", "value": 1},
        {"path": "name", "value": {"nonsense": 1}},
        {"path": ENTERPRISE, "value": {"nonsense": 1}},
        {"path": USER_SCHEMA, "value": {"nonsense": 1}},
        {"path": 'emails[type eq "work"]', "value": {"nonsense": 1}},
    ],
)
def test_an_attribute_that_does_not_exist_is_not_taken_for_a_change(op: dict[str, Any]) -> None:
    with pytest.raises(ScimError) as raised:
        patch(USER, operations({"Operations": [{"op": "replace", **op}]}))
    assert raised.value.scim_type == "invalidPath"


@pytest.mark.contract("Directory provisioning 4")
@pytest.mark.parametrize(
    ("text", "quoted_text"),
    [
        ("displayName eq EDU All personal", 'displayName eq "EDU All personal"'),
        ("displayName eq Sales and Support", 'displayName eq "Sales and Support"'),
        ("displayName eq R&D (Berlin) [new]", 'displayName eq "R&D (Berlin) [new]"'),
        ("displayName eq A B and active eq true", 'displayName eq "A B" and active eq true'),
        ("(displayName eq A B) or not (title eq C D)", '(displayName eq "A B") or not (title eq "C D")'),
        ("title eq true love", 'title eq "true love"'),
        (
            "emails[type eq work mail and value sw a].value eq b",
            'emails[type eq "work mail" and value sw "a"].value eq "b"',
        ),
    ],
)
def test_a_bare_value_may_contain_spaces(text: str, quoted_text: str) -> None:
    assert search(("User",), {"filter": text}).filter == quoted_text


def test_attributes_without_a_path_may_be_many_and_nested() -> None:
    many = {f"attribute{nr}": nr for nr in range(200_000)}
    [operation] = compatibility.operations({"op": "replace", "value": many})
    assert operation["value"] == many
    nested: Any = {"title": "x"}
    for _ in range(10_000):
        nested = {USER_SCHEMA: nested}
    assert compatibility.operations({"op": "replace", "value": nested})
