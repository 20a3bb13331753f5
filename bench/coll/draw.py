"""Plots over sizes from the measurements of bench/coll/orders.py.

    draw.py FILE.json FOLDER      writes topo-*.svg there"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import orders
import plot

KIB = 1024
NETWORKS = {"gigabit": "Gigabit Ethernet", "infiniband": "InfiniBand"}


def lines_of(times, names, is_wanted, value):
    """Of each name: KiB and what `value` makes of the times of a size."""
    return {name: [(int(size) / KIB, value(of_size, name)) for size, of_size in times.items() if is_wanted(int(size)) and name in of_size] for name in names}


def draw_speed(folder, network, times):
    def is_short(size):
        return size <= orders.SHORT[-1]

    def is_long(size):
        return size >= orders.LONG[0]

    kib, name = "size of a block, KiB", NETWORKS[network]
    plot.lines(os.path.join(folder, f"topo-{network}-time.svg"), f"Allgather of 64 ranks on 8 nodes, {name}, simulated",
               (kib, "milliseconds"), lines_of(times, ["library", *orders.ALL], is_short, lambda of_size, key: of_size[key] / 1e3))
    for part, is_wanted in (("short", is_short), ("long", is_long)):
        plot.lines(os.path.join(folder, f"topo-{network}-{part}.svg"),
                   f"Speed-up over the plain algorithm, {part} blocks, {name}, simulated", (kib, "speed-up"),
                   lines_of(times, orders.ORDERED, is_wanted, lambda of_size, key: of_size[orders.PLAIN_OF[key]] / of_size[key]))


def draw_partition(folder, layout, measured):
    series = {name.replace(f", {layout}, ", ", h = "): [(int(size), seconds) for size, seconds in of_name.items()]
              for name, of_name in measured.items() if f", {layout}, " in name}
    plot.lines(os.path.join(folder, f"topo-partition-{layout}.svg"), f"Time until every place is known, {layout} nodes",
               ("places", "seconds"), series, log_y=10)


def draw_messages(folder, network, times):
    series = {name: [(int(size), us) for size, us in of_name.items()] for name, of_name in times.items()}
    plot.lines(os.path.join(folder, f"topo-messages-{network}.svg"), f"Time of one message, {network}, simulated",
               ("bytes", "microseconds"), series, log_x=2, log_y=10)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = sys.argv[2]
    with open(sys.argv[1], encoding="ascii") as file:
        measured = json.load(file)
    for network, times in measured.get("simulated", {}).items():
        draw_speed(folder, network, times)
    for layout in ("regular", "irregular") if "partition" in measured else ():
        draw_partition(folder, layout, measured["partition"])
    for network, times in measured.get("messages", {}).items():
        draw_messages(folder, network, times)


if __name__ == "__main__":
    main()
