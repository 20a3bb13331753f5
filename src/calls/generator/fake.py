"""An MPI library for unit tests: its functions do nothing unless a test asks for it (tests/unit/fake).

Every function counts its calls and sets outputs by the kinds of its parameters: new handles, statuses, flags. A few
functions that the recorder itself calls are written by hand: those in ANSWERED.
"""
from fortran import declared, has_error, parameters, returned
from wrappers import is_completion

# The effect of each kind on the parameter `$`. Handles are integers, and 0 is the null handle of each kind.
EFFECTS = {
    "status": "fake_set_statuses($, 1);",
    "flag": "*$ = fake->flag;",
    "index": "*$ = fake->index;",
    "outcount": "*$ = fake->outcount;",
    "indices": "fake_set_indices($);",
    "provided": "*$ = fake->thread_level;",
    "outtext": "$[0] = '\\0';",
    "newport": "$[0] = '\\0';",
    "message": "*$ = 0;",
}
ZERO = {"outtruth", "outnumber", "outwide", "outunit", "outaint", "outwideaint", "outoffset", "outbigcount"}

ANSWERED = {"Cartdim_get", "Comm_group", "Comm_rank", "Comm_remote_group", "Comm_remote_size", "Comm_size",
            "Comm_test_inter", "Dist_graph_neighbors_count", "Error_class", "Get_library_version", "Get_version",
            "Graph_neighbors_count", "Group_size", "Group_translate_ranks", "Pack_size", "Query_thread", "Topo_test",
            "Type_get_envelope", "Type_size", "Type_size_x", "Type_get_extent_x", "Type_get_true_extent_x"}

# Meaningful arguments for a call of each function; others are 1, or separate memory.
ARGUMENTS = {"comm": "MPI_COMM_WORLD", "peercomm": "MPI_COMM_WORLD", "op": "MPI_SUM", "info": "MPI_INFO_NULL",
             "type": "MPI_INT", "stype": "MPI_INT", "rtype": "MPI_INT", "otype": "MPI_INT", "ttype": "MPI_INT",
             "xtype": "MPI_INT", "lock": "MPI_LOCK_SHARED"}


def is_pointer(p, large):
    return "*" in p.declare(large) or "[" in p.declare(large)


def effect(f, p):
    kind = p.kind.name
    if kind == "newrequest":
        return f"*$ = fake_new_request({int(f.persistent)});"
    if kind == "statuses":
        return f"fake_set_statuses($, {'*outcount' if f.find('outcount') else 'count'});"
    if kind.startswith("new") and kind != "newport":
        return "*$ = fake_new_handle();"
    if kind.startswith("old") or kind == "inrequest" and f.name == "Request_free" or kind in ZERO:
        return "*$ = 0;"
    return EFFECTS.get(kind, "")


def completion(f):
    """Completed requests become null, unless they are persistent."""
    if not is_completion(f):
        return []
    requests = f.find("inrequest", "requests").name
    if f.find("index"):
        which = f"fake_complete_one({requests}, *{f.find('index').name});"
    elif f.find("outcount"):
        which = f"fake_complete_some({requests});"
    else:
        which = f"fake_complete_all({requests}, {'count' if f.find('many') else 1});"
    return [f"if (*{f.find('flag').name})\n\t\t{which}" if f.find("flag") else which]


def value_returned(f):
    if f.group == "conversion" and len(f.parameters) == 1:
        return f"({f.returns}){f.parameters[0].name}"
    return "0"


def c_function(f):
    effects = [effect(f, p).replace("$", p.name) for p in f.parameters] + completion(f)
    if f.name in ANSWERED:
        effects.append(f"fake_{f.name}({', '.join(p.name for p in f.parameters)});")
    out = [f.prototype("PMPI_"), "{"]
    if f.returns == "int":
        out += [f"\tconst int code = fake_enter(CALL_{f.name});", ""]
    else:
        out += [f"\tfake_enter(CALL_{f.name});"]
    out += ["\t" + line for line in effects if line]
    out += [f"\treturn {'code' if f.returns == 'int' else value_returned(f)};", "}"]
    return out + [f'{f.prototype()} __attribute__((weak, alias("PMPI_{f.name}")));', ""]


def function_types(functions):
    fn = [p for f in functions for p in f.parameters if p.kind.name == "fn"]
    return sorted({kind.split()[0] for p in fn for kind in (p.kind.c_type, p.kind.large_type)})


def header(functions):
    out = ["#ifndef FAKE_MPI_H", "#define FAKE_MPI_H", ""]
    out += [f"typedef void {kind}(void);" for kind in function_types(functions)] + [""]
    for f in functions:
        out += [f.prototype() + ";", f.prototype("PMPI_") + ";"]
    return "\n".join(out + ["", "#endif", ""])


def source(functions):
    out = ['#include "fake_answers.h"', ""]
    for f in functions:
        out += c_function(f)
    return "\n".join(out)


# The Fortran interfaces: mpi_x_ calls the C function, as in MPICH; those of mpi_f08 call the PMPI function, as in Open MPI.

def has_fortran(f):
    return f.in_fortran and (not f.variadic or f.name == "Pcontrol")


def fortran_entries(f):
    """(symbol, prefix of the C function that it calls)"""
    name = f"mpi_{f.fortran_name}_"
    if f.large:
        return [(name + "f08_large_", "PMPI_"), (name + "f08ts_large_", "PMPI_")]
    return [(entry, "MPI_") for entry in f.plain_entries] + [(name + "f08_", "PMPI_"), (name + "f08ts_", "PMPI_")]


def fortran_argument(f, p):
    if p.kind.fortran == "absent":
        return "NULL"
    if p.kind.name in ("status", "statuses"):
        return f"fake_fortran_status({p.name})"
    if is_pointer(p, f.large):
        return p.name
    c_type = p.declare(f.large).rsplit(None, 1)[0].replace("const ", "")
    return f"*({c_type} *){p.name}"


def fortran_function(f, symbol, prefix):
    arguments = ", ".join(fortran_argument(f, p) for p in f.parameters)
    out = [f"{returned(f)} {symbol}({declared(f)});", f"{returned(f)} {symbol}({declared(f)})", "{"]
    if f.returns != "int":
        return out + [f"\treturn {prefix}{f.name}({arguments});", "}", ""]
    out.append(f"\tconst int code = {prefix}{f.name}({arguments});\n")
    if f.find("index"):
        out.append(f"\tfake_fortran_indices({f.find('index').name}, 1);")
    if f.find("indices"):
        out.append(f"\tfake_fortran_indices({f.find('indices').name}, fake->outcount);")
    out.append("\t*(MPI_Fint *)ierror = code;" if has_error(f) else "\t(void)code;")
    return out + ["}", ""]


def fortran_source(functions):
    out = ['#include "fake_answers.h"', ""]
    for f in filter(has_fortran, functions):
        for symbol, prefix in fortran_entries(f):
            out += fortran_function(f, symbol, prefix)
    return "\n".join(out)


# One call of each function.

def is_text(p):
    return p.kind.name in ("text", "port", "program", "path")


def argument(f, p, room):
    if p.kind.name == "fn":
        return "NULL"
    if is_pointer(p, f.large):
        return '"text"' if is_text(p) else f"room({room})"
    return ARGUMENTS.get(p.kind.name, "1")


def one_call(f):
    arguments = ", ".join(argument(f, p, i) for i, p in enumerate(f.parameters))
    return [f"static void call_{f.name}(void)", "{", f"\tMPI_{f.name}({arguments});", "}", ""]


def fortran_place(f, p, room):
    if is_pointer(p, f.large):
        return '(void *)"text"' if is_text(p) else f"room({room})"
    return f"&(MPI_Count){{{ARGUMENTS.get(p.kind.name, '1')}}}"


def fortran_call(f, symbol):
    places = [fortran_place(f, p, i) for i, p in enumerate(parameters(f))]
    places += ["room(15)"] * has_error(f) + ["4"] * sum(p.kind.fortran == "string" for p in parameters(f))
    return [f"{returned(f)} {symbol}({declared(f)});", f"static void call_{symbol}(void)", "{",
            f"\t{symbol}({', '.join(places)});", "}", ""]


def call_all(functions):
    """For each C function and each Fortran entry point, a function that calls it once."""
    out = ['#include "call_all.h"', ""]
    fortran = [(f, symbol) for f in filter(has_fortran, functions) for symbol, _ in fortran_entries(f)]
    for f in functions:
        out += one_call(f)
    for f, symbol in fortran:
        out += fortran_call(f, symbol)
    out.append("const struct one_call c_calls[] = {")
    out += [f'\t{{"MPI_{f.name}", CALL_{f.name}, call_{f.name}}},' for f in functions]
    out += ["\t{NULL, MPI_CALLS, NULL},", "};", "", "const struct one_call fortran_calls[] = {"]
    out += [f'\t{{"{symbol}", CALL_{f.name}, call_{symbol}}},' for f, symbol in fortran]
    return "\n".join(out + ["\t{NULL, MPI_CALLS, NULL},", "};", ""])
