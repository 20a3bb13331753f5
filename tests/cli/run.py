"""Runs a script in an empty folder and compares its output with the file NAME.out next to it.

    run.py BIN NAME.sh ...             compares; shows the difference and fails if there is one
    run.py BIN --record NAME.sh ...    writes NAME.out again: read the difference in git before committing it

BIN is the folder with the program `tarry`. Scripts see it first on the PATH, have `try` and the other functions
of prelude.sh, and are run by sh with -eu. Their folder is shown as FOLDER. A script that exits with 77 is skipped."""

import difflib
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
# Variables that change output or affect jobs, and do not belong to the test.
UNSET = ("LD_PRELOAD", "NO_COLOR", "COLUMNS", "XDG_CACHE_HOME", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID",
         "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX")


def environment(bin_folder):
    kept = {name: value for name, value in os.environ.items()
            if name not in UNSET and not name.startswith(("TARRY_", "OMPI_MCA_", "PMIX_"))}
    # A program built with a sanitizer would not start after a preloaded library; and its leak check hangs
    # occasionally, even in an empty program (GCC 12, Linux 6.18).
    return {**kept, "PATH": f"{os.path.abspath(bin_folder)}:{kept['PATH']}", "LC_ALL": "C.UTF-8",
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}


def output_of(script, bin_folder):
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        command = ["sh", "-euc", '. "$0"; . "$1"', os.path.join(HERE, "prelude.sh"), os.path.abspath(script)]
        done = subprocess.run(command, cwd=folder, env=environment(bin_folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode(errors="replace").replace(folder, "FOLDER")


def compare(script, printed):
    expected_path = os.path.splitext(script)[0] + ".out"
    try:
        with open(expected_path, encoding="utf-8") as file:
            expected = file.read()
    except FileNotFoundError:
        expected = ""
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), printed.splitlines(True),
                                               expected_path, "printed now"))
    return expected == printed


def run(script, bin_folder, record):
    code, printed = output_of(script, bin_folder)
    if code == SKIPPED:
        print(f"{script}: {printed.strip()}")
        return SKIPPED
    if code:
        print(f"{script}: ended with exit code {code}\n{printed}")
        return 1
    if record:
        with open(os.path.splitext(script)[0] + ".out", "w", encoding="utf-8") as file:
            file.write(printed)
        return 0
    return 0 if compare(script, printed) else 1


def main():
    words = [word for word in sys.argv[1:] if word != "--record"]
    codes = [run(script, words[0], "--record" in sys.argv) for script in words[1:]]
    sys.exit(next((code for code in codes if code not in (0, SKIPPED)), max(codes)))


main()
