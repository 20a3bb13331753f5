"""MPI's standard binary interface (MPI 5.0, chapter 20): the declarations for our own <mpi.h> (src/job/mpi/abi), and the exports of a
library with this interface in the form of `nm -D`, so that wrappers are generated as for installed libraries.
"""

# Of the tools interface, src/job/record calls these.
TOOLS = ["T_init_thread", "T_finalize", "T_cvar_get_index", "T_cvar_get_info", "T_cvar_handle_alloc", "T_cvar_read", "T_cvar_handle_free"]


def is_standard(f):
    """The interface has neither functions that the standard removed nor conversions to Fortran's integers, whose size it does not know."""
    return not f.removed and "MPI_Fint" not in f.prototype()


def declarations(functions):
    return "\n".join(line for f in filter(is_standard, functions) for line in (f.prototype() + ";", f.prototype("PMPI_") + ";")) + "\n"


def exports(functions):
    names = [f.name for f in filter(is_standard, functions)] + TOOLS
    return "".join(f"0 T {prefix}{name}\n" for name in names for prefix in ("MPI_", "PMPI_"))


# A library of one process for tests (tests/abi): the kinds of its parameters define the work of each function; it is weak, and a few functions are
# written by hand.

ENDED = {"comm": "MPI_COMM_NULL", "group": "MPI_GROUP_NULL", "win": "MPI_WIN_NULL", "file": "MPI_FILE_NULL", "type": "MPI_DATATYPE_NULL",
         "op": "MPI_OP_NULL", "info": "MPI_INFO_NULL", "errhandler": "MPI_ERRHANDLER_NULL", "session": "MPI_SESSION_NULL",
         "keyval": "MPI_KEYVAL_INVALID"}
EFFECTS = {"status": "library_status($, 1);", "flag": "*$ = 1;", "index": "*$ = 0;", "outcount": "*$ = 1;", "indices": "$[0] = 0;",
           "provided": "*$ = MPI_THREAD_SINGLE;", "outtext": "*$ = '\\0';", "newport": "*$ = '\\0';", "message": "*$ = MPI_MESSAGE_NULL;",
           **{kind: "*$ = 0;" for kind in ("outtruth", "outnumber", "outwide", "outunit", "outaint", "outwideaint", "outoffset", "outbigcount")}}


def effect(p):
    kind = p.kind.name
    if kind in EFFECTS:
        return EFFECTS[kind].replace("$", p.name)
    if kind.startswith("new"):
        return f"*{p.name} = (__typeof__(*{p.name}))library_new_handle();"
    return f"*{p.name} = {ENDED[kind[3:]]};" if kind.startswith("old") and kind[3:] in ENDED else ""


def completion(f):
    """Every request is complete."""
    requests = f.find("inrequest", "requests")
    if not (f.completes or f.name == "Request_free") or f.keeps_requests or not requests:
        return ""
    count = f.find("many").name if f.find("many") and f.completes == "all" else "1"
    statuses = f.find("statuses").name if f.find("statuses") else "MPI_STATUSES_IGNORE"
    return f"library_complete({requests.name}, {count}, {statuses});"


def library(functions):
    out = ['#include "library.h"', ""]
    for f in filter(is_standard, functions):
        out += [f"__attribute__((weak)) {f.prototype('PMPI_')}", "{"]
        out += ["\t" + line for line in [*map(effect, f.parameters), completion(f)] if line]
        out += [f"\treturn {'0' if f.returns in ('int', 'signed', 'double', 'MPI_Aint') else f'({f.returns})(intptr_t){f.parameters[0].name}'};", "}",
                f"{f.prototype()}", "{", f"\treturn PMPI_{f.name}({', '.join(p.name for p in f.parameters)});", "}", ""]
    return "\n".join(out)
