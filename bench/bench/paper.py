"""Table 1 and figures 8 to 12 of the MPIPerf paper, measured on this machine: bench/bench/paper.py BUILD/test [PART...] [options].

    --skampi openmpi=/path/to/skampi    the same with SKaMPI, where it was built for that MPI library
    --plots docs/plots                  where to draw; otherwise only tables are printed

The machine should do nothing else meanwhile. Wait patterns are measured with more ranks
than processors, too; SKaMPI never yields, so that it would not end there."""

import argparse
import os
import re
import subprocess
import sys
from statistics import mean, median

from jobs import PROCESSORS, Jobs, undisturbed
from repeatability import standard_error

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import plot

TCP_JOBS = 40
RANKS = (1, 2, 3, 4)
SIZES = [4 ** power for power in range(0, 11)]
LAUNCHES = 10
WRONG_STEP_US = 10  # of the clock that figures 9 and 10 are about
# A clock with steps instead of MPI_Wtime: like gettimeofday with a bad clock source on the paper's cluster.
WRONG_WTIME = f"""
#include <mpi.h>
#include <math.h>
double MPI_Wtime(void) {{ return floor(PMPI_Wtime() * 1e6 / {WRONG_STEP_US}) * {WRONG_STEP_US} * 1e-6; }}
"""
SKI = """set_min_repetitions(10)
set_max_repetitions(100)
set_max_relative_standard_error(0.05)
set_skampi_buffer(8MB)
datatype = MPI_CHAR
all = comm(get_np())
begin measurement "bcast"
   for count = 1 to 1048576 step *4 do
      measure all : Bcast(count, datatype, 0)
   od
end measurement
begin measurement "barrier"
   measure all : Barrier()
end measurement
"""


def run_skampi(jobs, program, mpi, ranks):
    """Microseconds: of broadcasts by size, and of a barrier. SKaMPI prints size, mean, error, runs, processes."""
    script, out = (os.path.join(jobs.folder, name) for name in ("t.ski", "t.sko"))
    with open(script, "w", encoding="utf-8") as file:
        file.write(SKI)
    jobs.launch(mpi, ranks, [program, "-i", script, "-o", out])
    with open(out, encoding="utf-8") as file:
        text = file.read()
    sizes = re.findall(r"^count=\s*(\d+)\s+\d+\s+([\d.]+)", text, re.MULTILINE)
    barrier = re.search(r"^\s+0\s+([\d.]+)\s", text, re.MULTILINE)
    return [(int(size), float(time)) for size, time in sizes], float(barrier.group(1))


def show(name, points, unit="us"):
    print(f"  {name:<34}" + " ".join(f"{x:g}: {y:.3g}" for x, y in points) + f"   {unit}", flush=True)


def first_calls(jobs, options):
    del options
    print("Table 1: first call / second call, 8 KiB, 2 ranks")
    for mpi in jobs.mpis:
        command = [os.path.join(jobs.build, "bin", "tarry"), "bench", "--mpi", mpi, "-n", "2", "--first-call"]
        line = [*undisturbed(2), os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "mpirun-here"), *command]
        print(subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout)


def first_calls_over_tcp(jobs, options):
    """Between two emulated nodes, with the delay of Gigabit Ethernet: the first call connects. Other load only adds time, so the
    shortest of many jobs is the best estimate."""
    del options
    if "openmpi" not in jobs.mpis:
        return
    print(f"Table 1 between two emulated nodes over TCP, openmpi: rank 0's first call / second call, the shortest of {TCP_JOBS} jobs")
    with jobs.cluster(mbit=1000, delay_us=25) as cluster:
        for operation in ("bcast", "allgather", "barrier", "reduce", "allreduce"):
            times = {"first call on rank 0": [], "second call on rank 0": []}
            for _ in range(TCP_JOBS):
                for point in jobs.measure_on(cluster, "--first-call", "--sizes", "8K", operation).points:
                    if point["variant"] in times and point["median_s"] is not None:
                        times[point["variant"]].append(point["median_s"])
            first, second = (min(values) * 1e6 for values in times.values())
            print(f"  {operation:<12}{first:>10.0f} us {second:>10.0f} us {first / second:>8.1f}", flush=True)


def patterns(jobs, operation, *words):
    """Microseconds over ranks; ranks without a valid run are left out."""
    points = []
    for ranks in RANKS:
        found = [jobs.measure(jobs.mpis[0], ranks, operation, *words).point(operation)["mean_s"] for _ in range(3)]
        valid = [time for time in found if time is not None]
        if valid:
            points.append((ranks, median(valid) * 1e6))
    return points


def wrong_wtime(jobs):
    """Preloaded into a job, its MPI_Wtime has steps."""
    source, library = (os.path.join(jobs.folder, name) for name in ("wtime.c", "wtime.so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(WRONG_WTIME)
    subprocess.run([f"mpicc.{jobs.mpis[0]}", "-O2", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    os.environ["LD_PRELOAD"] = library
    try:
        return patterns(jobs, "WaitPatternUp", "--timer", "mpi_wtime")
    except (subprocess.SubprocessError, OSError) as error:
        words = getattr(error, "stderr", None) or str(error)
        print(f"  WaitPatternUp with an MPI_Wtime of {WRONG_STEP_US} us steps is refused: {words.strip().splitlines()[0]}")
        return []
    finally:
        del os.environ["LD_PRELOAD"]


def wait_patterns(jobs, options):
    print(f"Figures 8 to 10: time of wait patterns over ranks, {jobs.mpis[0]}, {PROCESSORS} processors")
    up = {"true": [(ranks, float(ranks)) for ranks in RANKS], "timer counter": patterns(jobs, "WaitPatternUp"),
          "timer mpi_wtime": patterns(jobs, "WaitPatternUp", "--timer", "mpi_wtime")}
    wrong = wrong_wtime(jobs)
    if wrong:
        up["wrong mpi_wtime"] = wrong
    null = {timer: patterns(jobs, "WaitPatternNull", "--timer", timer) for timer in ("counter", "mpi_wtime", "gettimeofday")}
    for name, points in [*up.items(), *((f"WaitPatternNull, {timer}", points) for timer, points in null.items())]:
        show(name, points)
    if options.plots:
        plot.lines(os.path.join(options.plots, "wait-pattern-up.svg"), "WaitPatternUp", ("ranks", "us"), up)
        plot.lines(os.path.join(options.plots, "wait-pattern-null.svg"), "WaitPatternNull", ("ranks", "us"), null)


def our_broadcasts(jobs, mpi, cache):
    points = jobs.measure(mpi, 2, "bcast", "--cache", cache, "--sizes", ",".join(map(str, SIZES))).points
    return [(point["bytes"], point["mean_s"] * 1e6) for point in points if point["mean_s"] is not None]


def broadcasts(jobs, options):
    for mpi in jobs.mpis:
        print(f"Figure 11: MPI_Bcast over bytes, 2 ranks, {mpi}")
        series = {f"tarry bench, {cache} cache": our_broadcasts(jobs, mpi, cache) for cache in ("cold", "warm")}
        if mpi in options.skampi:
            series["SKaMPI"] = run_skampi(jobs, options.skampi[mpi], mpi, 2)[0]
        for name, points in series.items():
            show(name, points)
        if options.plots:
            plot.lines(os.path.join(options.plots, f"bcast-{mpi}.svg"), f"MPI_Bcast, 2 ranks, {mpi}", ("bytes", "us"), series,
                       log_x=2, log_y=10)


def repeatability(jobs, options):
    for mpi in jobs.mpis:
        print(f"Figure 12: relative standard error of MPI_Barrier over {LAUNCHES} launches, in percent, {mpi}")
        series = {"tarry bench": [], "SKaMPI": []}
        for ranks in range(2, PROCESSORS + 1):
            times = [jobs.measure(mpi, ranks, "barrier").point("MPI_Barrier")["mean_s"] for _ in range(LAUNCHES)]
            valid = [time for time in times if time is not None]
            if len(valid) > 1:
                series["tarry bench"].append((ranks, standard_error(valid)))
            if mpi in options.skampi:
                found = [run_skampi(jobs, options.skampi[mpi], mpi, ranks)[1] for _ in range(LAUNCHES)]
                series["SKaMPI"].append((ranks, standard_error(found)))
                print(f"  {ranks} ranks: tarry {mean(valid) * 1e6:.3g} us, {len(valid)} of {LAUNCHES} launches valid; "
                      f"SKaMPI {mean(found):.3g} us")
        series = {name: points for name, points in series.items() if points}
        for name, points in series.items():
            show(name, points, "%")
        if options.plots and series:
            plot.lines(os.path.join(options.plots, f"barrier-error-{mpi}.svg"), f"Relative error of MPI_Barrier, {mpi}",
                       ("ranks", "%"), series)


PARTS = {"first-calls": first_calls, "first-calls-tcp": first_calls_over_tcp, "wait-patterns": wait_patterns,
         "broadcasts": broadcasts, "repeatability": repeatability}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--skampi", action="append", default=[], metavar="MPI=PROGRAM")
    parser.add_argument("--plots", type=os.path.abspath)
    options = parser.parse_args()
    options.skampi = dict(one.split("=", 1) for one in options.skampi)
    jobs = Jobs(options.build)
    for part in options.parts or PARTS:
        PARTS[part](jobs, options)


if __name__ == "__main__":
    main()
