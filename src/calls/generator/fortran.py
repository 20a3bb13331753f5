"""Wrappers around MPI's Fortran entry points.

Each function has one body in C, which the entry points of all faces share: mpif.h and `use mpi` (mpi_send_, with the manglings other
compilers use), `use mpi_f08` without descriptors (mpi_send_f08_) and with them (mpi_send_f08ts_), and those with large counts. A body gets
the next entry point of the MPI library as an argument.
"""
import table
from wrappers import HANDLES, is_frequent, lines_for, unmarked, unrecorded

READERS = {"int": "F_INT", "aint": "F_AINT", "offset": "F_OFFSET", "count": "F_COUNT", "partcount": "F_PARTCOUNT", "logical": "F_INT"}


class Fortran:
    """Parameters of a Fortran entry point: all by reference."""
    name = "Fortran"
    site = "site"
    done = "if (ierror)\n\t\t\t*(MPI_Fint *)ierror = rc;\n\t\treturn"
    index_base = 1
    is_fortran = "true"

    def value(self, parameter, large=False):
        kind = parameter.kind
        if kind.name in HANDLES:
            return f"f_{HANDLES[kind.name]}({parameter.name})"
        reader = kind.fortran
        if large and kind.large_type != kind.c_type:
            reader = "aint" if "MPI_Aint" in kind.large_type else "count"
        return f"{READERS.get(reader, 'F_INT')}({parameter.name})"

    def raw(self, parameter, large):
        """Handles need no translation to be compared."""
        return f"F_INT({parameter.name})" if parameter.kind.name in HANDLES else self.value(parameter, large)

    def place(self, parameter):
        return parameter.name

    def ignored(self, parameter, all_of_them=False):
        return self.ignored_pointer(parameter.name, all_of_them)

    def ignored_pointer(self, pointer, all_of_them):
        return f"fortran_ignored({pointer})"

    def in_place(self, parameter):
        return f"fortran_in_place({parameter.name}, described)"

    def text(self, parameter):
        return f"{parameter.name}, fortran_length({parameter.name}, {parameter.name}_length)"


FORTRAN = Fortran()


def parameters(f):
    return [p for p in f.parameters if p.kind.fortran != "absent"]


def has_error(f):
    return f.returns == "int" and f.name != "Pcontrol"


def returned(f):
    return "void" if f.returns == "int" else f.returns


def signature(f):
    """(type, name) of all arguments of an entry point: parameters, the error code, lengths of strings."""
    taken = [("void *", p.name) for p in parameters(f)]
    if has_error(f):
        taken.append(("void *", "ierror"))
    return taken + [("size_t ", p.name + "_length") for p in parameters(f) if p.kind.fortran == "string"]


def next_call(f, marked, renamed=()):
    taken = signature(f)
    types = ", ".join(t.strip() for t, _ in taken) or "void"
    statuses = {p.name for p in f.parameters if p.kind.name in ("status", "statuses")}
    names = []
    for _, name in taken:
        if name == "ierror":
            name = "&rc" if marked else name
        if marked and name in renamed:
            name = renamed[name]
        names.append(f"«{name}»" if name in statuses and marked else name)
    return f"(({returned(f)} (*)({types}))next)({', '.join(names)})"


def declared(f, extra=()):
    taken = list(extra) + [t + n for t, n in signature(f)]
    return ", ".join(taken) or "void"


# Arguments of a body in addition to the parameters of its function.
BODY_EXTRA = ("void *next", "bool described", "const void *site", "const void *frame")


def body(f):
    out = [f"static {returned(f)} body_{f.name}({declared(f, BODY_EXTRA)})", "{",
           "\tstruct recording_stream *s = stream_enter(frame);", "", "\t(void)described;"]
    value = f.returns != "int"
    give = "return " if value else ""
    out += unrecorded(f, [f"{give}{next_call(f, False)};"] + ([] if value else ["return;"]))
    out.append("\tsite = stream_site(s, site, frame);")
    if has_error(f):
        out.append("\tMPI_Fint rc = MPI_SUCCESS;")
    if f.name == "Finalize":
        out += ["\trecord_fortran_finalize = next;",
                "\trc = lifecycle_finalize(s, site, record_call_fortran_finalize);"]
    elif f.name == "Abort":
        out += ["\tconst uint64_t start = timer_now(), end = start;",
                "\tconst int64_t call_key[] = {SITE(site), KEY_CALL(CALL_Abort, 0), comm_number(s, f_comm(comm))};",
                "\targuments_of_abort(s, F_INT(errorcode));",
                "\tstream_record(s, call_key, COUNT_OF(call_key), start, end);", f"\t{next_call(f, True)};",
                "\tstream_leave(s);"]
    else:
        call = f"{next_call(f, True)};"
        if value:
            call = f"const {f.returns} value = {call}"
        result = "result_value(rc)" if has_error(f) else "0"
        out += ["\t" + unmarked(line) for line in lines_for(f, FORTRAN, call, result)]
    if has_error(f):
        out += ["\tif (ierror)", "\t\t*(MPI_Fint *)ierror = rc;"]
    return out + (["\treturn value;"] if value else []) + ["}", ""]


def entry(f, symbol, finder):
    names = ", ".join([f'next ? next : {finder}(&next, "{symbol}")', "true" if "f08ts" in symbol else "false", "HERE", "FRAME"] + [n for _, n in signature(f)])
    give = "return " if f.returns != "int" else ""
    return [f"EXPORT {returned(f)} {symbol}({declared(f)})", "{", "\tstatic void *next;", "",
            f"\t{give}body_{f.name}({names});", "}", ""]


def manglings(f, symbol):
    plain = symbol[:-1]
    for other in (plain, plain + "__", plain.upper()):
        yield (f'EXPORT {returned(f)} {other}({declared(f)}) __attribute__((alias("{symbol}")));')


def record_finder(_f):
    return "record_fortran_next"


def source(functions, header="job/record/wrap.h", body=body, finder=record_finder):
    """All entry points, with bodies of the recorder, the checker (check.py) or libtarry-coll (coll.py). `finder` returns the next definition."""
    out = [f'#include "{header}"', ""]
    for f in functions:
        if not f.in_fortran or f.variadic and f.name != "Pcontrol":
            continue
        if any(p.declare(f.large).startswith("MPI_Session") for p in f.parameters):
            out.append("#if HAS_SESSIONS")
        if f.large:
            out.append("#if HAS_LARGE_COUNTS")
        out += body(f)
        faces = ["f08_large_", "f08ts_large_"] if f.large else ["f08_", "f08ts_"]
        for symbol in f.plain_entries:
            out += entry(f, symbol, finder(f))
            out += list(manglings(f, symbol)) + [""]
        for face in faces:
            out += entry(f, f"mpi_{f.fortran_name}_{face}", finder(f))
        if f.large:
            out.append("#endif")
        if any(p.declare(f.large).startswith("MPI_Session") for p in f.parameters):
            out.append("#endif")
    return "\n".join(out) + "\n"


def frequent_source(functions):
    return source(filter(is_frequent, functions))


def rare_source(functions):
    return source(f for f in functions if not is_frequent(f))
