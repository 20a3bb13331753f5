# How a program scales: planted load imbalance, serialisation and transfer, strong and weak scaling, and runs that do not belong together.
#
# run RANKS WORK EXTRA TURN TRANSFER: in each of 3 steps a rank computes WORK ms, and rank 0 computes EXTRA ms more. Then each rank in turn computes TURN ms while the
# others wait. After each of these there is a barrier that takes TRANSFER ms.
run() {
	python3 - "$@" <<'END' >"n$1.text"
import os, sys
ranks, work, extra, turn, transfer = map(int, sys.argv[1:])
for rank in range(ranks):
    print(f"process world=1 rank={rank} size={ranks} run={ranks}\nclock monotonic 1000 tick=0 ns=0")
    print(f'property program "/home/{os.environ.get("PROGRAM", "heat")}"')
    print(f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0{"" if rank else f" members=1:0-{ranks - 1}"} "MPI_COMM_WORLD"')
    print("thread 0 tid=1 main\n0 10 MPI_Init")
    at = 10
    for step in range(3):
        phases = [(work + (extra if rank == 0 else 0), work + extra)] + [(turn if rank == other else 0, turn) for other in range(ranks) if turn]
        for own, longest in phases:
            print(f"{at + own} {at + longest + transfer} MPI_Barrier comm=0x1")
            at += longest + transfer
    print(f"{at} {at + 10} MPI_Finalize")
END
	tarry assemble -o "n$1.tarry" "n$1.text"
}
runs() {
	echo "## $1"
	shift
	for ranks in 2 4 8; do
		# shellcheck disable=SC2046 # several words
		run $ranks $(eval echo "$@")
	done
}
show() {
	tarry scaling "$@" n2.tarry n4.tarry n8.tarry
}

runs "strong scaling; transfers take longer with more ranks" '$((8000 / ranks)) 0 0 $((30 * ranks))'
try show
try show --json - | first 52
show --svg plot.svg >/dev/null
python3 -c '
import xml.dom.minidom
print(len(xml.dom.minidom.parse("plot.svg").getElementsByTagName("path")) > 10)'
echo "The measured efficiency of 16 ranks lies in the predicted interval:"
show --json answers.json
run 16 500 0 0 480
tarry scaling --json more.json n2.tarry n4.tarry n8.tarry n16.tarry
python3 -c '
import json
predicted, measured = json.load(open("answers.json"))["predictions"][0], json.load(open("more.json"))["runs"][-1]
for name in ("global", "transfer", "length_s"):
    print(name, measured["ranks"] == predicted["ranks"] and predicted[name]["low"] <= measured[name] <= predicted[name]["high"])'

runs "weak scaling; rank 0 computes longer with more ranks" '1000 $((100 * ranks)) 0 1'
show | sed -n '1,8p'
show --strong | sed -n '1,6p'

runs "strong scaling; ranks compute in turn" '$((8000 / ranks)) 0 200 1'
show | sed -n '1,8p'

runs "strong scaling; computing takes longer with more ranks" '$((8000 / ranks + 300)) 0 0 1'
show | sed -n '1,8p'

# team RANKS THREADS MS BUSY: each rank has a region of MS ms, in which the first thread computes, and each of the others BUSY ms. Then ranks communicate for 1 ms.
team() {
	python3 - "$@" <<'END' >"t$1.text"
import sys
ranks, threads, work, busy = map(int, sys.argv[1:])
for rank in range(ranks):
    print(f"process world=1 rank={rank} size={ranks} run={ranks}\nclock monotonic 1000 tick=0 ns=0\nproperty program hybrid")
    print(f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0{"" if rank else f" members=1:0-{ranks - 1}"} "MPI_COMM_WORLD"')
    end = 10 + work
    print(f"thread 0 tid=1 main\n0 10 MPI_Init\n10 10 omp_fork count={threads}\n{end} {end} omp_barrier tag=1 count={threads}")
    print(f"{end} {end} omp_join count={threads}\n{end} {end + 1} MPI_Barrier comm=0x1\n{end + 1} {end + 2} MPI_Finalize")
    for thread in range(1, threads):
        print(f"thread {thread} tid={thread + 1}\n{10 + busy} {end} omp_barrier tag=1 count={threads} thread={thread}")
END
	tarry assemble -o "t$1.tarry" "t$1.text"
}
echo "## MPI and OpenMP; threads beyond the first compute less and less of the time"
team 1 1 8000 0
team 2 2 2500 1500
team 4 4 800 400
try tarry scaling t1.tarry t2.tarry t4.tarry
tarry scaling --json - t1.tarry t2.tarry t4.tarry | python3 -c '
import json, math, sys
answer = json.load(sys.stdin)
for run in answer["runs"]:
    useful = run["openmp"] * run["computing_s"] * run["threads"] / run["ranks"]
    print(run["ranks"], run["threads"], run["openmp"], math.isclose(run["global"], 8 / (run["length_s"] * run["threads"])), math.isclose(run["computation_scaling"], 8 / useful))
print(answer["limiting_factor"], [(more["ranks"], more["threads"], more["openmp"]["value"] >= 1 / 4) for more in answer["predictions"]])'
echo "Sizes are compared by threads. If teams cannot be followed, OpenMP is ignored:"
team 3 2 2500 1500
mv t3.tarry six.tarry
team 3 5 800 400
try tarry scaling t1.tarry six.tarry t3.tarry | sed -n '1,6p'
grep -v omp_join t3.text >unfinished.text
tarry assemble -o unfinished.tarry unfinished.text
tarry scaling t1.tarry t2.tarry unfinished.tarry | sed -n '3,10p'
team 2 8 800 400
try tarry scaling t2.tarry t4.tarry

runs "nothing limits it" '$((80000 / ranks)) 0 0 1'
show | sed -n '7,8p'

echo "## what can be wrong"
try tarry scaling n2.tarry
try tarry scaling n2.tarry n4.tarry n2.tarry
PROGRAM=other
export PROGRAM
run 4 100 0 0 1
try tarry scaling n2.tarry n4.tarry
try tarry scaling n2.tarry missing.tarry
try tarry scaling --weak --strong n2.tarry n4.tarry
try tarry scaling
