"""Ids, names, classes and parameter kinds of all functions, as C tables that every layer may use."""

from table import OmpFunction


def identifier(group):
    return group.upper().replace("-", "_")


def header(functions):
    groups = list(dict.fromkeys(f.group for f in functions))
    out = ["#ifndef TARRY_CALLS_IDS_H", "#define TARRY_CALLS_IDS_H", "", "enum call_id {"]
    out += [f"\tCALL_{f.name}," for f in functions if f.prefix]
    out += ["\tMPI_CALLS,", "\tCALLS_BEFORE_UPC = MPI_CALLS - 1,"]
    out += [f"\tCALL_{f.name}," for f in functions if not f.prefix and not isinstance(f, OmpFunction)]
    out += ["\tUPC_CALLS_END,", "\tCALLS_BEFORE_OPENMP = UPC_CALLS_END - 1,"]
    out += [f"\tCALL_{f.name}," for f in functions if isinstance(f, OmpFunction)]
    out += ["\tALL_CALLS", "};", "", "enum call_class {"]
    out += [f"\tCLASS_{identifier(g)}," for g in groups]
    out += ["\tCALL_CLASSES", "};", "", "#endif", ""]
    return "\n".join(out)


def source(functions):
    groups = list(dict.fromkeys(f.group for f in functions))
    out = ['#include "calls/calls.h"', "", "const struct call_info all_calls[ALL_CALLS] = {"]
    for f in functions:
        kinds = " ".join(p.kind.name for p in f.parameters)
        out.append(f'\t[CALL_{f.name}] = {{"{f.full_name}", CLASS_{identifier(f.group)}, "{f.moves}", '
                   f'"{f.meets}", "{kinds}", {int(f.persistent)}, {int(f.starts)}, {int(f.large)}}},')
    out += ["};", "", "const uint16_t calls_by_name[ALL_CALLS] = {"]
    out += [f"\tCALL_{f.name}," for f in sorted(functions, key=lambda f: f.full_name)]
    out += ["};", "", "const char *const call_class_names[CALL_CLASSES] = {"]
    out += [f'\t[CLASS_{identifier(g)}] = "{g}",' for g in groups]
    out += ["};", ""]
    return "\n".join(out)


def page(functions):
    """The documentation page: every function with its parameters and their kinds."""
    out = ["# The calls Tarry knows", ""]
    group = None
    for f in functions:
        if f.group != group:
            group = f.group
            out += ["", f"## {group}", "", "| function | data flow | parameters (kind) |", "|---|---|---|"]
        parameters = ", ".join(f"{p.name} ({p.kind.name})" for p in f.parameters)
        out.append(f"| {f.full_name} | {f.moves} | {parameters} |")
    return "\n".join(out) + "\n"
