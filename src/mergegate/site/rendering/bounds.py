"""How long a page may take to become what it is, and how much of it is kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Beyond them the page is told as far as it was seen."""

    page_s: float = 60.0
    """All that is done on one page."""
    load_s: float = 20.0
    """Until it has loaded; what it looks like by then is looked at."""
    settle_s: float = 4.0
    """After that, for scripts that are still loading something."""
    step_s: float = 10.0
    """For one look at it; a page that takes longer to let us look hangs."""
    requests: int = 2_000
    events: int = 5_000
    """Messages of the browser about a page, of each kind; it is deaf to what comes after."""
    html_letters: int = 5 * 1024 * 1024
    breaches: int = 300
    """Different ones."""
    errors: int = 50
    """Different ones."""
    cookies: int = 100
    body_bytes: int = 8 * 1024 * 1024
    """Of the page's own answer, where a policy is put on it."""
