"""Summaries of files (`tarry run --io`): a program does the same with and without recording, and the trace has exactly the calls and bytes that it
makes, for system calls, streams, threads, signal handlers, children, MPI-IO and Fortran. No other file is listed.

    files.py --mpi mpich --mpicc mpicc.mpich --fc mpif90.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/files.c"""

import json
import os
import shutil
import subprocess
import sys

import job

RANKS = 2
BLOCK = 4096
MANY = 950
LISTED = 896  # of a process
SUMS = ("opens", "seeks", "stats", "syncs")


def moved(calls, size):
    return {"calls": calls, "bytes": size}


# Of each rank, by direction and interface. Without "opens", they depend on the time.
EACH = {
    "own.{rank}": {"opens": 1, "seeks": 1, "syncs": 2, "reads": {"system": moved(6, 3 * 2 * BLOCK + 100 + 30)},
                   "writes": {"system": moved(19, 10 * BLOCK + 500 + 30 + 6 + 7 + 11)}},
    "alarms.{rank}": {"opens": 1, "writes": {"system": moved(5, 5)}},
    "threads.{rank}": {"opens": 1, "writes": {"system": moved(2000, 32000)}},
}
SHARED = {
    "shared.txt": {"seeks": RANKS, "reads": {"stdio": moved(RANKS * 6, RANKS * (8 + 7 + 1 + 8 + 8 + 6400))},
                   "writes": {"stdio": moved(112 + RANKS * 2, 80 + 8 + 6400 + RANKS * 20)}},
    "mpi.dat": {"reads": {"below_mpi_io": moved(RANKS, RANKS * BLOCK)}, "writes": {"below_mpi_io": moved(3 * RANKS, 3 * RANKS * BLOCK)},
                "mpi_io_reads": moved(RANKS, RANKS * BLOCK), "mpi_io_writes": moved(3 * RANKS, 3 * RANKS * BLOCK)},
}


def run(line, work):
    """In an empty folder, whose files stay."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    done = subprocess.run([job.ON_ONE_MACHINE, *line], cwd=work, env={**os.environ, **job.FOR_OPEN_MPI}, timeout=job.SECONDS,
                          capture_output=True, text=True, check=False)
    return done.returncode, sorted(done.stdout.splitlines()), done.stderr


def compile_program(compiler, source, work):
    program = os.path.join(work, os.path.basename(source).partition(".")[0])
    subprocess.run([*compiler.split(), "-g", "-O1", "-o", program, source, "-lpthread"], check=True, cwd=work)
    return program


def files_of(options, program, *before):
    """What the trace says about each file, after a comparison with a run without recording."""
    launch, trace = [options.launcher, "-n", str(RANKS), *before, program], os.path.join(options.work, "run.tarry")
    plain = run(launch, os.path.join(options.work, "plain"))
    recorded = run([os.path.join(options.bin, "tarry"), "run", "--io", "--no-analyze", "--replace", "-o", trace, "--", *launch],
                   os.path.join(options.work, "recorded"))
    assert plain[:2] == recorded[:2] and plain[0] == 0 and plain[1], f"{plain} became {recorded}"
    info = subprocess.run([os.path.join(options.bin, "tarry"), "info", "--json", trace], check=True, capture_output=True)
    return {file["name"]: file for file in json.loads(info.stdout)["summary"]["files"]}


def fault_of(file, expected):
    for key, wanted in expected.items():
        if key in ("reads", "writes"):
            found = {name: {part: file[key][name][part] for part in wanted[name]} for name in wanted if name in file[key]}
            total = {part: sum(one[part] for one in wanted.values()) for part in ("calls", "bytes")}
            if found != wanted or any(file[key]["total"][part] != total[part] for part in total):
                return f"{key}: {file[key]}, not {wanted}"
            if sum(one["calls"] for one in file[key]["sizes"]) != total["calls"]:
                return f"{key}: the sizes {file[key]['sizes']} are not those of all calls"
        elif isinstance(wanted, dict):
            if {part: file.get(key, {}).get(part) for part in wanted} != wanted:
                return f"{key}: {file.get(key)}, not {wanted}"
        elif file[key] != wanted:
            return f"{key}: {file[key]}, not {wanted}"
    for key in {"reads", "writes"} - expected.keys():
        if file[key]["total"]["calls"]:
            return f"{key}: {file[key]}"
    return None


def check_many(files):
    """Of files beyond the limit, the sum is known. It also has those that were opened on a signal stack, and questions about files that do not exist."""
    many = [file for name, file in files.items() if name is None or name.startswith("many/")]
    written = {part: sum(file["writes"]["total"][part] for file in many) for part in ("calls", "bytes")}
    assert written == moved(MANY, 3 * MANY), written
    assert all(sum(file[kind] for file in many) >= MANY for kind in ("opens", "stats")), "fewer opens or queries than files"
    own = sum(file["ranks"] in ("0", "0-1", "0,1") for name, file in files.items() if name)
    assert own == LISTED and files[None]["opens"], f"rank 0 lists {own} files"


def check_hint(options):
    """`tarry info` shows some of the files, and says which command shows all."""
    trace = os.path.join(options.work, "run.tarry")
    short, full = (subprocess.run([os.path.join(options.bin, "tarry"), *words, trace], check=True, capture_output=True, text=True).stdout
                   for words in (["info"], ["report", "--all"]))
    assert "more files; 'tarry report --all' shows them" in " ".join(short.split()), short
    assert full.count("many/") > MANY / 2 > short.count("many/"), full


def check_c(options):
    files = files_of(options, compile_program(options.mpicc, options.source, options.work))
    expected = {**{name.format(rank=rank): {**dict.fromkeys(SUMS, 0), **wanted} for name, wanted in EACH.items() for rank in range(RANKS)}, **SHARED}
    for name, wanted in expected.items():
        fault = fault_of(files[name], wanted)
        assert not fault, f"{name}: {fault}"
        assert files[name]["ranks"] == (name[-1] if name[-1].isdigit() else "0-1") or files[name]["ranks"] == "0,1", files[name]
        # UCX, a library below MPI, may take mmap() for itself.
        assert (files[name]["maps"], files[name]["mapped_bytes"]) in ((0, 0), (1, BLOCK)), files[name]
    others = {name for name in files if name and not name.startswith("many/")} - expected.keys()
    assert not others, f"files that the program did not use: {others}"
    check_many(files)
    check_hint(options)


def check_fortran(options):
    if not options.fc:
        print("no Fortran compiler of this MPI library")
        return
    source = os.path.join(os.path.dirname(options.source), "files_f90.f90")
    files = files_of(options, compile_program(options.fc, source, options.work))
    assert files.keys() - {None} == {"lines.txt", "records.dat"}, files.keys()
    for name, writers, direction in (("lines.txt", 1, "writes"), ("records.dat", 1, "writes"), ("records.dat", RANKS, "reads")):
        size, found = os.path.getsize(os.path.join(options.work, "recorded", name)), files[name][direction]["total"]["bytes"] / writers
        # Some marks of records are written again, and the last one need not be read.
        assert 0.99 * size <= found <= 1.1 * size, f"{name} has {size} bytes, {direction} {found}"


def main():
    options = job.read_options()
    os.makedirs(options.work, exist_ok=True)
    check_c(options)
    check_fortran(options)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"FAILED: {error}")
