"""Colours that can be read: contrast as WCAG 2 defines it (section 1.4.3, relative luminance)."""

_STEPS = 100
_RED, _GREEN, _BLUE = 0.2126, 0.7152, 0.0722
Colour = tuple[int, int, int]


def readable(text: str, background: str, ratio: float) -> str | None:
    """The colour nearest to ``text`` that has ``ratio`` on ``background``; all are ``#rrggbb``.

    It is ``text`` mixed with black or with white. None when neither reaches the ratio.
    """
    behind, front = _parse(background), _parse(text)
    for step in range(1, _STEPS + 1):
        for end in ((0, 0, 0), (255, 255, 255)):
            mixed = _mix(front, end, step / _STEPS)
            if contrast(mixed, behind) >= ratio:
                return "#{:02x}{:02x}{:02x}".format(*mixed)
    return None


def contrast(one: Colour, other: Colour) -> float:
    """1–21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _parse(text: str) -> Colour:
    number = int(text.removeprefix("#"), 16)
    return number >> 16 & 255, number >> 8 & 255, number & 255


def _mix(one: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (
        round(mine + (theirs - mine) * part) for mine, theirs in zip(one, other, strict=True)
    )
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return _RED * red + _GREEN * green + _BLUE * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
