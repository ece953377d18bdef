"""A GitLab that is busy or broken: waited for, not for too long, and nothing written twice."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from mergegate.core.errors import ForgeError
from tests.forges.gitlab_case import NOW, Hours, on, prepared, remark, talk, told
from tests.forges.gitlab_stand_in import BOT_TOKEN, GitLab, Refuse


@pytest.fixture
def site() -> Iterator[GitLab]:
    with prepared() as gitlab:
        yield gitlab


@pytest.fixture
def hours() -> Hours:
    return Hours()


def kept(site: GitLab) -> list[Any]:
    return [note for note in site.project.notes if not note["system"]]


def test_it_waits_as_long_as_gitlab_asks(site: GitLab, hours: Hours) -> None:
    site.refuse = [Refuse("POST", "/notes$", 429, headers={"Retry-After": "17"}, times=2)]
    talk(site, hours).write("text")
    assert hours.waits == [17.0, 17.0]
    assert len(kept(site)) == 1


def test_it_waits_until_the_count_starts_anew(site: GitLab, hours: Hours) -> None:
    reset = str(int(NOW.timestamp()) + 42)
    site.refuse = [Refuse("POST", "/notes$", 429, headers={"RateLimit-Reset": reset})]
    talk(site, hours).write("text")
    assert hours.waits == [42.0]


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "soon"}, {"RateLimit-Reset": "²"}])
def test_without_a_usable_word_it_waits_longer_each_time(
    site: GitLab, hours: Hours, headers: dict[str, str]
) -> None:
    encoded = {name: value.encode().decode("latin-1") for name, value in headers.items()}
    site.refuse = [Refuse("POST", "/notes$", 429, headers=encoded, times=4)]
    talk(site, hours).write("text")
    assert hours.waits == [1.0, 2.0, 4.0, 8.0]


def test_a_wait_longer_than_a_job_should_hang_is_an_error(site: GitLab, hours: Hours) -> None:
    site.refuse = [Refuse("POST", "/notes$", 429, headers={"Retry-After": "3600"})]
    with pytest.raises(ForgeError, match="3600 s"):
        talk(site, hours).write("text")
    assert hours.waits == []


def test_all_waits_of_a_run_add_up(site: GitLab, hours: Hours) -> None:
    conversation = talk(site, hours)
    for _ in range(2):
        site.refuse = [Refuse("POST", "/notes$", 429, headers={"Retry-After": "50"})]
        conversation.write("text")
    site.refuse = [Refuse("POST", "/notes$", 429, headers={"Retry-After": "50"})]
    with pytest.raises(ForgeError):
        conversation.write("text")
    assert hours.waits == [50.0, 50.0]


def test_a_gitlab_that_keeps_refusing_is_an_error(site: GitLab, hours: Hours) -> None:
    site.refuse = [Refuse("POST", "/notes$", 429, times=99)]
    with pytest.raises(ForgeError, match="kept refusing"):
        talk(site, hours).write("text")
    assert sum(hours.waits) <= 120
    assert site.count("POST", "/notes$") < 10


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_reading_is_repeated_when_gitlab_is_tired(site: GitLab, hours: Hours, status: int) -> None:
    site.refuse = [Refuse("GET", "/notes$", status, times=2)]
    assert talk(site, hours).comments() == []
    assert hours.waits == [1.0, 2.0]


def test_a_note_whose_answer_was_lost_is_not_written_twice(site: GitLab, hours: Hours) -> None:
    site.refuse = [Refuse("POST", "/notes$", 502, after=True)]
    with pytest.raises(ForgeError, match="502"):
        talk(site, hours).write("text")
    assert len(kept(site)) == 1


def test_a_deletion_whose_answer_was_lost_is_done(site: GitLab, hours: Hours) -> None:
    conversation = talk(site, hours)
    written = conversation.write("text")
    site.refuse = [Refuse("DELETE", "/notes/", 502, after=True)]
    conversation.remove(written.id)
    assert kept(site) == []


def test_a_status_that_another_run_is_setting_is_set_again(site: GitLab, hours: Hours) -> None:
    site.refuse = [Refuse("POST", "/notes$", 409)]
    talk(site, hours).write("text")
    assert len(kept(site)) == 1


def test_no_more_than_sixty_writes_fall_into_a_minute(site: GitLab, hours: Hours) -> None:
    site.project.files = {"a.py": "".join(f"{number}\n" for number in range(200))}
    reviews = on(site, hours=hours).reviews
    assert reviews
    for line in range(1, 131):
        reviews.open(remark(line, line, path="a.py"))
    assert hours.waits == [60.0, 60.0]
    assert len(kept(site)) == 130


def test_nobody_at_the_address_is_an_error(hours: Hours) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        site = GitLab(port=taken.getsockname()[1])
        with pytest.raises(ForgeError, match="did not answer") as caught:
            talk(site, hours)
    assert BOT_TOKEN not in told(caught.value)
