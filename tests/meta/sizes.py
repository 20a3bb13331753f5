"""No function is longer than 60 lines, and no file longer than 800."""

import json
import shutil
import subprocess

from tree import finish, lines_of, skip, tracked

LONGEST_FUNCTION = 60
LONGEST_FILE = 800
FUNCTION_KINDS = {"function", "member", "method"}


def functions_of(files):
    """(path, name, first line, length) of every function."""
    command = ["ctags", "--output-format=json", "--fields=+neK", "--sort=no", "-f", "-", *files]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        tag = json.loads(line)
        if tag.get("kind") in FUNCTION_KINDS and "end" in tag:
            yield tag["path"], tag["name"], tag["line"], tag["end"] - tag["line"] + 1


def main():
    if not shutil.which("ctags"):
        skip("ctags is missing")
    if "Universal Ctags" not in subprocess.run(["ctags", "--version"], capture_output=True, text=True).stdout:
        skip("ctags is not Universal Ctags")
    files = tracked("*.c", "*.h", "*.py")
    functions = list(functions_of(files))
    problems = [f"{path}:{line}: {name} has {length} lines, {LONGEST_FUNCTION} are allowed"
                for path, name, line, length in functions if length > LONGEST_FUNCTION]
    for path in files:
        length = len(lines_of(path))
        if length > LONGEST_FILE:
            problems.append(f"{path}: {length} lines, {LONGEST_FILE} are allowed")
    finish(problems, len(functions))


main()
