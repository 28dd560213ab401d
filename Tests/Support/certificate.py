"""Certificates that tests make for themselves."""

import subprocess

NEW = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}


def self_signed(folder, name="certificate", subject="localhost", names="DNS:localhost,IP:127.0.0.1", kind="ec"):
    """The paths of a certificate that nobody vouches for, and of its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *NEW[kind], "-nodes", "-days", "2", "-subj", f"/CN={subject}",
         "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key
