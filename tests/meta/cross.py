"""The hand-written sources compile without a warning for the other processor that Tarry supports.

Processor-dependent sources (clocks, checksums, entry points) are compiled and assembled for both, on any machine; of the others,
a third is parsed in turn, with --all each of them."""

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from tree import finish, lines_of, skip, tracked

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from turns import sample  # noqa: E402

OTHER = {"aarch64": "x86_64-linux-gnu", "x86_64": "aarch64-linux-gnu"}
# A file for one processor is named after it and has a twin for the other.
TWIN = {"aarch64": "x86_64", "x86_64": "aarch64"}
# With -O1 the compiler takes some values for uninitialised that it can follow with -O2; the build itself checks for that.
# Third-party headers are taken from this machine, after the other one's C library.
ALWAYS = ["-O1", "-Wno-maybe-uninitialized", "-idirafter", "/usr/include", "-idirafter", f"/usr/include/{platform.machine()}-linux-gnu"]
ASSEMBLE = ["-c", "-o", os.devnull]
READ = ["-fsyntax-only"]


def kept(words):
    """The options of a compiler's command line that also apply to the other compiler."""
    words = iter(words)
    for word in words:
        if word in ("-I", "-isystem", "-include"):
            yield from (word, next(words))
        elif word.startswith(("-I", "-D", "-std=", "-W", "-f")):
            yield word


def for_the_other(path):
    """The file that replaces this one for the other processor."""
    here = platform.machine()
    return re.sub(rf"_{here}\.([cS])$", rf"_{TWIN[here]}.\1", path)


def depends_on_processor(path):
    """Whether a source, or the header of its name, mentions a processor."""
    names = [path, os.path.splitext(path)[0] + ".h"]
    texts = [name + "\n".join(lines_of(name)) for name in names if os.path.exists(name)]
    return any(processor in text for processor in TWIN for text in texts)


def compiles_of(build):
    """(path, words of the command line) for each file in git; of one that is compiled for each MPI library, one."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    files = {os.path.abspath(path) for path in tracked("src/*.c", "src/*.S")}
    first = {entry["file"]: entry["command"] for entry in reversed(commands) if entry["file"] in files}
    return [(for_the_other(path), shlex.split(command)) for path, command in first.items()]


def main():
    triplet = OTHER.get(platform.machine())
    compiler = triplet and shutil.which(f"{triplet}-gcc")
    if not compiler:
        skip("there is no compiler for the other processor")

    def compile_one(job):
        path, words = job
        how = ASSEMBLE if path in assembled else READ
        result = subprocess.run([compiler, *ALWAYS, *how, *kept(words[1:]), path], capture_output=True, text=True)
        return f"{path}: does not compile for {triplet}\n{result.stderr}" if result.returncode else None

    jobs = compiles_of(sys.argv[1])
    assembled = {path for path, _ in jobs if depends_on_processor(path)}
    rest = [job for job in jobs if job[0] not in assembled]
    jobs = [job for job in jobs if job[0] in assembled] + (rest if "--all" in sys.argv else sample(rest, 3))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(compile_one, jobs) if problem]
    finish(problems, len(jobs))


main()
