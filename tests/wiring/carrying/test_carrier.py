"""What the operator named wrongly is said at the start, not to those who ask for scans."""

from pathlib import Path

import pytest

from mergegate.errors import UsageError
from mergegate.model.service.settings import service_settings
from mergegate.store.service.database import Database
from mergegate.store.service.sealing import Sealer, new_key
from mergegate.wiring.carrying import AUTHORITIES, carrier


@pytest.mark.parametrize(
    ("allowed", "environment", "words"),
    [
        ("http://10.0.0.1", {}, "no host"),
        ("10.0.0.1:x", {}, "no host"),
        ("", {AUTHORITIES: "/none/of/this"}, AUTHORITIES),
    ],
)
def test_a_host_that_is_set_up_wrongly_does_not_start(
    tmp_path: Path, allowed: str, environment: dict[str, str], words: str
) -> None:
    settings = service_settings({"MERGEGATE_ALLOW_HOSTS": allowed}, tmp_path)
    database = Database.open(settings.database_url)
    with pytest.raises(UsageError, match=words):
        carrier(database, Sealer([new_key()]), settings, environment=environment)
