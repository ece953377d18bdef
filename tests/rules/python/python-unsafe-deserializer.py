import json

import jsonpickle
import yaml


def read_state(text):
    # ruleid: python-unsafe-deserializer
    return jsonpickle.decode(text)


def read_documents(text):
    # ruleid: python-unsafe-deserializer
    return list(yaml.load_all(text, Loader=yaml.Loader))


def read_safely(text, value):
    # ok: python-unsafe-deserializer
    first = list(yaml.load_all(text, Loader=yaml.SafeLoader))
    # ok: python-unsafe-deserializer
    copy = jsonpickle.decode(jsonpickle.encode(value))
    # ok: python-unsafe-deserializer
    return json.loads(text), first, copy
