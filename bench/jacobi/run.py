"""The Jacobi experiment as published: 6400 x 6400, 1,000 iterations, before and after the advice; figures 9 and 10.

    bench/jacobi/run.py [--ranks 1,2,4,8] [--simulated 1,2,4,8,16,32,64] [--iterations 1000] [--plots docs/plots] [--tarry BUILD/bin/tarry]

Real ranks run here, under Open MPI; simulated ones in SimGrid on nodes of four cores joined by Gigabit Ethernet, as in the paper. A
simulated point takes what a point takes here with one rank. With --tarry, a simulated-size program is recorded with real ranks and the
findings of `before` are printed."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, ".."))
import plot

GRID = 6400
VERSIONS = ("before", "after")
CORES = 4  # of a node of the paper's cluster
SIMULATED_ITERATIONS = 50  # all are alike: a thousand take twenty times as long, to the digit
EAGER = 128000  # bytes, assumed: above an edge (51,200), so that a message travels while its receiver computes
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="gigabit" prefix="node-" radical="0-63" suffix="" speed="10Gf" core="4" bw="125MBps" lat="50us"
           loopback_bw="2GBps" loopback_lat="1us"/>
</platform>
"""


def numbers(text):
    return [int(word) for word in text.split(",") if word]


def figures(text):
    found = re.search(r"seconds ([\d.]+) point_ns ([\d.]+) sum ([\d.]+)", text)
    return float(found.group(1)), float(found.group(2)), found.group(3)


def run_here(program, version, ranks, iterations):
    line = [os.path.join(ROOT, "scripts", "mpirun-here"), "mpirun.openmpi", "-n", str(ranks), program, version, str(GRID), str(iterations)]
    return figures(subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout)


def run_simulated(folder, program, version, ranks, point_ns):
    nodes = -(-ranks // CORES)
    with open(os.path.join(folder, "hosts"), "w", encoding="ascii") as file:
        file.writelines(f"node-{rank // CORES}\n" for rank in range(nodes * CORES))
    line = ["smpirun", "-np", str(ranks), "-platform", os.path.join(folder, "platform.xml"), "-hostfile", os.path.join(folder, "hosts"),
            "--cfg=smpi/simulate-computation:no", f"--cfg=smpi/async-small-thresh:{EAGER}", f"--cfg=smpi/send-is-detached-thresh:{EAGER}",
            "--cfg=smpi/host-speed:10Gf", "--log=root.thresh:error",
            program, version, str(GRID), str(SIMULATED_ITERATIONS), f"{point_ns:.6f}"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return figures(done.stdout)[0]


def measure_here(folder, options):
    """Seconds by version and ranks, and the time of a point with one rank."""
    program = os.path.join(folder, "jacobi")
    subprocess.run(["mpicc.openmpi", "-O2", "-o", program, os.path.join(HERE, "jacobi.c")], check=True)
    times, sums, point_ns = {}, set(), None
    for ranks in options.ranks:
        for version in VERSIONS:
            seconds, point, total = run_here(program, version, ranks, options.iterations)
            times[version, ranks] = seconds
            sums.add(total)
            point_ns = point_ns or point
        print(f"  real {ranks:>3} ranks: before {times['before', ranks]:.2f} s, after {times['after', ranks]:.2f} s, "
              f"{times['before', ranks] / times['after', ranks]:.2f} times as fast", flush=True)
    if len({total[:12] for total in sums}) > 1:
        sys.exit(f"jacobi: the two versions do not compute the same: {sums}")
    return times, point_ns


def simulate(folder, options, point_ns):
    program = os.path.join(folder, "jacobi-smpi")
    subprocess.run(["smpicc", "-O2", "-w", "-DSIMULATED", "-o", program, os.path.join(HERE, "jacobi.c")], check=True)
    with open(os.path.join(folder, "platform.xml"), "w", encoding="ascii") as file:
        file.write(PLATFORM)
    times, scale = {}, options.iterations / SIMULATED_ITERATIONS
    for ranks in options.simulated:
        for version in VERSIONS:
            times[version, ranks] = scale * run_simulated(folder, program, version, ranks, point_ns)
        print(f"  simulated {ranks:>3} ranks: before {times['before', ranks]:.2f} s, after {times['after', ranks]:.2f} s, "
              f"{times['before', ranks] / times['after', ranks]:.2f} times as fast", flush=True)
    return times


def draw(folder, real, simulated):
    curves, gains = {}, {}
    for name, times in (("real", real), ("simulated", simulated)):
        ranks = sorted({key[1] for key in times})
        for version in VERSIONS:
            if ranks:
                curves[f"{version}, {name}"] = [(one, times[version, one]) for one in ranks]
        if ranks:
            gains[name] = [(one, times["before", one] / times["after", one]) for one in ranks]
    plot.lines(os.path.join(folder, "jacobi-time.svg"), "Jacobi, 6400 x 6400, 1000 iterations", ("ranks", "seconds"), curves, log_x=2, log_y=10)
    plot.lines(os.path.join(folder, "jacobi-gain.svg"), "Jacobi: time before / time after", ("ranks", "ratio"), gains, log_x=2)


def record(folder, options):
    """What Tarry finds in `before`, with the largest number of real ranks and fewer iterations."""
    program = os.path.join(folder, "jacobi-g")
    subprocess.run(["mpicc.openmpi", "-O2", "-g", "-o", program, os.path.join(HERE, "jacobi.c")], check=True)
    line = [os.path.join(ROOT, "scripts", "mpirun-here"), options.tarry, "run", "-o", os.path.join(folder, "j.tarry"), "--", "mpirun.openmpi",
            "-n", str(max(options.ranks)), program, "before", str(GRID), str(min(options.iterations, 100))]
    print(subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--ranks", type=numbers, default=numbers("1,2,4,8"))
    parser.add_argument("--simulated", type=numbers, default=numbers("1,2,4,8,16,32,64"))
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--point-ns", type=float, help="of a simulated point, where no real ranks run")
    parser.add_argument("--plots", type=os.path.abspath)
    parser.add_argument("--tarry", type=os.path.abspath)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tarry-jacobi-") as folder:
        real, point_ns = measure_here(folder, options)
        simulated = simulate(folder, options, options.point_ns or point_ns) if options.simulated else {}
        if options.plots:
            draw(options.plots, real, simulated)
        if options.tarry and options.ranks:
            record(folder, options)


if __name__ == "__main__":
    main()
