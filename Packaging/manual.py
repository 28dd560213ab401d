#!/usr/bin/env python3
"""Writes the command's manual pages: `manual.py BINARY FOLDER` makes okcancel.1, okcancel-serve.1 and so on.

Everything in them is what the command says of itself, so that a page cannot differ from `--help`. The date is that of
SOURCE_DATE_EPOCH, so that two builds of one source make the same bytes.
"""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path


def escape(text):
    """Text as roff prints it: no escape sequence, no request at the start of a line, hyphens that can be copied."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")
    return r"\&" + text if text.startswith((".", " ")) else text


def prose(text):
    """Paragraphs; indented lines stay as they are."""
    lines, block = [], None
    for line in text.splitlines():
        kind = None if not line.strip() else "as-is" if line.startswith("  ") else "filled"
        if block == "as-is" and kind != block:
            lines += [".EE", ".RE"]
        if kind is None:
            lines.append(".PP")
        elif kind == "as-is":
            if block != kind:
                lines += [".RS", ".EX"]
            lines.append(escape(line[2:]))
        else:
            if line.startswith(("Exit codes:", "Example")):
                lines.append(".PP")
            lines.append(escape(line))
        block = kind
    return lines + ([".EE", ".RE"] if block == "as-is" else [])


def names(argument):
    """`-h`, `--help`: how an option is written, each in bold, with its value in italics."""
    value = rf" \fI{escape(argument['valueName'])}\fR" if argument["kind"] == "option" else ""
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return ", ".join(rf"\fB{escape(dashes[name['kind']] + name['name'])}\fR{value}" for name in argument["names"])


def synopsis(command, called):
    lines = [rf"\fB{escape(called)}\fR"]
    arguments = shown(command)
    if any(argument["kind"] != "positional" for argument in arguments):
        lines.append(r"[\fIoptions\fR]")
    for argument in arguments:
        if argument["kind"] == "positional":
            word = rf"\fI{escape(argument['valueName'])}\fR" + (r"\ .\|.\|." if argument["isRepeating"] else "")
            lines.append(f"[{word}]" if argument["isOptional"] else word)
    if command.get("subcommands"):
        lines.append(r"\fIcommand\fR [\fIoptions\fR]")
    return lines


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]


def entries(arguments, title, label):
    lines = [f".SH {title}"] if arguments else []
    for argument in arguments:
        default = f" (default: {argument['defaultValue']})" if argument.get("defaultValue") else ""
        lines += [".TP", label(argument), escape(argument.get("abstract", "") + default)]
    return lines


def page(command, called, pages, version, date):
    own = called.replace(" ", "-")
    abstract = command["abstract"].rstrip(".")
    lines = [
        f'.TH {escape(own.upper())} 1 {escape(date)} "okcancel {version}" "User Commands"', ".nh", ".ad l",
        ".SH NAME", rf"{escape(own)} \- {escape(abstract[0].lower() + abstract[1:])}",
        ".SH SYNOPSIS", *synopsis(command, called)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *prose(command["discussion"])]
    lines += entries(
        [argument for argument in shown(command) if argument["kind"] == "positional"], "ARGUMENTS",
        lambda argument: rf"\fI{escape(argument['valueName'])}\fR")
    lines += entries([argument for argument in shown(command) if argument["kind"] != "positional"], "OPTIONS", names)
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    if subcommands:
        lines.append(".SH COMMANDS")
        for each in subcommands:
            lines += [".TP", rf"\fB{escape(called)}\-{escape(each['commandName'])}\fR(1)", escape(each["abstract"])]
    others = [name for name in pages if name != own]
    lines += [".SH SEE ALSO", ",\n".join(rf"\fB{escape(name)}\fR(1)" for name in others)]
    return "\n".join(lines) + "\n"


def main(binary, folder):
    described = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date().isoformat()
    command = json.loads(described)["command"]
    commands = {command["commandName"]: command}
    for each in command["subcommands"]:
        if each["shouldDisplay"] and each["commandName"] != "help":
            commands[f"{command['commandName']} {each['commandName']}"] = each
    pages = [called.replace(" ", "-") for called in commands]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for called, each in commands.items():
        text = page(each, called, pages, version, date)
        Path(folder, called.replace(" ", "-") + ".1").write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
