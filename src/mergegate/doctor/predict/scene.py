"""Everything a prediction may look at: the CI files, the settings, the branch."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mergegate.doctor.predict.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A repository as its CI sees it. All texts are hostile."""

    files: Mapping[str, str]
    """Path with ``/`` → text: what :func:`mergegate.doctor.predict.sources.wanted` asked for."""
    settings: Settings = field(default_factory=Settings)
    branch: str | None = None
    """The branch checked out; None when detached or unknown."""
    provider: str | None = None
    """``github``, ``gitlab`` or ``bitbucket`` as the origin tells; None where it does not."""
    version: str = ""
    """The release that new files refer to."""
