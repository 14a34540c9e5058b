"""Pictures drawn with Pillow: the chart that goes with a message, and the slides of the talk."""

import io
import math
from collections.abc import Callable
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

PAPER, SEA, INK, GRID, AMBER, PALE = "#f7f9fb", "#0b3a53", "#22303a", "#d8e0e6", "#e8833a", "#5f8ea6"
MOON, SUN = 12.42, 12.0  # hours of a wave
Curve = Callable[[float], float]


class Axes(NamedTuple):
    """Where hour 0 and height 0 are in the picture, and how many pixels an hour and a metre take."""

    left: float
    base: float
    hour: float
    metre: float

    def point(self, hour: float, height: float) -> tuple[float, float]:
        """Return the place of a value in the picture."""
        return self.left + hour * self.hour, self.base - height * self.metre


def forecast_chart() -> bytes:
    """Return a day's forecast and readings at a gauge that falls dry at low water, as PNG."""
    picture, axes = Image.new("RGB", (960, 540), PAPER), Axes(70, 440, 35, 110)
    draw = ImageDraw.Draw(picture)
    _draw_grid(draw, axes)
    _draw_curve(draw, axes, _tide, SEA)
    for step in range(97):
        hour = step / 4
        x, y = axes.point(hour, max(0.35, _tide(hour) + 0.03 * math.sin(hour * 2.3)))
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=AMBER)
    draw.text((70, 26), "Sandhaven", fill=INK, font=_font(26))
    draw.text((910, 30), "line: forecast, dots: readings", fill=INK, font=_font(18), anchor="ra")
    return _png(picture)


def slide(title: str, number: int) -> bytes:
    """Return a slide of the talk as PNG: its title over the waves that it is about."""
    picture = Image.new("RGB", (1280, 720), SEA)
    draw = ImageDraw.Draw(picture)
    draw.text((90, 100), title, fill="white", font=_font(54))
    draw.text((90, 640), "Open Tide", fill=PALE, font=_font(28))
    draw.text((1190, 640), str(number), fill=PALE, font=_font(28), anchor="ra")
    hours, curves = _curves(number)
    axes = Axes(90, 420, 1100 / hours, 100)
    for curve in curves[:-1]:
        _draw_curve(draw, axes, curve, PALE, hours)
    _draw_curve(draw, axes, curves[-1], AMBER, hours)
    return _png(picture)


def _curves(number: int) -> tuple[int, list[Curve]]:
    """Return the hours that a slide shows, and its curves, the one to look at last."""
    moon, sun = _wave(MOON, 1.0), _wave(SUN, 0.45)
    if number <= 2:
        return 24, [moon]
    return (24, [moon, sun]) if number == 3 else (24 * 15, [lambda hour: moon(hour) + sun(hour)])


def _tide(hour: float) -> float:
    return 1.4 + _wave(MOON, 1.2)(hour - 10.3) + _wave(SUN, 0.15)(hour)


def _wave(period: float, height: float) -> Curve:
    return lambda hour: height * math.cos(hour * 2 * math.pi / period)


def _draw_grid(draw: ImageDraw.ImageDraw, axes: Axes) -> None:
    for hour in range(0, 25, 4):
        x, _ = axes.point(hour, 0)
        draw.line((x, 70, x, 470), fill=GRID)
        draw.text((x, 482), f"{hour:02}:00", fill=INK, font=_font(18), anchor="mt")
    for metre in range(4):
        _, y = axes.point(0, metre)
        draw.line((70, y, 910, y), fill=GRID)
        draw.text((58, y), f"{metre} m", fill=INK, font=_font(18), anchor="rm")


def _draw_curve(draw: ImageDraw.ImageDraw, axes: Axes, curve: Curve, color: str, hours: int = 24) -> None:
    times = (hours * step / 2000 for step in range(2001))
    draw.line([axes.point(hour, curve(hour)) for hour in times], fill=color, width=5, joint="curve")


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _png(picture: Image.Image) -> bytes:
    output = io.BytesIO()
    picture.save(output, "PNG")
    return output.getvalue()


FILES = {"forecast.png": forecast_chart}
