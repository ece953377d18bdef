"""Client secrets of native programs: what shows that one is, and what does not."""

import json
import re

import pytest

from mergegate.core.tree import Role
from mergegate.repo.checks.secrets import RULES, secrets
from mergegate.secrets.found import Secrets, SecretsFile
from mergegate.secrets.native import FLOWS, LARGEST_BYTES
from mergegate.secrets.scan import scan
from tests.secrets.mint import SAMPLES, minted

HEX = minted("<hex:40>")
GOOGLE = SAMPLES["google-oauth-secret"]
CLIENT = minted("<digits:12>-<lower:32>.apps.googleusercontent.com")


def go(secret: str = HEX) -> str:
    return f"""\
package authflow

import "github.com/cli/oauth"

var (
	// The program's own client.
	clientSecret = "{secret}"
)

func signIn() {{
	flow := &oauth.Flow{{
		ClientID:     clientID,
		ClientSecret: clientSecret,
	}}
	flow.DetectFlow()
}}
"""


def client(kind: str = "installed", **more: object) -> dict[str, dict[str, object]]:
    """The file of Google's console, whose other parts a server's file has as well."""
    settings: dict[str, object] = {
        "client_id": CLIENT,
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "token_uri": "https://oauth2.googleapis.com/token",
        "client_secret": GOOGLE,
        "redirect_uris": ["http://localhost"],
    }
    return {kind: settings | more}


def python(settings: object = None) -> str:
    return f"""\
from google_auth_oauthlib.flow import InstalledAppFlow

CLIENT = {settings or client()!r}


def sign_in():
    flow = InstalledAppFlow.from_client_config(CLIENT, ["openid"])
    return flow.run_local_server(port=0)
"""


def told(text: str, suffix: str, role: Role = Role.SOURCE) -> list[str]:
    """The severity of every finding."""
    file = SecretsFile("src/a", role, scan(text.encode(), suffix))
    return [finding.severity.label for finding in secrets(Secrets((file,)))]


NATIVE = {
    "Go": (go(), ".go"),
    "a constant": (go().replace("var (", "const ("), ".go"),
    "another name": (
        go().replace('import "', 'import sign "').replace("oauth.Flow", "sign.Flow"),
        ".go",
    ),
    "a field's name": (go().replace("clientSecret", "ClientSecret"), ".go"),
    "in the literal": (
        go().replace(f'clientSecret = "{HEX}"', "").replace(": clientSecret", f': "{HEX}"'),
        ".go",
    ),
    "in the browser": (
        go().replace('cli/oauth"', 'cli/oauth/webapp"').replace("oauth.Flow", "webapp.WaitOptions"),
        ".go",
    ),
    "on a device": (
        go().replace('cli/oauth"', 'cli/oauth/device"').replace("oauth.Flow", "device.WaitOptions"),
        ".go",
    ),
    "oauth2cli": (
        go()
        .replace("cli/oauth", "int128/oauth2cli")
        .replace("&oauth.Flow{", "oauth2cli.Config{OAuth2Config: oauth2.Config{")
        .replace("\t}\n\tflow.", "\t}}\n\tflow."),
        ".go",
    ),
    "Python": (python(), ".py"),
    "a module's name": (
        python()
        .replace("import InstalledAppFlow", "import InstalledAppFlow as Flow")
        .replace("InstalledAppFlow.from", "Flow.from"),
        ".py",
    ),
    "a whole name": (
        python()
        .replace(
            "from google_auth_oauthlib.flow import InstalledAppFlow",
            "import google_auth_oauthlib.flow",
        )
        .replace("InstalledAppFlow.from", "google_auth_oauthlib.flow.InstalledAppFlow.from"),
        ".py",
    ),
    "a named argument": (python().replace("config(CLIENT", "config(client_config=CLIENT"), ".py"),
    "a port": (python(client(redirect_uris=["http://127.0.0.1:8080/"])), ".py"),
    "gspread": (
        python()
        .replace("from google_auth_oauthlib.flow import InstalledAppFlow", "import gspread")
        .replace(
            "InstalledAppFlow.from_client_config(CLIENT, ", "gspread.oauth_from_dict(CLIENT, "
        ),
        ".py",
    ),
    "Google's file": (json.dumps(client()), ".json"),
    "Google's former file": (
        json.dumps(
            client(redirect_uris=["urn:ietf:wg:oauth:2.0:oob", "http://localhost"]), indent=2
        ),
        ".json",
    ),
}


@pytest.mark.parametrize("name", NATIVE)
def test_what_signs_in_the_user_of_a_native_program_is_no_red_secret(name: str) -> None:
    text, suffix = NATIVE[name]
    assert set(told(text, suffix)) == {"medium"}


def with_line(line: str, text: str | None = None) -> str:
    return f"{text or go()}\n{line}\n"


BARE = f'package a\n\nimport "github.com/cli/oauth"\n\nvar clientSecret = "{HEX}"\n'
SERVER = 'var web = oauth2.Config{ClientSecret: clientSecret, RedirectURL: "https://acme.io"}'
RED = {
    "a comment alone": (with_line("// oauth.Flow{ClientSecret: clientSecret}", BARE), ".go"),
    "a text alone": (with_line("var a = `oauth.Flow{ClientSecret: clientSecret}`", BARE), ".go"),
    "the library alone": (BARE.replace("import ", "import _ "), ".go"),
    "another library of that name": (go().replace("cli/oauth", "acme/oauth"), ".go"),
    "a server's library": (
        go().replace("github.com/cli/oauth", "golang.org/x/oauth2").replace("oauth.F", "oauth2.F"),
        ".go",
    ),
    "a server as well": (with_line(SERVER), ".go"),
    "the value once more": (with_line(f'var other = "{HEX}"'), ".go"),
    "read from the settings": (with_line("var web = flow.ClientSecret"), ".go"),
    "handed on": (with_line("func f() { send(clientSecret) }"), ".go"),
    "given anew": (with_line("func f() { clientSecret = g() }"), ".go"),
    "of another name": (
        with_line(f'var web = "{minted("<hex:40>", 2)}"').replace("web", "webSecret"),
        ".go",
    ),
    "another field": (go().replace("ClientSecret: clientSecret", "ClientID: clientSecret"), ".go"),
    "text that does not parse": (with_line("func {{ ("), ".go"),
    "too long a text": (go() + "// \n" * (LARGEST_BYTES // 4), ".go"),
    "another file's sign-in": (f'package a\n\nvar clientSecret = "{HEX}"\n', ".go"),
    "a server of Google's": (python(client("web")), ".py"),
    "a server's with gspread": (
        f"import gspread\n\ngspread.oauth_from_dict({client('web')!r})\n",
        ".py",
    ),
    "by way of a parameter": (
        python().replace("def sign_in():", "def sign_in(CLIENT=CLIENT):"),
        ".py",
    ),
    "spelled otherwise elsewhere": (
        with_line(f'SERVER = "{GOOGLE[:12]}" + "{GOOGLE[12:]}"', python()),
        ".py",
    ),
    "both kinds": (python(client() | client("web")), ".py"),
    "a server's address": (python(client(redirect_uris=["https://acme.io/callback"])), ".py"),
    "a server's address too": (
        python(client(redirect_uris=["http://localhost", "https://acme.io/callback"])),
        ".py",
    ),
    "no such call": (
        python().replace("from_client_config(CLIENT", "from_client_config(OTHER"),
        ".py",
    ),
    "a key that is a name": (python().replace("'installed':", "installed:"), ".py"),
    "more that is filled in": (python().replace("{'installed'", "{**web, 'installed'"), ".py"),
    "changed afterwards": (with_line('CLIENT["web"] = 1', python()), ".py"),
    "another class of that name": (python().replace("google_auth_oauthlib.flow", "acme"), ".py"),
    "the library in a comment": (
        python().replace("from google", "from acme import InstalledAppFlow  # from google"),
        ".py",
    ),
    "a server's file": (json.dumps(client("web")), ".json"),
    "a server's file with another word": (
        json.dumps(client(redirect_uris=["https://acme.io/callback"])),
        ".json",
    ),
    "a server's file on a developer's machine": (
        json.dumps(client(redirect_uris=["http://localhost:3000/callback"])),
        ".json",
    ),
    "a file of both": (json.dumps(client() | client("web")), ".json"),
    "a file without addresses": (json.dumps(client()).replace("redirect_uris", "uris"), ".json"),
    "a file that names them twice": (
        json.dumps(client()).replace(
            '"auth_uri"', '"redirect_uris": ["https://acme.io"], "auth_uri"'
        ),
        ".json",
    ),
    "a file of another client": (json.dumps(client(client_id="acme")), ".json"),
    "a file that ends otherwise": (json.dumps(client()), ".txt"),
}


@pytest.mark.parametrize("name", RED)
def test_what_only_looks_like_it_stays_red(name: str) -> None:
    text, suffix = RED[name]
    assert {"high", "critical"} & set(told(text, suffix))


def test_only_a_client_secret_is_milder() -> None:
    assert told(go(SAMPLES["github-token"]), ".go") == ["critical"]


def test_in_a_test_it_weighs_no_more_than_any_other() -> None:
    assert told(go(), ".go", Role.TEST) == []
    assert told(python(), ".py", Role.TEST) == ["medium"]


def test_it_says_why_it_is_milder() -> None:
    file = SecretsFile("src/a.go", Role.SOURCE, scan(go().encode(), ".go"))
    (finding,) = secrets(Secrets((file,)))
    assert "everyone who has the program has it (RFC 8252" in finding.message
    assert "https://www.rfc-editor.org/rfc/rfc8252#section-8.5" in finding.references
    assert HEX not in finding.message


def test_only_where_a_client_secret_may_be_told_so_the_rule_says_it() -> None:
    milder = {
        id for id, rule in RULES.items() if any("native" in one for one in rule.milder.values())
    }
    assert milder == {"google-oauth-secret", "token-literal"}


def test_each_flow_is_tried_here() -> None:
    texts = [text for text, _ in NATIVE.values()]
    libraries = [re.compile(rf"{re.escape(flow.library)}(?![\w/])") for flow in FLOWS]
    assert all(any(library.search(text) for text in texts) for library in libraries)


def test_a_text_of_many_sign_ins_ends() -> None:
    """Where each had all others asked, this would not end today."""
    flows = "var a = oauth.Flow{ClientSecret: clientSecret}\n" * 15_000
    assert told(f"{BARE}{flows}", ".go") == ["medium"]
