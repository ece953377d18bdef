import asyncssh
import paramiko
from paramiko import AutoAddPolicy


def connect():
    client = paramiko.SSHClient()
    # ruleid: python-ssh-host-key-ignored
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    # ruleid: python-ssh-host-key-ignored
    client.set_missing_host_key_policy(AutoAddPolicy)
    return client


async def connect_async():
    # ruleid: python-ssh-host-key-ignored
    return await asyncssh.connect("example.org", known_hosts=None)


async def connect_well():
    client = paramiko.SSHClient()
    # ok: python-ssh-host-key-ignored
    client.load_system_host_keys()
    # ok: python-ssh-host-key-ignored
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    # ok: python-ssh-host-key-ignored
    return client, await asyncssh.connect("example.org")
