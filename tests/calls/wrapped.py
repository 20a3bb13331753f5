"""Every function of an MPI library is wrapped, in C and in Fortran, or unwrapped.txt says why it is not.

usage: wrapped.py --nm NM --library LIBRARY [--fc COMPILER] WRAPPERS…

LIBRARY is the MPI library itself; COMPILER, its Fortran compiler wrapper, names those of its Fortran faces. Each of
WRAPPERS is a library that has to wrap all of them.
"""
import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

EXCEPTIONS = pathlib.Path(__file__).with_name("unwrapped.txt")
# Functions of C; of Fortran in the manglings of all compilers. Mixed case in a Fortran face is the library's own.
C_NAME = re.compile(r"MPI_\w+")
FORTRAN_NAME = re.compile(r"mpi_[a-z0-9_]+|MPI_[A-Z0-9_]+")
FUNCTION_TYPES = "TWVi"


def functions_of(nm, library):
    listing = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in listing.splitlines())
    return {f[-1].split("@")[0] for f in fields if len(f) >= 2 and f[-2] in FUNCTION_TYPES}


def fortran_libraries(compiler, library):
    """The libraries of MPI that the Fortran compiler wrapper links with, the C one apart."""
    words = subprocess.run([compiler, "-show"], capture_output=True, text=True, check=True).stdout.split()
    folders = [pathlib.Path(w[2:]) for w in words if w.startswith("-L")] + [pathlib.Path(library).parent]
    for name in (w[2:] for w in words if w.startswith("-lmpi")):
        found = [f / f"lib{name}.so" for f in folders if (f / f"lib{name}.so").exists()]
        if found and not found[0].samefile(library):
            yield str(found[0])


def read_exceptions():
    lines = (line.split("|") for line in EXCEPTIONS.read_text().splitlines() if line and line[0] != "#")
    return {name: reason for name, reason in lines}


def is_excepted(symbol, exceptions):
    name = symbol.lower().rstrip("_")
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in exceptions)


def complaints(functions, wrapped, wrapper, exceptions):
    for symbol in sorted(functions):
        if is_excepted(symbol, exceptions):
            if symbol in wrapped:
                yield f"{symbol} is in {EXCEPTIONS.name}, but {wrapper} wraps it: take it out there"
        elif symbol not in wrapped:
            yield f"{symbol} is not wrapped by {wrapper}: add it to mpi.calls, or to {EXCEPTIONS.name} with a reason"


def wanted_functions(options):
    functions = {s for s in functions_of(options.nm, options.library) if C_NAME.fullmatch(s)}
    if not functions:
        sys.exit(f"'{options.library}' has no MPI functions")
    for library in fortran_libraries(options.fc, options.library) if options.fc else ():
        found = {s for s in functions_of(options.nm, library) if FORTRAN_NAME.fullmatch(s)}
        print(f"{library}: {len(found)} entry points")
        functions |= found
    return functions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--fc")
    parser.add_argument("wrappers", nargs="+")
    options = parser.parse_args()
    functions, exceptions, wrong = wanted_functions(options), read_exceptions(), []
    for path in options.wrappers:
        wrong += complaints(functions, functions_of(options.nm, path), pathlib.Path(path).name, exceptions)
    print("\n".join(wrong))
    print(f"{len(functions)} functions, {len(wrong)} complaints")
    sys.exit(1 if wrong else 0)


main()
