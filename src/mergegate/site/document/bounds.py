"""How much of a document is kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Numbers of things, and letters of texts."""

    html: int = 5 * 1024 * 1024
    """Letters that are read at all."""
    titles: int = 10
    metas: int = 500
    links: int = 1_000
    anchors: int = 5_000
    headings: int = 1_000
    images: int = 2_000
    scripts: int = 1_000
    forms: int = 200
    inputs: int = 300
    """Of one form."""
    resources: int = 5_000
    blocks: int = 5_000
    json_ld: int = 100
    items: int = 500
    times: int = 200
    text: int = 500_000
    """Letters of everything a visitor may read, and of what is said without scripts."""
    block: int = 50_000
    """Letters of one block."""
    phrase: int = 1_000
    """Letters of a title, an anchor, a heading and the like."""
    value: int = 10_000
    """Letters of a ``meta``."""
    hidden: int = 200
    """Letters of a hidden field."""
    json: int = 512 * 1024
    """Letters of one JSON-LD script that are parsed."""
