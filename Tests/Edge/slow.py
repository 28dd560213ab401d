"""Slow clients by the thousand, and what a normal client notices: `make slow`.

slowhttptest holds connections by heads, bodies and reading that never end; meanwhile one client makes
requests on connections of its own. Prints its percentiles, and fails where one request in a hundred took
250 ms, or any was lost.
"""

import subprocess
import sys
import time

from Support.server import Server

CONNECTIONS = 1000
SECONDS = 40
ATTACKS = {
    "heads": ["-H", "-i", "2"],
    "bodies": ["-B", "-i", "2", "-s", "60000", "-t", "POST"],
    "reading": ["-X", "-k", "3", "-n", "5", "-w", "10", "-y", "20", "-z", "5"],
}


def timed(server):
    """Milliseconds that a page takes, over a connection of its own."""
    begin = time.monotonic()
    status, page = server.request("GET", "/prompts/email", headers={"Accept": "text/html"})
    assert status == 200 and page
    return (time.monotonic() - begin) * 1000


def attacked(server, options):
    attack = subprocess.Popen(
        ["slowhttptest", "-c", str(CONNECTIONS), "-r", "500", "-l", str(SECONDS), *options,
         "-u", f"{server.url}/prompts/email"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    times = []
    while attack.poll() is None:
        times.append(timed(server))
        time.sleep(0.01)
    return sorted(times)


def main():
    worst = 0
    with Server("--log-level", "error") as server:
        print("attack    requests   p50 ms   p99 ms   max ms")
        for name, options in ATTACKS.items():
            times = attacked(server, options)
            p99 = times[len(times) * 99 // 100]
            worst = max(worst, p99)
            print(f"{name:10}{len(times):8}{times[len(times) // 2]:9.1f}{p99:9.1f}{times[-1]:9.1f}", flush=True)
    sys.exit("one request in a hundred took longer than 250 ms" if worst >= 250 else 0)


if __name__ == "__main__":
    main()
