"""What was fetched without a browser: an address, each answer on the way, and the last body."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One response; all of it is hostile text."""

    url: str
    """What was asked for."""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Headers in the order in which they were sent, names in lower case."""
    took_ms: int = 0
    """Time from the request to the head of the answer."""

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a header, ``name`` in small letters."""
        return tuple(value for key, value in self.headers if key == name)

    def first(self, name: str) -> str:
        """Its first value; empty when it was not sent."""
        return next(iter(self.all(name)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What came of asking for one address, redirects followed."""

    url: str
    """What was asked for first."""
    answers: tuple[Answer, ...] = ()
    """One a hop, the last of them final unless ``failure`` says otherwise."""
    body: bytes = field(default=b"", repr=False)
    """Body of the last answer, unpacked, as far as it was read."""
    whole: bool = True
    """Whether the body is all there."""
    wire_bytes: int = 0
    """Size of the last answer's body, as it was sent."""
    text: str = field(default="", repr=False)
    """The body decoded, when it is text."""
    failure: str = ""
    """Why there is no last answer, one clause of our own words; empty when there is one."""
    refused: bool = False
    """Whether a scan may not go there."""
    too_large: bool = False
    """Whether the answer is more than is read."""

    @property
    def final(self) -> Answer | None:
        """The answer that counts; None when there is none."""
        return self.answers[-1] if self.answers and not self.failure else None

    @property
    def answered(self) -> bool:
        """Whether a server is there, if only with what no page can be made of."""
        return bool(self.answers) or self.too_large

    @property
    def final_url(self) -> str:
        """Where the redirects ended."""
        return self.answers[-1].url if self.answers else self.url

    @property
    def status(self) -> int | None:
        """The final answer's status; None when there is none."""
        return self.final.status if self.final else None

    @property
    def ok(self) -> bool:
        """Whether it was answered with what was asked for."""
        return self.final is not None and 200 <= self.final.status < 300

    def header(self, name: str) -> str:
        """The first value in the final answer; empty when there is none."""
        return self.final.first(name) if self.final else ""
