"""Instructions of Dockerfiles, their stages and the programs of their steps as resources.

An instruction is of the kind of its name, ``dockerfile.COPY``; a program that a step calls of the
kind of its own, ``dockerfile.pip``; a stage is a ``dockerfile.stage``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mergegate.repo.checks.infrastructure.instructions import (
    ALIAS,
    commands_of,
    flags_of,
    form_of,
    is_for_release,
    listed,
    parted,
    shipped,
    triggered,
    unquoted,
    words_of,
)
from mergegate.repo.checks.infrastructure.purposes import Purpose, purpose_of
from mergegate.repo.checks.infrastructure.shell import Command
from mergegate.repo.checks.infrastructure.step_variables import filled_in
from mergegate.repo.checks.infrastructure.written_scripts import is_script, last_named
from mergegate.repo.facts.documents import (
    MASKED,
    DocumentFile,
    Documents,
    Form,
    Instruction,
    Node,
)
from mergegate.repo.facts.resources import GAP, UNKNOWN, Dialect, Resource

_PAIR = re.compile(r"([A-Za-z_][\w.-]*)=((?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|\\.|[^\s\"'\\])*)")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)")
_PLACE = re.compile(r"\{\{|\{%|<%")
"""Where a template puts something: what the instruction will be is not known."""
_REFERENCE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_SOURCED = re.compile(r"(?:^|[;&(]\s*)(?:\.|source)\s|os-release")
"""A file that a step reads may set any variable."""
_PREDEFINED = re.compile(r"(?:BUILD|TARGET)(?:PLATFORM|OS|ARCH|VARIANT)|BUILDKIT_\w+")
_ABSOLUTE = re.compile(r"[/\\$]|[A-Za-z]:")
_OFFICIAL = re.compile(r"(?:(?:index\.)?docker\.io/)?(?:library/)?")
_FOREIGN_SHELL = re.compile(r"powershell|pwsh|cmd(?:\.exe)?\b", re.IGNORECASE)
_LAST_COUNTS = frozenset({"CMD", "ENTRYPOINT", "HEALTHCHECK"})
"""Instructions of which a stage has one: an earlier one has no effect."""
_VERBATIM = frozenset({"text", "commands", "only", "written"})
"""Settings that are what was written, variables and all."""
_EXPORTS = frozenset({"export", "declare", "typeset"})
_NEVER_FAIL = frozenset({"echo", "printf", "yes", "true", ":"})
_SHOWN = re.compile(r"[\w.:/@-]{1,80}", re.ASCII)
"""What of an instruction or a command may stand in a message: names, never what may be a secret."""

Value = str | bool | Sequence[str] | Node
Said = Mapping[str, Value | None]
"""Settings by name; None where there is none."""


def resources(documents: Documents) -> Iterator[Resource]:
    """What every Dockerfile says, in its order."""
    for file in documents.files:
        if any(one.name == "FROM" for one in file.found.instructions):
            yield from _Reader(file).resources()


@dataclass(slots=True)
class _Stage:
    """What is known of a stage so far."""

    name: str = ""
    user: str = ""
    has_folder: bool = False
    """Whether a WORKDIR with a whole path stands in it or in the stage that it is built on."""
    line: int = 0
    image: str = ""
    variables: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    """Those of variables that the file itself gives one."""
    is_foreign: bool = False
    """Whether its steps are run by a shell of Windows."""
    programs: list[str] = field(default_factory=list)


class _Reader:
    """Goes through one file from top to bottom."""

    def __init__(self, file: DocumentFile) -> None:
        self._file = file
        self._all = file.found.instructions
        self._stages: list[_Stage] = []
        self._outer: dict[str, str] = {}
        """Arguments before the first stage, and their defaults, empty where they have none."""
        self._shipped = shipped(self._all)
        self._last = {(one.stage, one.name): at for at, one in enumerate(self._all)}
        self._careful = {
            one.stage for one in self._all if one.name == "SHELL" and "pipefail" in one.text
        }
        names = [ALIAS.search(one.text) for one in self._all if one.name == "FROM"]
        self._arguments: set[str] = set()
        """Arguments without a default."""
        self._names = [alias[1].lower() if alias else "" for alias in names]
        self._stage_of = {name: at for at, name in reversed(list(enumerate(self._names))) if name}
        users = [one for one in self._all if one.name == "USER" and one.stage in self._shipped]
        self._runs_as = _owner(users[-1].text) if users else ""
        """The user of the image that the file ends with, where it names one."""
        self._purpose = purpose_of(self._all)
        self._named = last_named(self._all)

    def resources(self) -> Iterator[Resource]:
        for at, one in enumerate(self._all):
            options, rest = parted(one.text)
            if one.name == "FROM":
                yield from self._ended()
            for said in self._said(one, options, rest):
                more = {"overridden": self._last[one.stage, one.name] > at}
                settings = {**said, **(more if one.name in _LAST_COUNTS else {})}
                named = str(said.get("name") or (rest.split() or [""])[0] * (one.name == "FROM"))
                yield self._resource(one.name, one.start_line, settings, _address(one.name, named))
            step = triggered(one) if one.name == "ONBUILD" else one
            runs = step.name == "RUN" or is_script(step, at, self._named)
            if runs and self._stages and not self._stages[-1].is_foreign:
                yield from self._step(step, parted(step.text)[1])
        yield from self._ended()

    def _said(self, one: Instruction, options: Said, rest: str) -> Sequence[Said]:
        """The settings of an instruction, or of each of its variables; none of a template's."""
        read = _READ.get(one.name, _Reader._plain)
        said = read(self, one, options, rest)
        if one.name != "RUN" and _PLACE.search(one.text):
            return ()
        return said if isinstance(said, list) else [said]

    def _resource(self, kind: str, line: int, said: Said, address: str) -> Resource:
        found = [
            (name, Node(line, text=str(value)) if name in _VERBATIM else _node(value, line))
            for name, value in said.items()
            if value is not None
        ]
        return Resource(
            dialect=Dialect.DOCKERFILE,
            kind=f"{Dialect.DOCKERFILE}.{kind}",
            address=address,
            root=self._file.path,
            path=self._file.path,
            role=self._file.role,
            line=line,
            purpose=self._purpose,
            properties=Node(
                line,
                Form.MAP,
                keys=tuple(name for name, _ in found),
                children=tuple(node for _, node in found),
            ),
        )

    def _ended(self) -> Iterator[Resource]:
        """The stage that ends here."""
        if self._stages:
            stage, number = self._stages[-1], len(self._stages) - 1
            within = [each for at, each in self._last if at == number]
            said: Said = {
                "instructions": within,
                "last": number + 1 == len(self._names),
                "serves": self._purpose is Purpose.SERVICE,
                "programs": list(dict.fromkeys(stage.programs)),
            }
            name = stage.name or str(number)
            yield self._resource("stage", stage.line, said, f"stage {name}")

    def _common(self, one: Instruction, rest: str) -> dict[str, Value | None]:
        """What is said of every instruction."""
        return {
            "text": rest,
            "form": form_of(one.name, rest),
            "in_stage": one.stage >= 0,
            "shipped": one.stage in self._shipped,
            "unknown_argument": self._is_lost(one),
        }

    def _plain(self, one: Instruction, _: Said, rest: str) -> Said:
        return self._common(one, rest)

    def _entrypoint(self, one: Instruction, _: Said, rest: str) -> Said:
        return {**self._common(one, rest), "has_cmd": (one.stage, "CMD") in self._last}

    def _healthcheck(self, one: Instruction, options: Said, rest: str) -> Said:
        command = re.sub(r"^CMD\s+", "", rest, flags=re.IGNORECASE)
        return {**options, **self._common(one, rest), "form": form_of(one.name, command)}

    def _shell(self, one: Instruction, options: Said, rest: str) -> Said:
        if self._stages:
            self._stages[-1].is_foreign = bool(_FOREIGN_SHELL.search(rest))
        return {**options, **self._common(one, rest)}

    def _from(self, one: Instruction, options: Said, rest: str) -> Said:
        alias = ALIAS.search(rest)
        name = alias[1].lower() if alias else ""
        image = rest.split(maxsplit=1)[0] if rest.split() else ""
        number = self._stage_of.get(image.lower(), one.stage)
        parent = self._stages[number] if number < one.stage else None
        fresh = _Stage(name=name, line=one.start_line, image=parent.image if parent else image)
        if parent is not None:
            fresh.has_folder, fresh.user = parent.has_folder, parent.user
            fresh.variables |= parent.variables
            fresh.values |= parent.values
        named = {one or other for one, other in _REFERENCE.findall(image)}
        missing = {one for one in named - self._outer.keys() if not _PREDEFINED.fullmatch(one)}
        self._stages.append(fresh)
        path, _, digest = image.partition("@")
        folder, slash, last = path.rpartition("/")
        short, _, tag = last.partition(":")
        return {
            **options,
            "text": one.text,
            "image": None if parent else _OFFICIAL.sub("", f"{folder}{slash}{short}", count=1),
            "tag": tag or None,
            "for_release": is_for_release(self._file.path, short, tag),
            "digest": digest or None,
            "stage": alias[1] if alias else None,
            "stage_again": bool(name) and self._stage_of[name] < one.stage,
            "unknown_argument": bool(missing),
            "shipped": one.stage in self._shipped,
        }

    def _arg(self, one: Instruction, _: Said, rest: str) -> list[Said]:
        found: list[Said] = []
        given_values = {name: unquoted(value) for name, value in _PAIR.findall(rest)}
        for word in words_of(rest):
            name, equals, value = word.partition("=")
            self._arguments |= set() if equals else {name}
            if self._stages:
                self._stages[-1].variables.add(name)
                self._stages[-1].values[name] = given_values.get(name, self._outer.get(name, ""))
            else:
                self._outer[name] = given_values.get(name, "")
            shipped = one.stage in self._shipped
            given = value if equals else None
            found.append({"name": name, "value": given, "written": given, "shipped": shipped})
        return found

    def _env(self, one: Instruction, _: Said, rest: str) -> list[Said]:
        pairs = _PAIR.findall(rest)
        is_old = "=" not in rest.split(maxsplit=1)[0] if rest else False
        if is_old:
            old, *value = rest.split(maxsplit=1)
            pairs = [(old, " ".join(value))]
        names = [name for name, _ in pairs]
        stage = self._stages[-1] if self._stages else _Stage()
        arguments = {name for name in stage.variables if name in self._arguments}
        found: list[Said] = []
        for at, (name, said) in enumerate(pairs):
            refers = set(_VARIABLE.findall(said)) if not said.startswith("'") else set()
            early = (refers & set(names[:at])) - stage.variables
            found.append(
                {
                    "name": name,
                    "value": unquoted(said),
                    "written": unquoted(said),
                    "old_form": is_old,
                    "from_argument": bool(refers & arguments),
                    "refers_beside": bool(early),
                    "shipped": one.stage in self._shipped,
                    "unknown_argument": bool(refers & self._lost(one)),
                }
            )
        stage.variables.update(names)
        stage.values.update((name, unquoted(said)) for name, said in pairs)
        return found

    def _workdir(self, one: Instruction, _: Said, rest: str) -> Said:
        path = unquoted(rest)
        is_whole = _ABSOLUTE.match(path) is not None
        stage = self._stages[-1] if self._stages else _Stage()
        relative = not is_whole and not stage.has_folder
        stage.has_folder = stage.has_folder or is_whole
        return {**self._common(one, rest), "path": path, "relative": relative}

    def _user(self, one: Instruction, _: Said, rest: str) -> Said:
        if self._stages:
            self._stages[-1].user = unquoted(rest).partition(":")[0]
        return self._common(one, rest)

    def _expose(self, one: Instruction, _: Said, rest: str) -> Said:
        return {**self._common(one, rest), "ports": words_of(rest)}

    def _copy(self, one: Instruction, options: Said, rest: str) -> Said:
        words = listed(rest) or words_of(rest.partition("\n")[0])
        sources, target = words[:-1], words[-1] if words else ""
        inline = re.search(r"(?:^|\s)\d*<<", rest) is not None
        source = str(options.get("from") or "")
        meant = int(source) if source.isdigit() else self._stage_of.get(source.lower(), -1)
        several = len(sources) > 1 and not target.endswith(("/", ".", "\\")) and "$" not in target
        relative = _ABSOLUTE.match(target) is None and bool(target)
        stage = self._stages[-1] if self._stages else _Stage()
        return {
            **options,
            **self._common(one, rest),
            "sources": None if inline or "from" in options else sources,
            "target": target,
            "owner_runs_it": _owner(str(options.get("chown") or "")) in {self._runs_as} - {""},
            "own_stage": meant == one.stage >= 0,
            "later_stage": meant > one.stage,
            "several_into_file": several and not inline,
            "relative_target": relative and not stage.has_folder,
        }

    def _run(self, one: Instruction, options: Said, rest: str) -> Said:
        found = self._commands(one, rest)
        programs = list(dict.fromkeys(command.program for command in found))
        if self._stages:
            self._stages[-1].programs += programs
        simple = len(found) == 1 and not found[0].into
        careful = "pipefail" in rest or one.stage in self._careful
        piped = {each.program for each in found if each.into and not careful} - _NEVER_FAIL
        mounts = re.findall(r"--mount=(\S+)", one.text)
        lines = "\n".join(" ".join((each.program, *each.words)) for each in found)
        return {
            **options,
            **self._common(one, rest),
            "statements": _statements(one, rest, found),
            "mounts": mounts or None,
            "programs": programs,
            "piped": sorted(piped),
            "variables": sorted(self._stages[-1].variables) if self._stages else [],
            "commands": lines,
            "only": f"{found[0].program} {' '.join(found[0].words)}".strip() if simple else None,
        }

    def _commands(self, one: Instruction, rest: str) -> list[Command]:
        values = self._stages[-1].values if self._stages else {}
        return list(filled_in(commands_of(one, rest), values))

    def _step(self, one: Instruction, rest: str) -> Iterator[Resource]:
        """The programs that a step calls."""
        begin = len(one.text) - len(rest)
        stage = self._stages[-1]
        has_pipefail = "pipefail" in rest or one.stage in self._careful
        for command in self._commands(one, rest):
            said: Said
            line = one.line_at(begin + command.start)
            exported = command.words if command.program in _EXPORTS else ()
            for word in (*command.before, *exported):
                name, equals, value = word.partition("=")
                if equals:
                    said = {"name": name, "value": value, "written": value}
                    yield self._resource("assignment", line, said, _address("RUN", name))
            if command.program.isupper() or not command.program:
                continue
            operands = [word for word in command.words if not word.startswith("-")]
            said = {
                "command": operands[0] if operands else None,
                "operands": operands,
                "options": list(flags_of(command.words)),
                "words": command.words,
                "text": " ".join(command.words),
                "before": command.before,
                "into": command.into or None,
                "writes": command.writes,
                "user": stage.user or None,
                "runs_as": self._runs_as or None,
                "shipped": one.stage in self._shipped,
                "pipefail": has_pipefail,
                "indirect": command.is_indirect or one.name != "RUN",
            }
            first = next(iter(command.words), "")  # behind an option a word may be a secret
            address = _address(command.program, "" if first.startswith("-") else first)
            yield self._resource(command.program, line, said, address)

    def _lost(self, one: Instruction) -> set[str]:
        """Arguments before the first stage that this stage does not take over."""
        if one.stage < 0 or not self._stages:
            return set()
        stage = self._stages[-1]
        image = stage.image.partition("@")[0].rpartition("/")[2].partition(":")[0].upper()
        return {
            name
            for name in self._outer.keys() - stage.variables
            if not image or not name.startswith(f"{image.replace('-', '_')}_")  # the image's own
        }

    def _is_lost(self, one: Instruction) -> bool:
        lost = self._lost(one)
        if not lost or "$" not in one.text or _SOURCED.search(one.text):
            return False
        if listed(one.text) is not None:
            return False
        named = set(_VARIABLE.findall(re.sub(r"'[^']*'|\\\$", "", one.text)))
        own = set(re.findall(r"\b([A-Za-z_]\w*)=|\b(?:read|for)\s+([A-Za-z_]\w*)", one.text))
        return bool(named & lost - {name for pair in own for name in pair})


def _owner(text: str) -> str:
    """The user of a ``user:group``."""
    return unquoted(text.strip()).partition(":")[0]


def _address(name: str, named: str) -> str:
    """How a message calls it: ``FROM python:3``, ``pip install``."""
    return " ".join(one for one in (name, named) if _SHOWN.fullmatch(one))


_READ: Mapping[str, Callable[[_Reader, Instruction, Said, str], Said | list[Said]]] = {
    "ADD": _Reader._copy,
    "ARG": _Reader._arg,
    "COPY": _Reader._copy,
    "ENTRYPOINT": _Reader._entrypoint,
    "ENV": _Reader._env,
    "EXPOSE": _Reader._expose,
    "FROM": _Reader._from,
    "HEALTHCHECK": _Reader._healthcheck,
    "RUN": _Reader._run,
    "SHELL": _Reader._shell,
    "USER": _Reader._user,
    "WORKDIR": _Reader._workdir,
}


def _statements(one: Instruction, rest: str, found: Sequence[Command]) -> Node:
    """The parts of a step that end with ``&&`` or the like, each at its line, pipes as one."""
    led_into = (False, *(bool(each.into) for each in found))
    begins = {each.start for each, is_led in zip(found, led_into, strict=False) if not is_led}
    marks = [0, *sorted(begins - {0}), len(rest)]
    shift = len(one.text) - len(rest)
    parts = tuple(
        Node(one.line_at(shift + begin), text=rest[begin:end])
        for begin, end in pairwise(marks)
        if begin < end
    )
    return Node(one.start_line, Form.LIST, children=parts)


def _node(value: Value, line: int) -> Node:
    """A value of a setting; what a variable decides is not known."""
    if isinstance(value, Node):
        return value
    if isinstance(value, bool):
        return Node(line, text="true" if value else "false")
    if isinstance(value, str):
        is_open = "$" in value and MASKED not in value
        return Node(line, text=value or GAP, tag=UNKNOWN if is_open or not value else "")
    return Node(line, Form.LIST, children=tuple(_node(one, line) for one in value))
