"""The scripted server and the impatient transport of the transport's own tests."""

from tests.http.conftest import client, server

__all__ = ["client", "server"]
