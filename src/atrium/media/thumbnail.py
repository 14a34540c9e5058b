"""The process that makes a thumbnail: an image on standard input, a line of JSON and a WebP image on standard output.

It runs within limits of memory and time that the kernel enforces. Only the pixels are copied: no EXIF, no comments, no
color profile. The orientation in EXIF is applied.
"""

import json
import resource
import sys
from io import BytesIO
from typing import BinaryIO

from PIL import Image, ImageOps

from atrium.media.limits import MAX_PIXELS, TOO_LARGE

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
MAX_SIDE = 480
MAX_MEMORY, MAX_CPU_SECONDS = 1 << 30, 20


def make(file: BinaryIO) -> tuple[dict[str, int], bytes]:
    """Return the size of the image as it is displayed, and its thumbnail. Exits with TOO_LARGE for too many pixels."""
    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    image: Image.Image = Image.open(file, formats=FORMATS)
    width, height = image.size
    if width * height > MAX_PIXELS:
        sys.exit(TOO_LARGE)
    is_rotated = image.getexif().get(0x0112, 1) >= 5
    size = {"width": height, "height": width} if is_rotated else {"width": width, "height": height}
    image.draft(None, (MAX_SIDE * 2, MAX_SIDE * 2))
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    small = ImageOps.exif_transpose(image)
    has_alpha = "A" in small.getbands() or "transparency" in small.info
    plain = small.convert("RGBA" if has_alpha else "RGB")
    plain.info.clear()
    out = BytesIO()
    plain.save(out, "WEBP", quality=80)
    return size, out.getvalue()


def main() -> None:
    """Make one thumbnail."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    size, picture = make(sys.stdin.buffer)
    sys.stdout.buffer.write(json.dumps(size).encode() + b"\n" + picture)


if __name__ == "__main__":
    main()
