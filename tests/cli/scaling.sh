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
try show --json - | first 40
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
