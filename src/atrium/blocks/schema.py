"""The JSON Schema of a block of a page. Responses encode Block, whose content is stored JSON; each has one of these
forms."""

from functools import reduce
from operator import or_
from typing import Any, get_args, get_type_hints

import msgspec

from atrium.blocks.model import TypedContent
from atrium.blocks.reach import Block


def block_union() -> Any:
    """Return a block as a union of structs, one for each type of block, for the OpenAPI document."""
    return reduce(or_, (_block_of_type(typed) for typed in get_args(TypedContent)))


def _block_of_type(typed: Any) -> Any:
    fields = {**get_type_hints(Block, include_extras=True), "content": typed.__annotations__["content"]}
    tag_field = typed.__struct_config__.tag_field
    del fields[tag_field]
    return msgspec.defstruct(
        f"{typed.__name__}Block",
        fields.items(),
        tag_field=tag_field,
        tag=typed.__struct_config__.tag,
        frozen=True,
        namespace={"__doc__": f"A block of a room's page, of type `{typed.__struct_config__.tag}`."},
    )
