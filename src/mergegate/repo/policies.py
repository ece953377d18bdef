"""Where a policy comes from."""

from pathlib import Path

from mergegate.core.errors import PolicyError
from mergegate.repo.settings import POLICY_FILE, Policy, parse_policy
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository


def policy_from(file: Path) -> Policy:
    """The policy in ``file``; raises PolicyError."""
    try:
        return parse_policy(file.read_bytes(), str(file))
    except OSError as error:
        raise PolicyError(f"{file} cannot be read: {error.strerror}") from error


def repository_policy(root: Path, repository: Repository | None, base: str | None) -> Policy:
    """The repository's own policy; with a base the base's: a change cannot loosen its gate."""
    if repository and base:
        content = repository.content(base, POLICY_FILE)
        where = f"{POLICY_FILE} at {base[:12]}"
        return parse_policy(content, where) if content else Policy()
    file = root / POLICY_FILE
    if not file.is_file() or file.is_symlink():
        return Policy()
    return parse_policy(read_regular(file, 1 << 20), POLICY_FILE)
