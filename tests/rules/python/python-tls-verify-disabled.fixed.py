import boto3
import httpx
import requests


def fetch(address, session):
    # ruleid: python-tls-verify-disabled
    first = requests.get(address, verify=True, timeout=5)
    # ruleid: python-tls-verify-disabled
    second = httpx.AsyncClient(verify=True)
    # ruleid: python-tls-verify-disabled
    third = session.post(address, data=b"", verify=True)
    # ruleid: python-tls-verify-disabled
    return first, second, third, boto3.client("s3", verify=True)


def fetch_well(address, session, strict):
    # ok: python-tls-verify-disabled
    first = requests.get(address, verify="ca.pem", timeout=5)
    # ok: python-tls-verify-disabled
    second = session.post(address, verify=strict)
    # ok: python-tls-verify-disabled
    third = decode(address, verify=False)
    return first, second, third


class Store:
    def find(self, folder, part):
        # ok: python-tls-verify-disabled
        first = self.get(folder, part, verify=False)
        # ruleid: python-tls-verify-disabled
        second = self.get(part, verify=True)
        # ruleid: python-tls-verify-disabled
        third = requests.get(part, {"page": "1"}, verify=True)
        # ruleid: python-tls-verify-disabled
        fourth = self.session.get(part, headers={}, verify=True)
        # ruleid: python-tls-verify-disabled
        return first, second, third, fourth, self.session.post(part, b"", verify=True)
