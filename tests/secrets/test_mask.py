import time

import pytest

from mergegate.secrets.mask import LONGEST_SHOWN, mask_line, mask_text, mask_words
from mergegate.secrets.scan import scan
from tests.secrets.mint import SAMPLES, minted
from tests.secrets.test_assignments import PASSWORD, TOKEN


@pytest.mark.parametrize("detector", SAMPLES)
def test_token_is_masked(detector: str) -> None:
    line = f"    call('{SAMPLES[detector]}', retries=3)"
    (found,) = scan(line.encode()).matches
    secret = line[found.start_column - 1 : found.end_column - 1]
    shown = mask_line(line)
    assert secret[-16:] not in shown
    assert shown.startswith("    call('")
    assert shown.endswith("', retries=3)")


@pytest.mark.parametrize(
    "line",
    [
        f'password = "{PASSWORD}"',
        f"password = {PASSWORD}",
        f"cursor.execute(\"SET PASSWORD = '{PASSWORD}'\")",
        f'if "{PASSWORD}" == my_password:',
        f"url = 'https://ann:{PASSWORD}@git.acme.io/'",
        f"machine git.acme.io login ann password {PASSWORD}",
        f"é = ü; token = '{PASSWORD}' # ä",
    ],
)
def test_password_is_masked(line: str) -> None:
    assert PASSWORD not in mask_line(line)


def test_the_other_half_of_a_pair_of_keys_is_masked() -> None:
    other = minted("<alnum:40>")
    shown = mask_line(f'client("s3", None, "{SAMPLES["aws-access-key-id"]}", "{other}")')
    assert other[-8:] not in shown
    assert shown.startswith('client("s3", None, "AKIA*')


WEAK = "swordfish"


@pytest.mark.parametrize(
    "line",
    [
        f"PGPASSWORD={WEAK} psql -h db",
        f"ldapsearch -x -D cn=admin -w {WEAK} -b dc=x",
        f'cipher = AES.new(b"{WEAK} {WEAK}", AES.MODE_ECB)',
        f'pw = "{WEAK} and more"',
        f'const pw = "{WEAK}";',
        f"docker login -u ann -p {WEAK} reg.acme.io",
        f"mkdir -p out && mysql -p{WEAK} shop",
        f"curl -u ann:{WEAK} https://acme.io",
        f'RUN ["mysql", "-p", "{WEAK}"]',
        f"  pw: {WEAK}",
        f"createCipheriv('aes-128-ecb', '{WEAK}', null)",
        f'requests.get(url, auth=("ann", "{WEAK}"))',
        f'connect("db", "ann", "{WEAK}")',
        f'jwt.decode(given, "{WEAK}", algorithms=["HS256"])',
        f"myprog --api-key {WEAK} --verbose",
        f"myprog --token={WEAK}",
        f"os.system('ldapsearch -x -w {WEAK} -b ' + given)",
        f"echo root:{WEAK} | chpasswd",
        f"echo '{WEAK}' | docker login -u ann --password-stdin",
        f"printf {WEAK} | sudo -S reboot",
        f"redis-cli -a {WEAK} ping",
        f'traefik.http.middlewares.a.basicauth.users: "ann:{WEAK},ben:$$apr1$${WEAK}"',
        f'save_path = "tcp://cache:6379?weight=1&auth={WEAK}"',
        f'if request.args["token"] == "{WEAK}":',
        f"if (given.password !== '{WEAK}') {{",
        f'curl -H "Authorization: token {WEAK}" https://acme.io',
    ],
)
def test_what_no_detector_tells_is_masked_and_the_rest_stays(line: str) -> None:
    assert line.split(WEAK, maxsplit=1)[0] in mask_line(line)
    assert WEAK not in mask_line(line)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  SecretString: walnut granite river # of 2019", "  SecretString: ******** # of 2019"),
        ("ENV PASSWORD swordfish", "ENV PASSWORD ****"),
        ("RUN useradd -p swordfish ann", "RUN useradd -p **** ann"),
        ("RUN echo root:swordfish | chpasswd", "RUN echo root:**** | chpasswd"),
        ("  value: swordfish", "  value: ****"),
        ("master_password = swordfish", "master_password = ****"),
        ("new Key(bytes, 'utf-8', 'swordfish')", "new Key(bytes, 'utf-8', '****')"),
    ],
)
def test_of_a_line_that_a_rule_flags_every_literal_is_masked(line: str, shown: str) -> None:
    assert mask_line(line, literals=True) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("- user: {password: swordfish, name: ann}", "- user: {password: ****, name: ann}"),
        ("h1 ansible_user=ann ansible_pass=swordfish", "h1 ansible_user=ann ansible_pass=****"),
        ("args: {NPM_TOKEN: swordfish}", "args: {NPM_TOKEN: ****}"),
        ("- secret: {secretName: shop}",) * 2,
        ("Authorization: Bearer ${TOKEN}",) * 2,
        ("{password: ${PASSWORD}, token: '{{ token }}'}",) * 2,
    ],
)
def test_of_settings_a_bare_word_is_a_value(line: str, shown: str) -> None:
    assert mask_line(line, bare=True) == shown
    assert mask_line(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "AuthLDAPBindPassword swordfish",
        "  user ann insecure-password swordfish groups all",
        "  proxy_ssl_password 'swordfish';",
    ],
)
def test_what_a_directive_announces_is_masked(line: str) -> None:
    assert mask_line(line, bare=True) == line.replace("swordfish", "****")


@pytest.mark.parametrize(
    "text",
    [
        "- name: DB_PASSWORD\n  value: swordfish",
        "env: [{name: API_TOKEN, value: swordfish}]",
        '"Name": "DB_PASSWORD",\n"Value": "swordfish"',
        'set_sensitive {\n  name  = "db.password"\n  value = "swordfish"\n}',
        "string(name: 'API_TOKEN', defaultValue: 'swordfish')",
    ],
)
def test_a_value_is_masked_by_the_name_in_the_entry_before(text: str) -> None:
    assert mask_text(text) == text.replace("swordfish", "****")


@pytest.mark.parametrize(
    "text",
    [
        "- name: DB_PASSWORD\n  valueFrom: {secretKeyRef: {key: a}}",
        "- name: DB_PASSWORD\n  value: ${DB_PASSWORD}",
        "- name: LOG_LEVEL\n  value: swordfish",
        "- name: DB_PASSWORD\n- name: LOG\n  value: swordfish",
    ],
)
def test_other_entries_stay_readable(text: str) -> None:
    assert mask_text(text) == text


def test_of_a_flagged_line_of_settings_all_values_are_masked() -> None:
    line = 'h1 ansible_pass=swordfish options="-o x"'
    assert mask_line(line, literals=True, bare=True) == 'h1 ansible_pass=**** options="****"'


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            'jwt.decode(given, options={"verify_signature": True, "verify_aud": False})',
            'jwt.decode(given, options={"verify_signature": True, "verify_aud": False})',
        ),
        ('jwt.decode(given, {"key": "swordfish"})', 'jwt.decode(given, {"key": "****"})'),
        ('jwt.sign(given, old ? "swordfish" : key)', 'jwt.sign(given, old ? "****" : key)'),
    ],
)
def test_keys_of_a_mapping_are_no_secrets(line: str, shown: str) -> None:
    assert mask_line(line) == shown


def test_a_text_is_masked_to_its_end() -> None:
    """What is read on is not cut, and is no secret where whoever reads on says so."""
    text = f"run\n{'x ' * 2990}--password {WEAK}\n" + f"--token {WEAK}"
    assert mask_text(text) == text.replace(WEAK, "****")
    assert mask_text(text, lambda value: value != WEAK) == text


def test_of_a_command_in_a_list_what_an_option_is_given_is_masked() -> None:
    words = ["redis-cli", "-a", f"{WEAK} and |more", "-p", "6379", "curl", "-u", f"ann:{WEAK}"]
    shown = ["redis-cli", "-a", "********", "-p", "6379", "curl", "-u", "ann:****"]
    assert mask_words(words) == shown


def test_weak_password_is_masked_too() -> None:
    assert mask_line('db_password = "swordfish"') == 'db_password = "****"'


def test_public_prefix_of_four_characters_stays() -> None:
    assert mask_line(f"x = '{SAMPLES['github-token']}'") == f"x = 'ghp_{'*' * 16}'"


def test_line_of_a_private_key_is_masked() -> None:
    assert mask_line("    " + TOKEN + TOKEN[:24]) == "    " + "*" * 16


@pytest.mark.parametrize(
    "line",
    [
        "password = getpass.getpass('Password: ')",
        "    for key, value in tokens.items():",
        "token: str = Field(description='The token of this session')",
        "if user.password == hash_password(given):",
        "import hashlib",
        "login(password=password)",
        "token = self.token",
        "const pw = props.pw;",
        "def sign(token: str, password: str) -> bytes:",
        "docker run -p 8080:80 --user 1000 shop",
        "mkdir -p out/words",
        "echo done | tee log",
        "echo $PASS | docker login -u ann --password-stdin",
        "http -a ann https://acme.io",
        'hashlib.new("md5", password)',
        "key, iv = derive(given)",
        "password: ${DB_PASSWORD}",
        "      MasterUserPassword: !Ref DatabasePassword",
    ],
)
def test_plain_code_stays_readable(line: str) -> None:
    assert mask_line(line) == line


def test_long_line_is_cut_before_it_is_searched() -> None:
    started = time.perf_counter()
    shown = mask_line("password=" + "a1!" * 5_000_000)
    assert len(shown) <= LONGEST_SHOWN + 20
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    "line", ["\ud800 password='\udfff1a!'", "\0\x1b[31m key=", "(" * 3000, "://" * 900]
)
def test_hostile_line_is_survived(line: str) -> None:
    assert len(mask_line(line)) <= LONGEST_SHOWN + 20


@pytest.mark.parametrize(
    "line",
    ["algorithm = RSA_SIGN_PKCS1_4096_SHA512", 'algorithm = "RSA_DECRYPT_OAEP_4096_SHA512"'],
)
def test_the_name_of_an_algorithm_is_shown(line: str) -> None:
    assert mask_line(line) == line


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('GRANT ALL ON a TO b IDENTIFIED BY "Sunny77"', 'GRANT ALL ON a TO b IDENTIFIED BY "****"'),
        (
            "alter user b identified via x using 'Sunny77'",
            "alter user b identified via x using '****'",
        ),
        ("- name: Set the password to Sunny77", "- name: Set the password to ****"),
        ("- name: Log in, password hunter22x", "- name: Log in, password ****"),
        ("  command: load app:Sunny77@db.example/app", "  command: load app:****@db.example/app"),
        ("curl u:Sunny77@localhost", "curl u:****@localhost"),
    ],
)
def test_a_password_in_a_phrase_is_masked(line: str, shown: str) -> None:
    assert mask_line(line, bare=True) == mask_text(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        "git@github.com:org/repo.git",
        f"image: registry:5000/a/b:1.0@sha256:{'0' * 64}",
        "contact: mailto:jane@example.org",
        'member = "user:jane@example.org"',
        'member = "serviceAccount:12-compute@developer.example.com"',
        "- name: Hash the password with sha512",
        "password is required",
        '"a": "npm:other@package.json"',
        "  name:\n    type: string\n    example: Bob",
    ],
)
def test_what_only_looks_like_a_phrase_with_a_password_is_shown(line: str) -> None:
    assert mask_text(line) == line


@pytest.mark.parametrize(
    "text",
    [
        "password:\n  type: string\n  example: Sunny day",
        "pin:\n  type: string\n  format: password\n  default: 'Sunny day'",
        "pin:\n  type: string\n  example: Sunny day\n  format: password",
        '"pin": {"type": "string", "format": "password", "example": "Sunny day"}',
        "password: {type: string, example: Sunny day, x: y}",
    ],
)
def test_the_example_of_a_password_is_masked(text: str) -> None:
    assert mask_text(text) == text.replace("Sunny day", "****")


@pytest.mark.parametrize(
    "word", ["PASSWORD", "passWord", "pa\u017fsword", "to\u212aen", "SIG", "s\u0131g", "S\u0130G"]
)
def test_a_word_makes_what_is_drawn_by_lot_suspect_in_letters_of_any_case(word: str) -> None:
    drawn = minted("<alnum:32>")
    assert mask_line(f"{word} {drawn}").strip("*") == f"{word} "
    assert mask_line(f"parsed {drawn}") == f"parsed {drawn}"
