"""Shared by the tests of the source tree: the files in git, and the end of a test."""

import subprocess
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def tracked(*patterns):
    """The paths in git that match, relative to the source tree, which is the working directory."""
    listing = subprocess.run(["git", "ls-files", "-z", "--", *patterns], capture_output=True, text=True)
    if listing.returncode != 0:
        skip("this is no git checkout")
    return [path for path in listing.stdout.split("\0") if path]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def finish(problems, checked):
    """Ends the test. A test that checked nothing has failed: its patterns are outdated."""
    if checked == 0:
        problems = ["nothing was found to check"]
    for problem in problems:
        print(problem)
    print(f"{checked} checked, {len(problems)} wrong")
    sys.exit(1 if problems else 0)
