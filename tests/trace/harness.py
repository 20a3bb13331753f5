"""Shared by the tests of traces: running `tarry`, and showing differences."""

import difflib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden")
failures = 0


def run(tarry, *words, stdin=None):
    """(exit code, stdout, stderr); a program that dies by a signal or a sanitizer fails the test."""
    done = subprocess.run([tarry, *words], input=stdin, capture_output=True)
    if done.returncode < 0 or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
        sys.exit("tarry %s died: %s" % (" ".join(words), done.stderr.decode(errors="replace")))
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def check(right, what):
    global failures
    if not right:
        failures += 1
        print("FAILED: " + what)


def same(got, expected, what):
    if got != expected:
        lines = difflib.unified_diff(expected.decode(errors="replace").splitlines(),
                                     got.decode(errors="replace").splitlines(), "expected", "got", lineterm="", n=1)
        check(False, what + "\n" + "\n".join(list(lines)[:30]))


def assemble(tarry, text, output, *options):
    code, _, errors = run(tarry, "assemble", *options, "-o", output, "-", stdin=text)
    if code:
        sys.exit("cannot assemble: " + errors)


def dump(tarry, trace):
    code, text, errors = run(tarry, "dump", "--no-source", trace)
    check(code == 0 and not errors, "dump of %s said: %s" % (trace, errors))
    return text


def finish():
    if failures:
        sys.exit("%d checks failed" % failures)
