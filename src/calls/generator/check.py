"""The checker's view of every function: tables of parameter kinds, and wrappers in C and Fortran that put the values of all parameters into one
array (src/job/check/agent.h). The kind of a value defines its meaning, so wrappers do not depend on checks.
"""
import re

import fortran
import table
import wrappers

KINDS_MAX = 16  # parameters of one function and the end of them

# C types of handles, and their names in the functions that translate Fortran handles (flavour.h).
HANDLE_TYPES = {"MPI_Comm": "comm", "MPI_Datatype": "type", "MPI_Request": "request", "MPI_Group": "group",
                "MPI_Win": "win", "MPI_File": "file", "MPI_Op": "op", "MPI_Message": "message",
                "MPI_Session": "session", "MPI_Info": "info", "MPI_Errhandler": "errhandler"}

# Buffers that Fortran never describes: an address to be filled in, or an integer.
UNDESCRIBED = {"baseptr", "extra_state", "buffer_addr"}


# Kinds of objects, as enum object_kind.
OBJECTS = [*HANDLE_TYPES.values(), "keyval"]


def object_of(kind):
    """The object that a parameter of this kind is a handle of, or None."""
    c_type = re.sub(r"^const |[ *]*\$.*", "", kind.c_type)
    return HANDLE_TYPES.get(c_type) or ("keyval" if kind.name.endswith("keyval") else None)


def effect_of(kind):
    """Its effect on the object. Requests have a table of their own."""
    if kind.name == "message" or kind.name.startswith("old"):
        return "EFFECT_ENDS"
    if kind.name == "usetype":
        return "EFFECT_COMMITS"
    return "EFFECT_MAKES" if kind.name.startswith("new") and kind.name != "newrequest" else None


def kinds_header(functions):
    out = ["#ifndef TARRY_CALLS_KINDS_H", "#define TARRY_CALLS_KINDS_H", "", "enum parameter_kind {", "\tKIND_END,"]
    kinds = [*table.read_kinds(), "fn"]
    fields = dict.fromkeys(p.kind.name for f in functions for p in f.parameters)
    out += [f"\tKIND_{name}," for name in kinds + [field for field in fields if field not in kinds]]
    out += ["\tPARAMETER_KINDS", "};", "", "enum object_kind {", "\tOBJECT_NONE,"]
    out += [f"\tOBJECT_{name.upper()}," for name in OBJECTS]
    return "\n".join(out + ["\tOBJECT_KINDS", "};", "", "#endif", ""])


def parameters_source(functions):
    out = ['#include "calls/parameters.h"', "",
           "const struct parameter_list call_parameters[MPI_CALLS] = {"]
    for f in functions:
        if isinstance(f, table.UpcFunction):
            continue
        assert len(f.parameters) < KINDS_MAX
        kinds = ", ".join([f"KIND_{p.kind.name}" for p in f.parameters] + ["KIND_END"])
        names = ", ".join(f'"{p.name}"' for p in f.parameters) or "NULL"
        out.append(f"\t[CALL_{f.name}] = {{{{{kinds}}}, {{{names}}}}},")
    out += ["};", "", "const uint8_t parameter_at[ALL_CALLS][PARAMETER_KINDS] = {"]
    for f in functions:
        first = {}
        for number, p in enumerate(f.parameters, 1):
            first.setdefault(p.kind.name, number)
        places = ", ".join(f"[KIND_{kind}] = {number}" for kind, number in first.items())
        out.append(f"\t[CALL_{f.name}] = {{{places or 0}}},")
    objects = [kind for kind in table.read_kinds().values() if object_of(kind)]
    out += ["};", "", "const uint8_t kind_objects[PARAMETER_KINDS] = {"]
    out += [f"\t[KIND_{kind.name}] = OBJECT_{object_of(kind).upper()}," for kind in objects]
    out += ["};", "", "const uint8_t kind_effects[PARAMETER_KINDS] = {"]
    out += [f"\t[KIND_{kind.name}] = {effect_of(kind)}," for kind in objects if effect_of(kind)]
    return "\n".join(out + ["};", ""])


def is_address(p, large):
    declared = p.declare(large)
    return "*" in declared or "[" in declared


def handle_word(p):
    return HANDLE_TYPES.get(p.kind.c_type.rsplit(None, 1)[0])


def is_wrapped(f):
    """Functions that return a value (times, sums of addresses, conversions of handles) accept any arguments at any time."""
    return f.returns == "int"


def value_in_c(f, p):
    if is_address(p, f.large):
        return f"ADDRESS({p.name})"
    return f"(int64_t)HANDLE({p.name})" if handle_word(p) else p.name


def value_in_fortran(f, p):
    if p.kind.fortran == "absent":
        return "0"
    if p.kind.fortran == "procedure":
        return f"ADDRESS({p.name})"
    if p.kind.fortran == "buffer" and p.name not in UNDESCRIBED:
        return f"fortran_buffer({p.name}, described)"
    if is_address(p, f.large):
        return f"fortran_address({p.name})"
    if handle_word(p):
        return f"FORTRAN_HANDLE_VALUE({handle_word(p)}, {p.name})"
    return fortran.FORTRAN.value(p, f.large)


def status_lines(f, value):
    """(lines before the call, lines after it): room for statuses that the program ignores, because the agent does not."""
    status = f.find("status", "statuses")
    if not status:
        return [], []
    given = value(f, status)
    if status.kind.name == "status":
        return ["MPI_Status own_status;", f"call.status = status_room({given}, {status.name}, &own_status);"], []
    many = f.find("many")
    return ["MPI_Status few_statuses[FEW_STATUSES];",
            f"call.status = statuses_room({given}, {status.name}, {value(f, many)}, few_statuses);"], \
           [f"statuses_release(call.status, {status.name}, few_statuses);"]


# Classes of functions whose receive buffers may have shadows (src/job/check/buffers/receive_shadows.h) until their requests or epochs are complete.
SHADOWED = {"point-to-point", "persistent", "partitioned", "probe", "collective", "neighbourhood", "file-data", "one-sided"}


def shadowed_buffer(f):
    """{name of the receive buffer: argument passed to MPI instead}; {} for functions that use it only while they run."""
    buffer = f.find("rbuf")
    later = f.find("newrequest") or f.group == "one-sided"
    return {buffer.name: "call.receive_buffer"} if buffer and later and f.group in SHADOWED else {}


def frame_lines(f, value, unchecked, checked):
    """The common part of wrappers in both languages: `checked` makes the call with the agent around it."""
    values = ", ".join(value(f, p) for p in f.parameters) or "0"
    before, after = status_lines(f, value)
    before = [f"{place} = {name};" for name, place in shadowed_buffer(f).items()] + before
    return (["\tif (UNLIKELY(!agent_enter(&call, frame))) {"] + ["\t\t" + line for line in unchecked] + ["\t}"] +
            [f"\tconst int64_t arguments[] = {{{values}}};", "\tcall.arguments = arguments;"] +
            ["\t" + line for line in before] + ["\tagent_before(&call);"] + ["\t" + line for line in checked] +
            ["\tagent_after(&call, rc);"] + ["\t" + line for line in after])


def c_function(f):
    names = [p.name for p in f.parameters]
    statuses = {p.name for p in f.parameters if p.kind.name in ("status", "statuses")}
    next_function = f"NEXT({f.name})"
    shadowed = shadowed_buffer(f)
    checked = ", ".join("call.status" if name in statuses else shadowed.get(name, name) for name in names)
    real = f"{next_function}({checked})"
    if f.name == "Request_free":
        real = f"call.withheld ? request_forget(request) : {real}"
    out = [f.prototype("wrapper_"), "{", "\tconst void *const frame = FRAME;",
           f"\tstruct agent_call call = {{.id = CALL_{f.name}, .site = HERE}};", ""]
    unchecked = f"{next_function}({', '.join(names)})"
    if f.name in table.COLL_FUNCTIONS:
        unchecked = f"call_is_inside_mpi(HERE) ? library_{f.name}({', '.join(names)}) : {unchecked}"
    out += frame_lines(f, value_in_c, [f"return {unchecked};"],
                       [f"const int rc = {real};"])
    return out + ["\treturn rc;", "}", ""]


def next_table(functions, prefixes):
    """The functions that wrappers call: MPI's, unless another library is in between (agent_chain)."""
    found = [f for f in functions if f.name in prefixes]
    out = ["void *agent_next[MPI_CALLS] = {"]
    out += [f"\t[CALL_{f.name}] = FUNCTION_ADDRESS(library_{f.name})," for f in found]
    out += ["};", "", "const char *const agent_next_names[MPI_CALLS] = {"]
    out += [f'\t[CALL_{f.name}] = "{prefixes[f.name]}{f.name}",' for f in found]
    return out + ["};", ""]


def c_source(functions, prefixes):
    wrapped = list(filter(is_wrapped, functions))
    text = wrappers.source(wrapped, prefixes, "job/check/wrap.h", c_function)
    return "\n".join([text] + next_table(wrapped, prefixes))


def fortran_body(f):
    checked = fortran.next_call(f, True, shadowed_buffer(f))
    if f.name == "Request_free":
        checked = f"if (call.withheld)\n\t\tfortran_request_forget(request);\n\telse\n\t\t{checked}"
    for status in ("status", "array_of_statuses"):
        checked = checked.replace(f"«{status}»", "call.status")
    out = [f"static void body_{f.name}({fortran.declared(f, fortran.BODY_EXTRA)})", "{",
           f"\tstruct agent_call call = {{.id = CALL_{f.name}, .site = site, .fortran = true, .described = described}};", ""]
    buffers = [p.name for p in f.parameters if p.kind.name in ("sbuf", "rbuf")]
    if buffers:
        out[-1:] = [f"\tconst void *const descriptors[] = {{{', '.join(buffers)}}};", "", "\tcall.descriptors = descriptors;"]
    rc = ["MPI_Fint rc = MPI_SUCCESS;"] if fortran.has_error(f) else ["const int rc = MPI_SUCCESS;"]
    out += frame_lines(f, value_in_fortran, [f"{fortran.next_call(f, False)};", "return;"], rc + [f"{checked};"])
    if fortran.has_error(f):
        out += ["\tif (ierror)", "\t\t*(MPI_Fint *)ierror = rc;"]
    return out + ["}", ""]


def fortran_of(functions):
    return fortran.source(functions, "job/check/wrap.h", fortran_body, lambda f: "agent_fortran_next")


def fortran_source(functions):
    return fortran_of(f for f in functions if is_wrapped(f) and wrappers.is_frequent(f))


def fortran_rare_source(functions):
    return fortran_of(f for f in functions if is_wrapped(f) and not wrappers.is_frequent(f))
