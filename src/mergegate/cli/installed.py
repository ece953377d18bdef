"""What a site tool says where its packages are not: a host needs none of ours to carry it out."""

from collections.abc import Iterator
from contextlib import contextmanager

from mergegate.core.errors import EngineMissing


@contextmanager
def needing_packages(command: str) -> Iterator[None]:
    """Around the imports of ``command``; raises EngineMissing for a package that is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "mergegate":
            raise
        raise EngineMissing(
            f"{command} is not installed here",
            remedy="Install `mergegate[site]`, or let a host do it with --remote URL.",
        ) from error
