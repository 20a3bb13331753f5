#!/usr/bin/env python3
"""A call is one entry of mpi.calls: all generated files contain it, with its facts. Facts and values that are not in facts.txt are rejected.

    facts.py SOURCE"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ENTRY = """class request
Request_peek_all Request_peek_any
	completes=all,any tests keeps_requests (many conrequests flag statuses)
"""
# Without a list of what an MPI library exports: all but the wrappers in C.
PRODUCTS = {
    "ids.c": ".completes = COMPLETES_ANY, .tests = true, .keeps_requests = true",
    "parameters.c": "[CALL_Request_peek_any] = {[KIND_many] = 1, [KIND_conrequests] = 2, [KIND_flag] = 3, [KIND_statuses] = 4}",
    "shapes.c": '{"MPI_Request_peek_any", {FIELD_COUNT, FIELD_FLAG}',
    "wrap_fortran.c": "body_Request_peek_any", "check_fortran.c": "body_Request_peek_any", "call_shapes.c": "CALL_Request_peek_any",
    "argument_forms.c": "CALL_Request_peek_any", "fake_mpi.c": "PMPI_Request_peek_any", "calls.md": "MPI_Request_peek_any",
}
REFUSED = {
    "class request loud\nNoise\n\t()\n": "unknown fact 'loud'",
    "class request\nNoise\n\tmode=loud ()\n": "'loud' is no value of 'mode'",
    "class request\nNoise\n\tmode=standard,ready ()\n": "expected one value, or one for each of 1 functions",
    "class request\nNoise\n\t(noise)\n": "unknown kind 'noise'",
}


def generate(folder, product):
    return subprocess.run([sys.executable, os.path.join(folder, "generator", "generate.py"), product, "-o", os.path.join(folder, "made")],
                          capture_output=True, text=True, check=False)


def with_entry(source, folder, entry):
    shutil.copytree(os.path.join(source, "src", "calls"), folder)
    with open(os.path.join(folder, "mpi.calls"), "a", encoding="utf-8") as file:
        file.write(entry)


def complaints(source, folder):
    whole = os.path.join(folder, "whole")
    with_entry(source, whole, ENTRY)
    for product, wanted in PRODUCTS.items():
        done = generate(whole, product)
        if done.returncode or wanted not in pathlib.Path(whole, "made").read_text(encoding="utf-8"):
            yield f"{product} has no {wanted}\n{done.stderr}"
    for number, (entry, wanted) in enumerate(REFUSED.items()):
        place = os.path.join(folder, str(number))
        with_entry(source, place, entry)
        done = generate(place, "ids.c")
        if done.returncode == 0 or wanted not in done.stderr:
            yield f"{entry}is not refused because of: {wanted}\n{done.stderr}"


with tempfile.TemporaryDirectory() as room:
    problems = list(complaints(sys.argv[1], room))
print("\n".join(problems) or f"{len(PRODUCTS)} products have a new call, {len(REFUSED)} wrong entries are refused")
sys.exit(1 if problems else 0)
