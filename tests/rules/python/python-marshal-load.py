import marshal


def read(path):
    with open(path, "rb") as stream:
        # ruleid: python-marshal-load
        return marshal.load(stream)


def unpack(message):
    # ruleid: python-marshal-load
    return marshal.loads(message)


def pack(value):
    # ok: python-marshal-load
    schema.load(value)
    # ok: python-marshal-load
    return marshal.dumps(value)
