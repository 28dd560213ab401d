#!/usr/bin/env python3
"""Clears, in a linked command, the sums that differ between builds of one source: `reproducible.py FILE`.

They are the compiler's of each module (`.swift_modhash`) and the linker's (the build id), which count debugging
information that the file no longer has. Removing the sections instead would lose the segment for RELRO.
"""

import re
import subprocess
import sys

path = sys.argv[1]
sections = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
with open(path, "r+b") as file:
    for name, offset, size in re.findall(
            r"(\.swift_modhash|\.note\.gnu\.build-id)\s+\S+\s+\S+\s+(\S+)\s+(\S+)", sections):
        # A note's name comes first, and stays.
        kept = 16 if name.startswith(".note") else 0
        file.seek(int(offset, 16) + kept)
        file.write(bytes(int(size, 16) - kept))
