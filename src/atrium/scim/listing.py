"""Search with filters, order and pages (RFC 7644, sections 3.4.2 and 3.4.3).

A filter on an indexed attribute reads only the rows that it finds; a list without filter and order reads only its page.
Any other search reads all resources of the organization in batches, and holds only one page or the sort keys in memory.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from scim2_models import Resource, ScimFilter, SearchRequest
from scim2_models import ResponseParameters as Selection

from atrium.keys.caller import Call
from atrium.kit.http.paging import FIRST
from atrium.kit.text.types import UUID_TEXT
from atrium.organizations.reach import Organization
from atrium.scim.kinds import KINDS, Entry, Kind, Members, entries
from atrium.scim.lookups import Lookup, lookup_of
from atrium.scim.resources import MAX_PAGE, MODELS, PAGE, library_errors

BATCH = 500
IDS = {"id", "members", "groups"}
Search: TypeAlias = "SearchRequest[Any]"


class Bounds(NamedTuple):
    """The number of matches before the page, and the page size."""

    skipped: int
    size: int

    def contains(self, number: int) -> bool:
        """Return whether the match with this number, from 0, is on the page."""
        return self.skipped <= number < self.skipped + self.size


class Found(NamedTuple):
    """A page of matches, its start and the total number of matches."""

    page: list[Entry]
    start: int
    total: int


async def search(call: Call, organization: Organization, kinds: Sequence[str], request: Search) -> Found:
    """Return the matching resources in the requested order, by default by age, users before groups."""
    start = request.start_index or 1
    bounds = Bounds(start - 1, min(PAGE if request.count is None else request.count, MAX_PAGE))
    if request.filter is None and request.sort_by is None and len(kinds) == 1:
        page, total = await _page(call, organization, KINDS[kinds[0]], request, bounds)
    elif request.sort_by is None:
        page, total = await _slice(_matches(call, organization, kinds, request), bounds)
    else:
        page, total = await _sorted(call, organization, kinds, request, bounds)
    return Found(page, start, total)


async def _page(
    call: Call, organization: Organization, kind: Kind, request: Search, bounds: Bounds
) -> tuple[list[Entry], int]:
    total: int = await call.db.fetchval(kind.count, organization.organization_id)
    rows = await call.db.fetch(kind.page, organization.organization_id, min(bounds.skipped, total), bounds.size)
    ids = [UUID(str(row[0])) for row in rows]
    return await entries(call, organization, kind, ids, members=members_for(request)), total


async def _slice(matches: AsyncIterator[Entry], bounds: Bounds) -> tuple[list[Entry], int]:
    page, total = [], 0
    async for entry in matches:
        if bounds.contains(total):
            page.append(entry)
        total += 1
    return page, total


async def _sorted(
    call: Call, organization: Organization, kinds: Sequence[str], request: Search, bounds: Bounds
) -> tuple[list[Entry], int]:
    """Sort keys and ids only, then read the page. Resources without a sort value come last."""
    found: list[tuple[bool, Any, str, UUID]] = []
    async for entry in _matches(call, organization, kinds, request):
        with library_errors():
            value = request.sort_value(entry.model)
        found.append((value is None, "" if value is None else value, entry.kind, entry.id))
    descending = request.sort_order == SearchRequest.SortOrder.descending
    found.sort(key=lambda match: match[:2], reverse=descending)
    wanted = found[bounds.skipped : bounds.skipped + bounds.size]
    read: dict[UUID, Entry] = {}
    for name in kinds:
        ids = [each for _, _, kind, each in wanted if kind == name]
        for entry in await entries(call, organization, KINDS[name], ids, members=members_for(request)):
            read[entry.id] = entry
    return [read[each] for *_, each in wanted if each in read], len(found)


async def _matches(
    call: Call, organization: Organization, kinds: Sequence[str], request: Search
) -> AsyncIterator[Entry]:
    for name in kinds:
        kind, made = KINDS[name], None
        if request.filter is not None:
            with library_errors():
                made = ScimFilter.__class_getitem__(MODELS[name])(str(request.filter))
        async for entry in _candidates(call, organization, kind, request):
            if made is None or _match(made, entry.model):
                yield entry


def _match(scim_filter: "ScimFilter[Any]", model: Resource[Any]) -> bool:
    with library_errors():
        return scim_filter.match(model)


async def _candidates(call: Call, organization: Organization, kind: Kind, request: Search) -> AsyncIterator[Entry]:
    lookup = lookup_of(request.filter)
    named = f"{request.filter} {request.sort_by}".lower()
    members = Members.NAMED if "members" in named else members_for(request)
    if lookup is not None:
        for entry in await entries(
            call, organization, kind, await _ids(call, organization, kind, lookup), members=members
        ):
            yield entry
        return
    last, more = FIRST, True
    while more:
        rows = await call.db.fetch(kind.after, organization.organization_id, last, BATCH)
        ids = [UUID(str(row[0])) for row in rows]
        for entry in await entries(call, organization, kind, ids, members=members):
            yield entry
        last, more = (ids[-1], len(ids) == BATCH) if ids else (last, False)


async def _ids(call: Call, organization: Organization, kind: Kind, lookup: Lookup) -> list[UUID]:
    """Return the ids that a lookup finds; none if this kind of resource lacks the attribute."""
    if lookup.attribute not in kind.lookups:
        return []
    key: str | UUID = lookup.key
    if lookup.attribute in IDS:
        if not UUID_TEXT.fullmatch(lookup.key):
            return []
        key = UUID(lookup.key)
    rows = await call.db.fetch(kind.lookups[lookup.attribute], organization.organization_id, key)
    return sorted({UUID(str(row[0])) for row in rows})


def members_for(selection: "Selection[Any]") -> Members:
    """Return how much of `members` the response needs."""
    named = " ".join(str(path).lower() for path in selection.attributes or ())
    excluded = {str(path).lower().rpartition(":")[2] for path in selection.excluded_attributes or ()}
    if named:
        return Members.NAMED if "members.display" in named else Members.IDS if "members" in named else Members.NONE
    return Members.NONE if "members" in excluded else Members.IDS
