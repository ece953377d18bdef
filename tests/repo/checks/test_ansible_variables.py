"""What is known of the variables of a play, and of the defaults of its modules."""

import pytest

from tests.repo.checks.test_dialects import one, resources, said
from tests.secrets.mint import minted

PLAY = """
- hosts: all
  vars:
    checked: false
    host: downloads.widgets.io
    kept: {mode: "0777"}
  module_defaults:
    ansible.builtin.get_url: {owner: root, mode: "0640"}
    group/aws: {region: eu-west-1}
  tasks:
    - ansible.builtin.get_url:
        url: "http://{{ host }}/a"
        dest: /opt/a
        %s
"""


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ('validate_certs: "{{ checked }}"', "false"),
        ('validate_certs: "{{ checked | bool }}"', "false"),
        ('validate_certs: "{{ other | default(false) }}"', "false"),
        ("validate_certs: \"{{ other | default('no', true) }}\"", "no"),
        ('validate_certs: "{{ other | default(another) }}"', None),
        ('validate_certs: "{{ other }}"', None),
        ('validate_certs: "{{ kept.mode }}"', "0777"),
        ('validate_certs: "{{ kept.other }}"', None),
        ('validate_certs: "{{ kept }}"', None),
    ],
)
def test_a_variable_is_what_the_play_says(argument: str, value: str | None) -> None:
    task = one(resources("site.yml", PLAY % argument), "ansible.get_url").properties
    checked = task["validate_certs"]
    assert (None if checked.tag else checked.text) == value


def test_what_is_one_variable_has_the_line_of_its_value() -> None:
    found = resources("site.yml", PLAY % 'validate_certs: "{{ checked }}"')
    assert one(found, "ansible.get_url").properties["validate_certs"].line == 4


def test_defaults_of_a_module_are_its_arguments_where_a_task_says_none() -> None:
    task = one(resources("site.yml", PLAY % 'mode: "0600"'), "ansible.get_url").properties
    assert (said(task["owner"]), said(task["mode"])) == ("root", "0600")
    assert said(task["over"]) == {"url": "http"}


def test_an_argument_of_a_loop_is_all_that_it_becomes() -> None:
    text = "- file: {path: '{{ item.at }}', mode: '{{ item.mode }}'}\n  loop:\n"
    text += "  - {at: /a, mode: '0644'}\n  - {at: /b, mode: '0777'}\n"
    task = one(resources("roles/a/tasks/main.yml", text), "ansible.file").properties
    assert said(task["mode"]) == ["0644", "0777"]


def test_a_secret_of_a_play_is_named_and_not_kept() -> None:
    secret = minted("<alnum:16>")
    text = f"- hosts: all\n  vars: {{db_password: {secret}}}\n  tasks:\n"
    text += "  - mysql_user: {name: a, password: '{{ db_password }}'}\n"
    found = resources("site.yml", text)
    assert said(one(found, "ansible.play").properties["plain_secrets"]) == ["db_password"]
    assert secret not in str([said(each.properties) for each in found])


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("mysql -p{{ root_password }}", ["root_password"]),
        ("curl -u staff:{{ api_password }} https://a.widgets.io", ["api_password"]),
        ("a --token={{ api_token }}", ["api_token"]),
        ("redis-cli -a {{ redis_password }}", ["redis_password"]),
        ("a --port {{ api_token }}", None),
        ("a --password {{ name }}", None),
    ],
)
def test_secrets_among_arguments_are_named(command: str, names: list[str] | None) -> None:
    found = resources("roles/a/tasks/main.yml", f'- command: "{command}"\n')
    given = one(found, "ansible.command").properties["argument_secrets"]
    assert (said(given) if given.present else None) == names
