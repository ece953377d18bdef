"""Flags, environment and policy file → frozen values."""

import datetime as dt
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.severity import Severity

POLICY_FILE = ".mergegate.yml"
Label = Literal["critical", "high", "medium", "low", "info"]
Level = Literal["off", "critical", "high", "medium", "low", "info"]
ChangeLevel = Literal["critical", "high", "medium"]
CHANGE_LEVELS = get_args(ChangeLevel)
SHORT_ID = 10
"""What is taken for a finding's id at the least, and shown of it."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
_MOST_STARS = 2
"""Wildcards between two slashes: each multiplies the time by the length of a name."""
_MOST_BRACES, _MOST_COMMAS = 2, 30
"""Some 250 alternatives, each of which is a pattern of its own."""


def _bounded(pattern: str) -> str:
    """Raise ValueError for a glob that takes too long."""
    if any(part.count("*") > _MOST_STARS for part in pattern.replace("**", "*").split("/")):
        raise ValueError(f"at most {_MOST_STARS} wildcards may stand between two slashes")
    many = pattern.count("{") > _MOST_BRACES or pattern.count(",") > _MOST_COMMAS
    if "{" in pattern and (many or ".." in pattern):
        raise ValueError(f"at most {_MOST_BRACES} lists in braces, and no range, are alternatives")
    return pattern


MOST_ALTERNATIVES = 500
"""The most in all globs of a policy together: each is held against every path."""


def alternatives(pattern: str) -> int:
    """At least as many as the lists in braces of ``pattern`` come to."""
    return (pattern.count(",") // 2 + 2) ** 2 if "{" in pattern else 1


Glob = Annotated[Text, AfterValidator(_bounded)]


Version = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{1,4}(\.[0-9]{1,4}){1,3}(rc[0-9]{1,4})?$")
]


class _Strict(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=lambda name: name.replace("_", "-"),
        populate_by_name=True,
    )


class Dismissal(_Strict):
    """One suppression: which findings, why, who answers for it, until when."""

    id: Text | None = Field(
        None,
        description="A finding's id. Its first ten characters do, unless two findings begin so.",
    )
    rule: Text | None = Field(None, description="A rule id.")
    path: Glob | None = Field(None, description="A glob; narrows the id or the rule.")
    reason: Text = Field(description="Why this is not to be counted.")
    owner: Text = Field(description="Who answers for it.")
    expires: dt.date = Field(description="The first day on which it no longer holds.")
    by_author: SkipJsonSchema[bool] = False
    """Whether an author of the change decided it, in a comment; no file has to say so."""

    @field_validator("id")
    @classmethod
    def _tells_findings_apart(cls, given: str | None) -> str | None:
        if given is not None and len(given) < SHORT_ID:
            raise ValueError(f"at least the first {SHORT_ID} characters of an id are wanted")
        return given

    @model_validator(mode="after")
    def _names_something(self) -> "Dismissal":
        if self.id is None and self.rule is None:
            raise ValueError("name an id or a rule")
        return self


class Paths(_Strict):
    """Which files are looked at."""

    exclude: tuple[Glob, ...] = Field((), description="Globs of files that are not scanned.")


Least = Annotated[int, Field(ge=0, le=100)]
Verdict = Literal["report", "fail"]


class MinimumScores(_Strict):
    """The least that each score of the site may be."""

    performance: Least | None = None
    seo: Least | None = None
    accessibility: Least | None = None
    best_practices: Least | None = None


class SitePolicy(_Strict):
    """When the site that a change deploys stops the merge; by default it is only reported."""

    minimum_scores: MinimumScores = MinimumScores()
    browser_errors: Annotated[int, Field(ge=0)] | None = Field(
        None, description="The most errors that a browser test may have; without it, any number."
    )
    over_budget: Verdict = Field(
        "report", description="`fail`: what is over the budget, beyond the noise, fails."
    )
    regressions: Verdict = Field(
        "report", description="`fail`: what is worse than the base's preview fails."
    )


Permission = Literal["deny", "allow"]


class FixPolicy(_Strict):
    """What may be written into the repository; nothing where the base does not allow it."""

    commits: Permission = Field(
        "deny",
        description="`allow`: on the order `/mergegate fix ID` of somebody who may write, a proved"
        " fix is committed to the change's own branch.",
    )
    upgrades: Permission = Field(
        "deny",
        description="`allow`: a schedule on the default branch keeps one pull request with the"
        " upgrades of dependencies that were proved.",
    )


class ModelPrice(_Strict):
    """What a model costs, in any currency, for a million tokens."""

    input: Annotated[float, Field(ge=0, le=10_000)] = Field(description="Of what it is asked.")
    output: Annotated[float, Field(ge=0, le=10_000)] = Field(description="Of what it answers.")


class ModelLimits(_Strict):
    """The most that a scan uses of a model."""

    calls: Annotated[int, Field(ge=0, le=100)] = Field(10, description="Questions of a scan.")
    tokens: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        60_000, description="Tokens of a scan, questions and answers."
    )
    thinking: Annotated[int, Field(ge=0, le=32_000)] = Field(
        0, description="Tokens of each answer beyond its own, for a model that thinks first."
    )
    seconds: Annotated[int, Field(ge=0, le=900)] = Field(
        180, description="Time of a scan for all answers together."
    )
    money: Annotated[float, Field(ge=0, le=10_000)] | None = Field(
        None, description="Money of a scan; asks for `price`."
    )
    money_per_month: Annotated[float, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="Money of all scans of a month on this machine; asks for `price`."
    )


class ModelPolicy(_Strict):
    """Which language model proposes fixes and words. Where it is and its key are the environment's.

    Nothing that a model says is part of a verdict.
    """

    provider: Literal["openai", "anthropic", "local", "off"] | None = Field(
        None,
        description="`openai`, any server of that API; `anthropic`; `local`, a file on this machine"
        " that no byte leaves; `off`, whatever the environment says.",
    )
    name: Text | None = Field(None, description="The model, as its provider calls it.")
    file: Annotated[str, StringConstraints(pattern=r"^[\w][\w .+-]{0,200}\.gguf$")] | None = Field(
        None, description="Of a local model: its name in the folder `models` of the data folder."
    )
    price: ModelPrice | None = None
    limits: ModelLimits = ModelLimits()

    @field_validator("provider", mode="before")
    @classmethod
    def _off_is_a_word(cls, given: object) -> object:
        """YAML 1.1 reads a bare ``off`` as false."""
        return "off" if given is False else given

    @model_validator(mode="after")
    def _can_count(self) -> "ModelPolicy":
        limits = (self.limits.money, self.limits.money_per_month)
        if self.price is None and any(one is not None for one in limits):
            raise ValueError("without `price` no money can be counted")
        return self


class Policy(_Strict):
    """`.mergegate.yml`: what a team decided about its own repository."""

    version: Literal[1] = 1
    severity_threshold: Label = Field(
        "info", description="Findings below are listed as suppressed, not counted."
    )
    fail_change_on: ChangeLevel = Field(
        "high",
        description="A new finding of this severity or above stops the change, unless its"
        " confidence is low.",
    )
    paths: Paths = Paths()
    rules: Mapping[str, Level] = Field(
        {}, description="Rule id → `off`, or the severity it has here."
    )
    inline_suppressions: Literal["show", "reasoned", "honour"] = Field(
        "reasoned",
        description="Which comments such as `nosec` set findings aside once they are in the base:"
        " `reasoned`, those that give a reason, but of no certain secret or critical finding;"
        " `honour`, all; `show`, none.",
    )
    suppressions: tuple[Dismissal, ...] = ()
    self_dismissal: Permission = Field(
        "deny",
        description="Whether who opened a change or wrote a commit of it may set a critical finding"
        " of it aside; `allow` is for those who work alone.",
    )
    accept_unsearched: tuple[Glob, ...] = Field(
        (),
        description="Languages and globs of files that may stay unsearched:"
        " without it, a scan that could not search them is incomplete.",
    )
    rules_of: Version | None = Field(
        None,
        description="The version of Mergegate whose rules the repository is held to: what later"
        " ones tell does not fail its gate. By default the last before the minor version in use.",
    )
    later_rules_block_from: dt.date | None = Field(
        None, description="The first day on which what later rules tell fails the gate, too."
    )
    fixes: FixPolicy = FixPolicy()
    site: SitePolicy = SitePolicy()
    model: ModelPolicy = ModelPolicy()

    @field_validator("rules", mode="before")
    @classmethod
    def _off_is_a_word(cls, rules: object) -> object:
        """YAML 1.1 reads a bare ``off`` as false."""
        if not isinstance(rules, Mapping):
            return rules
        return {rule: "off" if level is False else level for rule, level in rules.items()}

    @model_validator(mode="after")
    def _is_bounded(self) -> "Policy":
        narrowed = (one.path for one in self.suppressions if one.path is not None)
        globs = (*self.paths.exclude, *self.accept_unsearched, *narrowed)
        if sum(map(alternatives, globs)) > MOST_ALTERNATIVES:
            raise ValueError(
                f"all globs together have more than {MOST_ALTERNATIVES:,} alternatives"
            )
        return self

    @property
    def threshold(self) -> Severity:
        """The least severity that is counted."""
        return Severity.named(self.severity_threshold)

    @property
    def change_stops_at(self) -> Severity:
        """The least severity of a new finding that stops a change."""
        return Severity.named(self.fail_change_on)


@dataclass(frozen=True, slots=True)
class Folders:
    """Where things are kept between runs."""

    cache: Path
    data: Path

    @property
    def advisories(self) -> Path:
        """The advisory store."""
        return self.data / "advisories.sqlite"

    @property
    def models(self) -> Path:
        """Local models that a policy may name."""
        return self.data / "models"

    @property
    def spent(self) -> Path:
        """What models cost in each month."""
        return self.data / "spent.sqlite"

    @property
    def answers(self) -> Path:
        """The cache of engines' answers."""
        return self.cache / "answers.sqlite"


MODEL_PROVIDER = "MERGEGATE_MODEL_PROVIDER"
"""Without it, and without a word in the policy, nothing of models is even loaded."""
ADVISORIES = "MERGEGATE_ADVISORIES"
"""Names the variable that says where advisories come from."""


def advisory_source(environment: Mapping[str, str] = os.environ) -> str:
    """The https address, folder or zip that advisories come from; empty for the usual one."""
    return environment.get(ADVISORIES, "").strip()


def folders(environment: Mapping[str, str] = os.environ) -> Folders:
    """``MERGEGATE_DATA_DIR`` holds both where it is set; else the platform's own folders."""
    if chosen := environment.get("MERGEGATE_DATA_DIR"):
        return Folders(Path(chosen) / "cache", Path(chosen))
    app = platformdirs.PlatformDirs("mergegate", appauthor=False)
    return Folders(app.user_cache_path, app.user_data_path)
