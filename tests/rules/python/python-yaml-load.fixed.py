import yaml
from yaml import Loader


def read_settings(path):
    with open(path) as stream:
        # ruleid: python-yaml-load
        return yaml.safe_load(stream)


def read_all(body):
    # ruleid: python-yaml-load
    parts = [yaml.safe_load(body)]
    # ruleid: python-yaml-load
    parts.append(yaml.safe_load(body))
    # ruleid: python-yaml-load
    parts.append(yaml.safe_load(body))
    return parts


def read_safely(body, loader):
    # ok: python-yaml-load
    first = yaml.safe_load(body)
    # ok: python-yaml-load
    second = yaml.load(body, Loader=yaml.SafeLoader)
    # ok: python-yaml-load
    third = yaml.load(body, Loader=loader)
    # ok: python-yaml-load
    return first, second, third, yaml.load(body, yaml.CSafeLoader)


def read_file(path):
    # ok: python-yaml-load
    return yaml.unsafe_load(path.read_text())
