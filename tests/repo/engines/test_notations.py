"""Settings of web servers and of Ansible: what is read, and what hostile ones may not do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents import (
    SIZE_BUDGET,
    DocumentEngine,
    apache,
    caddy,
    directives,
    haproxy,
    ini,
    nginx,
    notations,
    sshd,
)
from mergegate.repo.engines.documents.nodes import DEPTH_BUDGET, Unreadable
from mergegate.repo.facts.documents import MASKED, DocumentKind, FileDocuments, Form, Node
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.stage import Stage
from tests.secrets.mint import minted

SERVER = "server {\n  server_name a.example;\n}\n"


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def examined(
    folder: Path, context: EngineContext, text: str, path: str = "a.conf"
) -> tuple[FileDocuments, str]:
    """Answer and problem for one file."""
    location = folder / "examined"
    location.write_text(text, "utf-8")
    file = SourceFile(path=path, location=location, size=len(text), digest="0" * 64)
    assert DocumentEngine().wants(file)
    told = DocumentEngine().examine([file], context)
    return told.answers[file.key], told.problems.get(file.key, "")


def said(node: Node) -> object:
    """A node as plain values, without lines."""
    if node.form is Form.MAP:
        return {key: said(value) for key, value in node.entries}
    return [said(one) for one in node.items] if node.form is Form.LIST else node.text


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (SERVER, [DocumentKind.NGINX]),
        ("location /a {\n}\n", [DocumentKind.NGINX]),
        ("ssl_protocols TLSv1.2;\n", [DocumentKind.NGINX]),
        ("<VirtualHost *:80>\n</VirtualHost>\n", [DocumentKind.APACHE]),
        ("Options -Indexes\n", [DocumentKind.APACHE]),
        ("[defaults]\nforks = 5\n", [DocumentKind.ANSIBLE_SETTINGS]),
        ("[web]\na ansible_user=b\n", [DocumentKind.ANSIBLE_INVENTORY]),
        ("user a; http { server { autoindex on; } }\n", [DocumentKind.NGINX]),
        ('add_header A "b;\n  c";\n', [DocumentKind.NGINX]),
        ("frontend a\n  bind :80\n", [DocumentKind.HAPROXY]),
        (":80 {\n  reverse_proxy a:80\n}\n", [DocumentKind.CADDY]),
        ("PermitRootLogin no\n", [DocumentKind.SSHD]),
        ("expose_php = Off\n", [DocumentKind.PHP]),
        ("access_log = /var/log/a\n; a comment;\n", []),
        ("frontend a\n", []),
        ("[flake8]\nmax-line-length = 100\n", []),
        ("http {\n  host = ${HOST}\n}\n", []),
        ("zone example.com {\n  type master;\n};\n", []),
        ("Host *\n  StrictHostKeyChecking no\n", []),
        ("", []),
    ],
)
def test_notation_is_told_by_content(
    tmp_path: Path, context: EngineContext, text: str, kinds: list[DocumentKind]
) -> None:
    found, problem = examined(tmp_path, context, text)
    assert ([one.kind for one in found.documents], problem) == (kinds, "")


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("deploy/nginx.conf", True),
        (".htaccess", True),
        ("etc/nginx/sites-available/default", True),
        ("templates/default.conf.template", True),
        ("ansible.cfg", True),
        ("docker/php/conf.d/errors.ini", True),
        ("php.ini-production", True),
        ("etc/ssh/sshd_config", True),
        ("web/Caddyfile", True),
        ("setup.ini", True),
        ("main.c", False),
        ("default.bin", False),
    ],
)
def test_a_name_lets_settings_be_expected(tmp_path: Path, path: str, wanted: bool) -> None:
    file = SourceFile(path=path, location=tmp_path, size=1, digest="0")
    assert DocumentEngine().wants(file) is wanted


def test_nginx_is_read_with_quotes_comments_and_lines() -> None:
    root = nginx.read(
        "# a comment with { and '\n"
        "server {\n"
        '  add_header X-A "a; {b} \\" c" always;\n'
        "  location ~ \\.php$ { return 404; }\n"
        "  set $b ${a}c;\n"
        "  add_header X-B 'b';\n"
        "}\n"
    )
    assert said(root) == {
        "server": {
            "add_header": ['X-A a; {b} \\" c always', "X-B b"],
            "location": {"return": "404", "argument": "~ \\.php$"},
            "set": "$b ${a}c",
        }
    }
    server = root["server"]
    assert (server.line, server["location"].line, server["add_header"].items[1].line) == (2, 4, 6)


def test_lua_in_nginx_is_passed_over() -> None:
    text = (
        "location / {\n  content_by_lua_block {\n    local a = '}' -- }\n    b = { [[ } ]] }\n"
        "  }\n  deny all;\n}\n"
    )
    root = nginx.read(text)
    assert said(root["location"]["deny"]) == "all"
    assert root["location"]["deny"].line == 6


def test_apache_is_read_with_sections_and_long_lines() -> None:
    root = apache.read(
        "# comment\nServerRoot /etc/apache2\n"
        "<IfModule mod_ssl.c>\n  SSLProtocol all \\\n    -SSLv3\n"
        '</IfModule>\n<Directory "/srv/my www">\n  Options Indexes\n</Directory>\n'
    )
    assert said(root) == {
        "serverroot": "/etc/apache2",
        "sslprotocol": "all -SSLv3",
        "directory": {"options": "Indexes", "argument": "/srv/my www"},
    }
    assert (root["sslprotocol"].line, root["directory"].line) == (4, 7)


def test_haproxy_is_read_by_section_and_without_passwords() -> None:
    secret = minted("<alnum:12>")
    root = haproxy.read(
        f"global\n  user haproxy # not root\nuserlist a\n  user b insecure-password {secret}\n"
        f"listen c\n  stats auth d:{secret}\n  stats auth e:${{PASSWORD}}\n  bind :80\n"
    )
    assert said(root) == {
        "global": {"user": "haproxy"},
        "userlist": {"user": f"b insecure-password {MASKED}", "argument": "a"},
        "listen": {
            "stats": [f"auth {MASKED}", "auth e:${PASSWORD}"],
            "bind": ":80",
            "argument": "c",
        },
    }


def test_caddy_is_read_with_sites_and_without_hashes() -> None:
    secret = minted("<alnum:20>")
    root = caddy.read(
        "{\n  admin off\n}\n(logged) {\n  log\n}\na.example, b.example {\n  # c\n"
        f"  basic_auth {{\n    d {secret}\n  }}\n  root * {{$ROOT}}\n}}\n"
    )
    assert said(root) == {
        "options": {"admin": "off"},
        "snippet": {"log": "", "argument": "(logged)"},
        "site": {
            "basic_auth": {"d": MASKED},
            "root": "* {$ROOT}",
            "argument": "a.example, b.example",
        },
    }


@pytest.mark.parametrize("text", ["a {\n", "}\n"])
def test_blocks_of_caddy_that_do_not_fit_are_no_settings(text: str) -> None:
    with pytest.raises(Unreadable):
        caddy.read(text)


def test_of_several_settings_of_sshd_the_first_counts() -> None:
    root = sshd.read("PORT 22\nport=23\n# Port 24\nMatch User a\n  Port 25\nMatch all\n  A b # c\n")
    assert said(root) == {
        "port": "22",
        "match": [{"port": "25", "argument": "User a"}, {"a": "b", "argument": "all"}],
    }


def test_settings_of_ansible_are_read_by_section() -> None:
    root = ini.read("[defaults]\nforks = 5 ; many\n# a comment\n[galaxy]\nignore_certs: yes\n")
    assert said(root) == {"defaults": {"forks": "5"}, "galaxy": {"ignore_certs": "yes"}}


@pytest.mark.parametrize(
    "text",
    [
        "server { listen 80;",
        "server { listen 80; } }",
        "server_name a",
        "server_name 'a;",
        "server { { } }",
        "location / { content_by_lua_block { a = [[ } }",
    ],
)
def test_broken_nginx_is_named(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        nginx.read(text)
    assert refused.value.is_syntax


@pytest.mark.parametrize(
    "text", ["<Directory />\n", "</Directory>\n", "<Directory />\n</Location>\n"]
)
def test_broken_apache_is_named(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        apache.read(text)
    assert refused.value.is_syntax


@pytest.mark.parametrize(
    ("read", "begin"), [(nginx.read, "server {\n"), (apache.read, "<Directory />\n")]
)
def test_depth_is_limited(read: Callable[[str], Node], begin: str) -> None:
    with pytest.raises(Unreadable, match=f"more than {DEPTH_BUDGET} levels"):
        read(begin * (DEPTH_BUDGET + 1))


@pytest.mark.parametrize(
    ("read", "line"),
    [(nginx.read, "a b;\n"), (apache.read, "a b\n"), (ini.read, "a = b\n")],
)
def test_directives_are_limited(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], Node], line: str
) -> None:
    monkeypatch.setattr(directives, "NODE_BUDGET", 20)
    assert read(line * 20).keys
    with pytest.raises(Unreadable, match="more than 20 directives"):
        read(line * 21)


@pytest.mark.parametrize("text", ['"' * 200_001, "\\" * 200_001, "a{" * 90_000, "[[" * 90_000])
def test_odd_signs_end_soon(text: str) -> None:
    with pytest.raises(Unreadable):
        nginx.read(f"a_by_lua_block {{ {text}")
    with pytest.raises(Unreadable):
        nginx.read(f"server {{ {text}")


@pytest.mark.parametrize("start", ["ssl_protocols ", "Options ", "Require a", "location "])
def test_long_runs_of_blanks_are_told_soon(start: str) -> None:
    assert notations.notation_of(f"{start}{' ' * 100_000};".encode()) is None


def test_what_only_nginx_says_and_cannot_be_read_is_named(
    tmp_path: Path, context: EngineContext
) -> None:
    found, problem = examined(tmp_path, context, f"{SERVER}}}")
    assert (found.documents, problem) == ((), "line 4 ends a block that never began")


def test_a_template_is_named_as_one(tmp_path: Path, context: EngineContext) -> None:
    found, problem = examined(tmp_path, context, f"{{% if tls %}}\n{SERVER}{{% endif %}}\n")
    assert (found.template, problem) == (True, "")


@pytest.mark.parametrize("text", [SERVER, "server {\n  autoindex on;\n}\n"])
@pytest.mark.parametrize("size", [notations.SIZE_BUDGET, SIZE_BUDGET + 1])
def test_settings_beyond_the_budget_are_named(
    tmp_path: Path, context: EngineContext, text: str, size: int
) -> None:
    found, problem = examined(tmp_path, context, text + "#" * size)
    assert (found.documents, problem) == ((), "it is larger than 1 MiB")


def test_settings_that_are_too_deep_are_named(tmp_path: Path, context: EngineContext) -> None:
    _, problem = examined(tmp_path, context, "http {\n" + "a {\n" * DEPTH_BUDGET)
    assert problem == f"it is nested more than {DEPTH_BUDGET} levels deep"


def test_included_files_are_not_read(tmp_path: Path, context: EngineContext) -> None:
    (tmp_path / "other.conf").write_text("ssl_protocols SSLv3;", "utf-8")
    text = f"include {tmp_path}/other.conf;\n{SERVER}"
    found, _ = examined(tmp_path, context, text)
    assert "SSLv3" not in str(said(found.documents[0].root))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (nginx.read, "proxy_set_header Authorization 'Bearer {}';"),
        (nginx.read, "location / {{ proxy_set_header X-Api-Key {}; }}"),
        (nginx.read, "set $db_password {};"),
        (nginx.read, "proxy_pass https://user:{}@a.example/;"),
        (apache.read, "AuthLDAPBindPassword {}"),
        (apache.read, 'RequestHeader set Authorization "Basic {}"'),
        (apache.read, "SetEnv DB_PASSWORD {}"),
        (ini.read, "[galaxy]\ntoken = {}"),
    ],
)
def test_no_secret_is_kept(read: Callable[[str], Node], text: str) -> None:
    secret = minted("<alnum:16>")
    assert secret not in str(said(read(text.format(secret))))


def test_an_address_is_no_secret() -> None:
    assert said(nginx.read("proxy_pass http://backend;")) == {"proxy_pass": "http://backend"}
    assert said(apache.read("ProxyPass / http://backend/")) == {"proxypass": "/ http://backend/"}


def test_every_notation_knows_its_smallest_one() -> None:
    for one in notations.NOTATIONS:
        assert notations.notation_of(one.known) is one
        assert one.read(one.known.decode()).keys
    assert MASKED not in str([one.known for one in notations.NOTATIONS])


def test_only_a_line_feed_ends_a_comment_of_a_web_server() -> None:
    assert (
        "server_tokens" not in nginx.read("server {\n# a\r server_tokens off;\n}\n")["server"].keys
    )
    assert "servertokens" not in apache.read("# a\rServerTokens Prod\n").keys


def test_a_backslash_joins_lines_of_apache_at_the_end_of_its_line_alone() -> None:
    assert apache.read("# a \\ \nServerTokens Full\n")["servertokens"].text == "Full"
    assert apache.read("# a \\\nServerTokens Full\n").keys == ()
    assert apache.read("ServerTokens \\\nFull \\")["servertokens"].text == "Full"


def test_an_inventory_is_groups_of_hosts_with_variables(
    tmp_path: Path, context: EngineContext
) -> None:
    secret = minted("correct-horse-battery")
    text = (
        "lonely ansible_user=a # of none\n"
        f"[web]\nb ansible_ssh_pass={secret} ansible_ssh_common_args='-o A=no'\nc\n"
        "[web:vars]\nansible_user = 'd'\n[all:children]\nweb\n'\n"
    )
    found, problem = examined(tmp_path, context, text, "inventory/staging.ini")
    assert problem == ""
    assert said(found.documents[0].root) == {
        "ungrouped": {"lonely": {"ansible_user": "a"}},
        "web": {"b": {"ansible_ssh_pass": MASKED, "ansible_ssh_common_args": "-o A=no"}, "c": {}},
        "web:vars": {"ansible_user": "d"},
        "all:children": {"web": {}},
    }


def test_other_settings_that_are_called_ini_are_not_looked_at(
    tmp_path: Path, context: EngineContext
) -> None:
    assert not examined(tmp_path, context, SERVER, "php.ini")[0].documents
