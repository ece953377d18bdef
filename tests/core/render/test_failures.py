"""Every error has one name in the API, and none tells a stranger of this machine."""

import pytest

from mergegate.core import errors
from mergegate.core.errors import Failed, MergegateError, TargetError
from mergegate.core.render.failures import INTERNAL, failed
from mergegate.forges.provider import (
    AccessDenied,
    BranchNotFound,
    CommitNotFound,
    ProviderUnreachable,
    TokenRevoked,
)
from mergegate.sandbox.git.clone import (
    AccessRefused,
    CommitMissing,
    ProviderSilent,
    TokenRefused,
    TooLarge,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.TargetNotAllowed, "TARGET_NOT_ALLOWED"),
        (errors.TargetUnreachable, "TARGET_UNREACHABLE"),
        (errors.TargetNotAnalysable, "TARGET_NOT_ANALYSABLE"),
        (errors.TargetError, "TARGET_NOT_ANALYSABLE"),
        (errors.UnsupportedBudgetVersion, "UNSUPPORTED_BUDGET_VERSION"),
        (errors.PolicyError, "INVALID_POLICY"),
        (errors.UsageError, "INVALID_REQUEST"),
        (TokenRevoked, "PROVIDER_TOKEN_REVOKED"),
        (TokenRefused, "PROVIDER_TOKEN_REVOKED"),
        (AccessDenied, "PROVIDER_ACCESS_DENIED"),
        (AccessRefused, "PROVIDER_ACCESS_DENIED"),
        (BranchNotFound, "BRANCH_NOT_FOUND"),
        (CommitNotFound, "COMMIT_NOT_FOUND"),
        (CommitMissing, "COMMIT_NOT_FOUND"),
        (ProviderUnreachable, "PROVIDER_UNREACHABLE"),
        (ProviderSilent, "PROVIDER_UNREACHABLE"),
        (TooLarge, "REPOSITORY_TOO_LARGE"),
    ],
)
def test_an_error_that_a_stranger_may_hear_of_has_a_code(
    kind: type[MergegateError], code: str
) -> None:
    assert failed(kind("it is so", remedy="Add --allow.")) == Failed(code, "It is so.")


@pytest.mark.parametrize(
    "kind",
    [
        errors.EngineFailed,
        errors.EngineMissing,
        errors.EngineTimeout,
        errors.StoreError,
        errors.ForgeError,
    ],
)
def test_an_error_of_this_machine_tells_nothing(kind: type[MergegateError]) -> None:
    assert failed(kind("/srv/secret is missing")) == INTERNAL


def test_what_a_page_wrote_into_an_error_moves_no_terminal() -> None:
    told = failed(errors.TargetUnreachable(f"\x1b[31m{'x' * 1000}\u202e"))
    assert told.detail.isprintable()
    assert len(told.detail) < 600


def test_an_address_at_the_start_stays_as_it_is_written() -> None:
    told = failed(TargetError("http://shop.example.org/ answers with 404"))
    assert told.detail == "http://shop.example.org/ answers with 404."
