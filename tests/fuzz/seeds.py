"""Valid inputs for the targets, made from the golden texts of tests/trace and tests/rules."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "trace", "golden")
RULES = os.path.join(HERE, "..", "rules")
ANALYSER = os.path.join(HERE, "..", "check", "analyser")
sys.path += [os.path.join(HERE, "..", "exchange"), os.path.join(HERE, "..", "trace"), os.path.join(HERE, "..", "findings"), ANALYSER]

import waits  # noqa: E402
from golden import OLD  # noqa: E402
from messages import message_job  # noqa: E402
from protocol import COLLECTIVE, CONTENT, EVENTS, MATCHED_PROBE, NONBLOCKING, RECEIVE, SEND, WILDCARD, Names, Tape, frame, number, signed, word  # noqa: E402
from recover import chunks, in_call  # noqa: E402
from scenarios import SCENARIOS, in_world  # noqa: E402


def golden_texts():
    return sorted(os.path.join(GOLDEN, name) for name in os.listdir(GOLDEN) if name.endswith(".txt"))


def assemble(tarry, text, chunk, trace):
    subprocess.run([tarry, "assemble", "--chunk", chunk, "-o", trace, text], check=True)
    return trace


def in_chunks(*sizes):
    def traces(tarry, folder):
        return [assemble(tarry, text, size, os.path.join(folder, os.path.basename(text) + "." + size + ".tarry"))
                for text in golden_texts() for size in sizes]
    return traces


def traces(tarry, folder):
    """The golden texts, and a trace of version 1."""
    old = os.path.join(folder, "old.tarry")
    with open(old, "wb") as file:
        file.write(OLD)
    return [*in_chunks("300")(tarry, folder), old]


def texts(_tarry, _folder):
    return golden_texts()


def messages(tarry, folder):
    """Matched messages, in addition to the golden texts."""
    text = os.path.join(folder, "messages.txt")
    with open(text, "w") as file:
        file.write("\n".join(message_job(size=2, steps=1)) + "\n")
    return [assemble(tarry, text, "64K", text + ".tarry"), *in_chunks("64K")(tarry, folder)]


def parts(tarry, folder):
    """The golden texts, and threads that ended in a call: known by its number, or described behind the payload."""
    text = os.path.join(folder, "in-call.txt")
    with open(text, "w", encoding="utf-8") as file:
        file.write("process world=1 rank=0 size=1 run=1\nthread 0\n1 2 MPI_Init\n3 4 MPI_Send peer=1 tag=2 sent=8\n")
    with open(assemble(tarry, text, "64K", text + ".tarry"), "rb") as file:
        whole = list(chunks(file.read()))
    paths = in_chunks("300")(tarry, folder)
    for name, code, behind in (("number", 2, b""), ("described", 0xFFFFFFFF, b"\xc3\x06\x01\x00\x02\x06\x05\x10")):
        paths.append(os.path.join(folder, "in-call-" + name))
        with open(paths[-1], "wb") as file:
            file.write(b"".join(whole[:-1]) + in_call(whole[-1], code, 5, behind, room=16))
    return paths


def rule_files(_tarry, _folder):
    return [os.path.join(RULES, name) for name in ("constructs.rules", "groups.rules", "prototypes.rules", "tests_wrong.rules",
                                             "translations.rules", "variants.rules")]


def results(_tarry, folder):
    """Small ones, because every byte is damaged: one point each."""
    with open(os.path.join(HERE, "..", "bench", "data", "before.json"), encoding="utf-8") as file:
        whole = json.load(file)
    paths = []
    whole["memory"] = [{"step": "MPI_Init", "ranks": ranks, "private_bytes": 1e6, "shared_bytes": 5, "file_bytes": 0, "heap_bytes": 9,
                        "most_bytes": 1e6} for ranks in (2, 4)]
    for number, point in enumerate(whole["points"][3:6]):
        paths.append(os.path.join(folder, f"results-{number}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump({**whole, "points": [point]}, file)
    return paths


def lists(_tarry, folder):
    paths = []
    for number, text in enumerate(("1,1K,64K", "8-1M:4,3", "2-64:+8", "0-4", "all", "16383P-16384P")):
        paths.append(os.path.join(folder, f"list-{number}"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return paths


MACHINES = ("""SwitchName=top Switches=s[0-1] LinkSpeed=1
SwitchName=s0 Nodes=n[0-2],x
SwitchName=s1 \\
 Nodes=r[1-2]m[01-02] # two racks
NodeName=n[0-2] Sockets=2 CoresPerSocket=4 CachesPerSocket=2
NodeName=x CPUs=8 ThreadsPerCore=2 Boards=1 State="UN KNOWN"
""", """LevelName=node Latency=500ns Bandwidth=8GiB
LevelName=network Latency=2e-6 Bandwidth=1e9
Link=a,b Latency=1us
Link=a,c Latency=3us
Link=b,c Latency=3us Bandwidth=5
NodeName=DEFAULT CPUs=3
""", "switch:2 switch:3 node:4 socket:2 cache:2 core:8")


def machines(_tarry, folder):
    paths = []
    for number, text in enumerate(MACHINES):
        paths.append(os.path.join(folder, f"machine-{number}"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    return paths


# enum event_change in messages.h
RECEIVES, POSITION, REJECTED, _, TAKES, WAITS, COMPLETES, DROPS, THREAD, WINDOW, ENDS = range(1, 12)
PROBE, MATCHED_PROBE, WAIT, ANY = 4, 5, 6, 512


def change(process, what, *numbers):
    process.sendall(frame(EVENTS, number(0) + number(what) + b"".join(numbers)))


def begins(process, function, operation, **more):
    comm = next(iter(process.comms))
    process.begin(process.call_number(process.home, function, operation, comm, **more))


def waits_for(process, function, distances, flags=0):
    call = process.call_number(process.home, function, WAIT, next(iter(process.comms)), flags=flags)
    change(process, WAITS, number(call), number(len(distances)), *map(number, distances))


def a_ring_of_receives(processes):
    for process in processes:
        peer = (process.rank + 1) % len(processes)
        begins(process, "Recv", RECEIVE, peer=peer, tag=3, receive=("INT", 1))


def requests_and_wildcards(processes):
    first, *others = processes
    for other in others:
        begins(other, "Isend", SEND, peer=0, tag=5, flags=NONBLOCKING, send=("INT", 1))
        waits_for(other, "Waitall", [1])
    for _ in others:
        begins(first, "Irecv", RECEIVE, peer=-1, tag=5, flags=NONBLOCKING | WILDCARD, receive=("INT", 1))
    waits_for(first, "Waitany", [1, 2], ANY)
    change(first, TAKES, number(1), signed(1), signed(5))
    change(first, COMPLETES, number(1), number(1))
    begins(first, "Probe", PROBE, peer=2, tag=5)
    change(first, TAKES, number(3), signed(2), signed(5))
    change(first, DROPS, number(4), number(1))
    begins(first, "Mprobe", MATCHED_PROBE, peer=2, tag=5)
    change(first, RECEIVES, number(first.call_number(first.home, "Mrecv", RECEIVE, next(iter(first.comms)), peer=2, tag=5, receive=("INT", 1))),
           number(1))
    begins(first, "Recv", RECEIVE, peer=3, tag=5, receive=("INT", 1))


def threads_and_collectives(processes):
    for process in processes:
        begins(process, "Barrier", COLLECTIVE)
        change(process, THREAD, number(1))
        begins(process, "Ibarrier", COLLECTIVE, flags=NONBLOCKING)
        waits_for(process, "Wait", [1])
        change(process, THREAD, number(0))
        begins(process, "Send", SEND, peer=(process.rank + 1) % len(processes), send=("INT", 1))
        begins(process, "Recv", RECEIVE, peer=(process.rank + 3) % len(processes), receive=("INT", 1))
        change(process, REJECTED, number(process.call_number(process.home, "Barrier", COLLECTIVE, next(iter(process.comms)))))
        change(process, ENDS, word(next(iter(process.comms))))
        change(process, POSITION, number(40))


COURSES = [(function, None, 4) for function in (a_ring_of_receives, requests_and_wildcards, threads_and_collectives)]


def checked(tarry, folder):
    """What processes of all planted mismatches, and of some executions, tell an analyser: each frame behind the rank that tells it."""
    names = Names(os.path.join(HERE, "..", ".."), os.path.dirname(os.path.dirname(tarry)))
    paths = []
    for function, _, size in SCENARIOS + COURSES:
        frames = []
        function([in_world(Tape(names, rank, size, 1, frames)) for rank in range(size)])
        paths.append(os.path.join(folder, function.__name__))
        with open(paths[-1], "wb") as file:
            file.write(b"".join(bytes([rank]) + frame for rank, frame in frames))
    return paths


# enum message_kind, enum part_fact_kind
FACTS, REACHED, GATHER, ALL_WAITS, USES = 22, 23, 24, 25, 28
SENT, MATCHED, DEFINED, SENT_DATA = 1, 2, 3, 4
COMPARED, AWAITS, CHANGED, CHANNEL = 12, 17, 18, 19  # enum event_change
TO_PART, TO_HUB = 64, 128  # of target_facts.c


def numbers(*values):
    return b"".join(number(value) for value in values)


def facts(*rows):
    return frame(FACTS, word(1) + b"".join(numbers(*row) for row in rows))


def divided(tarry, folder):
    """Four processes in two parts: what they tell, then what parts and the hub tell each other, some of it wrong."""
    names = Names(os.path.join(HERE, "..", ".."), os.path.dirname(os.path.dirname(tarry)))

    def messages(processes):
        for process in processes:
            begins(process, "Isend", SEND, peer=(process.rank + 1) % 4, tag=5, flags=NONBLOCKING, send=("INT", 1))
            begins(process, "Recv", RECEIVE, peer=(process.rank + 3) % 4, tag=5, receive=("INT", 1))
            waits_for(process, "Wait", [2])

    def open_messages(processes):
        for process in processes[:2]:
            begins(process, "Isend", SEND, peer=1 - process.rank, tag=process.rank, flags=NONBLOCKING, send=("INT", 1))
        begins(processes[2], "Recv", RECEIVE, peer=3, tag=5, receive=("INT", 1))
        begins(processes[3], "Barrier", COLLECTIVE)

    def collective(processes):
        for process in processes[:3]:
            begins(process, "Allreduce", COLLECTIVE, send=("INT", 3), operator=1)

    def contents(processes):
        """Data is compared; the last events are those of another analyser, which no agent may tell."""
        for process in processes:
            comm, right = next(iter(process.comms)), (process.rank + 1) % 4
            calls = [process.call_number(process.home, *how, flags=CONTENT + extra, **more) for how, extra, more in (
                (("Isend", SEND, comm), NONBLOCKING, {"peer": right, "tag": 5, "send": ("INT", 1)}),
                (("Recv", RECEIVE, comm), 0, {"peer": (process.rank + 3) % 4, "tag": 5, "receive": ("INT", 1)}),
                (("Bcast", COLLECTIVE, comm), 0, {"root": 0, "send": ("INT", 1)}))]
            process.sendall(frame(EVENTS, numbers(calls[0], 7 + process.rank, calls[1], 0, COMPARED, calls[1], 1, 4, 7)))
            process.sendall(frame(EVENTS, numbers(calls[2], 0, COMPARED, calls[2], 1, 4, 7)))
            process.operations += 3
            waits_for(process, "Wait", [3])
            process.sendall(frame(EVENTS, numbers(0, CHANNEL, comm, right, 5, 3, 3, 0, AWAITS, calls[1], 2, right, 1, 1, 9, 3, 0, CHANGED, calls[1], right, 1, 2, 4, 9, 1)))

    def probed_and_cancelled(processes):
        """A matched probe, whose message is received later, and a cancelled receive; then both as another analyser tells them."""
        for process in processes:
            comm, left = next(iter(process.comms)), (process.rank + 3) % 4
            probe, mrecv, irecv = (process.call_number(process.home, function, operation, comm, peer=left, tag=tag, **more) for function, operation, tag, more in (
                ("Mprobe", MATCHED_PROBE, 5, {}), ("Mrecv", RECEIVE, 5, {"receive": ("INT", 1)}), ("Irecv", RECEIVE, 6, {"receive": ("INT", 1), "flags": NONBLOCKING})))
            begins(process, "Isend", SEND, peer=(process.rank + 1) % 4, tag=5, flags=NONBLOCKING, send=("INT", 1))
            process.sendall(frame(EVENTS, numbers(probe, irecv, 0, DROPS, 1, 1, 0, RECEIVES, mrecv, 2)))
            process.operations += 2
            process.sendall(frame(EVENTS, numbers(probe, 0, AWAITS, 0, 1, left, 1, 1, 0, 5)))
            process.operations += 1

    reached = word(1) + numbers(0, 4, 2) + word(7) + word(8) + numbers(0) + word(0)
    waits = numbers(1, 5, 1) + word(1) + numbers(1, 2, 7, 1, 2, 3, 1, 5) + word(1) + numbers(2, 1) + numbers(3, 2, 9, 0, 1, 4) + word(1) + numbers(0, 0) + word(1) + numbers(0, 0, 1)
    more = ((TO_PART, facts((0, SENT, 1, 1, 0))), (TO_PART + 1, facts((1, MATCHED, 0), (3, MATCHED, 1))), (TO_HUB, facts((1, SENT, 0, 1, 7), (9, MATCHED, 0))),
            (TO_PART, facts((0, DEFINED, 1, 4, 4, 0), (2, SENT, 3, 1, 0))), (TO_HUB + 1, frame(REACHED, reached)), (TO_PART + 1, frame(REACHED, word(1) + number(0))),
            (TO_PART, frame(FACTS, word(1) + numbers(0, SENT_DATA, 3, 1, 2) + word(9))), (TO_HUB, frame(USES, number(3))), (TO_PART, frame(ALL_WAITS, numbers(1, 1))), (TO_HUB, frame(ALL_WAITS, number(0))),
            (TO_HUB, frame(ALL_WAITS, waits)), (TO_HUB + 1, frame(GATHER, number(0))), (TO_PART, frame(GATHER, number(3))), (TO_HUB, frame(GATHER, number(1))))
    paths = []
    for function in (messages, open_messages, collective, contents, probed_and_cancelled, threads_and_collectives, requests_and_wildcards):
        frames = []
        function([in_world(Tape(names, rank, 4, 1, frames)) for rank in range(4)])
        paths.append(os.path.join(folder, "divided-" + function.__name__))
        with open(paths[-1], "wb") as file:
            file.write(b"".join(bytes([who]) + content for who, content in (*frames, *(more if function in (open_messages, collective) else ()))))
    return paths


LOGS = ("""finding message.truncated 3
value sent 40
value room 20
call 1 MPI_Recv - count = 5, datatype = MPI_INT
at /nowhere/app.c:9
in /nowhere/app 4f0
call 0 MPI_Send sent count = 10
at /nowhere/app.c:8
member 0 2 4
end
""", """member 0 4 1
finding argument.rank-outside
value parameter dest
value value 9
value size 4
value comm made by MPI_Comm_split
call 3 MPI_Send - dest = 9
at /nowhere/app.c:2
finding leak.info
value count 2
call -1 MPI_Info_create created
""")


def logs(tarry, folder):
    paths = []
    pictures = (waits.knot(), waits.ring(10) + waits.members(2), waits.hang(4), waits.finished() + waits.crowd())
    for number, text in enumerate(LOGS + pictures):
        paths.append(os.path.join(folder, f"log-{number}"))
        with open(paths[-1], "wb") as file:
            subprocess.run([os.path.join(os.path.dirname(tarry), "write-log")], input=text.encode(), stdout=file, check=True)
    return paths


HOST = "Host: 127.0.0.1\r\n"
# The requests of a browser, and those of an attacker.
REQUESTS = (f"GET /TOKEN/ HTTP/1.1\r\n{HOST}\r\n", f"GET /TOKEN/window?from=0.1&to=0.5e-3 HTTP/1.1\r\n{HOST}\r\n",
            f"GET /TOKEN/window?from=0&to=1e-12 HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n",
            f"GET /TOKEN/window?from=-1e9&to=1e9 HTTP/1.1\r\n{HOST}\r\nGET /TOKEN/ HTTP/1.1\r\n{HOST}\r\n",
            f"GET /TOKEN/../../etc/passwd%00HUGE HTTP/1.1\r\n{HOST}\r\n", f"HEAD /%54OKEN/HUGE HTTP/1.0\r\nX-Long: HUGE\r\n{HOST}\r\n",
            f"POST /TOKEN/ HTTP/1.1\r\n{HOST}Content-Length: 12\r\n\r\nfrom=0&to=1HUGE",
            f"PUT /TOKEN/window HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
            f"GET http://127.0.0.1/TOKEN/window?to=nan&from=inf&to=2&HUGE HTTP/1.1\r\n{HOST}\r\n")


def requests(_tarry, folder):
    paths = []
    for number, text in enumerate(REQUESTS):
        paths.append(os.path.join(folder, f"request-{number}"))
        with open(paths[-1], "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return paths


SEEDS = {"check": checked, "facts": divided, "findings": logs, "lists": lists, "machine": machines, "trace": traces, "export": messages, "parts": parts, "text": texts,
         "rules": rule_files, "results": results, "view": requests}


def seeds_of(target, tarry, folder):
    """Paths of inputs without the byte in front that says how they are handed over."""
    return SEEDS[target](tarry, folder)
