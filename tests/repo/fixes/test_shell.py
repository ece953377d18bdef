"""Commands become a program and its words where a shell would have read the same."""

import pytest

from mergegate.repo.fixes import shell
from tests.repo.fixes.steps import mended

HEAD = "import os\nimport subprocess\n\n"
STREAM = 'subprocess.Popen(["a", b], stdout=subprocess.PIPE, text=True).stdout'


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('run(f"a {b}", shell=True)', 'run(["a", str(b)])'),
        ('run("a -b=" + c, shell=True, check=True)', 'run(["a", f"-b={c}"], check=True)'),
        ("run('a \"' + b + '\"', shell=True)", 'run(["a", b])'),
        ("run(\"a '%s/c' d\" % b, shell=True)", 'run(["a", f"{b}/c", "d"])'),
        ('run("a {} {}".format(b, c), shell=True)', 'run(["a", str(b), str(c)])'),
        ('run(["sh", "-c", "a " + b])', 'run(["a", b])'),
        (
            'run("{} -m {}".format(sys.executable, a), shell=True)',
            'run([sys.executable, "-m", str(a)])',
        ),
        ('run(f"a {b} | c", shell=True)', None),
        ('run(f"a {b} > c", shell=True)', None),
        ('run(f"a {b} *.txt", shell=True)', None),
        ('run(f"a $HOME {b}", shell=True)', None),
        ('run(f"A=b c {d}", shell=True)', None),
        ('run(f"cd {b}", shell=True)', None),
        ('run(f"dir {b}", shell=True)', None),
        ('run(f"{a} b", shell=True)', None),
        ('run(f"a {options}", shell=True)', None),
        ('run("a " + " ".join(b), shell=True)', None),
        ('run(f"a {b}", shell=True, executable="c")', None),
        ('run(f"a {b}", shell=c)', None),
        ('run(f"a {b!r}", shell=True)', None),
        ('run(f"a \'{b} c", shell=True)', None),
        ('run(f"a {b}\\nc", shell=True)', None),
    ],
)
def test_commands_of_subprocess(said: str, expected: str | None) -> None:
    made = mended(shell.listed, "python", f"{HEAD}subprocess.{said}\n", said)
    assert made == (None if expected is None else f"{HEAD}subprocess.{expected}\n")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('os.system("a " + b)', 'subprocess.run(["a", b], check=False)'),
        ('if os.system("a " + b) != 0: c()', 'if subprocess.call(["a", b]) != 0: c()'),
        ('c = os.system("a " + b)', None),
        (
            'c = os.popen("a " + b).read()',
            'c = subprocess.run(["a", b], stdout=subprocess.PIPE, text=True, check=False).stdout',
        ),
        ('os.popen("a " + b)', 'subprocess.Popen(["a", b], stdout=subprocess.PIPE)'),
        ('c = os.popen("a " + b)', None),
        (
            'def d():\n    c = os.popen("a " + b)\n    e(c.read())',
            f"def d():\n    c = {STREAM}\n    e(c.read())",
        ),
        ('def d():\n    c = os.popen("a " + b)\n    c.close()', None),
        ('def d():\n    b = " -k ".join(f)\n    os.system("a " + b)', None),
        (
            'def d():\n    b = os.path.join(f, "g")\n    os.system("a " + b)',
            'def d():\n    b = os.path.join(f, "g")\n    subprocess.run(["a", b], check=False)',
        ),
        ('map(os.system, ["a " + b])', None),
    ],
)
def test_commands_of_os(said: str, expected: str | None) -> None:
    made = mended(shell.listed, "python", f"{HEAD}{said}\n", '"a " + b')
    assert made == (None if expected is None else f"{HEAD}{expected}\n")


def test_a_command_of_the_line_before_is_changed_where_it_is_used_once() -> None:
    text = f'{HEAD}\ndef f(b):\n    c = f"a {{b}}"\n%s    subprocess.run(c, shell=True)\n'
    made = mended(shell.listed, "python", text % "", "c, shell")
    assert made is None  # it is no expression of its own
    made = mended(shell.listed, "python", text % "", "subprocess.run(c, shell=True)")
    assert made == f'{HEAD}\ndef f(b):\n    c = ["a", str(b)]\n    subprocess.run(c)\n'
    again = text % "    log = c\n"
    assert mended(shell.listed, "python", again, "subprocess.run(c, shell=True)") is None


@pytest.mark.parametrize(
    ("said", "marked", "expected"),
    [
        ("cp.exec(`a ${b}`, c);", "`a ${b}`", "cp.execFile('a', [String(b)], c);"),
        (
            "cp.execSync('a \"' + b + '\"');",
            "'a \"' + b + '\"'",
            "cp.execFileSync('a', [String(b)]);",
        ),
        ("cp.exec(`a --b=${c}/d`);", "`a --b=${c}/d`", "cp.execFile('a', [`--b=${c}/d`]);"),
        ("cp.spawn('sh', ['-c', `a ${b}`]);", "`a ${b}`", "cp.spawn('a', [String(b)]);"),
        ("cp.spawn('a', [b], { shell: true });", "[b]", "cp.spawn('a', [b], { shell: false });"),
        ("cp.exec(`a ${b}`, { shell: '/bin/zsh' });", "`a ${b}`", None),
        ("cp.exec(`npm i ${b}`);", "`npm i ${b}`", None),
        ("cp.exec(`a ${b} && c`);", "`a ${b} && c`", None),
        ("cp.exec(`a ${b ? c : d}`);", "`a ${b ? c : d}`", None),
        ("other.exec(`a ${b}`);", "`a ${b}`", None),
        ("execAsync(`a ${b}`);", "`a ${b}`", None),
    ],
)
def test_commands_of_javascript(said: str, marked: str, expected: str | None) -> None:
    head = "const cp = require('child_process');\n"
    made = mended(shell.listed, "javascript", f"{head}{said}\n", marked)
    assert made == (None if expected is None else f"{head}{expected}\n")


def test_a_function_of_a_loaded_module_is_known_by_any_name() -> None:
    text = "const run = require('child_process').exec;\nrun(`a ${b}`, c);\n"
    made = mended(shell.listed, "javascript", text, "`a ${b}`")
    assert made == (
        "const run = require('child_process').exec;\nconst { execFile } = require('child_process');"
        "\nexecFile('a', [String(b)], c);\n"
    )
