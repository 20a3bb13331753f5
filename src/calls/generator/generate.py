#!/usr/bin/env python3
"""Makes C from the table of calls.

usage: generate.py WHAT [--exports FILE] -o FILE

WHAT is one of ids.h, ids.c, calls.md, shapes.c, wrap_c.c, wrap_fortran.c, entries.h,
entry_names.c, fake_mpi.h, fake_mpi.c, fake_fortran.c, call_all.c.
--exports names the output of `nm -D` of the MPI library that wrap_c.c is for.
"""
import argparse
import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import table  # noqa: E402

# What can be made: the module that makes it, its function, and whether the MPI library's exports matter.
PRODUCTS = {
    "ids.h": ("ids", "header", False),
    "ids.c": ("ids", "source", False),
    "calls.md": ("ids", "page", False),
    "shapes.c": ("wrappers", "shapes", False),
    "wrap_c.c": ("wrappers", "source", True),
    "wrap_fortran.c": ("fortran", "source", False),
    "entries.h": ("preload", "entries", False),
    "entry_names.c": ("preload", "names", False),
    "fake_mpi.h": ("fake", "header", False),
    "fake_mpi.c": ("fake", "source", False),
    "fake_fortran.c": ("fake", "fortran_source", False),
    "call_all.c": ("fake", "call_all", False),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=PRODUCTS)
    parser.add_argument("--exports")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    module, function, needs_exports = PRODUCTS[options.what]
    arguments = [table.read_functions()]
    if needs_exports:
        arguments.append(table.exported_by(options.exports))
    text = getattr(importlib.import_module(module), function)(*arguments)
    pathlib.Path(options.output).write_text(text)


if __name__ == "__main__":
    main()
