"""Wrappers of libtarry-coll for the collective operations that it may do instead of MPI, in C and Fortran (src/job/coll/coll.h).

The Fortran wrappers are for libraries whose Fortran entry points do not call the C functions. Those of MPICH do, except MPI_Init
of `use mpi_f08`.
"""
import fortran
import table
import wrappers

# The field of struct coll_call for each kind of parameter.
FIELDS = {"sbuf": "send", "scount": "send_count", "stype": "send_type", "rbuf": "receive", "rcount": "receive_count",
          "rtype": "receive_type", "count": "receive_count", "type": "receive_type", "rcounts": "counts",
          "displs": "displacements", "op": "op", "root": "root"}


# After these calls processes agree on their settings (src/job/coll/settings.h).
BEGINNINGS = {"Init", "Init_thread"}


def is_wrapped(f):
    return f.name in table.COLL_FUNCTIONS | BEGINNINGS


def call_lines(f, value):
    fields = [f".{FIELDS[p.kind.name]} = {value(p)}" for p in f.parameters if p.kind.name in FIELDS]
    return ["\tstruct coll_turn turn;",
            f"\tconst struct coll_call call = {{{', '.join([f'.operation = COLL_{f.name.upper()}'] + fields)}}};", ""]


BEGUN = ["\tif (rc == MPI_SUCCESS)", "\t\tcoll_initialized();"]


def c_function(f):
    names = ", ".join(p.name for p in f.parameters)
    out = [wrappers.next_pointer(f), "", f.prototype("wrapper_"), "{"]
    if f.name in BEGINNINGS:
        return out + [f"\tconst int rc = next_{f.name}({names});", "", *BEGUN, "\treturn rc;", "}", ""]
    return out + call_lines(f, lambda p: p.name) + ["\tif (call_is_inside_mpi(HERE))", f"\t\treturn library_{f.name}({names});",
                  f"\tif (coll_begin(&turn, &call, {f.find('comm').name}))", "\t\treturn turn.code;", "",
                  f"\tconst int rc = next_{f.name}({names});", "", "\tcoll_end(&turn);", "\treturn rc;", "}", ""]


def fortran_value(p):
    if p.kind.name in ("sbuf", "rbuf"):
        return f"(void *)(uintptr_t)fortran_buffer({p.name}, described)"
    if p.kind.name in ("rcounts", "displs"):
        return p.name
    return fortran.FORTRAN.value(p)


def fortran_body(f):
    out = [f"static void body_{f.name}({fortran.declared(f, fortran.BODY_EXTRA)})", "{", "\t(void)described, (void)site, (void)frame;"]
    error = ["\tif (ierror)", "\t\t*(MPI_Fint *)ierror = rc;", "}", ""]
    if f.name in BEGINNINGS:
        return out + ["\tMPI_Fint rc = MPI_SUCCESS;", "", f"\t{fortran.next_call(f, True)};", *BEGUN, *error]
    out += ["\tif (!coll_is_alive()) {", f"\t\t{fortran.next_call(f, False)};", "\t\treturn;", "\t}", "",
           "\tMPI_Fint rc = MPI_SUCCESS;", *call_lines(f, fortran_value)]
    out += [f"\tif (coll_begin(&turn, &call, f_comm({f.find('comm').name}))) {{", "\t\trc = turn.code;", "\t} else {",
            f"\t\t{fortran.next_call(f, True)};", "\t\tcoll_end(&turn);", "\t}"]
    return out + error


def c_source(functions, prefixes):
    wrapped = list(filter(is_wrapped, functions))
    return wrappers.source(wrapped, prefixes, "job/coll/wrap.h", c_function) + \
        wrappers.next_names(wrapped, prefixes, "coll_next", "coll_nexts")


def fortran_source(functions, names=table.COLL_FUNCTIONS):
    return fortran.source((f for f in functions if f.name in names), "job/coll/wrap.h", fortran_body,
                          lambda f: "coll_fortran_next")


def fortran_init_source(functions):
    return fortran_source(functions, BEGINNINGS)
