"""The package of `make deb`, a Debian to install it in, and the command that the tests start."""

import os
import platform
import shutil
import tempfile
from pathlib import Path

import pytest
from Package.command import Command
from Package.debian import inside, install, run

from Support.command import BINARY, ROOT, script


@pytest.fixture(scope="session")
def package():
    packages = sorted((ROOT / ".build" / "dist").glob("okcancel_*.deb"))
    assert packages, "there is no package; run `make deb`"
    return packages[-1]


@pytest.fixture(scope="session")
def debian(tmp_path_factory):
    """The same Debian as this one, of its own, with what every Debian has and the machine's ways to its mirrors."""
    assert os.geteuid() == 0, "this test makes a Debian of its own; run it as root"
    root = tmp_path_factory.mktemp("debian")
    root.chmod(0o755)
    suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
    run("debootstrap", "--variant=minbase", suite, root)
    (root / "etc/apt/sources.list").write_text(
        f"deb http://deb.debian.org/debian {suite} main\n"
        f"deb http://deb.debian.org/debian-security {suite}-security main\n")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    inside(root, "apt-get", "update", "--quiet=2")
    # Swift reads a program's arguments there.
    run("mount", "-t", "proc", "proc", root / "proc")
    yield root
    run("umount", root / "proc")
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="session")
def okcancel(request, tmp_path_factory):
    """OKCANCEL_BIN's command; with OKCANCEL_DEBIAN=1 that of the package, in the Debian, as the package's user."""
    if os.environ.get("OKCANCEL_DEBIAN") != "1":
        yield Command(BINARY, tmp_path_factory.mktemp("shared"))
        return
    root = request.getfixturevalue("debian")
    install(root, request.getfixturevalue("package"))
    program = script(
        tmp_path_factory.mktemp("bin") / "okcancel",
        "umask 077\nunset HOME LANG LC_ALL\n"
        f'exec /usr/sbin/chroot --userspec=okcancel:okcancel {root} /usr/bin/okcancel "$@"')
    inner = Path(tempfile.mkdtemp(prefix="okcancel-", dir=root / "tmp"))
    shared = Path("/tmp", inner.name)
    shared.symlink_to(inner)
    yield Command(program, shared, root)
    shared.unlink()


@pytest.fixture
def folder(okcancel):
    """A folder that the command may write to."""
    return okcancel.folder()
