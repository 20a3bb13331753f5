"""New kinds of calls may appear late: they first occur after thousands of other calls have been analysed, and the
last kind differs from all others.

Usage: new_calls.py TARRY PRINT_FINDINGS
"""

import os
import sys

from analyzed import analyze, compare_findings

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import Trace, WORLD  # noqa: E402

COMM = "comm=0x%x" % WORLD
TURNS = 2000
SENDS = ("MPI_Send", "MPI_Ssend", "MPI_Rsend")
LATE_NS = 40
RULES = """
declare composite event done
member( transfer as m where not m.is_send )
group by m.completion
parameters(
	at = first(m.wait),
	partner = first(m.send),
	ready = count(m where m.send.function in (MPI_Rsend)),
	late = max(m.send.start - m.wait.start where not m.send.function in (MPI_Ssend)),
	latest = max(min(m.send.start, m.wait.end) - m.wait.start) );
declare problem ready for done when ready > 0 parameters( name = "N", duration = latest );
declare problem other for done when not late > 0 s parameters( name = "N", duration = latest );
declare composite event synchronous_one
member( transfer as m where not m.is_send and m.send.function in (MPI_Ssend) )
parameters( late = m.send.start - m.wait.start, at = m.wait, partner = m.send );
declare problem synchronous for synchronous_one parameters( name = "N", duration = late );
declare composite event synchronous_ones
member( transfer as m where not m.is_send and m.send.function in (MPI_Ssend) )
group by m.completion
parameters( at = first(m.wait), late = max(m.send.start - m.wait.start) );
declare problem grouped for synchronous_ones parameters( name = "N", duration = late );
"""


def trace():
    made = Trace(2)
    for rank in range(2):
        made.head(rank, 'source 1 "program.c" "step"')
    for turn in range(TURNS * len(SENDS)):
        line, at = turn // TURNS, 1000 + 100 * turn
        made.add(0, at + LATE_NS, at + 60, "%s site=1+%d peer=1 tag=0 sent=8 %s" % (SENDS[line], 10 + line, COMM))
        made.add(1, at, at + 70, "MPI_Recv site=1+20 peer=0 tag=0 received=8 " + COMM)
    return made.text()


def main():
    all_of_one = TURNS, TURNS * LATE_NS, LATE_NS
    expected = {("other", 1, 20, 11): all_of_one, ("ready", 1, 20, 12): all_of_one,
                ("synchronous", 1, 20, 11): all_of_one, ("grouped", 1, 20, None): all_of_one}
    for threads in (1, 2):
        compare_findings(expected, analyze(*sys.argv[1:3], trace(), rules=RULES, threads=threads).findings)


main()
