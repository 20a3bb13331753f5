#!/usr/bin/env python3
"""How the work of an analysis divides among processes (tarry-analyze-<mpi>).

    peers.py BUILD [--ranks 4096] [--calls 1000] [--kind halo] [--processes 1,16,64]

Work is the processor time of a process without that of exchanges, in which it mostly waits for others: so the processes may share few cores. Efficiency is the
work of one process alone, relative to that of all processes together (mean) or to that of the busiest one times their number (least). Output must not depend on
the number of processes."""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from statistics import mean

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from jobs_here import ON_ONE_MACHINE, find_mpis

EFFICIENCY = 0.8
STEPS = ("open_s", "read_s", "facts_s", "prepare_s", "replay_s", "sums_s", "findings_s", "rest_s")


def run(build, mpi, trace, processes, folder):
    """(output, a dictionary for each process)"""
    work = os.path.join(folder, "work.csv")
    line = [ON_ONE_MACHINE, mpi.launcher, "-n", str(processes), os.path.join(build, "bin", f"tarry-analyze-{mpi.name}"), "--no-causes", "--work", work, trace]
    done = subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(line)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    with open(work, encoding="utf-8") as file:
        return done.stdout, [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def measure(build, mpi, kind, ranks, calls, processes, folder):
    """A dictionary for each number of processes, of which the first is 1."""
    trace, rows, expected, alone = os.path.join(folder, "peers.tarry"), [], None, None
    subprocess.run([os.path.join(build, "bench", "analyze", "bench-generate"), kind, trace, "--ranks", str(ranks), "--calls", str(ranks * calls)],
                   check=True, stdout=subprocess.DEVNULL)
    for count in processes:
        output, all_work = run(build, mpi, trace, count, folder)
        work = [one["work_s"] for one in all_work]
        expected, alone = expected or output, alone or work[0]
        if output != expected:
            sys.exit(f"the output of {count} processes differs from that of one")
        rows.append({"processes": count, "mean_s": mean(work), "leader_s": work[0], "most_s": max(work), "efficiency": alone / sum(work),
                     "least_efficiency": alone / count / max(work), "exchanges": max(one["exchanges"] for one in all_work),
                     "received_mib": mean(one["received_bytes"] for one in all_work[1:] or all_work) / 2**20,
                     "leader_received_mib": all_work[0]["received_bytes"] / 2**20, "leader_mib": all_work[0]["memory_kib"] / 1024,
                     "memory_mib": mean(one["memory_kib"] for one in all_work[1:] or all_work) / 1024,
                     "steps": {key: (mean(one[key] for one in all_work[1:] or all_work), all_work[0][key]) for key in STEPS}})
    os.remove(trace)
    return rows


def print_rows(rows):
    print(f"{'processes':>9} {'mean work':>10} {'process 0':>10} {'efficiency':>11} {'by busiest':>11} {'exchanges':>10} {'received':>10} {'process 0':>10} "
          f"{'memory':>9} {'process 0':>10}")
    for row in rows:
        print(f"{row['processes']:9} {row['mean_s']:8.3f} s {row['leader_s']:8.3f} s {row['efficiency']:11.2f} {row['least_efficiency']:11.2f} "
              f"{row['exchanges']:10.0f} {row['received_mib']:6.1f} MiB {row['leader_received_mib']:6.1f} MiB {row['memory_mib']:5.0f} MiB {row['leader_mib']:6.0f} MiB")


def print_steps(rows):
    """Work of the steps of an analysis: of a process that does not lead, and of process 0."""
    print(f"{'processes':>9} {'':>9}" + "".join(f" {key[:-2]:>9}" for key in STEPS))
    for row in rows:
        if row["processes"] > 1:
            for which, name in enumerate(("mean", "process 0")):
                print(f"{row['processes']:9} {name:>9}" + "".join(f" {row['steps'][key][which]:7.3f} s" for key in STEPS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--ranks", type=int, default=4096, metavar="N")
    parser.add_argument("--calls", type=int, default=1000, metavar="N", help="of each rank, about")
    parser.add_argument("--kind", default="halo", help="of the trace: ring, halo or mixed")
    parser.add_argument("--processes", default="1,16,64", metavar="N,...")
    options = parser.parse_args()
    processes = [int(word) for word in options.processes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        mpi = find_mpis(options.build)[0]
        print(f"{options.kind}, {options.ranks} ranks with about {options.calls} calls each, {mpi.name}")
        rows = measure(options.build, mpi, options.kind, options.ranks, options.calls, processes, folder)
        print_rows(rows)
        print()
        print_steps(rows)


if __name__ == "__main__":
    main()
