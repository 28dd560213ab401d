"""FastAPI with pydantic on uvicorn (uvloop, httptools, one process, no access log), on the same work.

The body is a pydantic model and pydantic-core judges it; `errors` become the verdict. Documents are served from memory.
server.py PORT DIRECTORY: documents as in ../microhttpd/server.c.
"""

import re
import sys
from pathlib import Path
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

PORT, DIRECTORY = int(sys.argv[1]), Path(sys.argv[2])

LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = rf"^[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*$"
DOTTED = re.compile(r".+@.+\..+")
RULES = {
    "string_too_short": ("nonEmpty", "Enter your email address"),
    "string_pattern_mismatch": ("email", "Enter an email address, like name@example.com"),
    "dotted": ("pattern", "That does not look like an email address"),
}


def dotted(text: str) -> str:
    """The second pattern: pydantic keeps one a string."""
    if not DOTTED.fullmatch(text):
        raise PydanticCustomError("dotted", "no dot in the domain")
    return text


class Email(BaseModel):
    model_config = ConfigDict(extra="forbid")
    email: Annotated[str, StringConstraints(min_length=1, pattern=EMAIL), AfterValidator(dotted)]


def document(path: Path) -> tuple[list[tuple[str, str]], bytes]:
    head, _, body = path.read_bytes().partition(b"\n\n")
    return [tuple(line.split(": ", 1)) for line in head.decode().splitlines()], body


documents = {path.name.replace(",", "/"): document(path) for path in DIRECTORY.glob(",*")}
verdict_headers = dict(documents.pop("/verdict")[0])
app = FastAPI(openapi_url=None)


@app.post("/validate/email")
async def validate(email: Email) -> JSONResponse:
    return JSONResponse({"isValid": True, "fields": {"email": {"isValid": True}}}, headers=verdict_headers)


@app.exception_handler(RequestValidationError)
async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    if first["type"] not in RULES:
        return JSONResponse({"detail": first["msg"]}, status_code=400, headers=verdict_headers)
    rule, message = RULES[first["type"]]
    verdict = {"isValid": False, "rule": rule, "message": message}
    return JSONResponse(
        {"isValid": False, "message": message, "fields": {"email": verdict}}, headers=verdict_headers)


def serve(path: str, headers: list[tuple[str, str]], body: bytes) -> None:
    # A dictionary would keep one of two headers of a name.
    raw = [(name.lower().encode(), value.encode()) for name, value in [*headers, ("Content-Length", str(len(body)))]]

    @app.get(path, response_class=Response)
    async def get() -> Response:
        response = Response(body)
        response.raw_headers = raw
        return response


for path, (headers, body) in documents.items():
    serve(path, headers, body)

uvicorn.run(
    app, host="127.0.0.1", port=PORT, loop="uvloop", http="httptools", access_log=False, server_header=False,
    log_level="warning")
