"""The compiler drivers reject and link the same as the real ones.

    drivers.py RUNTIME/bin WORK"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "programs")
EXAMPLES = os.path.join(HERE, "..", "..", "..", "examples", "upc")
BARRIER, CALLS = (os.path.join(PROGRAMS, name) for name in ("odd.upc", "calls.upc"))
TOOL = [os.path.join(HERE, "tool.upc"), f"-I{os.path.join(HERE, '..', 'runtime', 'src')}", "-DUPCR_BERKELEY"]
INST = ["-inst", "-inst-toolname=print"]
CLANG_INST = ["-fupc-debug", "-D__UPC_PUPC__=1", "-D__UPC_PUPC_INST__=1"]

# Words, and what the driver says if it fails; nothing: it makes a program that runs.
CASES = [
    (["upcc", BARRIER], None),
    (["upcc", "-inst", BARRIER], "compile wrapper"),
    (["upcc", *INST, BARRIER], "undefined reference to `gasp_event_notify'"),
    (["upcc", "-inst-local", BARRIER], "need -inst"),
    (["upcc", "-fupc-debug", "-xyz", BARRIER], "unrecognized option '-xyz'"),
    (["upcc", "-Wall", BARRIER], "unrecognized option '-Wall'"),
    (["upcc", "-Wc,-Wall", BARRIER], None),
    (["upcc", "-pthreads=2", BARRIER], None),
    (["upcc", "-pthreads=2", CALLS], "not supported with -pthreads"),
    (["upcc", *INST, BARRIER, *TOOL], None),
    (["upcc", *INST, BARRIER, "libtool.a"], "undefined reference to `gasp_event_notify'"),
    (["upcc", *INST, BARRIER, "-Wl,-Wl,-u,gasp_init", "libtool.a"], None),
    (["gupc", BARRIER], None),
    (["gupc", "--inst", BARRIER], None),
    (["gupc", "-fupc-threads-2", BARRIER], None),
    (["clang-upc", "-fupc-instrument", BARRIER], "unknown argument"),
    (["clang-upc", *CLANG_INST, BARRIER], None),
    (["clang-upc", *CLANG_INST, BARRIER, *TOOL], "gasp.h"),
]


def run(standin, words):
    return subprocess.run([os.path.join(standin, words[0]), *words[1:]], check=False, capture_output=True, text=True)


def fault_of(standin, words, expected):
    done = run(standin, [*words, f"-I{EXAMPLES}", "-o", "program"])
    said = done.stderr
    if expected:
        return None if done.returncode and expected in said else f"{words}: not '{expected}', but {done.returncode}: {said}"
    if done.returncode:
        return f"{words}: {said}"
    start = ["upcrun", "-n", "2", "./program"] if words[0] == "upcc" else None
    ran = run(standin, start) if start else subprocess.run(["./program", "-n", "2"], check=False)
    return f"{words}: the program ended with {ran.returncode}" if ran.returncode else None


def make_archive(standin):
    run(standin, ["upcc", *INST, "-c", *TOOL, "-o", "tool.o"])
    subprocess.run(["ar", "rc", "libtool.a", "tool.o"], check=True)


def main():
    standin, work = (os.path.abspath(path) for path in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    make_archive(standin)
    wrong = [fault for fault in (fault_of(standin, *case) for case in CASES) if fault]
    os.environ["UPC_STANDIN_PLAIN"] = "1"
    if "GASP instrumentation support" not in run(standin, ["upcc", *INST, BARRIER]).stderr:
        wrong.append("upcc without instrumentation does not say so")
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))


main()
