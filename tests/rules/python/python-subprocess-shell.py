import shlex
import subprocess


def archive(folder, name):
    # ruleid: python-subprocess-shell
    subprocess.run(f"tar czf {name}.tgz {folder}", shell=True, check=True)
    # ruleid: python-subprocess-shell
    subprocess.check_call("rm -rf " + folder, shell=True)
    # ruleid: python-subprocess-shell
    return subprocess.getoutput("du -s %s" % folder)


def archive_safely(folder, name):
    # ok: python-subprocess-shell
    subprocess.run(["tar", "czf", f"{name}.tgz", folder], check=True)
    # ok: python-subprocess-shell
    subprocess.run("du -s . | sort", shell=True, check=True)
    # ok: python-subprocess-shell
    subprocess.run(f"du -s {shlex.quote(folder)}", shell=True, check=True)
    # ok: python-subprocess-shell
    subprocess.run(f"{folder}/tool", shell=False, check=True)
