"""Which language a file is in, read off its name: semgrep's names."""

from pathlib import Path

from mergegate.core.data_table import read_lists

_BY_SUFFIX = {
    suffix: language
    for language, suffixes in read_lists(Path(__file__).with_suffix(".toml")).items()
    for suffix in suffixes
}
_PROSE = frozenset({"md", "rst", "txt"})


def language_of(path: str) -> str | None:
    """semgrep's name of the language, None for anything no engine parses."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    known = _BY_SUFFIX.get(f".{suffix}") if dot and stem else None
    # `Dockerfile.prod` is one, `dockerfile.py` is a module about them.
    is_container = name.partition(".")[0] in ("dockerfile", "containerfile")
    return "dockerfile" if is_container and not known and suffix not in _PROSE else known
