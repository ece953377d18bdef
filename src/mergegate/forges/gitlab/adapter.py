"""Build a forge for one change on GitLab."""

from mergegate.core.change import Change
from mergegate.forges.gitlab.answers import Answers
from mergegate.forges.gitlab.connection import Connection, TokenKind, commit
from mergegate.forges.gitlab.discussions import Discussions
from mergegate.forges.gitlab.ledger import Issues
from mergegate.forges.gitlab.notes import Notes
from mergegate.forges.gitlab.patience import Patience
from mergegate.forges.gitlab.people import Members
from mergegate.forges.gitlab.refusals import asking
from mergegate.forges.gitlab.statuses import Statuses
from mergegate.forges.pacing import Clock
from mergegate.forges.ports import Forge


def forge(
    change: Change,
    *,
    token: str,
    api_url: str,
    token_kind: TokenKind,
    pipeline: int | None = None,
    clock: Clock = Clock(),  # noqa: B008
) -> Forge:
    """The change's project on the GitLab at ``api_url`` (``CI_API_V4_URL`` or the server's own).

    ``pipeline`` is ``CI_PIPELINE_ID``: the status then joins that pipeline, which the merge
    request waits for. Reads the merge request, where there is one, for its current head.
    Raises NotAllowed for a job token, a damaged one, and one that sees no such merge request;
    UsageError for an address that is none; ForgeError when GitLab does not answer.
    """
    connection = Connection(api_url, token, token_kind, change.repository, Patience(clock))
    statuses = Statuses(connection, run_url=change.run_url, pipeline=pipeline)
    people, ledger = Members(connection), Issues(connection)
    if change.number is None:
        return Forge(
            name="GitLab", verdicts=statuses, progress=statuses, people=people, ledger=ledger
        )
    request = connection.request(change.number)
    head = _head(connection, change.number)
    return Forge(
        name="GitLab",
        head=head,
        conversation=Notes(connection, request),
        reviews=Discussions(connection, request, head),
        verdicts=statuses,
        progress=statuses,
        people=people,
        replies=Answers(request),
        ledger=ledger,
    )


def _head(connection: Connection, number: int) -> str | None:
    with asking("show the merge request"):
        return commit(connection.project.mergerequests.get(number).asdict().get("sha"))
