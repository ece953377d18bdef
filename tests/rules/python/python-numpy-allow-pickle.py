import numpy as np


def read(path):
    # ruleid: python-numpy-allow-pickle
    return np.load(path, allow_pickle=True)


def read_mapped(path):
    # ruleid: python-numpy-allow-pickle
    return np.load(path, mmap_mode="r", allow_pickle=True)["rows"]


def read_safely(path):
    # ok: python-numpy-allow-pickle
    np.save(path, [1, 2], allow_pickle=True)
    # ok: python-numpy-allow-pickle
    return np.load(path), np.load(path, allow_pickle=False)
