"""What the figures were measured on."""

import os
import platform
import re
import subprocess
from pathlib import Path


def cores() -> tuple[int | None, int | None]:
    """The core for the server and the one for its clients; none if there is only one."""
    available = sorted(os.sched_getaffinity(0))
    return (available[0], available[1]) if len(available) > 1 else (None, None)


def pinned(command: list[str], core: int | None) -> list[str]:
    return command if core is None else ["taskset", "--cpu-list", str(core), *command]


def load_average() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def description() -> list[str]:
    """Processor, memory, kernel, versions: one line each."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text()).group(1)) / 1024**2
    lines = [
        f"{processor.group(1) if processor else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB",
        f"Linux {platform.release()}, {_first('. /etc/os-release; echo $PRETTY_NAME')}",
    ]
    versions = {
        "Swift": "swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | cut -d' ' -f3",
        "libmicrohttpd": "dpkg-query -Wf '${Version}' libmicrohttpd12",
        "node": "node --version",
        "wrk": "dpkg-query -Wf '${Version}' wrk",
    }
    found = [f"{name} {version}" for name, command in versions.items() if (version := _first(command))]
    return lines + [", ".join(found)]


def _first(command: str) -> str:
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    return result.stdout.strip().split("\n")[0] if result.returncode == 0 else ""
