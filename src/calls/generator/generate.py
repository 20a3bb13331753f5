#!/usr/bin/env python3
"""Generates C from the table of calls.

usage: generate.py WHAT [--exports FILE] -o FILE

WHAT is one of ids.h, ids.c, calls.md, shapes.c, wrap_c.c, wrap_c_rare.c, wrap_fortran.c, wrap_fortran_rare.c, kinds.h, parameters.c, argument_forms.c,
arguments_c.c, arguments_fortran.c, call_shapes.c, check_c.c, check_fortran.c, check_fortran_rare.c, coll_c.c, coll_fortran.c, coll_fortran_init.c, entries.h,
entry_names.c, mpi_calls.h, abi_exports.txt, abi_library.c, fake_mpi.h, fake_mpi.c, fake_fortran.c, call_all.c.
--exports names the output of `nm -D` of the MPI library that wrap_c.c, wrap_c_rare.c, arguments_c.c, check_c.c or coll_c.c is for.
"""
import argparse
import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import table  # noqa: E402

# The products: module, function, and the inputs in addition to MPI's functions: calls of UPC,
# OpenSHMEM and OpenMP, or the exports of the MPI library.
PRODUCTS = {
    "ids.h": ("ids", "header", "others"),
    "ids.c": ("ids", "source", "others"),
    "calls.md": ("ids", "page", "others"),
    "shapes.c": ("wrappers", "shapes", "others"),
    "wrap_c.c": ("wrappers", "record_source", "exports"),
    "wrap_c_rare.c": ("wrappers", "record_rare_source", "exports"),
    "wrap_fortran.c": ("fortran", "frequent_source", ""),
    "wrap_fortran_rare.c": ("fortran", "rare_source", ""),
    "kinds.h": ("check", "kinds_header", "others"),
    "parameters.c": ("check", "parameters_source", "others"),
    "argument_forms.c": ("arguments", "forms_source", ""),
    "arguments_c.c": ("arguments", "c_source", "exports"),
    "arguments_fortran.c": ("arguments", "fortran_source", ""),
    "call_shapes.c": ("buffers", "source", ""),
    "check_c.c": ("check", "c_source", "exports"),
    "check_fortran.c": ("check", "fortran_source", ""),
    "check_fortran_rare.c": ("check", "fortran_rare_source", ""),
    "coll_c.c": ("coll", "c_source", "exports"),
    "coll_fortran.c": ("coll", "fortran_source", ""),
    "coll_fortran_init.c": ("coll", "fortran_init_source", ""),
    "entries.h": ("preload", "entries", ""),
    "entry_names.c": ("preload", "names", ""),
    "mpi_calls.h": ("abi", "declarations", ""),
    "abi_exports.txt": ("abi", "exports", ""),
    "abi_library.c": ("abi", "library", ""),
    "fake_mpi.h": ("fake", "header", ""),
    "fake_mpi.c": ("fake", "source", ""),
    "fake_fortran.c": ("fake", "fortran_source", ""),
    "call_all.c": ("fake", "call_all", ""),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=PRODUCTS)
    parser.add_argument("--exports")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    module, function, needs = PRODUCTS[options.what]
    arguments = [table.read_functions() + (table.read_recorded() if needs == "others" else [])]
    if needs == "exports":
        arguments.append(table.exported_by(options.exports))
    text = getattr(importlib.import_module(module), function)(*arguments)
    output = pathlib.Path(options.output)
    if not output.exists() or output.read_text() != text:  # whatever is made of the same text stays as it is
        output.write_text(text)


if __name__ == "__main__":
    main()
