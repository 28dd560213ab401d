#!/usr/bin/env python3
"""Prints what is in the command, as CycloneDX 1.5: `swift package show-dependencies --format json | sbom.py BINARY`.

Inside are the Swift packages and the toolchain's own libraries; beside it are the Debian libraries that it names or opens
when it needs them. The same source on the same Debian gives the same bytes: the date is that of SOURCE_DATE_EPOCH.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def swift_packages(root):
    """Each package once, and what it depends on, by its reference."""
    packages, dependencies = {}, {}

    def visit(package):
        place = re.sub(r"^https://|\.git$", "", package["url"])
        reference = f"pkg:swift/{place}@{package['version']}"
        packages[reference] = {
            "type": "library", "bom-ref": reference, "name": package["identity"], "version": package["version"],
            "purl": reference}
        dependencies[reference] = sorted({visit(each) for each in package["dependencies"]})
        return reference

    return sorted({visit(each) for each in root["dependencies"]}), packages, dependencies


def toolchain():
    """The standard library, Foundation and the rest of the toolchain that a static build links."""
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    reference = f"pkg:generic/swift-runtime@{version}"
    return {
        "type": "library", "bom-ref": reference, "name": "swift-runtime", "version": version, "purl": reference,
        "description": "The libraries of the Swift toolchain: the standard library, libdispatch, Foundation with ICU"}


def debian_libraries(binary):
    """The packages of the shared libraries that the file names itself, and of those that its sources open."""
    named = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", binary))
    for shim in sorted(Path(__file__).parent.parent.glob("Sources/*/shim.c")):
        named += re.findall(r'dlopen\("(.*?)"', shim.read_text("utf-8"))
    paths = dict(re.findall(r"(\S+) (?:\(libc6.*\) )?=> (\S+)", run("/sbin/ldconfig", "-p") + run("ldd", binary)))
    system = dict(re.findall(r'^(ID|VERSION_ID)="?(.*?)"?$', Path("/etc/os-release").read_text(), re.M))
    for library in named:
        if library not in paths:
            continue    # the loader itself, which ldd shows by its path
        # dpkg knows a file by the path in its package, with or without /usr.
        path = os.path.realpath(paths[library])
        found = subprocess.run(
            ["dpkg-query", "--search", path, path.removeprefix("/usr")], capture_output=True, text=True).stdout
        package, architecture = re.match(r"([^:]+):?(\S*?): ", found).groups()
        version = run("dpkg-query", "--show", "--showformat=${Version}", f"{package}:{architecture}")
        reference = (
            f"pkg:deb/{system['ID']}/{package}@{version.replace(':', '%3A').replace('+', '%2B')}"
            f"?arch={architecture}&distro={system['ID']}-{system['VERSION_ID']}")
        yield {"type": "library", "bom-ref": reference, "name": package, "version": version, "purl": reference}


def main(binary):
    direct, packages, dependencies = swift_packages(json.load(sys.stdin))
    beside = {each["bom-ref"]: each for each in [toolchain(), *debian_libraries(binary)]}
    digest = hashlib.sha256(Path(binary).read_bytes()).hexdigest()
    version = run(binary, "--version").splitlines()[0]
    command = f"okcancel@{version}"
    dependencies[command] = sorted([*direct, *beside])
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    json.dump({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat(),
            "component": {
                "type": "application", "bom-ref": command, "name": "okcancel", "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}], "hashes": [{"alg": "SHA-256", "content": digest}]}},
        "components": [each for _, each in sorted({**packages, **beside}.items())],
        "dependencies": [{"ref": each, "dependsOn": on} for each, on in sorted(dependencies.items())],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
