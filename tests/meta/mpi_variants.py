"""Libraries for jobs compile for other MPI libraries than those of this machine, and a library with a missing symbol is rejected.

    mpi_variants.py BUILD

Two stand-ins have the headers of a real library, changed: MPICH's says 3.1, as Open MPI 5 does, has sessions, and declares no parameter const,
as MPICH 4.2.1 does with some; Open MPI's was built without Fortran. Which functions there are must come from the library itself."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from tree import finish

BUILD = pathlib.Path(sys.argv[1])
SIZED = [f"{kind}{size}" for kind, sizes in (("INTEGER", (1, 2, 4, 8, 16)), ("REAL", (2, 4, 8, 16)), ("COMPLEX", (4, 8, 16, 32)),
                                             ("LOGICAL", (1, 2, 4, 8))) for size in sizes]
CHANGES = {"mpich": "#undef const\n#undef MPI_VERSION\n#undef MPI_SUBVERSION\n#define MPI_VERSION 3\n#define MPI_SUBVERSION 1\n",
           "openmpi": "".join(f"#undef MPI_{name}\n" for name in SIZED)}
BEFORE = {"mpich": "#include <inttypes.h>\n#include <stddef.h>\n#define const\n", "openmpi": ""}
# What each definition depends on.
PROBES = {"HAS_SESSIONS": "PMPI_Session_init", "HAS_LARGE_COUNTS": "PMPI_Type_get_contents_c"}
READ = ["-fsyntax-only", "-Werror=implicit-function-declaration", "-Werror=int-conversion"]


def commands():
    """(MPI library, file, words of the command line) for each file of a library that is loaded into jobs."""
    with open(BUILD / "compile_commands.json", encoding="utf-8") as file:
        for entry in json.load(file):
            mpi = re.search(r"tarry-(?:record|check|coll)-(openmpi|mpich)\.dir", entry["command"])
            if mpi:
                yield mpi.group(1), entry["file"], shlex.split(entry["command"])


def kept(words):
    words = iter(words)
    for word in words:
        if word in ("-I", "-isystem"):
            yield from (word, next(words))
        elif word.startswith(("-I", "-D", "-std=")):
            yield word


def uses_mpi(path):
    return "MPI_" in pathlib.Path(path).read_text(encoding="utf-8")


def refused():
    """The errors in the build step that looks for missing symbols."""
    script = "cmake/unresolved.py"
    with tempfile.TemporaryDirectory() as folder:
        library, exports = os.path.join(folder, "lib.so"), os.path.join(folder, "exports.txt")
        pathlib.Path(exports).write_text("0000000000000010 T PMPI_Init\n")
        for body, is_fine in (("PMPI_Init();", True), ("lifecycle_session();", False)):
            source = f"int PMPI_Init(void);\nint lifecycle_session(void);\nint f(void) {{ return {body} }}\n"
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True, check=True)
            ended = subprocess.run([sys.executable, "-B", script, "nm", library, exports], capture_output=True, text=True)
            if (ended.returncode == 0) != is_fine or (not is_fine and "lifecycle_session" not in ended.stderr):
                yield f"{script}: {body} is {'refused' if is_fine else 'let through'}: {ended.stderr}"


def wrong_probes(mpi, words):
    exported = (BUILD / f"generated/job/record/exports-{mpi}.txt").read_text()
    for definition, function in PROBES.items():
        expected = f"-D{definition}={int(bool(re.search(rf' {function}$', exported, re.M)))}"
        if expected not in words:
            yield f"{mpi}: '{expected}' is missing in '{' '.join(words)}'"


def main():
    problems, jobs = list(refused()), []
    with tempfile.TemporaryDirectory() as folder:
        for mpi, change in CHANGES.items():
            os.mkdir(os.path.join(folder, mpi))
            pathlib.Path(folder, mpi, "mpi.h").write_text(f"{BEFORE[mpi]}#include_next <mpi.h>\n{change}")
        for mpi, path, words in commands():
            if uses_mpi(path):
                problems += wrong_probes(mpi, words)
                jobs.append([*READ, "-isystem", os.path.join(folder, mpi), *kept(words), path])

        def read_one(words):
            result = subprocess.run(["cc", *words], capture_output=True, text=True, cwd=BUILD)
            return f"{words[-1]}: does not compile\n{result.stderr}" if result.returncode else None

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            problems += [problem for problem in pool.map(read_one, jobs) if problem]
    finish(problems, len(jobs))


main()
