"""The rules' parameters define what counts as work between calls, for delays, totals and predicted savings as well as for findings.

Rank 1 tests five times, 200 us apart, and had no processor for 600 us of that. If it worked between the tests, the delay is the reason for its
lateness, so the wait of rank 2 for it is charged to no rank. If it only waited for rank 0, rank 2 waits for rank 1. Without the delay, savings of that wait are
predictable only if rank 1 does not work between its tests.

Rank 1 works longer before 8 of 20 barriers: a habit, whatever their order, unless the longest times before 7 of them are left out. Without the
longest 3, the default, 4 of 20 are not a habit.

Two ranks make the same small reduction again and again, 3 us apart: by default there may be work between them.

Usage: work_limits.py TARRY
"""

import json
import os
import subprocess
import sys
import tempfile

RANK = """process rank=%d
clock monotonic 1000000000 tick=0 ns=1000000
comm 0xc rank=%d size=3 %s "MPI_COMM_WORLD"
"""
CALLS = ["""0 10 MPI_Send comm=0xc peer=null tag=0 sent=0
1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8
""", """0 10 MPI_Irecv comm=0xc peer=0 tag=0 room=8 request=0
100000 900000 MPI_Test request=0 flag=0 polls=5 busy=1000 delay_before=0 delay_inside=600
1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8
1000200 1000300 MPI_Send comm=0xc peer=2 tag=0 sent=8
""", """0 10 MPI_Send comm=0xc peer=null tag=0 sent=0
400000 1000300 MPI_Recv comm=0xc peer=1 tag=0 received=8
"""]


def late_sender_us(tarry, *settings):
    shown = subprocess.run([tarry, "report", "--all", "--json", "-", *settings, "poll.tarry"], capture_output=True, check=True).stdout
    return round(sum(finding["total_s"] for finding in json.loads(shown)["findings"] if finding["call"] == "MPI_Recv") * 1e6)


def doubts(tarry, *settings):
    shown = subprocess.run([tarry, "report", "--all", "--json", "-", *settings, "idle.tarry"], capture_output=True, check=True).stdout
    return [finding["doubt"] for finding in json.loads(shown)["findings"] if finding["call"] == "MPI_Recv"]


def small_collectives(tarry, *settings):
    shown = subprocess.run([tarry, "report", "--all", "--json", "-", "--set", "matters=0us", *settings, "row.tarry"],
                           capture_output=True, check=True).stdout
    return [finding["pattern"] for finding in json.loads(shown)["findings"] if "small" in finding["pattern"]]


def check_repeats(tarry):
    calls = "".join("%d %d MPI_Allreduce site=1+0x9 comm=0xc sent=8 received=8\n" % (at, at + 5000) for at in range(0, 3200000, 8000))
    text = "".join((RANK % (rank, rank, "" if rank else "members=1:0-1")).replace("size=3", "size=2") + 'source 1 "x.c" "main"\n' + calls
                   for rank in (0, 1))
    subprocess.run([tarry, "assemble", "-o", "row.tarry", "-"], input=text.encode(), check=True)
    for settings, wanted in (([], 0), (["--set", "repeat_gap=5us"], 1), (["--set", "repeat_part=1.0"], 1)):
        found = small_collectives(tarry, *settings)
        assert len(found) == wanted, (settings, found)


def check_longest(tarry):
    orders = {"spread": range(2, 20, 5), "first": range(0, 8), "last": range(12, 20), "twice": (2, 4, 7, 9, 12, 14, 17, 19)}
    for order, long_steps in orders.items():
        text = ""
        for rank in (0, 1):
            text += (RANK % (rank, rank, "" if rank else "members=1:0-1")).replace("size=3", "size=2") + 'source 1 "x.c" "main"\n'
            text += "0 10 MPI_Barrier site=1+0x5 comm=0xc\n"
            end = 10
            for step in range(20):
                both = 21000000 if step in long_steps else 1000000
                text += "%d %d MPI_Barrier site=1+0x9 comm=0xc\n" % (end + (both if rank else 1000000), end + both + 1000)
                end += both + 1000
        subprocess.run([tarry, "assemble", "-o", "longest.tarry", "-"], input=text.encode(), check=True)
        for settings, wanted in (([], len(long_steps) == 8), (["--set", "longest_part=0.3"], False), (["--set", "longest_part=0"], True)):
            shown = subprocess.run([tarry, "report", "--all", "--json", "-", *settings, "longest.tarry"], capture_output=True, check=True).stdout
            found = [finding["pattern"] for finding in json.loads(shown)["findings"]]
            assert ("mpi.imbalance" in found) == wanted, (order, settings, found)


def main(tarry):
    text = "".join(RANK % (rank, rank, "" if rank else "members=1:0-2") + calls for rank, calls in enumerate(CALLS))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([tarry, "assemble", "-o", "poll.tarry", "-"], input=text.encode(), check=True)
        for settings, least, most in (([], 0, 20), (["--set", "poll_gap=1ms"], 550, 650), (["--set", "poll_part=1000"], 550, 650)):
            found = late_sender_us(tarry, *settings)
            assert least <= found <= most, (settings, found)
        subprocess.run([tarry, "assemble", "-o", "idle.tarry", "-"], input=text.replace("delay_inside=600", "delay_inside=0").encode(), check=True)
        for settings, wanted in (([], ["tests"]), (["--set", "poll_gap=1ms"], [None]), (["--set", "poll_part=1000"], [None])):
            assert doubts(tarry, *settings) == wanted, (settings, doubts(tarry, *settings))
        check_repeats(tarry)
        check_longest(tarry)


if __name__ == "__main__":
    main(sys.argv[1])
