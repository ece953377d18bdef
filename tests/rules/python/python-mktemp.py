import tempfile
from tempfile import mktemp


def write(text):
    # ruleid: python-mktemp
    name = tempfile.mktemp(suffix=".txt")
    with open(name, "w") as stream:
        stream.write(text)
    # ruleid: python-mktemp
    return mktemp()


def write_safely(text):
    # ok: python-mktemp
    handle, name = tempfile.mkstemp()
    # ok: python-mktemp
    with tempfile.NamedTemporaryFile("w", delete=False) as stream:
        stream.write(text)
    # ok: python-mktemp
    return handle, name, tempfile.mkdtemp()
