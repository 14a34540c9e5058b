"""The process that makes a thumbnail: an image on its standard input, a line of JSON and a WebP picture on its output.

It runs within limits of memory and time that the kernel holds it to. Nothing but the pixels is taken over: no EXIF, no
comments, no colour profile; the orientation that EXIF tells is applied.
"""

import json
import resource
import sys
from io import BytesIO
from typing import BinaryIO

from PIL import Image, ImageOps

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
LONGEST_SIDE = 480
MOST_PIXELS = 64_000_000
MOST_MEMORY, MOST_CPU_SECONDS = 1 << 30, 20
REFUSED = 3  # exit status for too many pixels


def make(file: BinaryIO) -> tuple[dict[str, int], bytes]:
    """The size of the image as it is shown, and its thumbnail. Exits with REFUSED for too many pixels."""
    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    image: Image.Image = Image.open(file, formats=FORMATS)
    width, height = image.size
    if width * height > MOST_PIXELS:
        sys.exit(REFUSED)
    turned = image.getexif().get(0x0112, 1) >= 5
    size = {"width": height, "height": width} if turned else {"width": width, "height": height}
    image.draft(None, (LONGEST_SIDE * 2, LONGEST_SIDE * 2))
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    small = ImageOps.exif_transpose(image)
    has_alpha = "A" in small.getbands() or "transparency" in small.info
    plain = small.convert("RGBA" if has_alpha else "RGB")
    plain.info.clear()
    out = BytesIO()
    plain.save(out, "WEBP", quality=80)
    return size, out.getvalue()


def main() -> None:
    """Answer one image."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS))
    size, picture = make(sys.stdin.buffer)
    sys.stdout.buffer.write(json.dumps(size).encode() + b"\n" + picture)


if __name__ == "__main__":
    main()
