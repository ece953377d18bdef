"""What every engine adapter looks like, and what a run hands back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from mergegate.core.report import EngineRun
from mergegate.core.tree import Skipped, SourceFile, Tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class EngineContext:
    """What an adapter may use: a private stage, limits, and its share of the cores."""

    stage: Stage
    limits: Limits = Limits()
    jobs: int = 2
    ahead: tuple[SourceFile, ...] = ()
    """Files of another tree of this scan: file engines answer about them along with their own."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A fact, or several, with the receipt of how they came about."""

    facts: tuple[Any, ...]
    """Each is keyed by its type."""
    run: EngineRun
    limited: tuple[Skipped, ...] = ()
    """Files of which the engine could not see everything."""


@dataclass(frozen=True, slots=True)
class Examination(Generic[Answer]):
    """What a file engine says of the files it was given, by :attr:`SourceFile.key`."""

    answers: Mapping[str, Answer]
    problems: Mapping[str, str] = field(default_factory=dict)
    """Files it could not see in full, with the reason; such answers are not cached."""


class Engine(Protocol):
    """Gathers its facts from the whole tree."""

    name: str

    def version(self) -> str:
        """The engine's own version; raises EngineMissing."""
        ...

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """Run and record; raises EngineError when there is no trustworthy answer."""
        ...


class FileEngine(Protocol[Answer]):
    """Answers file by file from the bytes (and language) alone, so answers can be cached."""

    name: str
    answer: type[Answer]
    """A frozen dataclass that pydantic can save and reload."""

    def version(self) -> str:
        """The engine's own version; raises EngineMissing."""
        ...

    def identity(self) -> str:
        """All that decides an answer beside the file: rules, options, our own revision."""
        ...

    def wants(self, file: SourceFile) -> bool:
        """Whether the file is this engine's business."""
        ...

    def examine(self, files: Sequence[SourceFile], context: EngineContext) -> Examination[Answer]:
        """Answers for ``files``, all with different keys; raises EngineError."""
        ...


class Memory(Protocol):
    """Remembers answers by key; a lost answer only costs time."""

    def recall(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """The values known under ``keys``."""
        ...

    def remember(self, values: Mapping[str, bytes]) -> None:
        """Keep ``values``."""
        ...
