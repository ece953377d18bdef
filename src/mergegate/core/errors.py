"""Every error Mergegate raises, as one tree, and why a scan has no result.

MergegateError
├── UsageError        the caller asked for something that cannot be (exit 2)
│   ├── PolicyError                the policy file is not valid
│   └── UnsupportedBudgetVersion   the performance budget is of another version
├── TargetError       the repository or page cannot be read (exit 2)
│   ├── TargetNotAllowed      the address may not be reached from here
│   ├── TargetUnreachable     the page does not answer (exit 3)
│   └── TargetNotAnalysable   it answers with no page, or breaks the browser (exit 3)
├── EngineError       a scanner gave no trustworthy answer (the scan is incomplete, exit 3)
│   ├── EngineMissing
│   ├── EngineFailed
│   │   ├── EngineExhausted   it needed more memory than it may have
│   │   └── EngineKilled      somebody else ended it
│   └── EngineTimeout
├── StoreError        something kept on disk cannot be read or written
├── ModelError        a language model gave no answer; no verdict depends on one
└── ForgeError        GitHub, GitLab or Bitbucket refused or did not answer
    ├── NotAllowed    the token may not do this
    └── OffDiff       the forge takes no comment on these lines
"""

from dataclasses import dataclass
from typing import ClassVar


class MergegateError(Exception):
    """What happened, to what, and what to do next."""

    code: ClassVar[str] = ""
    """The API's own code for it (decisions), for machines alone; empty where it has none."""

    def __init__(self, what: str, *, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        """What happened and to what, one sentence without a full stop."""
        self.remedy = remedy
        """What the reader can do next; empty when nothing helps."""

    def __str__(self) -> str:
        return f"{self.what}. {self.remedy}" if self.remedy else self.what


class UsageError(MergegateError):
    """The caller asked for something that cannot be."""


class PolicyError(UsageError):
    """The policy file is not valid."""


class UnsupportedBudgetVersion(UsageError):
    """The performance budget is of another version than this release reads, or of none."""

    code = "UNSUPPORTED_BUDGET_VERSION"


class TargetError(MergegateError):
    """The repository or page cannot be read."""


class TargetNotAllowed(TargetError):
    """The address may not be reached from here."""

    code = "TARGET_NOT_ALLOWED"


class TargetUnreachable(TargetError):
    """The page does not answer."""

    code = "TARGET_UNREACHABLE"


class TargetNotAnalysable(TargetError):
    """It answers an error or no page, or breaks the browser."""

    code = "TARGET_NOT_ANALYSABLE"


class EngineError(MergegateError):
    """A scanner gave no trustworthy answer."""


class EngineMissing(EngineError):
    """The scanner is not installed."""


class EngineFailed(EngineError):
    """The scanner crashed, exceeded a limit or answered garbage."""


class EngineExhausted(EngineFailed):
    """The scanner needed more memory than it may have."""

    code = "OUT_OF_MEMORY"


class EngineKilled(EngineFailed):
    """The scanner was ended from outside: by a machine without memory, or by somebody."""


class EngineTimeout(EngineError):
    """The scanner did not answer in time."""


class StoreError(MergegateError):
    """Something kept on disk cannot be read or written."""


class ModelError(MergegateError):
    """A language model gave no answer; no verdict, score or exit code depends on one."""


class ForgeError(MergegateError):
    """GitHub, GitLab or Bitbucket refused or did not answer."""


class NotAllowed(ForgeError):
    """The token may not do this."""


class OffDiff(ForgeError):
    """The forge takes no comment on these lines."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no result."""

    code: str
    """Upper snake case, stable (decisions)."""
    detail: str
    """One sentence for people; no secret, no path of the host."""
    result: str | None = None
    """A failed repository scan still has one: what could be seen, as the API's JSON."""
