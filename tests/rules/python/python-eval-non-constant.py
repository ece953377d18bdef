import ast


def read_setting(settings, name):
    # ruleid: python-eval-non-constant
    return eval(settings[name])


def total(expression):
    # ruleid: python-eval-non-constant
    return eval("1 + " + expression, {})


def checked(text, model):
    # ok: python-eval-non-constant
    model.eval()
    # ok: python-eval-non-constant
    first = eval("6 * 7")
    # ok: python-eval-non-constant
    return first, ast.literal_eval(text)
