"""A comment on a change that gives an order: who may, what is done, and what is answered."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mergegate.ci import commits, replies
from mergegate.ci.checkout import Checkout
from mergegate.ci.commits import InPlace, Uncommitted
from mergegate.ci.forging import forge_for
from mergegate.ci.named import Declined, ambiguous, meant
from mergegate.ci.options import Job
from mergegate.ci.output import say
from mergegate.ci.scanning import Scanned, authors_of, is_delegated, scanned
from mergegate.core.errors import ForgeError, UsageError
from mergegate.core.finding import Finding
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Severity
from mergegate.forges.branches import Committed
from mergegate.forges.context import CiContext
from mergegate.forges.github.hooks import Unheard, read_comment
from mergegate.forges.marker import State, with_state
from mergegate.forges.orders import (
    Asked,
    Explain,
    Help,
    Ignore,
    Misread,
    NotAnOrder,
    Order,
    Rescan,
    Ruling,
    ShowFix,
    Unignore,
    decide,
    lift,
    may_write,
    parse,
    waive,
)
from mergegate.forges.ports import Forge, Standing
from mergegate.forges.publication import DIALECTS, Dialect
from mergegate.forges.publish import summary
from mergegate.repo.fixes import patch
from mergegate.repo.policy import SELF_DISMISSAL, named_by
from mergegate.repo.settings import SHORT_ID
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.ancestry import holds
from mergegate.sandbox.git.repository import Repository
from mergegate.terminal.exits import PASSED

_LARGEST_EVENT = 6 << 20
Answer = Callable[[Job, Checkout, Mapping[str, str]], int]


class Leave(Exception):
    """The comment is none of our business; the reason is for the log."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A comment that was heard: the forge it stands on, and who gave the order."""

    job: Job
    around: CiContext
    environment: Mapping[str, str]
    asked: Asked
    forge: Forge
    dialect: Dialect
    today: dt.date
    standing: Standing = Standing.NONE
    """What the comment's author may do, as the platform says now."""
    found: Report | None = None
    """The scan made before, as in Checkout; its caller has already replied that it began."""
    tell: Callable[[str], None] = say
    """Where the forge's refusals go."""

    def reply(self, body: str, *, done: bool = True) -> None:
        """Answer and react; a refusal of the forge is told."""
        if self.forge.replies is None:
            return
        try:
            self.forge.replies.acknowledge(self.asked.comment_id, done)
            self.forge.replies.reply(self.asked.comment_id, body)
        except ForgeError as error:
            self.tell(f"could not answer the comment: {error}")


def run(job: Job, around: CiContext, environment: Mapping[str, str], answer: Answer) -> int:
    """Do what the comment of the job's event orders; see :func:`heed`."""
    return heed(read_comment(_event(environment)), job, around, environment, answer)


def heed(
    said: Asked | Unheard,
    job: Job,
    around: CiContext,
    environment: Mapping[str, str],
    answer: Answer,
    *,
    found: Report | None = None,
    tell: Callable[[str], None] = say,
) -> int:
    """Do what the comment orders; 0 for comments that are none of our business.

    ``found`` is the scan of the change, where it was made before; ``tell`` hears what the forge
    refused.
    """
    try:
        context, order = _received(said, job, around, environment)
        context = replace(context, found=found, tell=tell)
        granted = _granted(order, context)
    except Leave as reason:
        say(f"nothing to do: {reason}")
        return PASSED
    return _obey(granted, context, answer) if granted else PASSED


def forestalled(
    said: Asked,
    job: Job,
    around: CiContext,
    environment: Mapping[str, str],
    tell: Callable[[str], None],
) -> Order | None:
    """The order, where obeying it takes a scan; None where all there is to say is said by this.

    Raises Leave for a comment that is none of our business, ForgeError, UsageError.
    """
    context, order = _received(said, job, around, environment)
    context = replace(context, tell=tell)
    granted = _granted(order, context)
    if isinstance(granted, Help):
        context.reply(replies.usage())
        return None
    if isinstance(granted, Rescan):
        context.reply(replies.rescanning(head=str(context.forge.head), moved=False))
    return granted


def _received(
    said: Asked | Unheard, job: Job, around: CiContext, environment: Mapping[str, str]
) -> tuple[CommandContext, Order | Misread]:
    today = dt.datetime.now(dt.UTC).date()
    asked, order = _heard(said, today)
    return _desk(job, around, environment, asked, today), order


def _heard(asked: Asked | Unheard, today: dt.date) -> tuple[Asked, Order | Misread]:
    if isinstance(asked, Unheard):
        raise Leave(asked.reason)
    order = parse(asked.body, today)
    if isinstance(order, NotAnOrder):
        raise Leave("the comment gives no order")
    return asked, order


def _desk(
    job: Job, around: CiContext, environment: Mapping[str, str], asked: Asked, today: dt.date
) -> CommandContext:
    host = forge_for(around, around.change, environment)
    if host is None or around.change.provider is None:
        raise UsageError(
            "an order in a comment needs a token that may answer it",
            remedy="Give the job a token with `pull-requests: write`.",
        )
    dialect = DIALECTS[around.change.provider]
    standing = host.people.standing(asked.account) if host.people else Standing.NONE
    return CommandContext(job, around, environment, asked, host, dialect, today, standing)


def _granted(order: Order | Misread, context: CommandContext) -> Order | None:
    """The order, when its author may give it; else the answer is given here."""
    judged = Rescan() if isinstance(order, Misread) else order
    ruling = decide(judged, context.standing, insider=context.asked.insider)
    if ruling is Ruling.UNHEARD:
        raise Leave("the author of the comment does not belong to the project")
    if ruling is Ruling.REFUSED:
        context.reply(replies.refused(account=context.asked.account), done=False)
        return None
    if isinstance(order, Misread):
        context.reply(replies.misread(reason=order.reason, hint=order.hint), done=False)
        return None
    return order


def _obey(order: Order, context: CommandContext, answer: Answer) -> int:
    if isinstance(order, Help):
        context.reply(replies.usage())
        return PASSED
    try:
        here = _standing_place(context)
        if isinstance(order, Explain | ShowFix):
            return _tell(order, context, here)
        if isinstance(order, Ignore):
            here = _ignored(order, context, here)
        if isinstance(order, Unignore):
            _unignored(order, context)
    except Declined as reason:
        context.reply(replies.failed(reason=reason.what, remedy=reason.remedy), done=False)
        return PASSED
    except UsageError as error:
        context.reply(replies.failed(reason=error.what, remedy=error.remedy), done=False)
        raise
    if isinstance(order, Rescan) and context.found is None:
        context.reply(replies.rescanning(head=str(here.change.head), moved=False))
    return answer(context.job, here, context.environment)


def _ignored(order: Ignore, context: CommandContext, here: Checkout) -> Checkout:
    """Set the finding aside, and where it goes on: with the scan that found it.

    Raises Declined, UsageError.
    """
    report = scanned(context.job, here, context.environment).report
    id, finding = meant(order.id, report)
    if finding and _is_own(finding, report, context):
        raise Declined(f"{id[:SHORT_ID]} still counts", remedy=f"{_sentence(SELF_DISMISSAL)}.")
    _record(replace(order, id=id), context)
    context.reply(
        replies.ignored(
            id=id,
            until=order.until,
            reason=order.reason,
            owner=context.asked.account,
            finding=finding,
        )
    )
    aside = any(one.finding.id == id for one in report.suppressed)
    return here if aside else replace(here, found=report)


def _is_own(finding: Finding, report: Report, context: CommandContext) -> bool:
    """Whether a second person has to set it aside."""
    allowed = report.policy is not None and report.policy.allows_self_dismissal
    if finding.severity is not Severity.CRITICAL or allowed:
        return False
    authors = authors_of(context.forge)
    return authors is None or context.asked.account.casefold() in authors


def _unignored(order: Unignore, context: CommandContext) -> None:
    known = sorted(one.id for one in _state(context).waivers)
    fitting = named_by(order.id, known)
    if len(fitting) > 1:
        raise ambiguous(fitting)
    id = fitting[0] if fitting else order.id
    lifted = bool(lift(_state(context), id))
    _record(Unignore(id), context)
    context.reply(replies.unignored(id=order.id, found=lifted))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _state(context: CommandContext) -> State:
    """What our comment remembers; raises UsageError where there is no conversation."""
    if context.forge.conversation is None:
        raise UsageError("there is no conversation to record a dismissal in")
    found = summary(context.forge.conversation.comments())
    return found.state or State(head=context.forge.head or "", sequence=0)


def _record(order: Ignore | Unignore, context: CommandContext) -> None:
    """Write the dismissal where only we write; raises Declined when it does not fit there."""
    conversation = context.forge.conversation
    if conversation is None:
        raise UsageError("there is no conversation to record a dismissal in")
    found = summary(conversation.comments())
    known = found.state or State(head=context.forge.head or "", sequence=0)
    try:
        state = waive(known, order, context.asked.account, context.today)
    except UsageError as error:
        raise Declined(error.what, remedy=error.remedy) from error
    body = found.comment.body if found.comment else "Mergegate is scanning this change."
    remembering = with_state(body, state, context.dialect.hiding)
    if found.comment:
        conversation.edit(found.comment.id, remembering)
    else:
        conversation.write(remembering)


def _standing_place(context: CommandContext) -> Checkout:
    """The change as it stood when the order came; raises UsageError when it has moved on since.

    Nothing of it is run, and what was pushed since is answered by its own job.
    """
    repository = Repository(context.around.workspace / context.job.path)
    known = context.around.change
    # What the forge calls the base may lie further back than the history that is here.
    change = replace(known, head=context.forge.head, base=known.base or context.forge.base)
    if not holds(repository, change):
        raise UsageError(
            "the change has moved on since, or something else is checked out",
            remedy="Its newest commit is answered by its own job; give the order again for it.",
        )
    return Checkout(context.around, change, repository.root, repository, context.found)


def _tell(order: Explain | ShowFix, context: CommandContext, here: Checkout) -> int:
    if isinstance(order, Explain):
        return _explain(order, context, here)
    return _show_fix(order, context, here)


def _explain(order: Explain, context: CommandContext, here: Checkout) -> int:
    report = scanned(context.job, here, context.environment).report
    known = {one.id: one for one in (*(one.finding for one in report.suppressed), *report.findings)}
    fitting = named_by(order.id, sorted(known))
    if len(fitting) > 1:
        raise ambiguous(fitting)
    found = known[fitting[0]] if fitting and fitting[0] in known else None
    context.reply(replies.explained(id=order.id, finding=found))
    return PASSED


def _show_fix(order: ShowFix, context: CommandContext, here: Checkout) -> int:
    def is_meant(one: Finding) -> bool:
        return one.id.startswith(order.id)

    found = scanned(context.job, here, context.environment, is_meant)
    report = found.report
    may = commits.permitted(context.job, here, found.base).commits == "allow"
    commit = commits.landed(order.id, here, found.base) if may else None
    if commit and not any(map(is_meant, report.findings)):
        context.reply(replies.in_place(id=order.id, commit=commit))
        return PASSED
    id, finding = meant(order.id, report)
    if finding is None:
        raise Declined("no finding of this change has this id", remedy="It may be fixed by now.")
    fix = next((one for one in report.fixes if finding.id in one.finding_ids), None)
    if fix is None:
        refused = next((one for one in report.refused_fixes if one.finding_id == id), None)
        context.reply(replies.without_fix(finding=finding, refused=refused))
        return PASSED
    told = "".join(patch.of(one) for one in report.mended if one.fix_ids == (fix.id,))
    done = _committed(fix, finding, found, context, here) if may else None
    context.reply(_told(finding, fix, told, done, context.dialect))
    return PASSED


def _told(
    finding: Finding,
    fix: Fix,
    diff: str,
    done: Committed | InPlace | Uncommitted | None,
    dialect: Dialect,
) -> str:
    """What became of the fix; ``done`` is None where the policy lets nothing be committed."""
    match done:
        case Committed():
            return replies.committed(finding=finding, fix=fix, done=done)
        case InPlace(commit):
            return replies.in_place(id=finding.id, commit=commit)
    return replies.fixed(finding=finding, fix=fix, diff=diff, dialect=dialect, why_not=done)


def _committed(
    fix: Fix, finding: Finding, found: Scanned, context: CommandContext, here: Checkout
) -> Committed | InPlace | Uncommitted:
    ordered = commits.Ordered(
        fix=fix,
        finding=finding,
        report=found.report,
        here=here,
        base=found.base,
        account=context.asked.account,
        may_write=may_write(context.standing),
        is_proved_here=context.found is not None or not is_delegated(context.job, here.change),
    )
    return commits.committed(ordered, context.forge)


def _event(environment: Mapping[str, str]) -> bytes:
    try:
        return read_regular(Path(environment.get("GITHUB_EVENT_PATH", "")), _LARGEST_EVENT)
    except OSError as error:
        raise UsageError("the file of the event cannot be read") from error
