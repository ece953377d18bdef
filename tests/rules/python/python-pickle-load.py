import json
import pickle

import pandas as pd


def restore(path):
    with open(path, "rb") as stream:
        # ruleid: python-pickle-load
        state = pickle.load(stream)
    # ruleid: python-pickle-load
    return state, pd.read_pickle("frame.pkl")


def copy(value):
    # ok: python-pickle-load
    return pickle.loads(pickle.dumps(value))


def save(value, stream):
    # ok: python-pickle-load
    pickle.dump(value, stream)
    # ok: python-pickle-load
    return json.load(stream)
