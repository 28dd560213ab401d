"""The Debian package of `make deb`, in a Debian that has neither Swift nor anything else of ours.

It needs root, for `debootstrap` and `chroot`. systemd does not run in there: the server is started with the unit's own
command, as the unit's user, with the unit's settings.
"""

import json
import re
import shlex
import shutil
import subprocess
from urllib.parse import urlsplit

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from Package.debian import inside, install, run

from Support.client import FORM
from Support.command import ROOT
from Support.server import Server, free_port

SETTINGS = "etc/okcancel/environment"


def start(root):
    """The installed unit's command, as its user, with the variables of its file."""
    unit = (root / "lib/systemd/system/okcancel.service").read_text("utf-8")
    program, verb, *words = shlex.split(re.search(r"^ExecStart=(.*)", unit, re.M)[1].replace("%S", "/var/lib"))
    assert (program, verb) == ("/usr/bin/okcancel", "serve")
    user = re.search(r"^User=(.*)", unit, re.M)[1]
    # StateDirectory= and StateDirectoryMode=.
    inside(root, "install", "--directory", f"--owner={user}", f"--group={user}", "--mode=0700", "/var/lib/okcancel")
    file = root / re.search(r"^EnvironmentFile=-/(.*)", unit, re.M)[1]
    variables = dict(re.findall(r"^(\w+)=(.*)", file.read_text("utf-8"), re.M))
    return Server(
        *words, program=program, before=("chroot", f"--userspec={user}:{user}", root),
        database=root / "var/lib/okcancel/okcancel.sqlite", **variables)


def next_version(package, folder):
    """The same package with a higher version, and a changed default of its settings."""
    tree = folder / "next"
    run("dpkg-deb", "--raw-extract", package, tree)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)", r"\1+next", control.read_text("utf-8")))
    with (tree / SETTINGS).open("a") as settings:
        settings.write("\n# One more comment.\n")
    newer = folder / "okcancel-next.deb"
    run("dpkg-deb", "--root-owner-group", "--build", tree, newer)
    return newer


def test_lintian_finds_nothing(package):
    assert run("lintian", "--allow-root", "--fail-on=error,warning", package) == ""


def test_it_installs_starts_upgrades_and_goes(package, debian, tmp_path):
    install(debian, package)
    assert not (debian / "usr/lib/swift").exists() and not shutil.which("swift", path=debian / "usr/bin")
    assert "not found" not in inside(debian, "ldd", "/usr/bin/okcancel")
    own, library = inside(debian, "okcancel", "--version").splitlines()
    assert own == run(ROOT / ".build/dist/okcancel", "--version").splitlines()[0]
    installed = inside(debian, "dpkg-query", "--show", "--showformat=${Version}", "libmicrohttpd12*")
    assert installed.startswith(library.removeprefix("libmicrohttpd ") + "-")
    user = inside(debian, "getent", "passwd", "okcancel").split(":")
    assert int(user[2]) < 1000 and user[6].strip() == "/usr/sbin/nologin"
    settings = debian / SETTINGS
    assert settings.stat().st_mode & 0o777 == 0o600
    assert f"/{SETTINGS}" in inside(debian, "dpkg-query", "--show", "--showformat=${Conffiles}", "okcancel")
    # Enabled, as packages of servers are. An older version left the socket disabled: an upgrade keeps that.
    wanted = debian / "etc/systemd/system"
    assert (wanted / "multi-user.target.wants/okcancel.service").is_symlink()
    socket = wanted / "sockets.target.wants/okcancel.socket"
    assert socket.is_symlink()
    socket.unlink()

    # What the operator writes stays in an upgrade, and so does every answer.
    with settings.open("a") as file:
        file.write(f"OKCANCEL_PORT={free_port()}\nOKCANCEL_API_TOKEN=the-operator-s-own-token-1\n")
    with start(debian) as server:
        assert server.request("POST", "/prompts/email", "outcome=ok&email=ann%40example.com", FORM)[0] == 200
        assert server.stop() == 0
    (debian / "etc/okcancel/prompts/name.yaml").write_text("title: Your name\nfields: [{name: name}]\n")
    written = settings.read_text("utf-8")
    shutil.copy(next_version(package, tmp_path), debian / "tmp/okcancel.deb")
    inside(debian, "dpkg", "--force-confold", "--install", "/tmp/okcancel.deb")
    assert inside(debian, "dpkg-query", "--show", "--showformat=${Version}", "okcancel").endswith("+next")
    assert settings.read_text("utf-8") == written and not socket.is_symlink()
    with start(debian) as server:
        assert server.port == int(re.search(r"OKCANCEL_PORT=(\d+)", written)[1])
        bearer = {"Authorization": "Bearer the-operator-s-own-token-1"}
        answers = server.request("GET", "/prompts/email/answers", headers=bearer)
        assert answers[0] == 200 and json.loads(answers[1])["values"] == {"email": "ann@example.com"}
        assert server.request("GET", "/prompts/name")[0] == 200

    inside(debian, "apt-get", "remove", "--quiet=2", "--yes", "okcancel")
    assert not (debian / "usr/bin/okcancel").exists() and not (debian / "lib/systemd/system/okcancel.service").exists()
    assert settings.exists() and (debian / "var/lib/okcancel/okcancel.sqlite").exists()
    inside(debian, "apt-get", "purge", "--quiet=2", "--yes", "okcancel")
    assert not settings.exists() and not (debian / "var/lib/okcancel").exists()
    # Only what the operator put there himself.
    assert [path.name for path in (debian / "etc/okcancel").rglob("*") if path.is_file()] == ["name.yaml"]


def test_its_version_is_the_command_s(package):
    version = run(ROOT / ".build/dist/okcancel", "--version").splitlines()[0]
    assert run("dpkg-deb", "--field", package, "Version").strip() == version
    assert f"apt install ./.build/dist/{package.name}" in (ROOT / "Documentation/install.md").read_text("utf-8")


def test_it_is_one_file_that_is_not_too_big(package, tmp_path):
    """What `make dist` makes, to the byte, beside its checksum."""
    run("dpkg-deb", "--extract", package, tmp_path)
    dist = ROOT / ".build" / "dist"
    installed = (tmp_path / "usr/bin/okcancel").read_bytes()
    assert installed == (dist / "okcancel").read_bytes() and len(installed) <= 40_000_000
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=dist)
    assert str(ROOT).encode() not in installed


def test_the_bill_of_materials_is_valid():
    text = (ROOT / ".build/dist/okcancel.cdx.json").read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["hashes"][0]["content"] in (ROOT / ".build/dist/SHA256SUMS").read_text()
    known = {each["bom-ref"] for each in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= known
    # Every package that the manifest names, and every library that the file does or opens.
    named = re.findall(r'\.package\(url: "https://([^"]+)"', (ROOT / "Package.swift").read_text("utf-8"))
    inside_it = {re.sub(r"^pkg:swift/|@.*", "", each["purl"]) for each in bill["components"]}
    assert named and set(named) <= inside_it
    # Debian 13 calls some of them by other names: libmicrohttpd12t64, libre2-11.
    assert {"libcmark-gfm", "libcmark-gfm-extensions", "libcurl4", "libpq5", "libmicrohttpd12", "libqrencode4", "libre2",
            "libsqlite3-0", "libyaml-0-2"} <= {
        re.sub(r"t64$|(?<=libre2)-\d+$|0\.29\.0\.gfm\.\d+$", "", each["name"]) for each in bill["components"]}


def test_nothing_asks_for_what_icu_was_left_without(tmp_path):
    """`Sources/CICU`: ICU would look for a file of its data, as a program shows here that does ask."""
    trace = tmp_path / "trace"
    watched = ("strace", "-D", "-f", "-qq", "-e", "trace=file", "-o", trace)
    with Server(program=ROOT / ".build/dist/okcancel", before=watched) as server:
        german = {"Accept-Language": "de-DE"}
        for name in json.loads(server.request("GET", "/", headers={"Accept": "application/json"})[1]):
            assert server.request("GET", name["href"], headers=german)[0] == 200
            assert server.request("GET", f"{name['href']}/rules", headers=german)[0] == 200
            assert server.request("POST", name["href"], "outcome=ok", FORM | german)[0] in (200, 303, 422)
        ask = server.ask(language="ar", values={"email": "ann@bücher.example"})
        assert server.request("GET", urlsplit(ask["link"]).path)[0] == 200
        server.answer(ask)
        assert "okcancel_build_info" in server.request("GET", "/metrics", headers=server.authorized)[1]
        assert server.stop() == 0
    seen = trace.read_text("utf-8", "replace")
    assert "a.sqlite" in seen and "icudt" not in seen
    source = tmp_path / "asking.swift"
    source.write_text('import Foundation\nprint("ä".localizedStandardCompare("z").rawValue)\n')
    run("clang", "-c", ROOT / "Sources/CICU/data.c", "-o", tmp_path / "data.o")
    run("swiftc", "-static-stdlib", source, tmp_path / "data.o", "-o", tmp_path / "asking")
    subprocess.run([*watched, tmp_path / "asking"], timeout=60, capture_output=True)
    assert "icudt" in trace.read_text("utf-8", "replace")


def test_shells_complete_it(package, tmp_path):
    run("dpkg-deb", "--extract", package, tmp_path)
    share = tmp_path / "usr/share"
    bash = share / "bash-completion/completions/okcancel"
    completed = run("bash", "-c", f"source {bash}; COMP_WORDS=(okcancel ser); COMP_CWORD=1; COMP_LINE='okcancel ser'; "
                    "COMP_POINT=12; $(complete -p okcancel | sed -E 's/.*-F (\\S+).*/\\1/') okcancel ser okcancel; "
                    "echo ${COMPREPLY[@]}")
    assert completed.split() == ["serve"]
    run("zsh", "-n", share / "zsh/vendor-completions/_okcancel")
    assert "complete -c 'okcancel'" in (share / "fish/vendor_completions.d/okcancel.fish").read_text("utf-8")
