"""The end of scripts/test: it names skipped tests, and tests that passed only on retry, each with its reason. A test that has no turn does not run.

    summary.py CTEST"""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Name, what it prints, what it does then.
TESTS = [
    ("good", "all is well", "true"),
    ("late", "first line\\nFAILED: rank 1 came late", "[ -e again ] || { touch again; false; }"),
    ("twice", "job: tried again: rank 2 came late", "true"),
    ("windows", "skipped: no windows here", "exit 77"),
    ("doors", "doors.sh: skipped: no windows here", "exit 77"),
    ("floors", "no floors here", "exit 77"),
]
EXPECTED = """Skipped: 3
  2: no windows here: doors windows
  1: no floors here: floors
Passed only on retry: 2
  late: first line
    FAILED: rank 1 came late
  twice: rank 2 came late
"""


def write_tests(folder):
    for build in ("test", "sanitize", "tsan"):
        os.mkdir(os.path.join(folder, build))
        with open(os.path.join(folder, build, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            for name, prints, ends in TESTS if build == "test" else []:
                file.write(f'add_test({name} sh -c "echo \'{prints}\'; {ends}")\n'
                           f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n")
            if build == "test":
                file.write("add_test(later false)\nset_tests_properties(later PROPERTIES LABELS turn-1-of-2)\n")


def closing(folder, *words):
    environment = dict(os.environ, TARRY_TEST_TURN="4", PATH=f"{os.path.dirname(sys.argv[1])}:{os.environ['PATH']}")
    done = subprocess.run([os.path.join(ROOT, "scripts", "test"), folder, *words], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout[done.stdout.find("Skipped:"):]


def main():
    with tempfile.TemporaryDirectory() as folder:
        write_tests(folder)
        ends = [closing(folder), closing(folder, "-R", "good")]
    expected = [(0, EXPECTED), (0, "Skipped: none\nPassed only on retry: none\n")]
    if ends != expected:
        sys.exit(f"FAILED: {ends}\ninstead of\n{expected}")


main()
