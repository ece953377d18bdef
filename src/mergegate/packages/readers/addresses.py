"""Whether what a lock file fetches is the package that it names."""

import re

from mergegate.packages.dependencies import Why

_GIT = re.compile(r"^(?:git[+:@]|github:|ssh:)|\.git(?:#|$)")
_ARCHIVE = re.compile(r"\.(?:tgz|tar(?:\.\w+)?|zip)(?:[?#]|$)")


def outside(name: str, version: str, address: str) -> Why | None:
    """Why nothing is known of what npm's clients fetch from ``address``; None for the package.

    A folder of the repository is for the caller to know.
    """
    if _GIT.search(address):
        return Why.GIT
    if address.startswith("file:"):
        return Why.URL if _ARCHIVE.search(address) else None
    if not re.match(r"[a-z+]+:", address):
        return None
    if not address.startswith(("http:", "https:")):
        return Why.URL
    return Why.URL if version and _is_another(name, version, address) else None


def _is_another(name: str, version: str, address: str) -> bool:
    """Whether what is fetched from ``address`` is called otherwise: that is what is installed."""
    short, number = name.rpartition("/")[2], version.partition("+")[0]
    *folders, file = re.split(r"[?#]", address, maxsplit=1)[0].split("/")
    if file in {f"{short}-{version}.tgz", f"{short}-{number}.tgz"}:
        return ".." in folders
    # Some registries have a folder for name and version.
    return short not in folders or not {number, f"{number}.tgz"} & {*folders, file}
