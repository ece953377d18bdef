"""Long blocks that repeat earlier ones, and what is no repetition."""

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.errors import EngineTimeout
from mergegate.core.report import EngineStatus
from mergegate.core.tree import Reason, Role, Tree
from mergegate.repo.engines import duplication
from mergegate.repo.engines.duplication import LEAST_LINES, DuplicationFinder, compared_lines
from mergegate.repo.facts.code import Clone, Duplication, Span
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def tree(folder: Path, **files: str) -> Tree:
    """Files by name, with ``__`` for a slash and the last ``_`` for the dot."""
    for name, content in files.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return read_tree(folder)


def found(gathered: Gathered) -> Duplication:
    (fact,) = gathered.facts
    assert isinstance(fact, Duplication)
    return fact


def lines(count: int, name: str = "step") -> str:
    return "".join(f"{name}_{number} = work({number})\n" for number in range(count))


def test_a_copied_block_is_found_with_both_places(tmp_path: Path, context: EngineContext) -> None:
    block = lines(60)
    files = tree(tmp_path, a_py=f"first()\n{block}", b_py=f"other()\n\n\n{block}last()\n")
    clone = Clone(Span("b.py", 4, 63), Span("a.py", 2, 61), 60)
    assert found(DuplicationFinder().gather(files, context)).clones == (clone,)


@pytest.mark.parametrize("offset", range(16))
def test_the_least_length_is_found_wherever_it_starts(
    offset: int, tmp_path: Path, context: EngineContext
) -> None:
    block = lines(LEAST_LINES)
    files = tree(tmp_path, a_py=lines(offset, "before") + block, b_py=block)
    assert [c.lines for c in found(DuplicationFinder().gather(files, context)).clones] == [50]


def test_one_line_less_is_none(tmp_path: Path, context: EngineContext) -> None:
    files = tree(tmp_path, a_py=lines(LEAST_LINES - 1), b_py=lines(LEAST_LINES - 1))
    assert found(DuplicationFinder().gather(files, context)).clones == ()


def test_a_copy_within_one_file_is_found(tmp_path: Path, context: EngineContext) -> None:
    files = tree(tmp_path, a_py=f"{lines(60)}between()\n{lines(60)}")
    assert [c.lines for c in found(DuplicationFinder().gather(files, context)).clones] == [60]


def test_layout_and_comments_do_not_hide_a_copy(tmp_path: Path, context: EngineContext) -> None:
    copy = "".join(f"    {line}  \n\n# note\n" for line in lines(60).splitlines())
    files = tree(tmp_path, a_py=lines(60), b_py=copy)
    assert [c.lines for c in found(DuplicationFinder().gather(files, context)).clones] == [60]


def test_every_copy_is_reported_once(tmp_path: Path, context: EngineContext) -> None:
    files = tree(tmp_path, a_py=lines(80), b_py=lines(80), c_py=lines(80))
    clones = found(DuplicationFinder().gather(files, context)).clones
    assert [(c.copy.path, c.original.path) for c in clones] == [("b.py", "a.py"), ("c.py", "a.py")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("py", "# Licensed under the terms of licence {n}"),
        ("js", "// Copyright of year {n}"),
        ("java", " * Permission number {n} is granted"),
        ("py", "import module_{n}"),
        ("py", "from package import name_{n}"),
        ("go", "// Code note {n}"),
        ("c", "#include <header_{n}.h>"),
        ("js", "const module_{n} = require('module-{n}')"),
        ("js", "export * from './module-{n}'"),
        ("py", "    ({n}, 0x{n:x}, 1),"),
        ("c", "    {{ {n}, 3 }},"),
    ],
)
def test_what_every_file_repeats_is_not_compared(
    name: str, line: str, tmp_path: Path, context: EngineContext
) -> None:
    block = "".join(line.format(n=n) + "\n" for n in range(90))
    files = tree(tmp_path, **{f"a_{name}": block, f"b_{name}": block})
    assert found(DuplicationFinder().gather(files, context)) == Duplication()


@pytest.mark.parametrize(
    "block",
    [
        "/*\nlicence words\n*/\n",
        '"""\nwords about it\n"""\n',
        "import (\n  words\n)\n",
        "from a import (\n  name,\n)\n",
        "import {\n  Name,\n} from 'a'\n",
        '"""words in one line"""\n',
        "/* words in one line */\n",
    ],
)
def test_blocks_of_comment_and_import_end_where_they_close(block: str) -> None:
    assert list(compared_lines(f"{block}value = 1\n".encode())) == [
        (block.count("\n") + 1, b"value = 1")
    ]


def test_rows_that_repeat_are_a_table(tmp_path: Path, context: EngineContext) -> None:
    table = "row(one)\nrow(two)\nrow(three)\n" * 60
    files = tree(tmp_path, a_py=table, b_py=table)
    assert found(DuplicationFinder().gather(files, context)).clones == ()


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.SOURCE])
def test_only_production_code_is_compared(
    role: Role, tmp_path: Path, context: EngineContext
) -> None:
    files = tree(tmp_path, a_js=lines(80), b_js=lines(80))
    judged = Tree((files.files[0], replace(files.files[1], role=role)))
    assert found(DuplicationFinder().gather(judged, context)).clones == ()


def test_what_a_bundler_writes_is_not_compared(tmp_path: Path, context: EngineContext) -> None:
    files = tree(tmp_path, a_js=lines(80), dist__a_js=lines(80))
    assert found(DuplicationFinder().gather(files, context)).clones == ()


def test_the_percentage_counts_copies_not_originals(tmp_path: Path, context: EngineContext) -> None:
    files = tree(tmp_path, a_py=lines(100), b_py=lines(100))
    assert found(DuplicationFinder().gather(files, context)).percentage == 50.0


def test_nothing_to_compare_is_no_percentage(tmp_path: Path, context: EngineContext) -> None:
    gathered = DuplicationFinder().gather(tree(tmp_path, a_md="words"), context)
    assert found(gathered).percentage == 0.0
    assert gathered.run.status is EngineStatus.IDLE


def test_a_file_beyond_the_limit_is_named(tmp_path: Path, context: EngineContext) -> None:
    gathered = DuplicationFinder().gather(tree(tmp_path, a_py="x = 1\n" * 400_000), context)
    assert gathered.run.status is EngineStatus.LIMITED
    assert "larger than 2 MiB" in gathered.limited[0].reason


def test_a_repository_beyond_the_limit_is_named(
    tmp_path: Path, context: EngineContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duplication, "MAX_LINES", 100)
    files = tree(tmp_path, a_py=lines(200), b_py=lines(200), c_py=lines(9), d_py=lines(9))
    (said,) = DuplicationFinder().gather(files, context).limited
    assert (said.path, said.cause) == ("b.py", Reason.LIMIT)
    assert said.reason.endswith("more than 100 lines: this and 2 more files were not compared")


def test_out_of_time_is_a_timeout(tmp_path: Path) -> None:
    files = tree(tmp_path, a_py="x = 1\n")
    with Stage() as stage, pytest.raises(EngineTimeout):
        DuplicationFinder().gather(files, EngineContext(stage, Limits(timeout_s=-1.0)))


@pytest.mark.parametrize(
    "content",
    [
        "same_line\n" * 100_000,
        "a_name\nb_name\n" * 50_000,
        "/*\n" * 200_000,
        "import {\n" * 100_000,
        "x" * 2_000_000,
        "".join(f"gap_{n}\n" * 31 for n in range(3000)),
    ],
)
def test_hostile_repetition_takes_linear_time(
    content: str, tmp_path: Path, context: EngineContext
) -> None:
    files = tree(tmp_path, a_py=content, b_py=content + "\n")
    started = time.process_time()
    DuplicationFinder().gather(files, context)
    assert time.process_time() - started < 5.0


def test_invalid_bytes_are_compared_like_others(tmp_path: Path, context: EngineContext) -> None:
    block = b"".join(b"\xff\xfe name_%d = value\n" % n for n in range(60))
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_bytes(block + name.encode())
    assert len(found(DuplicationFinder().gather(read_tree(tmp_path), context)).clones) == 1


def test_agrees_with_a_plain_search(tmp_path: Path, context: EngineContext) -> None:
    """Every planted copy of fifty lines or more, and nothing else, among random code."""
    chance = random.Random(7)
    planted = 0
    pool = [f"stmt_{chance.random()}\n" for _ in range(4000)]
    contents = {"a_py": "".join(pool)}
    for number in range(12):
        start, length = chance.randrange(3800), chance.randrange(30, 90)
        filler = "".join(f"fill_{chance.random()}\n" for _ in range(chance.randrange(40)))
        contents[f"b{number:02}_py"] = f"{filler}{''.join(pool[start : start + length])}{filler}"
        planted += min(length, 4000 - start) >= LEAST_LINES
    clones = found(DuplicationFinder().gather(tree(tmp_path, **contents), context)).clones
    assert len([c for c in clones if c.original.path == "a.py"]) == planted
