"""A real server of the examples, for a session."""

import pytest

from Support.server import Server


@pytest.fixture(scope="session")
def serving():
    # Every operation is tried with wrong tokens, more often than one client may.
    with Server("--rate-limit", "token=off", "--security-contact", "mailto:security@example.com") as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def server(serving):
    """Its address, without a slash at the end."""
    return serving.url


@pytest.fixture(scope="session")
def token(serving):
    """The header that shows the API token."""
    return serving.authorized
