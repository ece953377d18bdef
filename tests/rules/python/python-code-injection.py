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
