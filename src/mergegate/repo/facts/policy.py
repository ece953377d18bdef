"""What a tree's policies say of themselves, and what a change does to them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PolicyFault:
    """A mistake in a policy."""

    line: int
    """From 1; 0 for the whole file."""
    what: str
    """Holds no text of the policy."""
    name: str
    """What the policy says there, secrets masked: for identity, never shown."""
    is_brought: bool = False
    """Whether the change wrote it: the base's policy says it nowhere."""


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """A policy in the tree."""

    path: str
    faults: tuple[PolicyFault, ...] = ()
    is_changed: bool = False
    """Whether the base has it otherwise, or not at all."""
    loosened: tuple[str, ...] = ()
    """What the change lets pass that the base does not, a phrase each, secrets masked."""


@dataclass(frozen=True, slots=True)
class PolicyFiles:
    """The fact: every policy that is or was there, in order of path."""

    files: tuple[PolicyFile, ...] = ()
