"""`tarry cc` as the compiler of make, CMake and configure scripts (builds/), in a folder with a space in its name. The programs have to behave as those of the plain compilers, and
`tarry check` has to find the line that uses memory too early.

    builds.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so --library mpich,… [--each]

One MPI library and one of make and CMake in turn, or each (--each). Exit code 77: skipped."""

import argparse
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import turns  # noqa: E402

SOURCES = os.path.join(HERE, "builds")
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
PROGRAMS = {"c-program": "send.c", "cxx-program": "main.cc", "f-program": "main.f90"}
SECONDS = 150


def run(words, folder, environment=None):
    result = subprocess.run(words, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=True, text=True, timeout=SECONDS,
                            stdin=subprocess.DEVNULL, check=False)
    if result.returncode:
        sys.exit(f"FAILED: {' '.join(words)}: exit code {result.returncode}:\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result.stdout


def compilers(library, prefix):
    return {name: f"{prefix}{path}" for name, path in zip(("CC", "CXX", "FC"), library.split(",")[1:4])}


def marked_line(name):
    with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if "USED" in line)


def expect_finding(tarry, launcher, folder, program):
    source = PROGRAMS[program]
    for arguments in ([], ["wrong"]):
        result = subprocess.run([ON_ONE_MACHINE, tarry, "check", "-o", "run", "--json", "findings.json", "--", launcher, "-n", "2", f"./{program}", *arguments],
                                cwd=folder, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        with open(os.path.join(folder, "findings.json"), encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        found = [(finding["id"], os.path.basename(call["file"] or ""), call["line"]) for finding in findings for call in finding["calls"]
                 if call["role"] == "written"]
        wanted = [("memory.send-changed", source, marked_line(source))] if arguments else []
        if found != wanted or len(findings) != len(wanted):
            sys.exit(f"FAILED: {folder} {program} {arguments}: {found}, not {wanted}:\n{result.stdout}{result.stderr}")


def build(tool, folder, environment):
    os.makedirs(folder)
    if tool == "make":
        # A target cannot have a space in its name, a folder can.
        os.symlink(SOURCES, os.path.join(folder, "source"))
        run(["make", "-f", os.path.join(SOURCES, "Makefile"), "S=source", *(f"{name}={value}" for name, value in environment.items())], folder)
    else:
        run(["cmake", "-S", SOURCES, "-B", folder, "-G", "Unix Makefiles"], folder, environment)
        run(["cmake", "--build", folder], folder)


def look_at(options, library):
    name, *_, launcher, _ = library.split(",")
    work = os.path.join(options.work, f"with a space {name}")
    shutil.rmtree(work, ignore_errors=True)
    ways = {"plain": compilers(library, ""), "watched": compilers(library, f"{options.tarry} cc -- ")}
    printed = {}
    for way, environment in ways.items():
        folder = os.path.join(work, f"configure {way}")
        os.makedirs(folder)
        printed[way] = run([os.path.join(SOURCES, "configure")], folder, environment)
    if printed["plain"] != printed["watched"] or "from a pipe: 7" not in printed["plain"]:
        sys.exit(f"FAILED: configure prints with plain compilers:\n{printed['plain']}\nand with 'tarry cc':\n{printed['watched']}")
    for tool in ("make", "cmake") if options.each else [turns.alternate(0, 2, ("make", "cmake"))]:
        folder = os.path.join(work, f"{tool} watched")
        build(tool, folder, ways["watched"])
        for program in PROGRAMS:
            # Without Tarry.
            if run([ON_ONE_MACHINE, launcher, "-n", "2", f"./{program}"], folder) not in ("sum 1985\n", "sum 2015\n", "sum 2079\n"):
                sys.exit(f"FAILED: {folder} {program} prints something else without Tarry")
            expect_finding(options.tarry, launcher, folder, program)
    shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("tarry", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    libraries = [library for library in options.library if all(library.split(",")[1:5])]
    if not libraries or not all(map(shutil.which, ("make", "cmake"))):
        print("skipped: make, CMake, or compilers of an MPI library are missing")
        sys.exit(77)
    for library in libraries if options.each else [turns.alternate(0, 1, libraries)]:
        look_at(options, library)
    print("programs of make, CMake and configure are as they should be")


main()
