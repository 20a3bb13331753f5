"""The traces and results that pages are made of: small, hostile, empty, broken and large ones."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Whoever wrote a program chose these names, and whoever reads its page must not pay for it.
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def ring(ranks=4, rounds=12, name="halo", program="/home/user/halo"):
    """Rank 1 computes twice as long as the others before it sends: all others wait for it, one after the other."""
    lines = ["tarry trace 1"]
    for rank in range(ranks):
        lines += [f"process world=1 rank={rank} size={ranks} run=1", f"property program {quoted(program)}",
                  "clock monotonic 1000000000 tick=0 ns=1700000000000000000",
                  f"source 1 {quoted(name + '.c')} {quoted('exchange')}",
                  f"comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0 members=1:0-{ranks - 1} {quoted(name + ' ring')}",
                  "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        time = 1000000
        for _ in range(rounds):
            work = 40000000 if rank == 1 else 20000000
            sent, posted, ended = time + work, time + work + 100000, time + 40000000 + 200000
            lines += [f"{sent} {sent + 50000} MPI_Send site=1+0x14 comm=0x1 peer={(rank + 1) % ranks} tag=7 sent=1024",
                      f"{posted} {ended} MPI_Recv site=1+0x15 comm=0x1 peer={(rank - 1) % ranks} tag=7 received=1024"]
            time += 41000000
            lines += [f"{time - 500000} {time} MPI_Barrier site=1+0x1e comm=0x1"]
        lines += [f"{time + 100000} {time + 200000} MPI_Finalize site=1+0x28"]
    return "\n".join(lines) + "\n"


TEAMS = 12


def teams(rounds=8):
    """Two teams of six ranks on three nodes, each with a communicator of the same name. Rank 7 computes four times as long as all others."""
    half = TEAMS // 2
    lines = ["tarry trace 1"]
    for rank in range(TEAMS):
        team, own = 2 + rank // half, rank % half
        first = rank // half * half
        lines += [f"process world=1 rank={rank} size={TEAMS} run=1", f'property host "node{rank // 4}"', 'property program "/home/user/teams"',
                  "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "teams.c" "shift"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size={TEAMS} remote=0 members=1:0-{TEAMS - 1} "MPI_COMM_WORLD"',
                  f'comm {team:#x} parent=0x1 kind=intra rank={own} size={half} remote=0 members=1:{first}-{first + half - 1} "team"',
                  "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        time = 1000000
        for _ in range(rounds):
            at, end = time + (32000000 if rank == 7 else 8000000), time + 33000000
            lines += [f"{at} {at + 1000} MPI_Irecv site=1+0x14 comm={team:#x} peer={(own - 1) % half} tag=5 request=0 room=4096",
                      f"{at + 2000} {at + 4000} MPI_Isend site=1+0x15 comm={team:#x} peer={(own + 1) % half} tag=5 sent=2048 request=1",
                      f"{at + 5000} {end} MPI_Waitall site=1+0x16 done=0 source={(own - 1) % half} source_tag=5 received=2048 done=1",
                      f"{end + 1000000} {end + 3000000} MPI_Allreduce site=1+0x17 comm=0x1 sent=8 received=8"]
            time = end + 4000000
        # Rank 8, which waits for rank 7, is the last to end: the critical path is that of rank 7 and its own end.
        time += 10000 if rank == 8 else 0
        lines += [f"{time} {time + 1000} MPI_Finalize site=1+0x28"]
    return "\n".join(lines) + "\n"


def make(tarry, generate, folder):
    """Pages by the name of their case: the path of each."""
    def assembled(name, text):
        path = os.path.join(folder, name + ".txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        trace = os.path.join(folder, name + ".tarry")
        subprocess.run([tarry, "assemble", "-o", trace, path], check=True, stdout=subprocess.DEVNULL)
        return trace

    with open(os.path.join(folder, "halo.c"), "w", encoding="utf-8") as file:
        file.write("/* A ring. */\n" + "\n" * 18 + "\tMPI_Send(out, 128, MPI_DOUBLE, next, 7, ring);\n" +
                   "\tMPI_Recv(in, 128, MPI_DOUBLE, previous, 7, ring, MPI_STATUS_IGNORE); /* \"text\" < 3 */\n" + "\n" * 30)
    traces = {"small": assembled("small", ring()), "teams": assembled("teams", teams()), "hostile": assembled("hostile", ring(name=HOSTILE, program=HOSTILE)),
              "empty": assembled("empty", "tarry trace 1\nprocess world=1 rank=0 size=1 run=1\n")}
    broken = os.path.join(folder, "broken.tarry")
    with open(traces["small"], "rb") as file:
        whole = file.read()
    with open(broken, "wb") as file:
        file.write(whole[:len(whole) * 2 // 3] + b"\xff" * 64)
    traces["broken"] = broken
    traces["large"] = os.path.join(folder, "large.tarry")
    subprocess.run([generate, "mixed", traces["large"], "--ranks", "64", "--calls", "10000000"], check=True, stdout=subprocess.DEVNULL)
    traces["many"] = os.path.join(folder, "many.tarry")
    subprocess.run([generate, "ring", traces["many"], "--ranks", "2400", "--iterations", "4"], check=True, stdout=subprocess.DEVNULL)
    pages = {}
    for name, trace in traces.items():
        pages[name] = os.path.join(folder, name + ".html")
        # Of a damaged trace, what is whole is shown, and the exit code says that something is missing.
        subprocess.run([tarry, "report", "--html", pages[name], trace], check=name != "broken", stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=folder)
    pages["diff"] = os.path.join(folder, "diff.html")
    subprocess.run([tarry, "diff", "--html", pages["diff"], traces["small"], traces["hostile"]], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    pages["check"] = os.path.join(folder, "check.html")
    pages["checked"] = os.path.join(folder, "checked.html")
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "check_page.py"), os.path.dirname(tarry), pages["check"], traces["small"], pages["checked"]], check=True)
    pages["russian"] = os.path.join(folder, "russian.html")
    pages["russian diff"] = os.path.join(folder, "russian-diff.html")
    subprocess.run([tarry, "diff", "--lang", "ru", "--html", pages["russian diff"], traces["small"], traces["hostile"]], check=True, stdout=subprocess.DEVNULL, cwd=folder,
                   env={**os.environ, "LC_ALL": "C.UTF-8"})
    return pages


def make_benchmarks(bench_page, folder):
    """The same of invented results of benchmarks: "bench_full", …"""
    pages = {}
    for case in ("full", "exact", "one", "hostile", "strange", "empty", "memory", "extreme", "compared"):
        path = pages["bench_" + case] = os.path.join(folder, f"bench_{case}.html")
        with open(path, "wb") as file:
            subprocess.run([bench_page, case], check=True, stdout=file)
    return pages
