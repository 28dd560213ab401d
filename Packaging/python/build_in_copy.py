"""Builds with setuptools in a copy of this folder, so that no files are left beside the sources."""

import contextlib
import os
import shutil
import tempfile

from setuptools import build_meta


@contextlib.contextmanager
def _copy():
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        source = shutil.copytree(here, os.path.join(folder, "source"), ignore=shutil.ignore_patterns("__pycache__"))
        os.chdir(source)
        try:
            yield
        finally:
            os.chdir(here)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = os.path.abspath(wheel_directory)
    with _copy():
        return build_meta.build_wheel(folder, config_settings)


def build_sdist(sdist_directory, config_settings=None):
    folder = os.path.abspath(sdist_directory)
    with _copy():
        return build_meta.build_sdist(folder, config_settings)
