"""Which face a path has, routed or not: an unknown path under it is refused in its words too."""

from atrium.kit.faces import PLAIN, Face
from atrium.scim.face import SCIM


def face_of(path: str) -> Face:
    """The face of a path."""
    return SCIM if f"{path}/".startswith(f"{SCIM.prefix}/") else PLAIN
