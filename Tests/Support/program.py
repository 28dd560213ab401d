"""Other programs that listen: proxies, tools of another site."""

import socket
import subprocess
import time


class Program:
    """Runs a command until the block ends, which begins as soon as somebody listens at `port`."""

    def __init__(self, command, port, **options):
        self.command, self.port, self.options = command, port, options

    def __enter__(self):
        self.process = subprocess.Popen(self.command, **self.options)
        end = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except ConnectionRefusedError:
                time.sleep(0.02)
        self.__exit__()
        raise AssertionError(f"nobody listens at {self.port}: {self.command}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
