"""The entry points of libtarry-preload.so: every MPI function in C and Fortran, of any MPI library.

Entry points are numbered; a number is a slot with its server. The code of an entry point is in assembler, one file
per processor (src/job/preload/entry_*.S): here are only the names.
"""


def c_symbols(functions):
    for f in functions:
        yield f"MPI_{f.name}"
        if f.persistent and f.group in ("collective", "neighbourhood") and not f.large:
            yield f"MPIX_{f.name}"


def fortran_symbols(functions):
    for f in functions:
        name = f"mpi_{f.fortran_name}"
        if f.in_fortran and f.large:
            yield from (name + "_f08_large_", name + "_f08ts_large_")
        elif f.in_fortran:
            for plain in (entry[:-1] for entry in f.plain_entries):
                yield from (plain + "_", plain + "__", plain, plain.upper())
            yield from (name + "_f08_", name + "_f08ts_")


# The functions in which libraries call error handlers: the checker intercepts them (src/job/check/rejected_calls.h).
ERROR_LISTENERS = ["ompi_errhandler_invoke", "MPIR_Err_return_comm", "MPIR_Err_return_win"]


def symbols(functions):
    hooks = [f"tarry_hook_{name}" for name in ("region_begin", "region_end", "phase", "mark")]
    return [*hooks, *ERROR_LISTENERS, *c_symbols(functions), *fortran_symbols(functions)]


def entries(functions):
    return "".join(f"\tENTRY {name}, {slot}\n" for slot, name in enumerate(symbols(functions)))


def names(functions):
    found = symbols(functions)
    errors = set(c_symbols(f for f in functions if f.returns == "int"))
    out = ['#include "job/preload/preload.h"', "", f"void *preload_slots[{len(found)}];", f"bool preload_unknown[{len(found)}];",
           f"const size_t preload_count = {len(found)};", "", "const char *const preload_names[] = {"]
    out += [f'\t"{name}",' for name in found] + ["};", "", "const bool preload_returns_error[] = {"]
    return "\n".join(out + [f"\t{'true' if name in errors else 'false'}," for name in found] + ["};", ""])
