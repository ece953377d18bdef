import os
import subprocess


def copy(host):
    # ruleid: python-ssh-command-without-host-check
    subprocess.run(["ssh", "-o", "StrictHostKeyChecking=no", host, "true"], check=True)
    # ruleid: python-ssh-command-without-host-check
    os.system("scp -o StrictHostKeyChecking=no a.txt example.org:")


def copy_well(host):
    # ok: python-ssh-command-without-host-check
    subprocess.run(["ssh", "-o", "StrictHostKeyChecking=yes", host, "true"], check=True)
    # ok: python-ssh-command-without-host-check
    subprocess.run(["ssh", "-o", "StrictHostKeyChecking=accept-new", host], check=True)
    # ok: python-ssh-command-without-host-check
    raise ValueError("StrictHostKeyChecking=no is refused")
