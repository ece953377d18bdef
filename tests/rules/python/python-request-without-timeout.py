import requests


def fetch(address):
    # ruleid: python-request-without-timeout
    first = requests.get(address)
    # ruleid: python-request-without-timeout
    return first, requests.post(address, json={"a": 1})


def fetch_well(address, options):
    # ok: python-request-without-timeout
    first = requests.get(address, timeout=5)
    # ok: python-request-without-timeout
    return first, requests.post(address, **options), requests.Session()
