"""What tests of several files need."""

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    """A library that sets a server's clock by OKCANCEL_TEST_CLOCK."""
    library = tmp_path_factory.mktemp("clock") / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return str(library)
