"""Arguments of MPI functions for rules: the form of each (src/calls/arguments.h), and functions in C and Fortran between a
recorder's wrapper and MPI that note the arguments of a call (src/job/record/arguments.h).
"""
import check
import fortran

# 64-bit numbers in C and Fortran.
WIDE_TYPES = {"MPI_Aint", "MPI_Count", "MPI_Offset"}
# Values that are known only after the call, although the program may have set them before.
GIVEN_BEFORE = {"oldcomm", "oldgroup", "oldwin", "oldfile", "oldtype", "oldop", "oldinfo", "olderrhandler", "oldsession",
                "oldkeyval", "inrequest", "requests", "message", "usetype", "constatus", "argc", "argv", "texts"}


def element_type(p, large):
    """The C type without its qualifier, and its number of references."""
    declared = (p.kind.large_type if large else p.kind.c_type).replace("const ", "")
    return declared.split()[0], declared.count("*") + ("[" in declared)


def base_of(p, large):
    c_type, references = element_type(p, large)
    if p.kind.name in ("fn", "textlists") or c_type == "void" or c_type == "MPI_Fint" and references:
        return "ADDRESS"
    if c_type == "char":
        return "TEXT"
    if c_type == "MPI_Status":
        return "STATUS"
    if c_type in check.HANDLE_TYPES:
        return check.HANDLE_TYPES[c_type].upper()
    return "TRUTH" if p.kind.fortran == "logical" else "NUMBER"


def is_array(p):
    return "[" in p.kind.c_type or p.kind.name == "argv"


def is_place(p, large):
    """One number, handle or status at an address."""
    return base_of(p, large) not in ("ADDRESS", "TEXT") and element_type(p, large)[1] == 1 and not is_array(p)


def is_out(p):
    c_type = p.kind.c_type
    return ("*" in c_type or "[" in c_type) and not c_type.startswith("const ") and p.kind.name not in GIVEN_BEFORE \
        and base_of(p, False) != "ADDRESS"


def beside_data(f, p):
    """Counts, displacements and types of collective operations: one element per process."""
    if f.moves.startswith("reduce_scatter"):
        return "MEMBERS"
    sends = p.kind.name.startswith("s") or p.name == "sdispls" or f.moves == "scatterv"
    return "DESTINATIONS" if sends else "SOURCES"


def usual_length(f, p):
    kinds = {"requests": ["many"], "conrequests": ["many"], "indices": ["outcount"], "statuses": ["outcount", "many"], "argv": ["argc"]}
    found = [f.find(kind) for kind in kinds.get(p.kind.name, []) if f.find(kind)]
    return found[0].name if found else ""


def length_of(f, p):
    """(rule, parameter that it refers to)"""
    if not is_array(p):
        return "NONE", None
    if p.kind.name in ("scounts", "rcounts", "displs", "adispls", "stypes", "rtypes"):
        return beside_data(f, p), None
    name, _, rule = (p.length or usual_length(f, p)).partition(".")
    if name in ("dimensions", "null"):
        return name.upper(), None
    other = next((i for i, q in enumerate(f.parameters) if q.name == name), None)
    if other is None:
        return "NONE", None  # an address
    return (rule or "parameter").upper(), other


def form(f, p):
    base = base_of(p, f.large)
    rule, other = length_of(f, p)
    shape = "ARRAY" if rule != "NONE" else "PLACE" if is_place(p, f.large) else "VALUE"
    if is_array(p) and shape == "VALUE":
        base = "ADDRESS"
    wide = element_type(p, f.large)[0] in WIDE_TYPES
    return f"{{ARGUMENT_{base}, ARGUMENT_{shape}, {int(wide)}, {int(is_out(p))}, LENGTH_{rule}, {0 if other is None else other}}}"


def forms_source(functions):
    out = ['#include "calls/arguments.h"', "", "const struct argument_form call_argument_forms[MPI_CALLS][CALL_PARAMETERS_MAX - 1] = {"]
    for f in functions:
        forms = ", ".join(form(f, p) for p in f.parameters)
        if forms:
            out.append(f"\t[CALL_{f.name}] = {{{forms}}},")
    return "\n".join(out + ["};", ""])


def noting_lines(f, values, lengths, call, is_fortran):
    """The lines before the call, and the call."""
    out = ["\tstruct noted_call noted;", f"\tconst int64_t values[] = {{{', '.join(values)}}};"]
    if lengths:
        out.append(f"\tconst size_t lengths[] = {{{', '.join(lengths)}}};")
    return out + ["", f"\targuments_before(&noted, CALL_{f.name}, values, {'lengths' if lengths else 'NULL'}, {is_fortran});",
                  f"\t{call}"]


def c_function(f):
    names = ", ".join(p.name for p in f.parameters)
    kind = "int rc" if f.returns == "int" else f"{f.returns} value"
    out = [f"static {f.prototype('noted_')};", f"static __typeof__(&noted_{f.name}) rest_{f.name};", "",
           f"static {f.prototype('noted_')}", "{",
           *noting_lines(f, [check.value_in_c(f, p) for p in f.parameters], [],
                         f"const {kind} = rest_{f.name}({names});", "false"),
           f"\targuments_after(&noted, {'rc' if f.returns == 'int' else 'MPI_SUCCESS'});",
           f"\treturn {kind.split()[-1]};", "}", ""]
    return out


def hook(symbol, f, function):
    return f'\t{{"{symbol}", CALL_{f.name}, (void *)noted_{function}, &rest_{function}}},'


def hooks(name, rows):
    return [f"const struct argument_hook {name}[] = {{", *rows, "\t{NULL, 0, NULL, NULL},", "};", ""]


def c_source(functions, prefixes):
    out = ['#include "job/record/argument_hooks.h"', ""]
    found = [f for f in functions if f.name in prefixes and f.parameters]
    for f in found:
        out += c_function(f)
    return "\n".join(out + hooks("argument_hooks", [hook(prefixes[f.name] + f.name, f, f.name) for f in found]))


def fortran_body(f):
    strings = any(p.kind.fortran == "string" for p in fortran.parameters(f))
    lengths = [p.name + "_length" if p.kind.fortran == "string" else "0" for p in f.parameters] if strings else []
    value = f.returns != "int"
    call = f"{fortran.next_call(f, False)};"
    if value:
        call = f"const {f.returns} value = {call}"
    rc = "fortran_code(ierror)" if fortran.has_error(f) else "MPI_SUCCESS"
    out = [f"static {fortran.returned(f)} noted_body_{f.name}({fortran.declared(f, ('void *next', 'bool described'))})", "{",
           *noting_lines(f, [check.value_in_fortran(f, p) for p in f.parameters], lengths,
                         call, "true")]
    return out + ["\t(void)described;", f"\targuments_after(&noted, {rc});"] + (["\treturn value;"] if value else []) + ["}", ""]


def fortran_entry(f, symbol):
    names = ", ".join([f"rest_{symbol}", "true" if "f08ts" in symbol else "false"] + [n for _, n in fortran.signature(f)])
    give = "return " if f.returns != "int" else ""
    return [f"static void *rest_{symbol};", f"static {fortran.returned(f)} noted_{symbol}({fortran.declared(f)})", "{",
            f"\t{give}noted_body_{f.name}({names});", "}", ""]


def fortran_symbols(f):
    faces = ["f08_large_", "f08ts_large_"] if f.large else ["f08_", "f08ts_"]
    return f.plain_entries + [f"mpi_{f.fortran_name}_{face}" for face in faces]


def is_noted_in_fortran(f):
    return f.in_fortran and not f.variadic and fortran.parameters(f)


def guards(f):
    """The functions that the MPI library must have."""
    sessions = any(p.declare(f.large).startswith("MPI_Session") for p in f.parameters)
    return ["HAS_SESSIONS"] * sessions + ["HAS_LARGE_COUNTS"] * f.large


def guarded(f, lines):
    needs = guards(f)
    return [f"#if {' && '.join(needs)}", *lines, "#endif"] if needs else lines


def fortran_source(functions):
    out, table = ['#include "job/record/argument_hooks.h"', ""], []
    for f in filter(is_noted_in_fortran, functions):
        lines = fortran_body(f)
        rows = []
        for symbol in fortran_symbols(f):
            lines += fortran_entry(f, symbol)
            rows.append(hook(symbol, f, symbol))
        out += guarded(f, lines)
        table += guarded(f, rows)
    return "\n".join(out + hooks("argument_fortran_hooks", table))
