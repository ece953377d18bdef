"""Plays and tasks of Ansible: the module is the kind, what it is given are the settings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mergegate.repo.checks.infrastructure.dialects import ansible_clouds
from mergegate.repo.checks.infrastructure.dialects.addresses import reach, scheme
from mergegate.repo.checks.infrastructure.dialects.ansible_variables import (
    Variables,
    default_arguments,
    with_defaults,
)
from mergegate.repo.checks.infrastructure.dialects.parts import (
    LONGEST,
    WORDS,
    beside,
    evaluated,
    listed,
    mapping,
    resource,
    says,
)
from mergegate.repo.engines.documents.nodes import is_secret_name
from mergegate.repo.facts.documents import (
    ABSENT,
    MASKED,
    DocumentFile,
    DocumentKind,
    Documents,
    Form,
    Node,
)
from mergegate.repo.facts.resources import GAP, UNKNOWN, Dialect, Resource

_VARIABLE = re.compile(r"\{\{.{0,500}?\}\}|\{%.{0,500}?%\}", re.DOTALL)
_PATH_OF_TASKS = re.compile(
    r"(?:^|/)(?:[\w.-]*(?:tasks|handlers|playbooks?)[\w.-]*/|playbook[\w.-]*$)"
)
_KEYWORDS = frozenset(WORDS["ansible-keywords"])
_INHERITED = WORDS["ansible-inherited"]
_COMMANDS = frozenset(WORDS["ansible-commands"])
_MODULES = frozenset(WORDS["ansible-modules"])
"""Modules that a list of tasks is told by where its path does not say so."""
_OF_CONNECTION = "ansible_"
_BECOMES = frozenset({"become", "roles", "import_role", "include_role"})
"""What a play has where something in it becomes another user, or may."""
_LOOPS = ("loop", "with_items", "with_list", "with_flattened")
_LISTS = ("tasks", "pre_tasks", "post_tasks", "handlers")
_PARTS = ("block", "rescue", "always")
_PAIR = re.compile(r"(?:^|\s)([a-z_]\w*)=(\"[^\"]*\"|'[^']*'|(?:\{\{[^{}]*\}\}|\S)*)")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_OF_ITEM = re.compile(r"\{\{[^{}]{0,200}?\bitem\.(?:value\.)?(\w{1,80})")
_ITEM_ALONE = re.compile(r"\{\{\s*item\s*(?:\|[^{}]{0,80})?\}\}")
_HASHED_HERE = re.compile(
    r"\{\{\s*(?:'[^'{}]+'|\"[^\"{}]+\")\s*\|\s*(?:ansible\.\w+\.)?password_hash\b"
)
"""A literal that is made a hash of where everyone reads it."""
_PASSWORD_OPTION = re.compile(
    r"(?:\s-p|\s--?\w*(?:pass(?:word|wd)?|token|secret)[= ]\s*|\s-(?:a|u|w|b)\s+[^\s|;&{}]{0,80})"
    r"[\"']?\{\{\s*([\w.]{1,120})"
)
_SECRET_KEPT = re.compile(r"hash|_file|_path|length|defined|lookup|vault_id", re.IGNORECASE)


def resources(documents: Documents) -> Iterator[Resource]:
    """Every play, every task, and Ansible's own settings."""
    for file, root in documents.of(DocumentKind.ANSIBLE):
        is_play = any("hosts" in one.keys for one in root.items)
        if is_play:
            for number, play in enumerate(root.items):
                yield from _play(file, number, play)
        elif _PATH_OF_TASKS.search(file.copy_of or file.path) or _are_tasks(root):
            yield from _tasks(_Around(file), root)
    for file, root in documents.of(DocumentKind.ANSIBLE_INVENTORY):
        yield from _variables(file, root, "variables")
    for file, root in documents.of(DocumentKind.ANSIBLE_SETTINGS):
        yield resource(file, Dialect.ANSIBLE, "settings", "settings", root)


def _variables(file: DocumentFile, holder: Node, name: str) -> Iterator[Resource]:
    """Each map that says how hosts are reached: of a host, a group or a play."""
    if any(one.startswith(_OF_CONNECTION) for one in holder.keys):
        more = {"plain_secrets": plain_secrets(holder, _OF_CONNECTION)}
        said = evaluated(beside(holder, more), _VARIABLE)
        yield resource(file, Dialect.ANSIBLE, "variables", name, said)
    for key, value in holder.entries:
        if value.form is Form.MAP:
            yield from _variables(file, value, key)


def _are_tasks(root: Node) -> bool:
    """Whether every item calls a module, wherever the file lies: many lists have names in them."""
    return bool(root.items) and all(
        one["block"].items or _is_call(*_called_as(one)) for one in root.items
    )


def _is_call(name: str, given: Node) -> bool:
    if name.count(".") > 1:
        return True
    has_a_way = given.form is Form.MAP or (name in _COMMANDS and " " in given.text)
    return has_a_way and (name in _MODULES or name in ansible_clouds.modules())


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a task, and holds for it too."""

    file: DocumentFile
    keywords: Mapping[str, Node] = field(default_factory=dict)
    variables: Variables = field(default_factory=Variables)
    defaults: Mapping[str, Node] = field(default_factory=dict)
    """What modules are given beside what the task says, by their short names."""
    in_play: bool = False
    """Whether all that stands around it is known: who calls a role may say more."""

    def holding(self, node: Node) -> "_Around":
        """The same with the keywords and variables of a play, block or task."""
        own = {name: node[name] for name in _INHERITED if node[name].present}
        return replace(
            self,
            keywords={**self.keywords, **own},
            variables=self.variables.holding(node["vars"]),
            defaults={**self.defaults, **default_arguments(node["module_defaults"])},
        )


def _play(file: DocumentFile, number: int, play: Node) -> Iterator[Resource]:
    name = play["name"].text or f"play {number + 1}"
    found = evaluated(play, _VARIABLE)
    more = {
        "plain_secrets": plain_secrets(play["vars"]),
        "idle_user": ABSENT if _BECOMES.intersection(_keys(play)) else play["become_user"],
    }
    yield resource(file, Dialect.ANSIBLE, "play", name, beside(found, more))
    yield from _variables(file, play["vars"], name)
    for part in _LISTS:
        yield from _tasks(_Around(file, in_play=True).holding(play), play[part])


def _tasks(around: _Around, tasks: Node) -> Iterator[Resource]:
    for task in tasks.items:
        if task["block"].present:
            inside = around.holding(task)
            if task["environment"].present:
                own = {"own_environment": _environment(task)}
                block = mapping(task.line, own)
                yield resource(around.file, Dialect.ANSIBLE, "task", "block", block)
            for part in _PARTS:
                yield from _tasks(inside, task[part])
        elif task.form is Form.MAP:
            yield from _task(around.holding(task), task)


def _task(around: _Around, task: Node) -> Iterator[Resource]:
    module, given = _called(task)
    if not module:
        return
    arguments = _arguments(module, given)
    if task["args"].keys:
        arguments = beside(task["args"], dict(arguments.entries))
    for holder in (module, ansible_clouds.group_of(module)):
        arguments = with_defaults(arguments, around.defaults.get(holder))
    keywords = {key: task[key] for key in task.keys if key in _KEYWORDS}
    held = mapping(task.line, {**around.keywords, **keywords})
    shown = _shown(module, arguments, task)
    arguments, held = around.variables.put_into(arguments), around.variables.put_into(held)
    command = _command(module, arguments)
    repeats = _repeats(arguments, task)
    looped = next((task[one] for one in _LOOPS if task[one].present), ABSENT)
    arguments = around.variables.each_of(arguments, looped)
    derived = {
        "task": evaluated(held, _VARIABLE),
        "over": _over(arguments),
        "local": says(task.line, any(_is_local(one) for _, one in arguments.entries)),
        "command": command,
        "shown": shown,
        "own_environment": _environment(task),
        "repeats": repeats,
        "argument_secrets": _argument_secrets(module, given),
        "plain_secrets": _given_secrets(module, arguments, task),
        "idle_user": task["become_user"]
        if around.in_play and not held["become"].present
        else ABSENT,
    }
    name = task["name"].text or module
    known = evaluated(arguments, _VARIABLE)
    settings = mapping(task.line, {**dict(known.entries), **derived})
    whole = mapping(task.line, {"module": Node(task.line, text=module), **dict(settings.entries)})
    yield resource(around.file, Dialect.ANSIBLE, module, name, settings)
    yield resource(around.file, Dialect.ANSIBLE, "task", name, whole)
    yield from ansible_clouds.made(around.file, module, known, name)


def _environment(task: Node) -> Node:
    """The variables of a task by name; what a text says of them is not known."""
    said = evaluated(task["environment"], _VARIABLE)
    is_text = said.present and said.form is Form.SCALAR
    return Node(said.line, tag=UNKNOWN) if is_text else said


def _called(task: Node) -> tuple[str, Node]:
    """The short name of a task's module, and what it is given."""
    for key, value in task.entries:
        if key.rpartition(".")[2] in {"action", "local_action"}:
            if value["module"].present:
                return value["module"].text.rpartition(".")[2], value
            first, _, rest = value.text.partition(" ")
            return first.rpartition(".")[2], Node(value.line, text=rest)
    name, given = _called_as(task)
    return name.rpartition(".")[2], given


def _called_as(task: Node) -> tuple[str, Node]:
    """The module of a task as it is written, and what it is given."""
    names = [key for key in task.keys if key not in _KEYWORDS and not key.startswith("with_")]
    if len(names) != 1 or not _NAME.fullmatch(names[0]):
        return "", ABSENT
    return names[0], task[names[0]]


def _arguments(module: str, given: Node) -> Node:
    """The arguments as a map, however they are written."""
    if given.form is Form.MAP:
        return given
    found: dict[str, Node] = {}
    if given.form is Form.SCALAR:
        pairs = _PAIR.findall(given.text)
        found = {key: Node(given.line, text=value.strip("\"'")) for key, value in pairs}
        if module in _COMMANDS:
            found["cmd"] = given
    return mapping(given.line, found)


def _over(arguments: Node) -> Node:
    """Over what each public address among the arguments is reached."""
    found: dict[str, Node] = {}
    for name, value in arguments.entries:
        for one in value.each:
            if one.form is Form.SCALAR and reach(one.text) in {"public", "example"}:
                found[name] = Node(one.line, text=scheme(one.text))
    return mapping(arguments.line, found)


def _is_local(value: Node) -> bool:
    return any(reach(one.text) == "local" for one in value.each)


def _command(module: str, arguments: Node) -> Node:
    """What is run, a variable in it as a gap; absent where it cannot be judged."""
    if module not in _COMMANDS:
        return ABSENT
    argv = arguments["argv"].items
    given = arguments["cmd"] if arguments["cmd"].present else arguments["_raw_params"]
    text = " ".join(one.text for one in argv) if argv else given.text
    if not 0 < len(text) <= LONGEST:
        return ABSENT
    return Node(given.line or arguments.line, text=_VARIABLE.sub(GAP, text))


def _shown(module: str, arguments: Node, task: Node) -> Node:
    """The secrets by their names that the task's output would show."""
    if module in _COMMANDS:
        texts = [one for one in arguments.walk() if one.form is Form.SCALAR]
    elif module == "debug":
        texts = [*arguments["msg"].each]
        if is_secret_name(arguments["var"].text):
            texts.append(Node(arguments["var"].line, text=f"{{{{ {arguments['var'].text} }}}}"))
    elif module == "uri":
        texts = [one for one in arguments["url"].each if one.form is Form.SCALAR]
    else:
        texts = []
    found = {name for one in texts if len(one.text) <= LONGEST for name in _secrets(one.text)}
    return listed(task.line, sorted(found))


def _repeats(arguments: Node, task: Node) -> Node:
    """The secrets in items of a loop, each of which is shown whole beside its result."""
    is_loop = any(key == "loop" or key.startswith("with_") for key in task.keys)
    if not is_loop or task.at("loop_control", "label").present:
        return ABSENT
    texts = [one.text for one in arguments.walk() if one.form is Form.SCALAR]
    named = {name for text in texts if len(text) <= LONGEST for name in _OF_ITEM.findall(text)}
    named |= {key for key, value in arguments.entries if _ITEM_ALONE.fullmatch(value.text)}
    return listed(task.line, sorted(one for one in named if is_secret_name(one)))


def _argument_secrets(module: str, given: Node) -> Node:
    """The secrets by their names that a command is given where its options say a password."""
    arguments = _arguments(module, given)
    if module not in _COMMANDS:
        return ABSENT
    argv = " ".join(one.text for one in arguments["argv"].items)
    text = arguments["cmd"].text or arguments["_raw_params"].text or argv
    found = _PASSWORD_OPTION.findall(text) if len(text) <= LONGEST else []
    return listed(given.line, sorted({one for one in found if is_secret_name(one)}))


def _given_secrets(module: str, arguments: Node, task: Node) -> Node:
    """The names of variables and passwords whose secret is written here."""
    if module == "set_fact":
        return plain_secrets(arguments)
    found = plain_secrets(task["vars"])
    hashed = arguments["password"]
    if not found.present and module == "user" and _HASHED_HERE.search(hashed.text):
        return Node(hashed.line, Form.LIST, children=(Node(hashed.line, text="password"),))
    return found


def plain_secrets(variables: Node, of: str = "") -> Node:
    """The names of variables whose value is a secret in plain text, of those that begin so."""
    found = [
        (key, value.line)
        for key, value in variables.entries
        if value.text == MASKED and key.startswith(of)
    ]
    return listed(found[0][1] if found else 0, [key for key, _ in found])


def _keys(node: Node) -> Iterator[str]:
    """Every key of the node and of what is below it, names of modules shortened."""
    for one in node.walk():
        yield from (key.rpartition(".")[2] for key in one.keys)


def _secrets(text: str) -> Iterator[str]:
    """The variables in a text that are secrets by their names."""
    for match in _VARIABLE.finditer(text):
        for name in _NAME.findall(match[0]):
            last = name.rpartition(".")[2]
            if is_secret_name(last) and not _SECRET_KEPT.search(match[0]):
                yield last
