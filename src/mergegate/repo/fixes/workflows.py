"""Recipes for GitHub workflows and actions: rights, credentials, and text that scripts take in."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps

from mergegate.repo.fixes.edits import Splice, UncertainError
from mergegate.repo.fixes.mappings import Manifest, Spot, manifest_of
from mergegate.repo.fixes.recipe import Found

_Make = Callable[[Manifest, Spot], Iterator[Splice]]


def _carried_out(make: _Make) -> Callable[[Found], Sequence[Splice]]:
    """A recipe for a whole workflow: one finding tells all that an audit found in it."""

    @wraps(make)
    def carried_out(found: Found) -> Sequence[Splice]:
        try:
            manifest = manifest_of(found.text)
            if len(manifest.documents) != 1 or any(one.shared for one in manifest.spots):
                return ()
            return tuple(make(manifest, manifest.documents[0]))
        except UncertainError:
            return ()

    return carried_out


def _jobs(root: Spot) -> Sequence[Spot]:
    """The jobs of a workflow; an action is one."""
    jobs, action = root.child("jobs"), root.child("runs")
    return jobs.children if jobs is not None else [action] if action is not None else []


def _steps(job: Spot) -> Sequence[Spot]:
    steps = job.child("steps")
    return steps.items if steps is not None else ()


_WRITES_WITH_TOKEN = re.compile(
    r"(?i)GITHUB_TOKEN|github\.token|\bgh\s|\bhub\s|git\s+(?:push|commit|tag)|api\.github\.com"
)
_READS = re.compile(
    r"(?:actions/(?:checkout|cache|cache/restore|cache/save|upload-artifact|download-artifact"
    r"|setup-(?:python|node|java|go|dotnet))|astral-sh/(?:setup-uv|ruff-action)|pnpm/action-setup"
    r"|ruby/setup-ruby|shivammathur/setup-php|dtolnay/rust-toolchain|actions-rs/toolchain"
    r"|Swatinem/rust-cache|docker/setup-(?:buildx|qemu)-action|codecov/codecov-action"
    r"|pre-commit/action|conda-incubator/setup-miniconda|gradle/actions/setup-gradle"
    r"|hashicorp/setup-terraform|erlef/setup-beam|julia-actions/[\w-]+|oven-sh/setup-bun"
    r"|denoland/setup-deno|subosito/flutter-action|msys2/setup-msys2|ilammy/msvc-dev-cmd"
    r"|golangci/golangci-lint-action)@.+"
)
"""Actions that read the repository at most."""


@_carried_out
def read_only_token(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """The token may read the repository, where no step does more with it."""
    jobs = root.child("jobs")
    if jobs is None or not all(map(_only_reads, jobs.children)):
        raise UncertainError
    if _WRITES_WITH_TOKEN.search(manifest.text):
        raise UncertainError
    for one in (root, *jobs.children):
        stated = one.child("permissions")
        if stated is not None and stated.text == "write-all" and stated.key is not None:
            indent = " " * (stated.key.start_mark.column + 2)
            start, end = int(stated.key.end_mark.index), int(stated.value.end_mark.index)
            yield manifest.splice(start, end, f":\n{indent}contents: read")
    if root.child("permissions") is None:
        at = manifest.above_comments(jobs.start)
        yield manifest.splice(at, at, "permissions:\n  contents: read\n\n")


def _only_reads(job: Spot) -> bool:
    """Whether the steps read the repository at most, or the job says itself what it may do."""
    own = job.child("permissions")
    if own is not None and own.text != "write-all":
        return True
    return bool(_steps(job)) and all(
        step.child("run") is not None or _READS.fullmatch(step.says("uses")) for step in _steps(job)
    )


_NEEDS_CREDENTIALS = re.compile(
    r"(?i)git\s+(?:-\S+\s+)*(?:push|fetch|pull|commit|submodule|remote|clone)|submodules:|\blfs\b"
    r"|gh-pages|ghp-import|mike deploy|auto-?commit|add-and-commit|create-pull-request|push-action"
    r"|semantic-release|release-it|changesets|goreleaser|lerna|npm version|hatch version|cz bump"
    r"|action-gh|gh-action-bump|github-pages|pages-deploy|github-tag|tagpr|backport|release\.(?:sh|py)"
    r"|make (?:release|deploy)|run (?:release|deploy)"
)


@_carried_out
def no_kept_credentials(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """Every checkout forgets the token, where nothing after it talks to the repository."""
    if _NEEDS_CREDENTIALS.search(manifest.text):
        raise UncertainError
    for step in (step for job in _jobs(root) for step in _steps(job)):
        if not step.says("uses").startswith("actions/checkout@"):
            continue
        given = step.at("with", "persist-credentials")
        if given is None:
            yield from manifest.put(step, {"with": {"persist-credentials": "false"}})
        elif given.text.lower() != "false":
            raise UncertainError  # somebody wants them


_EXPRESSION = re.compile(r"\$\{\{\s{0,50}([^\s{}][^{}]{0,500}?)\s{0,50}\}\}")
_MOST_EXPRESSIONS = 50
_HARMLESS = re.compile(
    r"secrets\.\w+|runner\.\w+|matrix\.[\w.-]+|strategy\.[\w-]+|job\.[\w.-]+|(?:needs|steps)\.[\w-]+\.(?:result|outcome"
    r"|conclusion)|github\.(?:sha|run_id|run_number|run_attempt|repository|repository_owner"
    r"|repository_id|workspace|server_url|api_url|event_name|job|action_path|token|ref_type)"
)
"""What GitHub makes up itself, and what must not go into the environment."""
_STRANGERS = re.compile(r"github\.(?:head_ref|ref_name|event\.(?!inputs\b)[\w.\[\]*-]+)")


@_carried_out
def text_by_environment(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """What is pasted into scripts of a POSIX shell comes by variables of the step."""
    for job in _jobs(root):
        for step in _steps(job):
            if "${{" in step.says("with", "script"):
                raise UncertainError
            script = step.child("run")
            if script is not None and _pasted(script.text):
                _require_shell(root, job, step)
                yield from _by_variables(manifest, step, script, _taken(root, job, step))


def _pasted(text: str) -> list[str]:
    said = [one[1] for one in _EXPRESSION.finditer(text)]
    return [one for one in said if not _HARMLESS.fullmatch(one)]


def _require_shell(root: Spot, job: Spot, step: Spot) -> None:
    """Raises UncertainError unless a POSIX shell runs the step."""
    shell = step.says("shell") or job.says("defaults", "run", "shell")
    shell = shell or root.says("defaults", "run", "shell")
    runner = job.says("runs-on")
    known = re.match(r"(?:ubuntu|macos)-", runner) is not None
    if shell.split(" ")[0] not in ({"", "bash", "sh"} if known else {"bash", "sh"}):
        raise UncertainError


def _taken(root: Spot, job: Spot, step: Spot) -> set[str]:
    """Names of variables that mean something already."""
    environments = [one for one in (root.child("env"), job.child("env"), step.child("env")) if one]
    return {one.name for each in environments for one in each.children}


def _by_variables(
    manifest: Manifest, step: Spot, script: Spot, taken: set[str]
) -> Iterator[Splice]:
    style = getattr(script.value, "style", None)
    start, end = int(script.value.start_mark.index), manifest.end(script)
    raw = manifest.text[start:end]
    if style in {"'", '"'} or "<<" in raw or "`" in raw:
        raise UncertainError
    if raw.count("${{") > _MOST_EXPRESSIONS:
        raise UncertainError
    begin = raw.find("\n") if style in {"|", ">"} else 0
    names: dict[str, str] = {}
    for one in _EXPRESSION.finditer(raw):
        if _HARMLESS.fullmatch(one[1]):
            continue
        if "\n" in one[1] or (not begin and not one.start()):
            raise UncertainError  # a value that begins with a quote would be read as quoted
        if (known := _VARIABLE.fullmatch(one[1])) is not None:
            name = known[1]
        else:
            name = names.setdefault(one[1], _name(one[1], {*taken, *names.values()}, raw))
        text = _in_shell(raw[begin : one.start()], name, one[1])
        yield manifest.splice(start + one.start(), start + one.end(), text)
    values = {name: f"${{{{ {said} }}}}" for said, name in names.items()}
    if values:
        yield from _environment(manifest, step, script, values)


_VARIABLE = re.compile(r"env\.(\w+)")
"""What the shell has as a variable already."""


def _name(expression: str, taken: set[str], script: str) -> str:
    """A variable's name for what is pasted: ``PULL_REQUEST_TITLE``."""
    words = re.findall(r"[A-Za-z_]\w*", expression.replace("-", "_"))
    known = {"github", "event", "inputs", "steps", "outputs", "env", "matrix", "needs", "vars"}
    said = [one.upper() for one in words if one not in known][-2:] or ["VALUE"]
    base = "_".join(said)
    for name in (base, f"GIVEN_{base}", f"PASTED_{base}"):
        if name not in taken and not re.search(rf"\b{name}\b", script) and name not in _SPECIAL:
            return name
    raise UncertainError


_SPECIAL = frozenset({"PATH", "HOME", "SHELL", "USER", "PWD", "LANG", "CI", "IFS", "TMPDIR", "UID"})
_NESTED = re.compile(r"\\.|\$\(|[\"'()]|(?<!\S)#[^\n]*", re.DOTALL)


def _in_shell(before: str, name: str, expression: str) -> str:
    """The variable as it is written behind ``before``: in quotes, whatever stands there."""
    quote = _quote(before)
    if quote == '"':
        return f"${{{name}}}"
    if quote == "'":
        return f"'\"${{{name}}}\"'"
    # Where options are passed on whole, the shell must still take them apart.
    return f'"${{{name}}}"' if _STRANGERS.fullmatch(expression) else f"${{{name}}}"


def _quote(before: str) -> str:
    """The quote that is open behind ``before``; empty where there is none."""
    around: list[str] = []
    for sign in _NESTED.finditer(before):
        _enter_or_leave(around, sign[0])
    return around[-1] if around else ""


def _enter_or_leave(around: list[str], mark: str) -> None:
    """Follows one mark of the shell; ``around`` has what is open, outermost first."""
    quote = around[-1] if around else ""
    if mark.startswith("#") and quote and quote in mark:
        raise UncertainError  # it may be no comment
    if (quote == "'" and mark.endswith("'")) or (quote == mark == '"'):
        around.pop()
    elif quote != "'" and mark in {'"', "$("}:
        around.append(mark[-1])
    elif quote in {"", "("} and mark in {"'", "("}:
        around.append(mark)
    elif quote in {"", "("} and mark == ")":
        if not around:
            raise UncertainError
        around.pop()


def _environment(
    manifest: Manifest, step: Spot, script: Spot, values: dict[str, str]
) -> Iterator[Splice]:
    """The step's variables: with those that it has, or above its script."""
    key = script.key
    at = manifest.line_start(script.start)
    beside_dash = manifest.text[at : script.start].strip() != ""
    if step.child("env") is not None or step.is_flow or beside_dash or key is None:
        yield from manifest.put(step, {"env": dict(values)})
    else:
        indent = " " * int(key.start_mark.column)
        lines = "".join(f"{indent}  {name}: {said}\n" for name, said in values.items())
        yield manifest.splice(at, at, f"{indent}env:\n{lines}")


@_carried_out
def no_insecure_commands(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """Without the setting, where no script prints one of the commands that it allows."""
    if re.search(r"::\s*(?:set-env|add-path)", manifest.text):
        raise UncertainError
    for one in root.walk():
        if one.path[-1:] == ("ACTIONS_ALLOW_UNSECURE_COMMANDS",):
            yield manifest.without(one)


@_carried_out
def sound_conditions(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """A condition's text without the line break that made it true."""
    for one in root.walk():
        style = getattr(one.value, "style", None)
        if one.path[-1:] == ("if",) and style in {"|", ">"} and one.text.endswith("\n"):
            start = int(one.value.start_mark.index)
            mark = re.match(r"[|>]\+?(?=\s)", manifest.text[start:])
            if mark is None:
                raise UncertainError
            yield manifest.splice(start, start + mark.end(), f"{style}-")


_ACTOR = re.compile(r"github\.(?:triggering_)?actor(?=\s*[!=]=\s*'[\w-]+\[bot\]')")


@_carried_out
def author_of_change(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """The author of the change in place of the actor of the last event."""
    on = root.child("on")
    events = {one.text or one.name for one in (on.children or [on])} if on is not None else set()
    if not events or not events <= {"pull_request", "pull_request_target"}:
        raise UncertainError
    for one in root.walk():
        if one.path[-1:] == ("if",):
            start = int(one.value.start_mark.index)
            for actor in _ACTOR.finditer(manifest.text, start, manifest.end(one)):
                author = "github.event.pull_request.user.login"
                yield manifest.splice(actor.start(), actor.end(), author)


_CONTAINS = re.compile(r"contains\(\s*'([^'\"\[\]]+)'\s*,")


@_carried_out
def listed_names(manifest: Manifest, root: Spot) -> Iterator[Splice]:
    """A list of names, one of which must be met, in place of a text that holds them."""
    for one in root.walk():
        if one.path[-1:] == ("if",):
            start = int(one.value.start_mark.index)
            if getattr(one.value, "style", None) in {"'", '"'}:
                continue
            for listed in _CONTAINS.finditer(manifest.text, start, manifest.end(one)):
                names = ", ".join(f'"{name}"' for name in re.split(r"[\s,]+", listed[1].strip()))
                new = f"contains(fromJSON('[{names}]'),"
                yield manifest.splice(listed.start(), listed.end(), new)
