"""The algorithms whose order is made for the nodes, each on its own: recursive doubling and Bruck's, "exchange" and "reorder", against the plain ones.

    orders.py BUILD [partition] [messages] [simulated] [switches] [emulated] [--json FILE]

partition: seconds until a mapping is known, for 128, 256 and 512 nodes. messages: one message inside a node and between two, simulated. simulated: 8 nodes of 8 ranks in SimGrid, Gigabit Ethernet and InfiniBand, microseconds
that do not depend on this machine. emulated: 4 nodes of 2 ranks on this machine, 20 Mbit/s and 10 ms, milliseconds. switches: two tiers of switches in SimGrid, with orders for nodes alone and for switches too. Speed-ups are against the plain algorithm
and against what the MPI library chooses. The JSON file is what scripts/draw-coll draws."""

import argparse
import json
import os
import statistics
import subprocess
import sys

import simulation
import smpi

KIB = 1024
FAMILIES = {"bruck": ["bruck_exchange", "bruck_reorder"], "doubling": ["doubling_exchange", "doubling_reorder"]}
ORDERED = [name for family in FAMILIES.values() for name in family]
ALL = [*FAMILIES, *ORDERED]
PLAIN_OF = {name: plain for plain, family in FAMILIES.items() for name in family}
SHORT = [size * KIB for size in range(1, 17)]
LONG = [size * KIB for size in range(128, 1025, 128)]
MACHINE = "8x8"
# Blocks of 1 MiB of 64 ranks.
SCRATCH_MAX = 80 << 20
# Both algorithms; vertices as in the paper's figure.
PARTS, VERTICES = (128, 256, 512), [8192 * i for i in range(1, 9)]
SWITCH_SIZES = [1 * KIB, 16 * KIB, 128 * KIB]
REDUCE_SIZES, REDUCERS = [1 * KIB, 16 * KIB, 64 * KIB, 1024 * KIB], ["levels", "leaders", "leaders_direct", "lanes_halving", "lanes_direct"]
MESSAGE_SIZES = [1 << i for i in range(4, 24)]
# A slow network, so that load on the machine matters little: Mbit/s and microseconds.
EMULATED_NODES, EMULATED_RANKS, EMULATED_MBIT, EMULATED_DELAY_US = 4, 2, 20, 10000
EMULATED_SIZES = [1 * KIB, 4 * KIB, 16 * KIB, 128 * KIB]


def speed_ups(times):
    """By algorithm: relative to the plain one, and to the library's choice."""
    return {name: (times[PLAIN_OF[name]] / times[name], times["library"] / times[name]) for name in ORDERED if name in times}


def print_times(times, unit):
    columns = ["library", *(name for name in ALL if any(name in of_size for of_size in times.values()))]
    print(f"| bytes | {' | '.join(columns)} |\n|--:|{'--:|' * len(columns)}")
    for size, of_size in times.items():
        print(f"| {smpi.name_of(size)} | {' | '.join(f'{of_size[name]:{unit}}' if name in of_size else '' for name in columns)} |")


def print_speed_ups(times):
    print(f"\nspeed-up over the plain algorithm / over the library\n| bytes | {' | '.join(ORDERED)} |\n|--:|{'--:|' * len(ORDERED)}")
    for size, of_size in times.items():
        found = speed_ups(of_size)
        print(f"| {smpi.name_of(size)} | {' | '.join(f'{found[name][0]:.2f} / {found[name][1]:.2f}' if name in found else '' for name in ORDERED)} |")


def simulated(build):
    """By network and size: microseconds of each algorithm."""
    found = {}
    for network in simulation.NETWORKS:
        sim = simulation.Simulation(os.path.join(build, "bench-coll"), network, SCRATCH_MAX)
        found[network] = sim.times(MACHINE, "allgather", SHORT + LONG, algorithms=["library", *ALL])
        print(f"\n{MACHINE}, {network}, simulated, microseconds")
        print_times(found[network], ".0f")
        print_speed_ups(found[network])
        sys.stdout.flush()
    return found


def switches(build):
    """By machine and size: microseconds of algorithms that know nodes alone, and of those that know switches too."""
    found = {}
    sim = simulation.Simulation(os.path.join(build, "bench-coll"))
    for machine, nodes in simulation.SWITCHES.items():
        words = f"--switches={','.join(map(str, nodes))}"
        ignorant, told = (sim.times(machine, "allgather", SWITCH_SIZES, algorithms=["library", *ALL], told=told) for told in ((), (words,)))
        found[machine] = {size: {"library": ignorant[size]["library"],
                                 **{name: [ignorant[size][name], told[size][name]] for name in ALL if name in told[size]}} for size in SWITCH_SIZES}
        names = [name for name in ORDERED if name in found[machine][SWITCH_SIZES[0]]]
        print(f"\n{machine}: switches of {', '.join(map(str, nodes))} nodes of {' and '.join(map(str, sorted(set(simulation.ranks_of(machine)))))} ranks, gigabit, simulated, "
              f"microseconds: orders for nodes alone / for switches too\n| bytes | library | {' | '.join(names)} |\n|--:|--:|{'--:|' * len(names)}")
        for size, of_size in found[machine].items():
            print(f"| {smpi.name_of(size)} | {of_size['library']:.0f} | " + " | ".join("{:.0f} / {:.0f}".format(*of_size[name]) for name in names) + " |", flush=True)
        reduced = sim.times(machine, "allreduce", REDUCE_SIZES, algorithms=["library", *REDUCERS], told=(words,))
        print(f"\n{machine}: allreduce, microseconds\n| bytes | library | {' | '.join(REDUCERS)} |\n|--:|--:|{'--:|' * len(REDUCERS)}")
        for size, of_size in reduced.items():
            print(f"| {smpi.name_of(size)} | {of_size['library']:.0f} | {' | '.join(f'{of_size[name]:.0f}' for name in REDUCERS)} |", flush=True)
    return found


def messages(build):
    """By network and size: microseconds of a message inside a node and between two, while one of the same size goes back: an allgather of two ranks."""
    found = {}
    for network in simulation.NETWORKS:
        sim = simulation.Simulation(os.path.join(build, "bench-coll"), network)
        found[network] = {name: {size: times["doubling"] for size, times in sim.times(machine, "allgather", MESSAGE_SIZES, algorithms=["library", "doubling"]).items()}
                          for name, machine in (("memory", "one-node"), ("network", "two-nodes"))}
        print(f"\na message and one back, {network}, simulated, microseconds\n| bytes | memory | network |\n|--:|--:|--:|")
        for size in MESSAGE_SIZES:
            print(f"| {smpi.name_of(size)} | {found[network]['memory'][size]:.1f} | {found[network]['network'][size]:.1f} |")
    return found


def emulated(build):
    """By MPI library and size: milliseconds of each algorithm."""
    import run
    found = {}
    options = argparse.Namespace(chosen=False, repetitions=7, rounds=1, algorithms=["library", *ALL])
    with run.Cluster(EMULATED_NODES, EMULATED_MBIT, EMULATED_DELAY_US, os.path.join(build, "tests", "cluster")) as cluster:
        bed = run.Bed(cluster, build, options)
        for mpi in run.jobs_here.find_mpis(build):
            program = bed.compile(mpi)
            times = bed.run(mpi, program, "allgather", EMULATED_SIZES, ("direct", [], [], ["library", *ALL]))
            found[mpi.name] = {size: {name: statistics.median(of_name) for name, of_name in of_size.items()} for size, of_size in times.items()}
            print(f"\n{EMULATED_NODES} nodes of {EMULATED_RANKS} ranks, {EMULATED_MBIT} Mbit/s, {EMULATED_DELAY_US / 1000:g} ms, {mpi.name}, emulated, milliseconds, medians of {options.repetitions}")
            print_times(found[mpi.name], ".3g")
            print_speed_ups(found[mpi.name])
            sys.stdout.flush()
    return found


def partition(build):
    """By algorithm and number of parts: for each number of vertices the seconds of a whole mapping."""
    import mapping
    driver = mapping.compile_driver(os.path.join(build, "bench-coll"))
    words = [driver, "times", *(f"{vertices}/{parts}" for parts in PARTS for vertices in [64, 512, *VERTICES] if vertices > parts)]
    found = {}
    for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines():
        algorithm, kind, vertices, parts, seconds = line.split("\t")
        found.setdefault(f"{algorithm}, {kind}, {parts}", {})[int(vertices)] = float(seconds)
    names = list(found)
    print(f"\nseconds until every place is known\n| vertices | {' | '.join(names)} |\n|--:|{'--:|' * len(names)}")
    for vertices in sorted({vertices for of_name in found.values() for vertices in of_name}):
        print(f"| {vertices} | {' | '.join(mapping.time_of(found[name][vertices]) if vertices in found[name] else '' for name in names)} |")
    return found


PARTS_OF_BENCH = {"partition": partition, "messages": messages, "simulated": simulated, "switches": switches, "emulated": emulated}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("what", nargs="*", choices=[*PARTS_OF_BENCH, []])
    parser.add_argument("--json")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    path = options.json or os.path.join(build, "bench-coll", "orders.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    kept = {}
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            kept = json.load(file)
    for what in options.what or PARTS_OF_BENCH:
        if what in ("messages", "simulated", "switches") and not simulation.is_installed():
            print(f"{what} skipped: SimGrid (smpicc, smpirun) is missing: apt-get install libsimgrid-dev")
            continue
        kept[what] = PARTS_OF_BENCH[what](build)
        with open(path, "w", encoding="ascii") as file:
            json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
