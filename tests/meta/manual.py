"""Every command has its file, its manual page and a mention in tarry(1)."""

import os
import re

from tree import finish, lines_of, tracked

COMMAND_FILE = re.compile(r"src/cli/cmd_([a-z_]+)\.c$")
PAGE = re.compile(r"docs/man/tarry-([a-z-]+)\.1$")


def names(pattern, files):
    return {match.group(1).replace("_", "-") for match in map(pattern.match, files) if match}


def main():
    commands = names(COMMAND_FILE, tracked("src/cli/*.c"))
    pages = names(PAGE, tracked("docs/man/*.1"))
    problems = [f"src/cli/cmd_{name}.c: docs/man/tarry-{name}.1 is missing" for name in commands - pages]
    problems += [f"docs/man/tarry-{name}.1: there is no such command" for name in pages - commands]
    overview = "docs/man/tarry.1"
    if not os.path.exists(overview):
        problems.append(f"{overview} is missing")
    else:
        text = "\n".join(lines_of(overview))
        problems += [f"{overview}: does not mention tarry-{name}" for name in commands
                     if f"tarry-{name}" not in text]
    finish(sorted(problems), len(commands))


main()
