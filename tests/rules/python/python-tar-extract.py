import tarfile
import zipfile


def unpack(path, folder):
    with tarfile.open(path) as archive:
        # ruleid: python-tar-extract
        archive.extractall(folder)


def unpack_here(path):
    # ruleid: python-tar-extract
    tarfile.open(path, "r:gz").extractall()


def unpack_safely(path, folder):
    with tarfile.open(path) as archive:
        # ok: python-tar-extract
        archive.extractall(folder, filter="data")
    with zipfile.ZipFile(path) as archive:
        # ok: python-tar-extract
        archive.extractall(folder)
    with tarfile.open(path) as archive:
        # ok: python-tar-extract
        archive.extractall(folder, members=checked(archive))
