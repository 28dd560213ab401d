"""A Debian of its own: a folder to `chroot` into, and what is done in there."""

import os
import shutil
import subprocess


def run(*words, **options):
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, timeout=600,
        env={"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}, **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def inside(root, *words):
    return run("chroot", root, *words)


def install(root, *packages):
    """Packages by name, or files of them, with what they depend on and nothing that they recommend."""
    names = []
    for package in packages:
        if os.path.exists(package):
            shutil.copy(package, root / "tmp/okcancel.deb")
            package = "/tmp/okcancel.deb"
        names.append(package)
    inside(root, "apt-get", "install", "--quiet=2", "--yes", "--no-install-recommends", *names)
