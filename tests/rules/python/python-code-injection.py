import ast

from flask import Flask, request

app = Flask(__name__)


@app.get("/calculate")
def calculate():
    formula = request.args["formula"]
    # ruleid: python-code-injection
    result = eval(formula, {"__builtins__": {}})
    # ok: python-code-injection
    safe = ast.literal_eval(formula)
    # ok: python-code-injection
    rounded = eval("round(2.5)")
    return {"result": result, "safe": safe, "rounded": rounded}


@app.post("/script")
def script():
    source = request.get_data(as_text=True)
    # ruleid: python-code-injection
    exec(compile(source, "script", "exec"))
    return "ok"


@app.post("/other-names")
def other_names(pool):
    given = request.form["given"]
    # ruleid: python-code-injection
    builtins.eval(given)
    # ruleid: python-code-injection
    getattr(builtins, "eval")(given)
    # ruleid: python-code-injection
    __builtins__["exec"](given)
    # ruleid: python-code-injection
    list(map(eval, [given]))
    # ok: python-code-injection
    list(map(int, [given]))
    run = eval
    # ruleid: python-code-injection
    return run(given)
