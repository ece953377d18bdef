"""Whether a text may be the name of a commit or branch, and nothing else."""

import re

MOST_BRANCH_LETTERS = 1024

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
# `git help check-ref-format`, rules 1 to 9; `-` in front would be read as an option. Git takes
# other controls, line ends and halves of letters for text; what reads its output may not.
_NOT_IN_BRANCH = re.compile(
    r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff~^:?*\[\\]"
    r"|\.\.|@\{|//|/\.|\.lock(?:/|\Z)|[/.]\Z|\A[-/.]"
)


def is_commit(text: str) -> bool:
    """Whether ``text`` is the full name of a commit: 40 or 64 lower-case hexadecimal digits."""
    return _COMMIT.fullmatch(text) is not None


def is_nothing(text: str) -> bool:
    """Whether ``text`` is the name that forges give to no commit: zeros alone."""
    return is_commit(text) and not text.strip("0")


def is_branch(text: str) -> bool:
    """Whether Git would let a branch be called ``text``, and would read nothing else in it.

    It may still hold what a shell, Markdown or a terminal would act on: that is escaped there.
    """
    fits = 0 < len(text) <= MOST_BRANCH_LETTERS and text not in {"@", "HEAD"}
    return fits and not _NOT_IN_BRANCH.search(text)
