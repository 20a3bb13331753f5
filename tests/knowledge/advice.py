"""Advice of shipped rules matches the waiting call: it never suggests to start an operation that is already started, or a form that does not exist.

    advice.py TARRY

Each case is a call of two processes, the second one late, and words that the advice of the first finding must contain; or the calls of each of two
processes, and the end or a part of the advice, in English and Russian."""

import json
import os
import subprocess
import sys
import tempfile

HEAD = """process rank=%d
clock monotonic 1000000000 tick=0 ns=1000000
comm 0xc rank=%d size=2 members=1:0-1 "MPI_COMM_WORLD"
comm 0xd parent=0xc kind=cart rank=%d size=2 members=1:0-1 ""
object file 0xf comm=0xc size=0 unit=0 "data"
source 1 "main.c" "main"
0 10 MPI_Init
100 200 MPI_Cart_create comm=0xc newcomm=0xd member=%d
"""

BLOCKING = "%d 90000000 %s\n"
NON_BLOCKING = "%d %d %s request=0\n%d 90000000 MPI_Wait done=0\n"

CASES = [
    ("mpi.neighbour-wait", BLOCKING, "MPI_Neighbor_allgather comm=0xd sent=8 received=8", "Start the non-blocking form"),
    ("mpi.neighbour-wait", NON_BLOCKING, "MPI_Ineighbor_allgather comm=0xd sent=8 received=8", "complete it later"),
    ("mpi.io-collective-wait", BLOCKING, "MPI_File_write_all file=0xf sent=8", "start the non-blocking form"),
    ("mpi.io-collective-wait", NON_BLOCKING, "MPI_File_iwrite_all file=0xf sent=8", "complete it later"),
    ("mpi.io-collective-wait", BLOCKING, "MPI_File_set_size file=0xf", "Call it rarely"),
    ("mpi.nxn-wait", BLOCKING, "MPI_Allreduce comm=0xc sent=8 received=8", "start the non-blocking form"),
    ("mpi.nxn-wait", NON_BLOCKING, "MPI_Iallreduce comm=0xc sent=8 received=8", "complete it later"),
    ("mpi.barrier-wait", NON_BLOCKING, "MPI_Ibarrier comm=0xc", "independent work before"),
]

# The eager limit is unknown here: it is not mentioned. Nouns agree with their numbers.
TEXTS = [
    ("mpi.early-standard-send", ["1000 90000000 MPI_Send comm=0xc peer=1 tag=0 sent=100000",
                                 "80000000 90000000 MPI_Recv comm=0xc peer=0 tag=0 received=100000"],
     "complete it later. The delay comes", "завершайте посылку позже. Задержка"),
    ("mpi.neighbour-wait", ["1000 90000000 MPI_Neighbor_allgather comm=0xd sent=8 received=8",
                            "80000000 90000000 MPI_Neighbor_allgather comm=0xd sent=8 received=8"],
     "for rank 1, its only neighbour.", "процесс 1, своего единственного соседа."),
    ("mpi.collective-completion", ["1000 1900 MPI_Allreduce comm=0xc sent=8 received=8", "1000 90000000 MPI_Allreduce comm=0xc sent=8 received=8"],
     "(1 call, 90.0 ms in all)", "(вызовов: 1, всего 90,0 мс)"),
    ("mpi.test-polling", ["1000 1100 MPI_Irecv comm=0xc peer=1 tag=0 room=8 request=0\n"
                          "2000 80000000 MPI_Test flag=0 polls=1200002 busy=79000000\n80000500 80001000 MPI_Test flag=1 done=0 received=8",
                          "80000000 80000100 MPI_Send comm=0xc peer=0 tag=0 sent=8"],
     "called MPI_Test 1 200 002 times in a row", "вызвал MPI_Test 1 200 002 раза подряд"),
    # For a persistent request the line is that of its start.
    ("mpi.wait-irecv-isend", ["1000 1100 MPI_Recv_init site=1+4 comm=0xc peer=1 tag=0 room=8 request=0\n1200 1300 MPI_Start site=1+5 request=0\n"
                              "2000 80001000 MPI_Wait site=1+6 done=0 received=8",
                              "1000 1100 MPI_Send_init site=1+7 comm=0xc peer=0 tag=0 sent=8 request=0\n"
                              "80000000 80000100 MPI_Start site=1+8 request=0\n80000200 80000300 MPI_Wait site=1+9 done=0"],
     "sent by MPI_Send_init (MPI_Start at main.c:8)", "посылка: MPI_Send_init (MPI_Start, main.c:8)"),
    # A receiver without a CPU when the message arrives shows nothing about the network.
    ("mpi.wait-irecv-isend", ["1000 1100 MPI_Irecv comm=0xc peer=1 tag=0 room=8 request=0\n"
                              "2000 90000000 MPI_Wait done=0 received=8 delay_before=0 delay_inside=9999",
                              "80000000 80001000 MPI_Send comm=0xc peer=0 tag=0 sent=8"],
     "Sent 80.0 ms late. To hide this", "Послано с опозданием 80,0 мс. Чтобы это скрыть"),
    # If the time of a transfer is unknown, the advice does not say how to hide it.
    ("mpi.wait-for-transfer", ["1000 1100 MPI_Irecv comm=0xc peer=1 tag=0 room=8 request=0\n"
                               "20000000 90000000 MPI_Wait done=0 received=8 delay_before=0 delay_inside=9999",
                               "10000000 90000000 MPI_Send comm=0xc peer=0 tag=0 sent=8"],
     "which was in time. MPI_Wait (MPI_Wait) began 20.0 ms after MPI_Irecv (MPI_Irecv). Do more",
     "который пришёл вовремя. MPI_Wait (MPI_Wait) начался через 20,0 мс после MPI_Irecv (MPI_Irecv). Выполняйте"),
]

# A rank with more work is responsible itself, and has no partner. Ranks with negligible waits are not named.
UNEVEN = ["\n".join(f"{i * 10000000 + (start if i < 19 else last)} {(i + 1) * 10000000} MPI_Allreduce comm=0xc sent=8 received=8"
                    for i in range(1, 20))
          for start, last in ((1000000, 9999500), (9997000, 9997000))]

# The same if the two wait at one line, each for a send at its own line.
IN_TURN = ["1000 80000000 MPI_Recv site=1+4 comm=0xc peer=1 tag=0 received=8\n80030000 80031000 MPI_Send site=1+6 comm=0xc peer=1 tag=0 sent=8",
           "80000000 80000100 MPI_Send site=1+5 comm=0xc peer=0 tag=0 sent=8\n80001000 80031000 MPI_Recv site=1+4 comm=0xc peer=0 tag=0 received=8"]

# A thread that is late because of a long call has no more work than others, and the advice does not say so.
UPC_HEAD = """process world=1 rank=%d size=2
clock monotonic 1000000000 tick=0 ns=1000000
comm 0x9 kind=upc rank=%d size=2 "UPC"
0 10 upc_start comm=0x9
"""
UPC = ["1000 2000 upc_barrier comm=0x9\n2100 90000000 upc_barrier comm=0x9",
       "1000 2000 upc_barrier comm=0x9\n2100 80000000 upc_memput comm=0x9 peer=0 sent=8\n80000100 90000000 upc_barrier comm=0x9"]
UPC_IN_TURN = ["1000 90000000 upc_barrier comm=0x9\n90030000 90031000 upc_barrier comm=0x9",
               "80000000 90000000 upc_barrier comm=0x9\n90000100 90031000 upc_barrier comm=0x9"]


def trace_of(calls):
    text = "tarry trace 1\n"
    for rank, own in enumerate(calls):
        text += (UPC_HEAD % (rank, rank) if "upc_" in own else HEAD % (rank, rank, rank, 1 - rank)) + own + "\n"
    return text


def calls_of(form, call):
    for start in (1000000, 80000000):
        yield form % ((start, call) if form is BLOCKING else (start, start + 100, call, start + 200))


def analyze(tarry, calls, *options):
    with tempfile.TemporaryDirectory() as folder:
        source, trace = os.path.join(folder, "t.txt"), os.path.join(folder, "t.tarry")
        with open(source, "w", encoding="utf-8") as file:
            file.write(trace_of(calls))
        subprocess.run([tarry, "assemble", "-o", trace, source], check=True)
        return subprocess.run([tarry, "analyze", "--all", *options, trace], check=True, capture_output=True, text=True).stdout


def check(tarry, pattern, calls, words, *options):
    calls = list(calls)
    found = [finding for finding in json.loads(analyze(tarry, calls, "--json", "-", *options))["findings"] if finding["pattern"] == pattern]
    if len(found) != 1 or words not in found[0]["advice"]:
        sys.exit(f"{calls[0]}: expected {pattern} with advice that has '{words}', found {[finding['advice'] for finding in found]}")
    return found[0]


def main():
    tarry = sys.argv[1]
    for pattern, form, call, words in CASES:
        check(tarry, pattern, calls_of(form, call), words)
    for pattern, calls, english, russian in TEXTS:
        check(tarry, pattern, calls, english)
        check(tarry, pattern, calls, russian, "--lang", "ru")
    late = check(tarry, "upc.barrier-wait", UPC, "The delay comes from upc_memput on thread 1")["advice"]
    if "alance the work" in late or "longer than the others" in late:
        sys.exit(f"expected advice that does not contradict itself, found {late}")
    uneven = check(tarry, "mpi.imbalance", UNEVEN, "Rank 1 computed 200 ms before MPI_Allreduce")
    if uneven["processes"] != [1] or uneven["partner"]:
        sys.exit(f"expected Load Imbalance of rank 1 without a partner, found {uneven}")
    waits = check(tarry, "mpi.nxn-wait", UNEVEN, "Balance the work of finding 1")
    if waits["processes"] != [0, 1] or waits["concerned"] != [0] or waits["partner"]["ranks"] != [1]:
        sys.exit(f"expected that rank 0 waits for rank 1, which hardly waits, found {waits}")
    for calls, lang, others in ((UNEVEN, "en", ", rank 0 (1 other rank: "), (UNEVEN, "ru", ", ранг 0 (1 другой ранг: "),
                                (UPC_IN_TURN, "en", ", thread 0 (1 other thread: "), (UPC_IN_TURN, "ru", ", поток 0 (1 другой поток: ")):
        text = analyze(tarry, calls, "--lang", lang)
        if others not in text:
            sys.exit(f"expected '{others}', found {text}")
    turns = check(tarry, "mpi.late-standard-send", IN_TURN, "")
    if turns["partner"]["ranks"] != [1] or [(other["line"], other["ranks"]) for other in turns["partners"]] != [(5, [1]), (6, [0])]:
        sys.exit(f"expected that rank 1 is waited for, and rank 0 hardly, found {turns}")


main()
