#!/usr/bin/env python3
"""Makes C and documentation from the table of relations.

usage: generate.py WHAT -o FILE

WHAT is one of columns.h (numbers of all columns), rows.h (what the model hands out), tables.c (names, types and recipes of
all columns).
"""
import argparse
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parent / "relations.table"

# The C type of each type: fields of `struct type`, and of a field in a row or group.
NUMBER = ".base = TYPE_NUMBER"
TYPES = {
    "bool": (".base = TYPE_BOOL", "bool"),
    "count": (NUMBER, "u64"),
    "time": (NUMBER + ", .seconds = 1", "i64"),
    "estimated_time": (NUMBER + ", .seconds = 1, .is_late = true", "i64"),
    "instant": (NUMBER + ", .seconds = 1, .is_instant = true", "i64"),
    "bytes": (NUMBER + ", .bytes = 1", "i64"),
    "rank": (".base = TYPE_RANK", "u32"),
    "text": (".base = TYPE_TEXT", "text"),
    "function": (".base = TYPE_FUNCTION", "u64"),
    "place": (".base = TYPE_PLACE", "u64"),
    "call": (".base = TYPE_EVENT", "call"),
    "identity": (".base = TYPE_IDENTITY, .thing = THING_EVENT", "u64"),
    "phase": (".base = TYPE_IDENTITY, .thing = THING_PHASE", "u32"),
}
for thing in "process thread node comm window file request mutex instance completion".split():
    TYPES[thing] = (f".base = TYPE_IDENTITY, .thing = THING_{thing.upper()}", "u64")

# Fields: in C, the size by which they are laid out, and the recipe that reads them.
FIELDS = {
    "call": ("struct occurrence ", 40, "EVENT"),
    "u64": ("uint64_t ", 8, "WORD"),
    "i64": ("int64_t ", 8, "WORD"),
    "text": ("const char *", 8, "TEXT"),
    "u32": ("uint32_t ", 4, "UNSIGNED"),
    "i32": ("int32_t ", 4, "SIGNED"),
    "bool": ("bool ", 1, "BOOL"),
}


class Column:
    def __init__(self, line):
        self.what = line.partition(":")[2].strip()
        words = line.partition(":")[0].split()
        self.name, self.type = words[0].lstrip("."), words[1]
        self.is_hidden = words[0].startswith(".")
        self.source = " ".join(words[2:])
        self.part = self.source.split()[0] if self.source.split(" ")[0] in ("row", "group") else None
        if self.is_hidden:
            self.field = self.type
        elif self.part:
            self.field = (self.source.split() + [TYPES[self.type][1]])[1]


class Relation:
    def __init__(self, name, row, what):
        self.name, self.row, self.what = name, row or name, what
        self.group = self.at = None
        self.fields = []

    @property
    def columns(self):
        return [column for column in self.fields if not column.is_hidden]


class Table:
    def __init__(self, text):
        self.calls, self.run, self.relations = [], [], []
        block = None
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            if not line.startswith("\t"):
                block = self.block(line)
            elif match := re.fullmatch(r"\t(?:in (\w+), )?at (\w+)", line):
                self.relations[-1].group, self.relations[-1].at = match.groups()
            else:
                block.append(Column(line))

    def block(self, line):
        if line in ("call columns", "run figures"):
            return self.calls if line == "call columns" else self.run
        match = re.fullmatch(r"relation (\w+)(?: \((\w+)\))? : (.*)", line)
        if not match:
            raise SystemExit(f"{TABLE}: not understood: {line}")
        self.relations.append(Relation(*match.groups()))
        return self.relations[-1].fields


def numbers(name, prefix, names):
    return [f"enum {name} {{", *(f"\t{prefix}_{text.upper()}," for text in names), f"\t{end_of(prefix)},", "};", ""]


def end_of(prefix):
    return {"CALL_COLUMN": "CALL_COLUMNS_END", "RELATION": "RELATIONS_END", "NATIVE": "NATIVE_COLUMNS_END",
            "RUN": "RUN_FIGURES_END"}[prefix]


def columns_h(table):
    guard = "TARRY_ANALYSIS_RELATIONS_COLUMNS_H"
    natives = [f"{relation.name}_{column.name}" for relation in table.relations for column in relation.columns]
    return [f"#ifndef {guard}", f"#define {guard}", "",
            *numbers("call_column", "CALL_COLUMN", [column.name for column in table.calls]),
            *numbers("relation", "RELATION", [relation.name for relation in table.relations]),
            *numbers("native_column", "NATIVE", natives),
            *numbers("run_figure", "RUN", [figure.name for figure in table.run]), "#endif"]


def struct(name, fields):
    """Large fields first, so that there are no holes."""
    lines = [f"\t{FIELDS[field.field][0]}{field.name};" + (f" /* {field.what} */" if field.what else "")
             for field in sorted(fields, key=lambda field: -FIELDS[field.field][1])]
    return [f"struct {name} {{", *lines, "};", ""]


def rows_h(table):
    guard = "TARRY_ANALYSIS_RELATIONS_ROWS_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", "", '#include "analysis/relations/occurrence.h"', "",
             "#include <stdbool.h>", ""]
    for relation in table.relations:
        if not relation.at:
            continue
        lines += [f"/* {relation.what} */"]
        lines += struct(relation.row, [field for field in relation.fields if field.part == "row"])
        if relation.group:
            lines += struct(relation.group, [field for field in relation.fields if field.part == "group"])
    return [*lines, "#endif"]


def text(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def values(name, end, rows):
    return [f"const struct native_value {name}[{end}] = {{",
            *(f"\t{{{relation}, {text(row.name)}, {{{TYPES[row.type][0]}}}, {text(row.what)}}}," for relation, row in rows),
            "};", ""]


def recipe(relation, column):
    native = f"NATIVE_{relation.name.upper()}_"
    if column.part:
        name = relation.group if column.part == "group" else relation.row
        return (f".kind = RECIPE_{FIELDS[column.field][2]}, .part = PART_{column.part.upper()}, "
                f".offset = offsetof(struct {name}, {column.name})")
    if column.source == "serial":
        return ".kind = RECIPE_SERIAL"
    if match := re.fullmatch(r"(\w+)\.(\w+)", column.source):
        return f".kind = RECIPE_CALL, .event = {native}{match[1].upper()}, .call = CALL_COLUMN_{match[2].upper()}"
    match = re.fullmatch(r"(\w+)\((\w+)(?:, (\w+))?\)", column.source)
    made = f".kind = RECIPE_{match[1].upper()}, .event = {native}{match[2].upper()}"
    if match[1] == "envelope":
        made += f", .field = ENVELOPE_{match[3].upper()}"
    elif match[3]:
        made += f", .other = {native}{match[3].upper()}"
    return made


def info(relation):
    if not relation.at:
        return "{{sizeof(struct occurrence), 0}, NATIVE_COLUMNS_END}"
    group = f"sizeof(struct {relation.group})" if relation.group else "0"
    return f"{{{{sizeof(struct {relation.row}), {group}}}, NATIVE_{relation.name.upper()}_{relation.at.upper()}}}"


def tables_c(table):
    natives = [(relation, column) for relation in table.relations for column in relation.columns]
    return ['#include "analysis/relations/rows.h"', '#include "analysis/relations/types.h"', "", "#include <stddef.h>", "",
            *values("call_columns", "CALL_COLUMNS_END", [("RELATION_CALL", column) for column in table.calls]),
            *values("run_figures", "RUN_FIGURES_END", [("RELATIONS_END", figure) for figure in table.run]),
            *values("native_columns", "NATIVE_COLUMNS_END",
                    [(f"RELATION_{relation.name.upper()}", column) for relation, column in natives]),
            "const struct native_relation native_relations[RELATIONS_END] = {",
            *(f"\t{{{text(relation.name)}, {text(relation.what)}}}," for relation in table.relations), "};", "",
            "const struct recipe recipes[NATIVE_COLUMNS_END] = {",
            *(f"\t{{{recipe(relation, column)}}}," for relation, column in natives), "};", "",
            "const struct relation_info relation_infos[RELATIONS_END] = {",
            *(f"\t{info(relation)}," for relation in table.relations), "};"]


def documented(columns):
    return "\n".join(["| column | type | meaning |", "|---|---|---|",
                      *(f"| `{column.name}` | {column.type.replace('_', ' ')} | {column.what} |" for column in columns)]) + "\n"


def documented_relation(relation):
    own = documented(relation.columns) if relation.at else "Its columns are those of every call.\n"
    return f"**`{relation.name}`**: {relation.what}.\n\n{own}"


def reference(table):
    """The tables of docs/rule-language.md, by name."""
    return {"calls": documented(table.calls), "relations": "\n".join(map(documented_relation, table.relations)),
            "run": documented(table.run)}


def read_table():
    return Table(TABLE.read_text(encoding="utf-8"))


def main():
    products = {"columns.h": columns_h, "rows.h": rows_h, "tables.c": tables_c}
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=products)
    parser.add_argument("-o", dest="output", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.output.write_text("\n".join(products[options.what](read_table())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
