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
    """Names of entry points with their functions; None: outside MPI."""
    others = [f"tarry_hook_{name}" for name in ("region_begin", "region_end", "phase", "mark")] + ERROR_LISTENERS
    return [(name, None) for name in others] + [(name, f) for of in (c_symbols, fortran_symbols) for f in functions for name in of([f])]


def entries(functions):
    return "".join(f"\tENTRY {name}, {slot}\n" for slot, (name, _) in enumerate(symbols(functions)))


def entry(name, f, numbers):
    if not f:
        return f'\t{{"{name}", PRELOAD_NO_FUNCTION, false, false}},'
    facts = (name in c_symbols([f]) and f.returns == "int", f.always_recorded)
    return f'\t{{"{name}", {numbers[f.fortran_name]}, {", ".join("true" if fact else "false" for fact in facts)}}},'


def names(functions):
    found = symbols(functions)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(f.fortran_name for f in functions))}
    return "\n".join(['#include "job/preload/preload.h"', "", f"void *preload_slots[{len(found)}];", f"bool preload_unknown[{len(found)}];",
                      f"const size_t preload_count = {len(found)};", "", "const struct preload_entry preload_entries[] = {",
                      *(entry(name, f, numbers) for name, f in found), "};", ""])
