"""Recipes for Go: what they make of statements, and what they leave alone for want of certainty."""

import pytest

from tests.repo.fixes.mending import mended

PQ = '_ "github.com/lib/pq"'
MSSQL = '_ "github.com/microsoft/go-mssqldb"'


def go(package: str, line: str) -> str:
    """A function with one line, in a file that imports ``package``."""
    spec = package if '"' in package else f'"{package}"'
    return f"package a\n\nimport (\n\t{spec}\n)\n\nfunc f(x string) {{\n\t{line}\n}}\n"


@pytest.mark.parametrize(
    ("rule", "package", "line", "expected"),
    [
        (
            "go-sql-injection",
            PQ,
            """db.Query(«"select a from b where c = '" + x + "' and d = '" + y + "'"»)""",
            """db.Query("select a from b where c = $1 and d = $2", x, y)""",
        ),
        (
            "go-sql-injection",
            PQ,
            """db.Query(«"select a from b where c = " + x»)""",
            """db.Query("select a from b where c = $1", x)""",
        ),
        (
            "go-sql-injection",
            MSSQL,
            """db.Query(«"insert into a values (" + x + ", 2)"»)""",
            """db.Query("insert into a values (@p1, 2)", x)""",
        ),
        (
            "go-command-injection",
            "os/exec",
            """exec.Command("sh", "-c", «"tar --file='"+x+"' -x"»).Run()""",
            """exec.Command("tar", "--file="+x, "-x").Run()""",
        ),
        (
            "go-path-traversal",
            "path/filepath",
            """os.Open(«base + "/" + x + ".txt"»)""",
            """os.Open(filepath.Join(base, filepath.Clean("/"+x+".txt")))""",
        ),
        (
            "go-log-injection",
            "log",
            """log.Printf("100%% of \\"%s\\": %d", «x», 1)""",
            """log.Printf("100%% of %q: %d", x, 1)""",
        ),
        (
            "go-crypto-random-unchecked",
            "crypto/rand",
            """«n, _ := rand.Int(rand.Reader, most)»""",
            """n, err := rand.Int(rand.Reader, most)\n\tif err != nil {\n\t\tpanic(err)\n\t}""",
        ),
        (
            "go-weak-hash",
            "crypto/sha256",
            """cache[fmt.Sprintf("%x", «md5.Sum(b)»)] = x""",
            """cache[fmt.Sprintf("%x", sha256.Sum256(b))] = x""",
        ),
    ],
)
def test_a_statement_is_mended(rule: str, package: str, line: str, expected: str) -> None:
    assert mended(rule, "go", go(package, line)) == go(package, expected)


@pytest.mark.parametrize(
    ("rule", "package", "line"),
    [
        ("go-sql-injection", "database/sql", """db.Query(«"select a from b where c = " + x»)"""),
        ("go-sql-injection", PQ, """db.Query(«"select " + x + " from b"»)"""),
        ("go-sql-injection", PQ, """db.Query(«"select a from b where c in (" + x + ")"»)"""),
        ("go-sql-injection", PQ, """db.Query(«"select a from b where c = " + x + y»)"""),
        ("go-sql-injection", PQ, """db.Query(«"select a from b where c = ? and d = " + x», 1)"""),
        ("go-sql-injection", PQ, """q := "select 1 where c = " + x; q += "0"; db.Query(«q»)"""),
        ("go-sql-injection", PQ, """db.Query(«"select a from b limit " + x»)"""),
        ("go-path-traversal", "path/filepath", """os.Open(«filepath.Join("", x)»)"""),
        ("go-command-injection", "os/exec", """exec.Command("sh", "-c", «"a "+x+" | b"»)"""),
        ("go-command-injection", "os/exec", """exec.Command("sh", "-c", «"cd "+x»)"""),
        ("go-command-injection", "os/exec", """exec.Command("sh", "-c", «"tar "+args»)"""),
        ("go-command-injection", "os/exec", """exec.Command("sh", "-c", «x+" -v"»)"""),
        ("go-path-traversal", "os", """os.Open(«x»)"""),
        ("go-ldap-injection", "ldap", """find(«"(&" + x + ")"»)"""),
        ("go-xss-response-write", "io", """io.WriteString(w, "<a href=\\"" + «x» + "\\">")"""),
        ("go-xss-response-write", "io", """io.WriteString(w, "<script>a = '" + «x» + "'")"""),
        ("go-xss-response-write", "io", """io.WriteString(w, «page(x)»)"""),
        ("go-xss-response-write", "io", """html := 1; io.WriteString(w, "<p>" + «x»)"""),
        ("go-weak-hash", "crypto/md5", """var cached [16]byte = «md5.Sum(b)»"""),
        ("go-weak-hash", "crypto/md5", """cache.Set("Content-MD5", hex(«md5.New()»))"""),
        ("go-crypto-random-unchecked", "crypto/rand", """err := f(); «n, _ := rand.Int(a, b)»"""),
        (
            "go-http-server-without-timeouts",
            "net/http/pprof",
            """«http.ListenAndServe("127.0.0.1:1", nil)»""",
        ),
        ("go-weak-hash", "crypto/md5", """caches(«md5.Sum(b)»)"""),
        ("go-weak-hash", "crypto/md5", """hash := «md5.New()»"""),
        ("go-predictable-temp-file", "os", """«os.Create("/tmp/a.txt")»; os.Open("/tmp/a.txt")"""),
        ("go-insecure-random-secret", "math/rand", """rand.Shuffle(1, x); «rand.Read(salt)»"""),
        ("go-tls-weak-cipher-suite", "a", """c := []uint16{«tls.TLS_RSA_WITH_RC4_128_SHA»}"""),
    ],
)
def test_what_is_not_certain_is_left_alone(rule: str, package: str, line: str) -> None:
    assert mended(rule, "go", go(package, line)) is None


def test_the_module_says_how_placeholders_are_written() -> None:
    text = go("database/sql", """db.Query(«"select a from b where c = " + x»)""")
    mysql = {"go.mod": "require github.com/go-sql-driver/mysql v1.8.1\n"}
    expected = go("database/sql", """db.Query("select a from b where c = ?", x)""")
    assert mended("go-sql-injection", "go", text, mysql) == expected
    both = {"go.mod": f"{mysql['go.mod']}require github.com/lib/pq v1.10.9\n"}
    assert mended("go-sql-injection", "go", text, both) is None


def test_imports_that_nothing_uses_any_more_go() -> None:
    line = """exec.Command("sh", "-c", «fmt.Sprintf("du %s", x)»).Run()"""
    made = mended("go-shell-command-string", "go", go('"fmt"\n\t"os/exec"', line))
    assert made == go("os/exec", """exec.Command("du", x).Run()""")


def test_imports_stand_in_their_order() -> None:
    line = """cached(fmt.Sprintf("%x", «md5.Sum(b.C)»))"""
    made = mended("go-weak-hash", "go", go('"crypto/md5"\n\t"fmt"\n\n\t"example.org/b"', line))
    expected = """cached(fmt.Sprintf("%x", sha256.Sum256(b.C)))"""
    assert made == go('"crypto/sha256"\n\t"fmt"\n\n\t"example.org/b"', expected)
