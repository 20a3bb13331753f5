"""What recording costs calls on files: `make bench-io`, or bench/io/run.py BUILD.

A program measures the CPU time of its own calls, recorded without and with --io in turn. Prints a table of the smallest times of all rounds, and writes
BUILD/bench/io.json."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 5
SECONDS = 120
LIBRARIES = (("mpicc.openmpi", "mpirun.openmpi"), ("mpicc.mpich", "mpirun.mpich"))
KINDS = {"write_4k": "pwrite of 4 KiB", "write_1m": "pwrite of 1 MiB", "read_4k": "pread of 4 KiB", "fwrite_8": "fwrite of 8 bytes", "fprintf": "fprintf of a line",
         "stat": "stat", "open_close": "open and close"}


def measure(build, folder, launcher, program, *options):
    line = [os.path.join(HERE, "..", "..", "scripts", "mpirun-here"), os.path.join(build, "bin", "tarry"), "run", *options, "--no-analyze", "--replace", "-o",
            os.path.join(folder, "files.tarry"), "--", launcher, "-n", "1", program]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True)
    return json.loads(done.stdout)


def main():
    build = os.path.abspath(sys.argv[1])
    folder = os.path.join(build, "bench", "io")
    os.makedirs(folder, exist_ok=True)
    compiler, launcher = next((names for names in LIBRARIES if all(map(shutil.which, names))), (None, None))
    if not compiler:
        sys.exit("bench-io: neither mpicc.openmpi nor mpicc.mpich is installed")
    program = os.path.join(folder, "files")
    subprocess.run([compiler, "-O2", os.path.join(HERE, "files.c"), "-o", program], check=True)
    rounds = [(measure(build, folder, launcher, program), measure(build, folder, launcher, program, "--io")) for _ in range(ROUNDS)]
    rows = [{"call": words, "plain_ns": min(plain[kind] for plain, _ in rounds), "io_ns": min(counted[kind] for _, counted in rounds)} for kind, words in KINDS.items()]
    print(f"{'call':<20}{'without --io':>14}{'with --io':>14}{'ratio':>8}")
    for row in rows:
        print(f"{row['call']:<20}{row['plain_ns']:>11.0f} ns{row['io_ns']:>11.0f} ns{row['io_ns'] / row['plain_ns']:>8.2f}")
    with open(os.path.join(build, "bench", "io.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
