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


def unpack_where_filters_may_be_missing(path, folder):
    with tarfile.open(path) as archive:
        if hasattr(tarfile, "data_filter"):
            # ok: python-tar-extract
            archive.extractall(folder, filter="data")
        else:
            # ok: python-tar-extract
            archive.extractall(folder)
    with tarfile.open(path) as archive:
        if folder:
            # ruleid: python-tar-extract
            archive.extractall(folder)
