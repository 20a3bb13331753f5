"""docs/rule-language.md is true: its tables are those of src/analysis/rules/native.h, and every example in it loads and passes
its own tests.

    documented.py TARRY SOURCE            checks
    documented.py --write SOURCE          brings the tables up to date"""

import os
import re
import subprocess
import sys
import tempfile

TYPES = {
    "INSTANT": "instant", "TIME": "time", "BYTES": "bytes", "COUNT": "count", "RANK": "rank", "BOOL": "bool",
    "TEXT": "text", "FUNCTION": "function", "PLACE": "place", "EVENT": "call", "EVENT_ID": "identity",
    "ESTIMATE": "estimated time",
}
# Columns of one kind of thing carry its name.
ROW = re.compile(r'\b(\w+)\((?:(\w+), )?(\w+), "(\w+)", (\w+),\s*"((?:[^"\\]|\\.)*)"\)')
RELATION = re.compile(r'RELATION\((\w+), "(\w+)",\s*"((?:[^"\\]|\\.)*)"\)')
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)
EXAMPLE = re.compile(r"^```rules\n(.*?)^```$", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def macro(text, name):
    """The lines of `#define name(…) \\`, joined."""
    begin = re.search(r"^#define " + name + r"\(\w+\) \\\n", text, re.M).end()
    lines = []
    for line in text[begin:].split("\n"):
        lines.append(line.rstrip("\\").strip())
        if not line.endswith("\\"):
            break
    return " ".join(lines)


def rows(text):
    return [(relation, name, TYPES.get(kind, kind.lower()), what.replace('\\"', '"'))
            for _, relation, _, name, kind, what in ROW.findall(text)]


def table(lines):
    return "\n".join(["| column | type | what it is |", "|---|---|---|", *lines]) + "\n"


def line(row):
    return f"| `{row[1]}` | {row[2]} | {row[3]} |"


def relations(text):
    columns = rows(macro(text, "NATIVE_COLUMNS"))
    for key, name, what in RELATION.findall(macro(text, "RELATIONS")):
        own = [line(row) for row in columns if row[0] == key]
        yield f"**`{name}`**: {what}.\n\n" + (table(own) if own else "Its columns are those of every call.\n")


def tables(native):
    text = read(native)
    return {"calls": table(map(line, rows(macro(text, "CALL_COLUMNS")))),
            "relations": "\n".join(relations(text)),
            "run": table(map(line, rows(macro(text, "RUN_FIGURES"))))}


def with_tables(page, made):
    return TABLE.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n{match[3]}", page)


def problems_of_example(tarry, folder, number, text):
    path = os.path.join(folder, f"example{number}.rules")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for command in "check", "test":
        done = subprocess.run([tarry, "rules", command, path], capture_output=True, text=True)
        if done.returncode != 0:
            yield f"example {number}, 'tarry rules {command}':\n{text}{done.stdout}{done.stderr}"


def main():
    source = sys.argv[-1]
    path = os.path.join(source, "docs", "rule-language.md")
    page = read(path)
    right = with_tables(page, tables(os.path.join(source, "src", "analysis", "rules", "native.h")))
    if sys.argv[1] == "--write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(right)
        return
    problems = [] if page == right else [f"{path}: tables are not those of native.h: documented.py --write {source}"]
    examples = EXAMPLE.findall(page)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(examples, 1):
            problems += problems_of_example(sys.argv[1], folder, number, text)
    print("\n".join(problems) or f"{len(examples)} examples and all tables are right")
    sys.exit(1 if problems or not examples else 0)


main()
