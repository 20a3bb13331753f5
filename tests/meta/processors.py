"""Processor-dependent code works on both supported processors: built with each one's compiler and run, the other's in
an emulator. Without compiler or emulator the other one is skipped."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile

from tree import skip

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "src")
PROCESSORS = ("aarch64", "x86_64")


def tools(processor):
    """(compiler, emulator) as words of a command line."""
    if processor == platform.machine():
        return ["cc"], []
    return [f"{processor}-linux-gnu-gcc", "-static"], [f"qemu-{processor}"]


def run(processor, folder):
    compiler, emulator = tools(processor)
    for tool in (compiler[0], *emulator):
        if not shutil.which(tool):
            return f"'{tool}' is not installed"
    with open(os.path.join(folder, "entries.h"), "w", encoding="ascii") as entries:
        entries.write("\tENTRY MPI_Ten, 0\n\tENTRY MPI_Reals, 1\n")
    program = os.path.join(folder, f"processors-{processor}")
    files = ("base/clock.c", "base/crc32.c", f"job/preload/entry_{processor}.S")
    subprocess.run([*compiler, "-O2", "-D_GNU_SOURCE", "-I", SOURCE, "-I", folder, "-o", program,
                    os.path.join(HERE, "processors.c"), *(os.path.join(SOURCE, f) for f in files)], check=True)
    subprocess.run([*emulator, program], check=True)
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        reasons = [reason for processor in PROCESSORS if (reason := run(processor, folder))]
    if reasons:
        skip("; ".join(reasons))


if __name__ == "__main__":
    sys.exit(main())
