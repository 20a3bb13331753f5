"""No layer knows a higher one, and <mpi.h> stays where it belongs: see layers.txt."""

import os
import re

from tree import finish, lines_of, tracked

TABLE = os.path.join(os.path.dirname(__file__), "layers.txt")
INCLUDE = re.compile(r'\s*#\s*include\s+(<[^>]+>|"[^"]+")')


def read_table():
    layers, headers = {}, {}
    for line in lines_of(TABLE):
        line = line.split("#")[0].strip()
        if line:
            name, _, allowed = line.partition(":")
            (headers if name[0] in '<"' else layers)[name] = allowed.split()
    return layers, headers


def listed(header, headers):
    """The layers that may include a header by its own entry, or that of its folder; None: there is none."""
    folder = header.split("/")[0] + "/>" if "/" in header else None
    return headers.get(header, headers.get(folder))


def complaint(header, layer, layers, headers):
    """What is wrong with a layer including this header, quotes or brackets included; None: nothing."""
    if header.startswith('"'):
        target, slash, _ = header.strip('"').partition("/")
        if not slash:
            return f'{header} does not name its layer: write "layer/name.h"'
        if target not in layers:
            return f"'{target}' is no layer of layers.txt"
        if target != layer and target not in layers[layer]:
            return f"{layer} may not use {target}"
    allowed = listed(header, headers)
    if allowed is not None and layer not in allowed:
        return f"{layer} may not use {header}"
    return None


def main():
    layers, headers = read_table()
    problems = []
    files = tracked("src/*.c", "src/*.h")
    for path in files:
        layer = path.split("/")[1]
        if layer not in layers:
            problems.append(f"{path}: '{layer}' is no layer of layers.txt")
            continue
        for number, line in enumerate(lines_of(path), 1):
            include = INCLUDE.match(line)
            wrong = include and complaint(include.group(1), layer, layers, headers)
            if wrong:
                problems.append(f"{path}:{number}: {wrong}")
    finish(problems, len(files))


main()
