"""What the test scripts of this folder share: the arguments SOURCE BUILD, runs of the analyser, and a list of tests.

A test is a function that returns its run, whose folder is then removed, or None.
"""
import shutil
import sys

from protocol import Names, Process, Run

SOURCE, BUILD = sys.argv[1:3]
NAMES = Names(SOURCE, BUILD)
PROGRAM = BUILD + "/bin/tarry-analyser"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def start(size, **more):
    run = Run(PROGRAM, NAMES, **more)
    return run, [Process(run, rank, size) for rank in range(size)]


def checks(run, complete=True):
    return sorted(finding["check"] for finding in run.findings(complete))


def expect(value, wanted):
    if value != wanted:
        raise AssertionError("%r instead of %r" % (value, wanted))


def problem_of(function):
    try:
        run = function()
        if run:
            shutil.rmtree(run.folder)
    except Exception as error:
        return "%s: %s: %s" % (function.__name__, type(error).__name__, error)
    return None


def run_tests(run_each=map):
    """Runs all tests, or those that the arguments name; `run_each` is `map` or the like. Returns an exit code."""
    chosen = [function for function in TESTS if not sys.argv[3:] or function.__name__ in sys.argv[3:]]
    problems = [problem for problem in run_each(problem_of, chosen) if problem]
    print("\n".join([*problems, "%d tests, %d failed" % (len(chosen), len(problems))]))
    return int(bool(problems))
