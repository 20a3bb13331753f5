"""The count's thunks work on both processors that Tarry supports: built with each one's compiler and run, the other's
in an emulator. Without compiler or emulator the other one is skipped."""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "meta"))

from processors import PROCESSORS, tools  # noqa: E402
from tree import skip  # noqa: E402


def run(processor, folder):
    """Why it could not be run, or None."""
    compiler, emulator = tools(processor)
    for tool in (compiler[0], *emulator):
        if not shutil.which(tool):
            return f"'{tool}' is not installed"
    program = os.path.join(folder, f"thunks-{processor}")
    sources = [os.path.join(HERE, "count", name) for name in ("thunks_test.c", f"thunks_{processor}.S")]
    subprocess.run([*compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, *sources], check=True)
    subprocess.run([*emulator, program], check=True)
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        reasons = [reason for processor in PROCESSORS if (reason := run(processor, folder))]
    if reasons:
        skip("; ".join(reasons))


if __name__ == "__main__":
    main()
