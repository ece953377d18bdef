"""Templates → text with the lines that it came from; pure, under a budget."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mergegate.repo.engines.helm import functions, syntax
from mergegate.repo.engines.helm.output import Output
from mergegate.repo.engines.helm.syntax import Body
from mergegate.repo.engines.helm.tokens import Malformed
from mergegate.repo.engines.helm.values import (
    TEXT_BUDGET,
    UNKNOWN,
    Undecided,
    Unknown,
    ordered,
    shown,
    truth,
    walk,
)
from mergegate.repo.engines.terraform.values import Budget, Spent

_SHOWN = 60
"""Characters of a name that a reason shows."""
DEPTH_BUDGET = 40
"""Templates within templates."""


class Unsupported(Exception):
    """The template uses what is not known here; says what."""


@dataclass(frozen=True, slots=True)
class Method:
    """What is called by a field: ``.Files.Get "x"``."""

    call: Callable[..., object]


@dataclass(slots=True)
class Scope:
    """Where an expression stands: the dot, and what holds each variable."""

    dot: object
    names: dict[str, list[object]] = field(default_factory=dict)

    def value(self, name: str) -> object:
        """A variable's value."""
        return self._slot(name)[0]

    def assign(self, name: str, value: object) -> list[object]:
        """Set a variable that was declared; answers with the place that holds it."""
        slot = self._slot(name)
        slot[0] = value
        return slot

    def _slot(self, name: str) -> list[object]:
        if name not in self.names:
            raise Unsupported(f"it uses the variable {name[:_SHOWN]}, which is not set")
        return self.names[name]

    def within(self, dot: object) -> "Scope":
        """A scope inside this one: what it declares ends with it."""
        return Scope(dot, dict(self.names))

    def declare(self, name: str, value: object) -> None:
        """A new variable."""
        self.names[name] = [value]


class Evaluator:
    """Renders templates of one chart, which may call one another."""

    def __init__(self, templates: Mapping[str, Body], budget: Budget) -> None:
        self._templates = templates
        self._budget = budget
        self._depth = 0
        self._doubts: list[list[list[object]]] = []
        """For each branch that may not be taken the variables that were set in it."""
        self._forms: Mapping[str, Callable[[Sequence[syntax.Operand], Scope, list[object]], object]]
        self._forms = {"and": self._and, "or": self._or}

    def render(self, body: Body, data: object) -> Output:
        """What a template makes of ``data``. Raises Unsupported, Malformed, Spent."""
        out = Output(self._budget)
        self._body(body, Scope(data, {"$": [data]}), out)
        return out

    def _body(self, body: Body, scope: Scope, out: Output) -> str:
        """Write ``body``; answers with ``break`` or ``continue`` where it ends with one."""
        for part in body:
            self._budget.spend()
            if isinstance(part, syntax.Text):
                out.source(part.text, part.line)
            elif isinstance(part, syntax.Action):
                value = self._pipe(part.pipe, scope)
                if not part.pipe.names:
                    out.made(self._shown(value), part.line)
            elif isinstance(part, syntax.Call):
                value = self._pipe(part.pipe, scope) if part.pipe else None
                out.made(self._include(part.name, value), part.line)
            elif isinstance(part, syntax.Leave):
                return part.kind
            elif left := self._block(part, scope, out):
                return left
        return ""

    def _shown(self, value: object) -> str:
        if isinstance(value, dict | list):
            deque(walk(value, self._budget), maxlen=0)
        return "" if value is None else shown(value)

    def _block(self, block: syntax.Block, around: Scope, out: Output) -> str:
        self._budget.spend(len(around.names) // 32)
        scope = around.within(around.dot)
        loops = block.kind == "range"
        pipe = block.pipe
        value = self._pipe(pipe, scope, binds=not loops)
        if loops:
            return self._range(block, value, scope, out)
        try:
            holds = truth(value)
        except Undecided:
            inside = scope.within(value) if block.kind == "with" else scope
            self._doubtful(block.body, inside, out)
            return ""
        if holds and block.kind == "with":
            scope = scope.within(value)
        return self._body(block.body if holds else block.otherwise, scope, out)

    def _range(self, block: syntax.Block, value: object, scope: Scope, out: Output) -> str:
        if isinstance(value, Unknown | str | float | Method) or value is True:
            inside = scope.within(UNKNOWN)
            self._bind(block.pipe, inside, UNKNOWN, UNKNOWN)
            self._doubtful(block.body, inside, out)
            return ""
        for key, item in _entries(value):
            self._budget.spend(1 + len(scope.names) // 32)
            inside = scope.within(item)
            self._bind(block.pipe, inside, key, item)
            if self._body(block.body, inside, out) == "break":
                break
        if not value:
            return self._body(block.otherwise, scope, out)
        return ""

    @staticmethod
    def _bind(pipe: syntax.Pipe, scope: Scope, key: object, item: object) -> None:
        values = (key, item) if len(pipe.names) > 1 else (item,)
        for name, value in zip(pipe.names, values, strict=False):
            if pipe.declares:
                scope.declare(name, value)
            else:
                scope.assign(name, value)

    def _doubtful(self, body: Body, scope: Scope, out: Output) -> None:
        """A branch of which it is not known whether, or how often, it is taken."""
        self._doubts.append([])
        inside = Output(self._budget)
        if self._body(body, scope, inside):
            raise Unsupported("it leaves a loop on a condition that is not known")
        for slot in self._doubts.pop():
            slot[0] = UNKNOWN
            if self._doubts:
                self._doubts[-1].append(slot)
        out.doubtful(inside)

    def _pipe(self, pipe: syntax.Pipe, scope: Scope, *, binds: bool = True) -> object:
        value: object = None
        for at, command in enumerate(pipe.commands):
            value = self._command(command, scope, [value] if at else [])
        for name in pipe.names if binds else ():
            if pipe.declares:
                scope.declare(name, value)
            else:
                slot = scope.assign(name, value)
                if self._doubts:
                    self._doubts[-1].append(slot)
        return value

    def _command(
        self, command: Sequence[syntax.Operand], scope: Scope, piped: list[object]
    ) -> object:
        self._budget.spend()
        first, given = command[0], command[1:]
        if isinstance(first, syntax.Function):
            form = self._forms.get(first.name)
            if form is not None:
                return form(given, scope, piped)
            return self._call(first.name, [*(self._value(one, scope) for one in given), *piped])
        value = self._value(first, scope, calls=False)
        arguments = [*(self._value(one, scope) for one in given), *piped]
        if isinstance(value, Method):
            return _called(value, arguments)
        return value if not arguments else UNKNOWN

    def _value(self, operand: syntax.Operand, scope: Scope, *, calls: bool = True) -> object:
        if isinstance(operand, syntax.Literal):
            return operand.value
        if isinstance(operand, syntax.Variable):
            return scope.value(operand.name)
        if isinstance(operand, syntax.Function):
            return self._call(operand.name, [])
        if isinstance(operand, syntax.Pipe):
            return self._pipe(operand, scope.within(scope.dot))
        value = scope.dot if operand.root is None else self._value(operand.root, scope)
        for at, name in enumerate(operand.fields):
            if isinstance(value, dict):
                value = value.get(name)
            elif at or value is not None:
                # Go takes a field of nil for nil, and refuses a field of that: a value has to be
                # set then.
                value = UNKNOWN
        return _called(value, ()) if calls and isinstance(value, Method) else value

    def _and(self, given: Sequence[syntax.Operand], scope: Scope, piped: list[object]) -> object:
        return self._deciding(given, scope, piped, decides=False)

    def _or(self, given: Sequence[syntax.Operand], scope: Scope, piped: list[object]) -> object:
        return self._deciding(given, scope, piped, decides=True)

    def _deciding(
        self,
        given: Sequence[syntax.Operand],
        scope: Scope,
        piped: list[object],
        *,
        decides: bool,
    ) -> object:
        """The first value that decides, else the last; one that is not known leaves it open.

        A later value that decides does so whatever is not known before it, where the outcome is
        false: what stands there is then false too.
        """
        value: object = None
        is_open = False
        arguments: list[object] = [*given, *piped]
        for argument in arguments:
            value = self._value(argument, scope) if isinstance(argument, _OPERANDS) else argument
            try:
                if truth(value) is decides:
                    return UNKNOWN if is_open and decides and not isinstance(value, bool) else value
            except Undecided:
                is_open = True
        return UNKNOWN if is_open else value

    def _call(self, name: str, given: list[object]) -> object:
        if name in {"include", "tpl"}:
            if len(given) != 2 or not isinstance(given[0], str):
                return UNKNOWN
            return self._include(*given) if name == "include" else self._tpl(*given)
        answer = functions.call(name, given, self._budget, doubtful=bool(self._doubts))
        if answer is functions.MISSING:
            raise Unsupported(f"it calls the function {name[:_SHOWN]}, which is not known here")
        return answer

    def _include(self, name: object, data: object) -> str:
        body = self._templates.get(str(name))
        if body is None:
            # Most often of a chart that is fetched before this one is installed.
            return shown(UNKNOWN)
        return self._within(body, data)

    def _tpl(self, text: object, data: object) -> object:
        if "{{" not in str(text):
            return text
        self._budget.spend(len(str(text)) // 8)
        try:
            body = syntax.parse(str(text)).body
        except Malformed:
            return UNKNOWN
        return self._within(body, data)

    def _within(self, body: Body, data: object) -> str:
        if self._depth >= DEPTH_BUDGET:
            raise Spent
        self._depth += 1
        text = self.render(body, data).text
        self._depth -= 1
        if len(text) > TEXT_BUDGET:
            raise Spent
        return text


_MOST_TURNS = 10_000
_OPERANDS = (syntax.Literal, syntax.Chain, syntax.Variable, syntax.Function, syntax.Pipe)


def _called(method: Method, given: Sequence[object]) -> object:
    try:
        return method.call(*given)
    except TypeError:
        return UNKNOWN


def _entries(value: object) -> list[tuple[object, object]]:
    if isinstance(value, dict):
        return list(ordered(value))
    if isinstance(value, list):
        return list(enumerate(value))
    if isinstance(value, int):
        if value > _MOST_TURNS:
            raise Spent
        return [(at, at) for at in range(value)]
    return []
