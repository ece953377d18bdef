import re

from flask import Flask, request

app = Flask(__name__)


@app.get("/grep")
def grep():
    wanted = request.args["pattern"]
    # ruleid: python-regex-injection
    lines = [line for line in open("book.txt") if re.search(wanted, line)]
    # ok: python-regex-injection
    exact = [line for line in open("book.txt") if re.search(re.escape(wanted), line)]
    # ok: python-regex-injection
    words = re.findall(r"\w+", wanted)
    return {"lines": lines, "exact": exact, "words": words}


@app.get("/filter/<expression>")
def narrow(expression):
    # ruleid: python-regex-injection
    rule = re.compile("^" + expression + "$")
    return {"matches": bool(rule.match("abc"))}
