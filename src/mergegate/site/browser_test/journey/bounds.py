"""How far a journey goes, and how much of a page it keeps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Beyond them there is a note, never silence."""

    pages: int = 5
    tabs: int = 4
    """Pages that are open at once; no result depends on it."""
    journey_s: float = 300.0
    page_s: float = 60.0
    """All that is done on one page."""
    load_s: float = 20.0
    """Until the page has loaded; what it looks like by then is looked at."""
    settle_s: float = 4.0
    """After that, for scripts that are still building it."""
    step_s: float = 10.0
    """For one look at a page; a page that takes longer to let us look hangs."""
    axe_s: float = 20.0
    links: int = 3000
    """Of one page, as the next ones."""
    anchors: int = 50_000
    faults: int = 100
    """Different ones."""
    events: int = 2000
    """Messages of the browser about a page, and as many about its workers and the frames of others
    in it together; it is deaf to what comes after."""
    branches: int = 50
    """Workers and frames of others that are listened to in one page."""
    nodes: int = 10
    """Elements told of one rule of axe."""
    boxes: int = 8
    picture_height: int = 4000
    """Pixels."""
    picture_bytes: int = 700_000
    body_bytes: int = 5_000_000
    """Of the page as the server sent it."""

    def __post_init__(self) -> None:
        if self.pages < 1 or self.tabs < 1:
            raise ValueError("a journey has at least one page and one tab")
