import os


def clean(folder):
    # ruleid: python-os-system-non-constant
    os.system("rm -rf " + folder)
    # ruleid: python-os-system-non-constant
    os.system(f"mkdir {folder}")
    # ruleid: python-os-system-non-constant
    return os.popen("ls {}".format(folder)).read()


def clear():
    # ok: python-os-system-non-constant
    os.system("clear")
    # ok: python-os-system-non-constant
    os.system("cls" if os.name == "nt" else "clear")
