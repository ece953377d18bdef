"""What a prediction is: what will happen, where, why, and the file that prevents it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from mergegate.core.data_table import read_table
from mergegate.doctor.predict.settings import Settings
from mergegate.doctor.predict.yaml.edit import Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A repository as its CI sees it. All texts are hostile."""

    files: Mapping[str, str]
    """Path with ``/`` → text: what :func:`mergegate.doctor.files.wanted` asked for."""
    settings: Settings = field(default_factory=Settings)
    branch: str | None = None
    """The branch checked out; None when detached or unknown."""
    provider: str | None = None
    """``github``, ``gitlab`` or ``bitbucket`` as the origin tells; None where it does not."""
    commits_fixes: bool = False
    """Whether the policy lets an ordered fix be committed."""
    proposes_upgrades: bool = False
    """Whether the policy lets a schedule keep a pull request with upgrades."""


class Outcome(StrEnum):
    """How bad it will be; declared worst first."""

    BREAKS = "breaks"
    """Merging is blocked for ever, a gate passes unseen, or the answer never appears."""
    WARNS = "warns"
    """It fails for some changes, or loses something on the way."""
    NOTES = "notes"
    """Works as intended, but surprises."""

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Outcome).index(self)


Edits: TypeAlias = Mapping[str, tuple[Edit, ...]]
"""Path → edits of that file."""


class Place(NamedTuple):
    """Where something goes wrong."""

    path: str
    line: int
    """From 1; 0 where there is no better one than the first."""
    subject: str = ""
    """Tells two predictions of one kind in one file apart: a job, a step."""


class Running(Protocol):
    """Where Mergegate runs on a platform: a place, and more."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def line(self) -> int:
        """Where the job or step stands."""

    @property
    def subject(self) -> str:
        """The same before and after an edit elsewhere in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What all predictions of one id share: an entry of a ``kinds.toml``."""

    id: str
    """Kebab-case, permanent, its platform first."""
    outcome: Outcome
    """The usual one; what is known of the settings may change it."""
    title: str
    """What goes wrong, one clause without a full stop."""
    happens: str = ""
    """Whole sentences in the user's words; ``{name}`` is filled in with what was found."""
    cases: Mapping[str, str] = field(default_factory=dict)
    """Case → such a sentence, where there is more than one."""
    why: str
    """The platform's rule behind it, in whole sentences."""
    advice: str
    """What to do, in whole sentences."""
    reference: str
    """The page that says so."""

    def at(
        self,
        place: "Place | Running",
        case: str = "",
        /,
        *,
        line: int = 0,
        subject: str = "",
        advice: str = "",
        outcome: Outcome | None = None,
        edits: Edits | tuple[Edit, ...] | Edit = (),
        new_files: Mapping[str, str] | None = None,
        **found: object,
    ) -> "Prediction":
        """A prediction of this kind; ``line`` and ``subject`` are the place's where not given.

        Edits without a path are of the place's file.
        """
        if not isinstance(edits, Mapping):
            listed = edits if isinstance(edits, tuple) else (edits,)
            edits = {place.path: listed} if listed else {}
        return Prediction(
            kind=self,
            outcome=outcome or self.outcome,
            path=place.path,
            line=max(line or place.line, 1),
            subject=subject or place.subject,
            happens=(self.cases[case] if case else self.happens).format(**found),
            advice=advice or self.advice,
            edits=edits,
            new_files=new_files or {},
        )


_HERE = Path(__file__).parent
KINDS: Mapping[str, Kind] = {
    id: kind
    for folder in (_HERE, _HERE / "github", _HERE / "gitlab", _HERE / "bitbucket")
    for id, kind in read_table(folder / "kinds.toml", Kind).items()
}
"""Everything that is predicted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One thing that will go wrong. All texts in it but the kind's are hostile."""

    kind: Kind
    outcome: Outcome
    path: str
    """Relative to the repository, with ``/``."""
    line: int
    """From 1; 1 where there is no better one."""
    subject: str
    """Tells two predictions of one kind in one file apart: a job, a step."""
    happens: str
    """In the user's words, one or two whole sentences."""
    advice: str
    edits: Edits = field(default_factory=dict)
    """Empty where nothing in the files prevents it."""
    new_files: Mapping[str, str] = field(default_factory=dict)
    corrected: Mapping[str, str] | None = None
    """Path → whole text of each file that changes or is new, once it was tried; None: advice alone.
    """

    @property
    def key(self) -> tuple[str, str, str]:
        """The same before and after a correction elsewhere."""
        return self.kind.id, self.path, self.subject


View = TypeVar("View")
"""A platform's files as that platform reads them."""


Find: TypeAlias = Callable[[Kind, View], Iterator[Prediction]]


@dataclass(frozen=True, slots=True)
class Predictor(Generic[View]):
    """A kind and the function that finds it."""

    kind: Kind
    find: Find[View]


def predicts(id: str) -> Callable[[Find[View]], Predictor[View]]:
    """Bind the function that finds the kind ``id`` to it."""
    return lambda find: Predictor(KINDS[id], find)


def looking(
    see: Callable[[Scene], View], *modules: ModuleType
) -> Callable[[Scene], Iterator[Prediction]]:
    """The function that asks every predictor of ``modules``, in their order, about a scene."""
    named = (one for module in modules for one in vars(module).values())
    predictors = [one for one in named if isinstance(one, Predictor)]

    def predictions(scene: Scene) -> Iterator[Prediction]:
        seen = see(scene)
        for predictor in predictors:
            yield from predictor.find(predictor.kind, seen)

    return predictions
