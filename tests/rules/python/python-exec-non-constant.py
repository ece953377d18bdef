def load_settings(path, namespace):
    with open(path) as stream:
        # ruleid: python-exec-non-constant
        exec(compile(stream.read(), path, "exec"), namespace)


def run_snippet(snippet):
    # ruleid: python-exec-non-constant
    exec(snippet)


def prepare(cursor, namespace):
    # ok: python-exec-non-constant
    cursor.exec("SELECT 1")
    # ok: python-exec-non-constant
    exec("import this", namespace)
