"""Tokens that an issuer signs, and the keys to check them with."""

import base64
import functools
import json
import subprocess
import tempfile
import time

HEADER, ISSUER, AUDIENCE = "X-Token", "https://issuer.example", "okcancel"


def openssl(*words, text=None):
    return subprocess.run(["openssl", *words], input=text, check=True, capture_output=True).stdout


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@functools.cache
def key():
    return openssl("genrsa", "4096")


def key_set():
    modulus = openssl("rsa", "-modulus", "-noout", text=key()).decode().strip().removeprefix("Modulus=")
    return json.dumps({"keys": [{"kty": "RSA", "kid": "1", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB"}]})


def token(groups=(), signature=None, **claims):
    """A token of at most 8 KiB; with a `signature` of its own it is wrong."""
    claims = {"iss": ISSUER, "aud": AUDIENCE, "email": "ada@example.com", "exp": int(time.time()) + 86_400, "groups": list(groups)} | claims
    parts = [{"alg": "RS256", "kid": "1"}, claims]
    text = ".".join(base64url(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    if signature is None:
        with tempfile.NamedTemporaryFile() as secret:
            secret.write(key())
            secret.flush()
            signature = openssl("dgst", "-sha256", "-sign", secret.name, text=text.encode())
    return f"{text}.{base64url(signature)}"
