"""The advice of findings matches the run: its calls, the time between them, and changes that would not help.

    advice.py TARRY"""

import importlib.util
import os
import sys

from traces import head, report_of

TARRY = sys.argv[1]


def trace(*ranks):
    """Of each rank its calls: (start and end in us, name, line, fields)."""
    for rank, calls in enumerate(ranks):
        yield from head(rank, len(ranks))
        yield "thread 0"
        yield "0 1000 MPI_Init"
        for start, end, name, line, fields in calls:
            yield f"{start * 1000} {end * 1000} {name} site=2+0x{line:x} {fields}"
        yield "9000000000 9000001000 MPI_Finalize"


def advice_of(pattern, *ranks):
    found = [finding for finding in report_of(TARRY, trace(*ranks), "--all")["findings"] if finding["pattern"] == pattern]
    assert len(found) == 1, (pattern, found)
    return found[0]["advice"]


def receiver(wait_start, wait_end):
    return [(100, 101, "MPI_Irecv", 20, "comm=0x1 peer=0 tag=0 room=8192 request=0"),
            (wait_start, wait_end, "MPI_Wait", 30, "done=0 received=8192")]


def check(advice, has, has_not):
    for text in has:
        assert text in advice, (text, advice)
    for text in has_not:
        assert text not in advice, (text, advice)


def moved_only_inside():
    """The message was available for 400 us, and took 300 us in the wait: the library moved it only then."""
    advice = advice_of("mpi.wait-for-transfer", [(90, 95, "MPI_Send", 10, "comm=0x1 peer=1 tag=0 sent=8192")], receiver(501, 801))
    check(advice, ["MPI_Wait (main.c:30) began 401 us after MPI_Irecv (main.c:20).", "More work between them would not help",
                   "from rank 0 (MPI_Send, main.c:10), which was in time"],
          ["MPI_Isend", "Do more independent work"])


def too_early():
    """The wait begins at once: work in between would hide it."""
    advice = advice_of("mpi.wait-for-transfer", [(90, 95, "MPI_Send", 10, "comm=0x1 peer=1 tag=0 sent=8192")], receiver(102, 402))
    check(advice, ["MPI_Wait (main.c:30) began 2.00 us after MPI_Irecv (main.c:20).", "Do more independent work between them."], ["would not help", "send earlier"])


def known_transfer():
    """An earlier message, for which the receiver was ready, shows how long a transfer takes."""
    advice = advice_of("mpi.wait-for-transfer", [(50, 51, "MPI_Send", 9, "comm=0x1 peer=1 tag=1 sent=8192"),
                                                 (90, 95, "MPI_Send", 10, "comm=0x1 peer=1 tag=0 sent=8192")],
                       [(30, 60, "MPI_Recv", 19, "comm=0x1 peer=0 tag=1 received=8192"), *receiver(102, 402)])
    check(advice, ["(main.c:20); to hide the transfer, which takes about 10.0 us, leave at least 11.0 us between them. Do more"], [])


def late_sender():
    advice = advice_of("mpi.wait-irecv-isend", [(400, 410, "MPI_Send", 10, "comm=0x1 peer=1 tag=0 sent=8192")], receiver(102, 420))
    check(advice, ["or let the sender send earlier"], ["would not help"])


def of_the_page(name):
    """Of the module that makes traces for pages."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "page", "traces.py")
    spec = importlib.util.spec_from_file_location("page_traces", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def in_time():
    """All ranks are in MPI_Waitall equally long, but only rank 7 is late: it sends to rank 8 and receives from rank 6. No other rank is
    named, as the timeline shows no other wait."""
    blamed = {}
    for finding in report_of(TARRY, of_the_page("teams")().splitlines(), "--all")["findings"]:
        blamed.setdefault(finding["pattern"], set()).update(finding["processes"])
    assert blamed["mpi.wait-irecv-isend"] == {8} and blamed["mpi.wait-isend"] == {6}, blamed
    assert blamed["mpi.wait-for-transfer"] == set(range(12)) - {6, 8}, blamed


for case in (moved_only_inside, too_early, known_transfer, late_sender, in_time):
    case()
print("what is advised is true")
