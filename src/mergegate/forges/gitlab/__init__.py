"""Publish on GitLab, its own site or a self-managed one, through python-gitlab."""

from mergegate.forges.gitlab.adapter import forge
from mergegate.forges.gitlab.connection import TokenKind

__all__ = ["TokenKind", "forge"]
