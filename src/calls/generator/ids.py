"""Ids, names, classes and parameter kinds of all functions and the facts about them, as C tables that every layer may use."""
import re

from table import FACTS, OmpFunction, ShmemFunction, UpcFunction


# Facts whose values also have names in the program: those of the tables, "" for none.
NAMED_FACTS = ("moves", "mode", "completes")


def identifier(group):
    return group.upper().replace("-", "_")


def header(functions):
    groups = list(dict.fromkeys(f.group for f in functions))
    out = ["#ifndef TARRY_CALLS_IDS_H", "#define TARRY_CALLS_IDS_H", "", "enum call_id {"]
    out += [f"\tCALL_{f.name}," for f in functions if f.prefix]
    out += ["\tMPI_CALLS,", "\tCALLS_BEFORE_UPC = MPI_CALLS - 1,"]
    out += [f"\tCALL_{f.name}," for f in functions if type(f) is UpcFunction]
    out += ["\tUPC_CALLS_END,", "\tCALLS_BEFORE_SHMEM = UPC_CALLS_END - 1,"]
    out += [f"\tCALL_{f.name}," for f in functions if type(f) is ShmemFunction]
    out += ["\tPGAS_CALLS_END,", "\tCALLS_BEFORE_OPENMP = PGAS_CALLS_END - 1,"]
    out += [f"\tCALL_{f.name}," for f in functions if type(f) is OmpFunction]
    out += ["\tALL_CALLS", "};", "", "enum call_class {"]
    out += [f"\tCLASS_{identifier(g)}," for g in groups]
    out += ["\tCALL_CLASSES", "};", ""]
    for fact in FACTS.values():
        if fact.values:
            out += [f"enum {fact.enum} {{", *(f"\t{fact.identifier(value)}," for value in ["", *fact.values])]
            out += ["};", f"enum {{ {fact.name.upper()}_VALUES = {1 + len(fact.values)} }};", ""]
    return "\n".join(out + ["#endif", ""])


def plain(f, names):
    """The equivalent blocking function without large counts: Bcast for Ibcast_c and Bcast_init."""
    small = f.name[:-2] if f.large and f.name[:-2] in names else f.name
    name = small
    if f.persistent and name.endswith("_init"):
        name = name[:-len("_init")]
    elif f.find("newrequest"):
        name = re.sub(r"(^|_)[iI](\w)", lambda match: match[1] + (match[2] if match[1] else match[2].upper()), name, count=1)
    return name if name in names else small


def facts(f, names):
    """The non-zero members of struct call_info."""
    kinds = " ".join(p.kind.name for p in f.parameters)
    yield f'.name = "{f.full_name}", .class = CLASS_{identifier(f.group)}, .kinds = "{kinds}", .plain = CALL_{plain(f, names)}'
    for fact in FACTS.values():
        value = getattr(f, fact.name)
        if value:
            yield f".{fact.name} = {fact.identifier(value) if fact.values else 'true'}"
    nullable = sum(1 << number for number, p in enumerate(f.parameters) if p.nullable)
    if nullable:
        yield f".nullable = {nullable}"
    objects = {p.kind.name[:3] for p in f.parameters if p.kind.name not in ("newrequest", "newmessage", "newport")}
    for member, is_so in (("creates", "new" in objects), ("frees", "old" in objects), ("large", f.large)):
        if is_so:
            yield f".{member} = true"


def source(functions):
    groups = list(dict.fromkeys(f.group for f in functions))
    out = ['#include "calls/calls.h"', "", "const struct call_info all_calls[ALL_CALLS] = {"]
    names = {f.name for f in functions}
    out += [f"\t[CALL_{f.name}] = {{{', '.join(facts(f, names))}}}," for f in functions]
    out += ["};", "", "const uint16_t calls_by_name[ALL_CALLS] = {"]
    out += [f"\tCALL_{f.name}," for f in sorted(functions, key=lambda f: f.full_name)]
    out += ["};", "", "const char *const call_class_names[CALL_CLASSES] = {"]
    out += [f'\t[CLASS_{identifier(g)}] = "{g}",' for g in groups]
    out += ["};", ""]
    for name in NAMED_FACTS:
        values = [f'"{value}"' for value in ["", *FACTS[name].values]]
        out += [f"const char *const {name}_names[{name.upper()}_VALUES] = {{{', '.join(values)}}};", ""]
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
