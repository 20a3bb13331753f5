"""No layer uses a name of the C library that is banned there (banned.txt), and none writes keys of JSON by hand."""

import os
import re

from tree import finish, lines_of, tracked

TABLE = os.path.join(os.path.dirname(__file__), "banned.txt")
# Comments, strings and characters; newlines inside stay, so that lines keep their numbers.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)

# The end of a key in a string of C: base/json.h quotes keys and texts.
KEY_OF_JSON = re.compile(r'\\" ?:')


def read_table():
    """Name -> (layers that may use it, why others may not)."""
    banned = {}
    for line in lines_of(TABLE):
        if line and not line.startswith("#"):
            names, layers, why = line.split("|")
            banned.update((name, (layers.split(), why)) for name in names.split())
    return banned


def code_lines(path):
    def blank(match):
        return "\n" * match.group().count("\n")

    return NOT_CODE.sub(blank, "\n".join(lines_of(path))).split("\n")


def main():
    banned = read_table()
    use = re.compile(r"(?<![\w.>])(stdout|stderr|(?:" + "|".join(banned) + r")(?=\s*\())(?!\w)")
    problems = []
    files = tracked("src/*.c", "src/*.h")
    for path in files:
        room, layer = path.split("/")[1], "/".join(path.split("/")[1:3])
        # bench/tuning writes a file in MPICH's own layout.
        problems += [f"{path}:{number}: JSON is written through base/json.h" for number, line in enumerate(lines_of(path), 1)
                     if KEY_OF_JSON.search(line) and layer != "bench/tuning"]
        for number, line in enumerate(code_lines(path), 1):
            for name in use.findall(line):
                layers, why = banned[name]
                if not {room, layer, path.partition("/")[2]} & set(layers):
                    problems.append(f"{path}:{number}: {room} may not use {name}: {why}")
    finish(problems, len(files))


main()
