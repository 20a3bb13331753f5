# Runs kept by commit, machine and size: trends, limits, concurrent writers, a page, a badge, reports as databases.
#
# run NAME RANKS MS [LATE]: in 4 steps each rank computes MS / RANKS ms, and rank 0 LATE ms more before a barrier.
git --version >/dev/null 2>&1 || { echo "skipped: git is not installed"; exit 77; }
number=0
run() {
	number=$((number + 1))
	python3 - "$number" "$2" "$3" "${4:-0}" <<'END' >text
import sys
number, ranks, work, late = map(int, sys.argv[1:])
for rank in range(ranks):
    print(f'process world=1 rank={rank} size={ranks} run={number}\nclock monotonic 1000 tick=0 ns=0\nproperty program "heat"\nproperty host "node{rank + 10}.site"')
    print('source 1 "src/main.c" "main"')
    print(f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0{"" if rank else f" members=1:0-{ranks - 1}"} "MPI_COMM_WORLD"')
    print("thread 0 tid=1 main\n0 10 MPI_Init")
    at = 10
    for step in range(4):
        end = at + work // ranks + late
        print(f"{end - (late if rank else 0)} {end + 1} MPI_Barrier site=1+0x7 comm=0x1")
        at = end + 1
    print(f"{at} {at + 10} MPI_Finalize")
END
	tarry assemble -o "$1" text
}
add() {
	run run.tarry "$2" "$3" "${4:-0}"
	tarry history add --commit "$1" runs.db run.tarry 2>/dev/null
}
unset CI_COMMIT_SHA GITHUB_SHA
export GIT_CEILING_DIRECTORIES="$PWD"

echo "## a history begins"
run run.tarry 2 1000
try tarry history add --commit c1 runs.db run.tarry
try tarry history add --commit c1 runs.db run.tarry
try tarry history show runs.db

echo "## a level, a change and another level"
commit=2
for time in 1004 996 1002 998 1003; do
	add c$commit 2 $time
	commit=$((commit + 1))
done
try tarry history show --fail-on 'slower>5%' runs.db
add c7 2 1200 100
try tarry history show --fail-on 'slower>5%' runs.db
try tarry history show --fail-on 'slower>80%' --fail-on 'new>1%' runs.db
for commit in c8 c9 c10; do
	add $commit 2 1200 100
done
add c10 4 1200 100
add c10 8 1200 100
try tarry history show --fail-on 'slower>5%' runs.db
try tarry history show -n 8 runs.db
tarry history show --json trends.json --html index.html --badge badge.svg runs.db >/dev/null
python3 - <<'END'
import json, xml.dom.minidom
trends = json.load(open("trends.json"))
print([(change["commit"], round(change["ratio"], 2)) for change in trends["series"][0]["changes"]])
print([(item["commit"], [run["ranks"] for run in item["scaling"]["runs"]]) for item in trends["scaling"]])
page = open("index.html").read()
print("tarry history" in page, '"slowdown"' in page)
print(xml.dom.minidom.parse("badge.svg").getElementsByTagName("title")[0].firstChild.data)
END

echo "## MPI and OpenMP: threads beyond the first are idle half of the time"
for ranks in 1 2; do
	python3 - $ranks <<'END' >text
import sys
ranks, threads = int(sys.argv[1]), 3
for rank in range(ranks):
    print(f'process world=1 rank={rank} size={ranks} run=9{ranks}\nclock monotonic 1000 tick=0 ns=0\nproperty program "hybrid"\nproperty host "node"')
    print(f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0{"" if rank else f" members=1:0-{ranks - 1}"} "MPI_COMM_WORLD"')
    print(f"thread 0 tid=1 main\n0 10 MPI_Init\n10 10 omp_fork count={threads}\n110 110 omp_barrier tag=1 count={threads}")
    print(f"110 110 omp_join count={threads}\n110 135 MPI_Barrier comm=0x1\n135 136 MPI_Finalize")
    for thread in range(1, threads):
        print(f"thread {thread} tid={thread + 1}\n60 110 omp_barrier tag=1 count={threads} thread={thread}")
END
	tarry assemble -o hybrid.tarry text
	tarry history add --commit c1 hybrid.db hybrid.tarry 2>/dev/null
done
try tarry history show hybrid.db
tarry history show --json - hybrid.db | python3 -c '
import json, sys
trends = json.load(sys.stdin)
print([(series["ranks"], series["threads"], [(round(run["parallel"], 3), round(run["openmp"], 3), run["load_balance"]) for run in series["runs"]]) for series in trends["series"]])
print([(run["ranks"], run["threads"], round(run["openmp"], 3)) for run in trends["scaling"][0]["scaling"]["runs"]])'

echo "## queries"
query() {
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
	print(*row, sep="|")' "$@"
}
query runs.db "SELECT commit_id, machine, ranks, nodes, round(length_s, 3) FROM runs WHERE id < 3"
query runs.db "SELECT commit_id, pattern, round(share, 3) FROM runs JOIN findings ON run = runs.id WHERE ranks = 2 ORDER BY runs.id LIMIT 2"
tarry report --sqlite report.db --json /dev/null run.tarry >/dev/null
query report.db "SELECT program, processes, round(length_s, 3) FROM run"
query report.db "SELECT name, place, round(total_s, 3) FROM findings ORDER BY total_s DESC LIMIT 1"
query report.db "SELECT rank, round(total_s, 3) FROM finding_ranks WHERE finding = 1 AND rank < 3"
query report.db "SELECT rank, round(computing_s, 3) FROM ranks WHERE rank < 2"
query report.db "SELECT call, calls FROM functions ORDER BY calls DESC LIMIT 1"
query report.db "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"

echo "## several writers"
for ranks in 1 2 3 4 5 6 7 8; do
	run w$ranks.tarry $ranks 1000
done
for ranks in 1 2 3 4 5 6 7 8; do
	tarry history add --commit w --machine m --jobs 1 many.db w$ranks.tarry 2>/dev/null &
done
wait
query many.db "SELECT count(*), sum(ranks) FROM runs"
ls many.db*

echo "## default commit and machine"
CI_COMMIT_SHA=abc tarry history add other.db run.tarry
mkdir repository
cd repository || exit 1
try tarry history add other.db ../run.tarry
git init -q . && git -c user.name=a -c user.email=a commit -q --allow-empty -m first
tarry history add other.db ../run.tarry
query other.db "SELECT length(commit_id), machine FROM runs"
cd .. || exit 1

echo "## a file system without locks"
cat >no_locks.c <<'END'
#include <errno.h>
#include <stdarg.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
static int no_locks(int file, int command, void *argument)
{
	if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) {
		errno = ENOLCK;
		return -1;
	}
	return (int)syscall(SYS_fcntl, file, command, argument);
}
int fcntl64(int file, int command, ...)
{
	va_list list;
	va_start(list, command);
	void *argument = va_arg(list, void *);
	va_end(list);
	return no_locks(file, command, argument);
}
int fcntl(int, int, ...) __attribute__((alias("fcntl64")));
END
cc -shared -fPIC -w -o no_locks.so no_locks.c
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS"
LD_PRELOAD=$PWD/no_locks.so tarry history add --commit c1 new.db run.tarry || echo "exit code $?"
LD_PRELOAD=$PWD/no_locks.so tarry history show many.db || echo "exit code $?"

echo "## what can be wrong"
try tarry history
try tarry history remove
try tarry history add runs.db
try tarry history show nothing.db
mkfifo pipe
try tarry history show pipe
try tarry history show text
try tarry history show report.db
try tarry history add --commit c1 report.db run.tarry
try tarry history add --commit c1 text run.tarry
try tarry history add --commit c1 missing/runs.db run.tarry
try tarry history add --commit c1 runs.db missing.tarry
try tarry history show --machine moon runs.db
try tarry history show --fail-on 'faster>5%' runs.db
try tarry history show --html runs.db runs.db
python3 -c '
import sqlite3
database = sqlite3.connect("runs.db")
database.execute("PRAGMA user_version = 2")'
try tarry history show runs.db
