"""The traces and results for pages: small, hostile, empty, broken and large ones."""

import os
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# The author of a program chose these names; they must not harm a reader of its page.
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def ring(ranks=4, rounds=12, name="halo", program="/home/user/halo", late=1):
    """Rank 1, or the one that is `late`, computes twice as long as the others before it sends: all others wait for it, one after the other."""
    lines = ["tarry trace 1"]
    for rank in range(ranks):
        lines += [f"process world=1 rank={rank} size={ranks} run=1", f"property program {quoted(program)}",
                  "clock monotonic 1000000000 tick=0 ns=1700000000000000000",
                  f"source 1 {quoted(name + '.c')} {quoted('exchange')}",
                  f"comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0 members=1:0-{ranks - 1} {quoted(name + ' ring')}",
                  "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        time = 1000000
        for _ in range(rounds):
            work = 40000000 if rank == late else 20000000
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


def states():
    """Four ranks for 100 ms, each with another state: rank 0 has regions and phases, rank 1 is without a CPU between and inside calls, rank 2 pauses recording
    from 40 to 60 ms, and rank 3 is from 70 ms on in a receive that never returns."""
    lines = ["tarry trace 1"]
    for rank in range(4):
        lines += [f"process world=1 rank={rank} size=4 run=1", f'property host "node{rank % 2}"', "clock monotonic 1000000000 tick=0 ns=1700000000000000000",
                  'source 1 "states.c" "step"', f'comm 0x1 parent=0x0 kind=intra rank={rank} size=4 remote=0 members=1:0-3 "MPI_COMM_WORLD"', "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        for step in range(9 if rank != 3 else 7):
            time = 1000000 + step * 10000000
            if rank == 2 and step in (4, 5):
                lines += [f"pause {time + 9000000 - 10000000 + 1000000}"] if step == 4 else [f"resume {time + 8000000}"]
                continue
            if rank == 0:
                lines += [f"{time + 100000} {time + 100100} tarry_region_begin region=\"{'solve' if step % 2 else 'exchange halo'}\""]
                lines += [f"{time + 5000000} {time + 5000100} tarry_region_begin region=\"inner\""]
            delay = " delay_before=4000 delay_inside=500" if rank == 1 else ""
            lines += [f"{time + 8000000} {time + 9000000} MPI_File_write site=1+0x14 file=0x9 offset={step * 4096}{delay}"]
            if rank == 0:
                lines += [f"{time + 9200000} {time + 9200100} tarry_region_end region=\"inner\"",
                          f"{time + 9300000} {time + 9300100} tarry_region_end region=\"{'solve' if step % 2 else 'exchange halo'}\""]
        lines += ["open 71000000 MPI_Recv site=1+0x15 comm=0x1 peer=0 tag=7 room=8"] if rank == 3 else ["95000000 100000000 MPI_Finalize site=1+0x1e"]
    return "\n".join(lines) + "\n"


def places():
    """Four ranks send in a ring: 0 and 1 share a core of the first node, 2 and 3 are on two sockets of the second one. Rank 1 waits 20 ms for rank 0 in "step", and
    30 ms in "step > halo"."""
    lines = ["tarry trace 1"]
    for rank in range(4):
        lines += [f"process world=1 rank={rank} size=4 run=1", f'property host "node{rank // 2}"', *(['property core "0"', 'property numa "0"'] if rank < 2 else []),
                  f'property socket "{0 if rank < 3 else 8}"', "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "places.c" "step"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size=4 remote=0 members=1:0-3 "MPI_COMM_WORLD"', "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        time = 2000000
        for region, late in (("step", 20000000), ("halo", 30000000)):
            sent = time + 10000 + (late if rank == 0 else 0)
            lines += [f'{time} {time + 100} tarry_region_begin region="{region}"', f"{sent} {sent + 1000} MPI_Send site=1+0x14 comm=0x1 peer={(rank + 1) % 4} tag=7 sent=1024",
                      f"{sent + 2000} {max(sent + 3000, time + 12000 + (late if rank == 1 else 0))} MPI_Recv site=1+0x15 comm=0x1 peer={(rank - 1) % 4} tag=7 received=1024"]
            time += 40000000
        lines += [f'{time} {time + 100} tarry_region_end region="halo"', f'{time + 200} {time + 300} tarry_region_end region="step"', f"{time + 1000} {time + 2000} MPI_Finalize site=1+0x1e"]
    return "\n".join(lines) + "\n"


def nodes(ranks=64):
    """Sixteen ranks on each of four nodes send to the next rank in a function that "step" calls twice, in a loop of "main", which calls MPI_Barrier itself. Call paths are
    recorded."""
    lines = ["tarry trace 1"]
    for rank in range(ranks):
        lines += [f"process world=1 rank={rank} size={ranks} run=1", f'property host "node{rank // 16}"', 'property callpath "8"',
                  "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "nodes.c" "exchange"', 'source 2 "nodes.c" "step"', 'source 3 "main.c" "main"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0 members=1:0-{ranks - 1} "MPI_COMM_WORLD"', "thread 0", "0 1000000 MPI_Init site=3+0xa"]
        time = 1000000
        for _ in range(4):
            for line in (50, 52):
                sent = time + (12000000 if rank == 17 else 10000000)
                lines += [f"{sent} {sent + 10000} MPI_Send site=1+0x14 path=2+{line:#x},3+0x1e comm=0x1 peer={(rank + 1) % ranks} tag=1 sent=1024",
                          f"{sent + 20000} {time + 12100000} MPI_Recv site=1+0x15 path=2+{line:#x},3+0x1e comm=0x1 peer={(rank - 1) % ranks} tag=1 received=1024"]
                time += 13000000
            lines += [f"{time} {time + 500000} MPI_Barrier site=3+0x20 comm=0x1"]
            time += 1000000
        lines += [f"{time} {time + 1000} MPI_Finalize site=3+0x28"]
    return "\n".join(lines) + "\n"


def hybrid(steps=8):
    """Two ranks with two OpenMP threads each: in every region, thread 0 waits 18 ms at the end for thread 1. Then all ranks meet in MPI_Barrier."""
    lines = ["tarry trace 1"]
    for rank in range(2):
        lines += [f"process world=1 rank={rank} size=2 run=1", 'property program "/home/user/hybrid"', "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "hybrid.c" "solve"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size=2 remote=0 members=1:0-1 "MPI_COMM_WORLD"', "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        forks = [2000000 + step * 22000000 for step in range(steps)]
        for fork in forks:
            lines += [f"{fork} {fork} omp_fork site=1+0x14 count=2", f"{fork + 2000000} {fork + 20000000} omp_barrier site=1+0x14 tag=2 count=2 thread=0",
                      f"{fork + 20000000} {fork + 20000000} omp_join site=1+0x14 count=2", f"{fork + 20500000} {fork + 20600000} MPI_Barrier site=1+0x1e comm=0x1"]
        end = forks[-1] + 22000000
        lines += [f"{end} {end + 1000000} MPI_Finalize site=1+0x28", "thread 1"]
        lines += [f"{fork + 19990000} {later} omp_barrier site=1+0x14 tag=2 count=2 thread=1" for fork, later in zip(forks, forks[1:] + [end])]
    return "\n".join(lines) + "\n"


def unreliable():
    """Four processes that an MPI library started one by one, because the launcher belongs to another library: no figure of the run means anything."""
    lines = ["tarry trace 1"]
    for world in range(1, 5):
        lines += [f"process world={world} rank=0 size=1 run=1", 'property program "/home/user/alone"', 'property env "PMI_SIZE=4"', "clock monotonic 1000000000 tick=0 ns=1700000000000000000",
                  f'comm 0x1 parent=0x0 kind=intra rank=0 size=1 remote=0 members={world}:0-0 "MPI_COMM_WORLD"', "thread 0",
                  "0 1000000 MPI_Init", f"{90000000 // world} 100000000 MPI_Barrier comm=0x1", "101000000 102000000 MPI_Finalize"]
    return "\n".join(lines) + "\n"


def files(ranks=4):
    """Rank 0 writes a file in small pieces, and all ranks read another one. One has a name that needs care."""
    text = ""
    for rank in range(ranks):
        text += f'process world=1 rank={rank} size={ranks} run=1\nproperty cwd "/home/u"\n'
        text += "clock monotonic 1000000000 tick=0 ns=0\n" + f"comm 0x1 kind=intra rank={rank} size={ranks} remote=0" + (f" members=1:0-{ranks - 1}" if not rank else "") + ' "MPI_COMM_WORLD"\n'
        if rank == 0:
            text += 'file 1 opens=1 syncs=1 inside=1000000 first=1000000 last=400000000 end=4096000 "/home/u/out.dat"\n'
            text += "access 1 write system class=4 calls=1000 bytes=4096000 inside=300000000 consecutive=999\n"
            text += 'file 2 opens=1 inside=1000 first=1 last=2 "/tmp/<b>bold</b>"\n'
        text += 'file 3 opens=1 seeks=2 inside=1000 first=3000 last=400000 end=10485760 "/home/u/in.dat"\n'
        text += f"access 3 read stream class=8 calls=10 bytes=10485760 inside={20000000 + rank} consecutive=9\n"
        text += 'file 0 ""\nthread 0\n0 1000 MPI_Init\n' + f"{500000000 if rank == 0 else 100000000} 510000000 MPI_Barrier comm=0x1\n600000000 600001000 MPI_Finalize\n"
    return "tarry trace 1\n" + text


def make(tarry, generate, folder, calls):
    """Pages by the name of their case: the path of each. The largest run has this many calls."""
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
    traces = {"small": assembled("small", ring()), "teams": assembled("teams", teams()), "states": assembled("states", states()), "places": assembled("places", places()), "nodes": assembled("nodes", nodes()), "hybrid": assembled("hybrid", hybrid()), "unreliable": assembled("unreliable", unreliable()), "files": assembled("files", files()), "hostile": assembled("hostile", ring(name=HOSTILE, program=HOSTILE)),
              "empty": assembled("empty", "tarry trace 1\nprocess world=1 rank=0 size=1 run=1\n")}
    broken = os.path.join(folder, "broken.tarry")
    with open(traces["small"], "rb") as file:
        whole = file.read()
    with open(broken, "wb") as file:
        file.write(whole[:len(whole) * 2 // 3] + b"\xff" * 64)
    traces["broken"] = broken
    traces["large"] = os.path.join(folder, "large.tarry")
    subprocess.run([generate, "mixed", traces["large"], "--ranks", "64", "--calls", str(calls)], check=True, stdout=subprocess.DEVNULL)
    traces["many"] = os.path.join(folder, "many.tarry")
    subprocess.run([generate, "ring", traces["many"], "--ranks", "2400", "--iterations", "4"], check=True, stdout=subprocess.DEVNULL)
    pages = {}
    for name, trace in traces.items():
        pages[name] = os.path.join(folder, name + ".html")
        # The intact part of a damaged trace is shown, and the exit code says that something is missing.
        subprocess.run([tarry, "report", "--html", pages[name], trace], check=name != "broken", stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=folder)
    pages["diff"] = os.path.join(folder, "diff.html")
    subprocess.run([tarry, "diff", "--html", pages["diff"], traces["small"], traces["hostile"]], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    pages["diff unreliable"] = os.path.join(folder, "diff-unreliable.html")
    subprocess.run([tarry, "diff", "--html", pages["diff unreliable"], traces["small"], traces["unreliable"]], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    pages["diff slower"] = os.path.join(folder, "diff-slower.html")
    subprocess.run([tarry, "diff", "--html", pages["diff slower"], traces["small"], assembled("slower", ring(rounds=20))], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    pages["diff fixed"] = os.path.join(folder, "diff-fixed.html")
    subprocess.run([tarry, "diff", "--html", pages["diff fixed"], traces["small"], assembled("fixed", ring(late=None))], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    pages["history"] = os.path.join(folder, "history.html")
    history = os.path.join(folder, "history.db")
    for name in ("small", "teams"):
        subprocess.run([tarry, "history", "add", "--commit", HOSTILE, "--machine", "<b>here</b>", history, traces[name]], check=True, stderr=subprocess.DEVNULL)
    with sqlite3.connect(history) as database:
        database.execute("UPDATE runs SET program = ?", (HOSTILE,))
        for number in range(8):
            database.execute("INSERT INTO runs (commit_id, machine, program, trace, ranks, threads, nodes, can_judge, length_s, computing_s, longest_computing_s, ideal_length_s, openmp, counted_s, cycles, instructions, parallel, load_balance) "
                             "SELECT ?, machine, program, trace, ranks, threads, nodes, can_judge, length_s * ?, computing_s, longest_computing_s, ideal_length_s, openmp, counted_s, cycles, instructions, parallel, load_balance "
                             "FROM runs WHERE id = 1", (f"{number:040x}", 1.5 if number > 4 else 1))
    subprocess.run([tarry, "history", "show", "--html", pages["history"], history], check=True, stdout=subprocess.DEVNULL)
    pages["check"] = os.path.join(folder, "check.html")
    pages["checked"] = os.path.join(folder, "checked.html")
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "check_page.py"), os.path.dirname(tarry), pages["check"], traces["small"], pages["checked"]], check=True)
    pages["russian"] = os.path.join(folder, "russian.html")
    pages["russian diff"] = os.path.join(folder, "russian-diff.html")
    subprocess.run([tarry, "diff", "--lang", "ru", "--html", pages["russian diff"], traces["small"], traces["hostile"]], check=True, stdout=subprocess.DEVNULL, cwd=folder,
                   env={**os.environ, "LC_ALL": "C.UTF-8"})
    return pages


def make_folder(tarry, folder):
    """A folder of runs after make(): whole, damaged, empty and missing traces, reports, and a history."""
    runs = os.path.join(folder, "runs")
    os.mkdir(runs)
    for name in ("small.tarry", "slower.tarry", "broken.tarry", "hostile.tarry", "unreliable.tarry"):
        os.link(os.path.join(folder, name), os.path.join(runs, name))
    with open(os.path.join(runs, "two.txt"), "w", encoding="utf-8") as file:
        file.write(ring(ranks=2))
    subprocess.run([tarry, "assemble", "-o", "two.tarry", "two.txt"], check=True, stdout=subprocess.DEVNULL, cwd=runs)
    os.link(os.path.join(folder, "history.db"), os.path.join(runs, "runs.db"))
    subprocess.run([tarry, "report", "--json", "old.json", "small.tarry"], check=True, stdout=subprocess.DEVNULL, cwd=runs)
    with open(os.path.join(runs, "old.json"), encoding="utf-8") as whole, open(os.path.join(runs, "cut.json"), "w", encoding="utf-8") as cut:
        cut.write(whole.read()[:3000])
    with open(os.path.join(runs, "nothing.tarry"), "w", encoding="utf-8"):
        pass
    os.symlink("nowhere", os.path.join(runs, "gone.tarry"))
    return runs


def make_benchmarks(bench_page, folder):
    """The same of invented results of benchmarks: "bench_full", …"""
    pages = {}
    for case in ("full", "exact", "one", "hostile", "strange", "empty", "memory", "extreme", "compared"):
        path = pages["bench_" + case] = os.path.join(folder, f"bench_{case}.html")
        with open(path, "wb") as file:
            subprocess.run([bench_page, case], check=True, stdout=file)
    return pages
