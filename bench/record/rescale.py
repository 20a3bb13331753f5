"""How long events are at other frequencies of the processor's counter: a trace that was recorded here is rescaled to each of them.

A recorder leaves out the lowest bits of a fast counter (src/base/clock.h: clock_spare_bits), so that events do not grow with the frequency."""

import os
import random
import re
import subprocess

FREQUENCIES = [25e6, 100e6, 1e9, 1.02e9, 1.28e9, 1.5e9, 2e9, 2.5e9, 2.6e9, 3e9, 3.8e9, 5e9]
MOST_TICKS = 1.02e9  # in a second
MOST_EVENTS = 100000  # per trace: more would take longer with the same result


def shifted(frequency):
    """Recorded ticks per second."""
    while frequency > MOST_TICKS:
        frequency /= 2
    return frequency


def rescale(lines, factor, chance):
    """Starts and ends with other ticks; finer digits are invented."""
    for line in lines:
        times = re.match(r"(\d+) (\d+) (.*)", line)
        if not times:
            continue
        start, end = ((int(tick) + chance.random()) * factor for tick in times.groups()[:2])
        yield "%d %d %s" % (start, max(start, end), times.group(3))


def bytes_of(tarry, text, folder):
    path = os.path.join(folder, "rescaled.tarry")
    subprocess.run([tarry, "assemble", "-o", path, "-"], input=text.encode(), check=True, stdout=subprocess.DEVNULL)
    size = os.path.getsize(path)
    os.remove(path)
    return size


def bytes_per_call(tarry, trace, folder):
    """{frequency: bytes of an event} of the first thread of a trace, without what is said once of it."""
    dump = subprocess.run([tarry, "dump", "--no-source", trace], capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"^clock \S+ (\d+)", dump, re.MULTILINE).group(1))
    lines = [line for line in re.split(r"^thread .*\n", dump, flags=re.MULTILINE)[1].split("\nprocess ")[0].splitlines()
             if line[:1].isdigit()][:MOST_EVENTS]
    found = {}
    for frequency in FREQUENCIES:
        scaled = list(rescale(lines, shifted(frequency) / rate, random.Random(1)))
        half = len(scaled) // 2
        sizes = [bytes_of(tarry, "\n".join(scaled[:count]) + "\n", folder) for count in (half, len(scaled))]
        found[frequency] = (sizes[1] - sizes[0]) / (len(scaled) - half)
    return found
