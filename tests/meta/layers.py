"""No layer uses a higher one, within a room of src and between rooms, and only some layers use <mpi.h>: see layers.txt.

Calls follow the same order as #include, because the layer that declares a function defines it."""

import os
import re

from tree import finish, lines_of, tracked

TABLE = os.path.join(os.path.dirname(__file__), "layers.txt")
INCLUDE = re.compile(r'\s*#\s*include\s+(<[^>]+>|"[^"]+")')
# Functions that a layer needs from the libraries that contain it, which define them.
DEFINED_ABOVE = ["src/job/mpi/host.h"]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(r"^(?!static|typedef)[a-z][\w *\t]*?\b(\w+)\([^;{}]*\)[^;{}]*;", re.MULTILINE)
DEFINED = re.compile(r"^(?!static|typedef)[a-z][\w *\t]*?\b(\w+)\([^;{}]*\)\n{", re.MULTILINE)


def read_table():
    layers, headers = {}, {}
    for line in lines_of(TABLE):
        line = line.split("#")[0].strip()
        if line:
            name, _, allowed = line.partition(":")
            table = headers if name[0] in '<"' else layers
            if name in table and table is headers:
                raise SystemExit(f"{TABLE}: {name} stands there twice")
            table.setdefault(name, []).extend(allowed.split())
    return layers, headers


def circle_of(layers):
    """Layers that use each other in a cycle; None: none."""
    left = {layer: set(allowed) & layers.keys() - {layer} for layer, allowed in layers.items()}
    while left:
        lowest = [layer for layer, allowed in left.items() if not allowed & left.keys()]
        if not lowest:
            return sorted(left)
        for layer in lowest:
            del left[layer]
    return None


def room_of(layer):
    return layer.split("/")[0]


def layer_of(path):
    """'job/record' for job/record/stream.c, 'job/check/wire' for job/check/wire/host.c, 'base' for base/text.h."""
    return os.path.dirname(path)


def listed(header, headers):
    """The layers that may include a header by its own entry, or that of its folder; None: there is none."""
    folder = header.split("/")[0] + "/>" if "/" in header else None
    return headers.get(header, headers.get(folder))


def broken_rule(layer, target, layers):
    """Which of both levels forbids that a layer uses another; None: neither."""
    if target == layer:
        return None
    if target not in layers[layer]:
        return f"{layer} may not use {target}"
    mine, other = room_of(layer), room_of(target)
    if mine != other and other not in layers[mine]:
        return f"{mine} may not use {other}"
    return None


def complaint(header, layer, layers, headers):
    """The error in an #include of this header by a layer, quotes or brackets included; None: none."""
    if header.startswith('"'):
        target = layer_of(header.strip('"'))
        if not target:
            return f'{header} does not name its layer: write "layer/name.h"'
        if target not in layers:
            return f"'{target}' is no layer of layers.txt"
        wrong = broken_rule(layer, target, layers)
        if wrong:
            return wrong
    allowed = listed(header, headers)
    if allowed is not None and layer not in allowed and room_of(layer) not in allowed:
        return f"{layer} may not use {header}"
    return None


def misplaced(files):
    """Functions that one layer declares and another one defines."""
    layers_of = {DECLARED: {}, DEFINED: {}}
    for path in files:
        pattern = DECLARED if path.endswith(".h") else DEFINED
        for name in pattern.findall(COMMENT.sub("", "\n".join(lines_of(path)))) if path not in DEFINED_ABOVE else []:
            layers_of[pattern].setdefault(name, set()).add(layer_of(path[len("src/"):]))
    for name, declared in layers_of[DECLARED].items():
        defined = layers_of[DEFINED].get(name, declared)
        if not declared & defined:
            yield f"{name}() is declared in {min(declared)} and defined in {min(defined)}"


def main():
    layers, headers = read_table()
    circle = circle_of(layers)
    problems = [f"layers.txt: these use each other in a circle: {', '.join(circle)}"] if circle else []
    files = tracked("src/*.c", "src/*.h")
    for path in files:
        layer = layer_of(path[len("src/"):])
        if layer not in layers:
            problems.append(f"{path}: '{layer}' is no layer of layers.txt")
            continue
        for number, line in enumerate(lines_of(path), 1):
            include = INCLUDE.match(line)
            wrong = include and complaint(include.group(1), layer, layers, headers)
            if wrong:
                problems.append(f"{path}:{number}: {wrong}")
    problems.extend(misplaced(files))
    finish(problems, len(files))


main()
