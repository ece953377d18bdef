import pytest

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role
from mergegate.secrets.fact import role_by_name, weighed
from mergegate.secrets.scan import scan
from tests.secrets.test_assignments import PASSWORD, TOKEN

GENERIC = scan(f"password: {PASSWORD}\nmode: plain".encode(), ".yml")


@pytest.mark.parametrize(
    "path",
    [
        "conf/.env.example",
        "conf/settings.sample.yml",
        "config.yml.dist",
        "web/locale/de.yml",
        "src/i18n/messages_de.yml",
        "public/language/pl/user.json",
        "poetry.lock",
        "package-lock.json",
        "requirements-dev.txt",
        "static/app.min.js",
    ],
)
def test_path_explains_a_generic_secret_away(path: str) -> None:
    assert weighed(path, GENERIC).matches == ()


@pytest.mark.parametrize(
    "path", ["conf/prod.yml", "conf/.env", "exemplar.py", "lang.yml", "language.yml"]
)
def test_ordinary_path_explains_nothing(path: str) -> None:
    assert len(weighed(path, GENERIC).matches) == 1


def test_file_that_leaks_by_trade_makes_surer() -> None:
    weak = scan(b"DB_PASSWORD=admin123\nAPP=x")
    assert weak.matches[0].confidence is Confidence.LOW
    assert weighed("web/.env", weak).matches[0].confidence is Confidence.MEDIUM


def test_bare_key_counts_only_under_a_telling_name() -> None:
    key = scan(b"3ebf21f8e5d1ab86b27a720842c3bb57")
    assert len(weighed("config/master.key", key).matches) == 1
    assert weighed("cache/etag", key).matches == ()


def test_template_of_a_settings_file_is_an_example() -> None:
    assert role_by_name("conf/settings.example.py", Role.SOURCE) is Role.EXAMPLE
    assert role_by_name("conf/settings.py", Role.SOURCE) is Role.SOURCE


def test_token_in_a_lock_file_stays() -> None:
    found = scan(f"https://ci:{TOKEN}@git.acme.io/x.git".encode())
    assert len(weighed("poetry.lock", found).matches) == 1
