import pickle
import subprocess
from urllib.request import urlopen

import requests


def bootstrap():
    # ruleid: python-downloaded-code-executed
    exec(requests.get("https://example.org/setup.py", timeout=9).text)
    settings = requests.get("https://example.org/settings.json", timeout=9).json()
    # ok: python-downloaded-code-executed
    subprocess.run(["setup", settings["name"]], check=True)


def load_model(address):
    # ruleid: python-downloaded-code-executed
    model = pickle.loads(urlopen(address).read())
    # ok: python-downloaded-code-executed
    exec("print('loaded')")
    # ok: python-downloaded-code-executed
    pickle.loads(pickle.dumps(urlopen(address)))
    return model
