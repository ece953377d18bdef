"""Every way in which GitLab may fail, as an error of the house: what, to what, what next."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from gitlab.exceptions import GitlabAuthenticationError, GitlabError, GitlabParsingError
from requests import RequestException
from requests.exceptions import RetryError

from mergegate.core.errors import ForgeError, NotAllowed

TOKEN_REMEDY = (
    "Set MERGEGATE_TOKEN or GITLAB_TOKEN to a project, group or personal access token with the "
    "scope api and at least the role Developer."
)
_HIDDEN_REMEDY = f"{TOKEN_REMEDY} GitLab says 404 as well of a project that a token may not see."
_MOST_SHOWN = 200
_NOT_PLAIN = re.compile(r"[^ -~]|:(?=:)|#(?=#)")


def job_token() -> NotAllowed:
    """What to say to a job token: it may read notes and nothing more.

    Source: https://docs.gitlab.com/ci/jobs/ci_job_token/ (read for 18).
    """
    return NotAllowed("A CI_JOB_TOKEN cannot write to a merge request", remedy=TOKEN_REMEDY)


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Say ``GitLab … to {what}`` when GitLab refuses, does not answer or answers nonsense.

    Raises NotAllowed where another token would help, ForgeError otherwise.
    """
    try:
        yield
    except (GitlabParsingError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise _nonsense(what) from error
    except GitlabError as error:
        raise _refused(what, error) from error
    except RetryError as error:
        raise ForgeError(
            f"GitLab was asked to {what} and kept refusing", remedy="Run the job again later."
        ) from error
    except RequestException as error:
        raise _silent(what) from error


def _nonsense(what: str) -> ForgeError:
    return ForgeError(
        f"GitLab was asked to {what} and answered something unexpected",
        remedy="Check that the address is GitLab's API and not a proxy's page.",
    )


def _silent(what: str) -> ForgeError:
    return ForgeError(
        f"GitLab was asked to {what} and did not answer",
        remedy="Check that the runner reaches GitLab and trusts its certificate.",
    )


def _refused(what: str, error: GitlabError) -> ForgeError:
    code = error.response_code or 0
    text = f"GitLab was asked to {what} and refused with {code}{_reason(error)}"
    if isinstance(error, GitlabAuthenticationError) or code in _FORBIDDEN:
        return NotAllowed(text, remedy=TOKEN_REMEDY)
    if code == HTTPStatus.NOT_FOUND:
        return NotAllowed(text, remedy=_HIDDEN_REMEDY)
    if HTTPStatus.MULTIPLE_CHOICES <= code < HTTPStatus.BAD_REQUEST:
        return ForgeError(text, remedy="Name GitLab's own address: redirects are not followed.")
    return ForgeError(text)


_FORBIDDEN = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def _reason(error: GitlabError) -> str:
    """GitLab's own words: cut, on one line, and no command to a runner that reads the log."""
    said = str(error.error_message)
    plain = _NOT_PLAIN.sub(" ", said[: 2 * _MOST_SHOWN])
    words = " ".join(plain.split())[:_MOST_SHOWN]
    return f" ({words})" if words and "<" not in words else ""
