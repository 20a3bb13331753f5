# Counters of the processor while ranks compute: options, reports, and factors of scaling.
#
# run NAME RANKS WORK COUNTERS…: each rank computes WORK ms, then there is a barrier. Each further word is the property of a rank, the last one that of all others.
run() {
	python3 - "$@" <<'END' >"$1.text"
import sys
name, ranks, work, *counters = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]
for rank in range(ranks):
    print(f'process world=1 rank={rank} size={ranks} run={ranks}\nclock monotonic 1000 tick=0 ns=0\nproperty program "heat"')
    own = counters[min(rank, len(counters) - 1)] if counters else ""
    if own:
        print(f'property counters "{own}"')
    print(f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0{"" if rank else f" members=1:0-{ranks - 1}"} "MPI_COMM_WORLD"')
    print(f"thread 0 tid=1 main\n0 10 MPI_Init\n{10 + work} {11 + work} MPI_Barrier comm=0x1\n{11 + work} {12 + work} MPI_Finalize")
END
	tarry assemble -o "$1.tarry" "$1.text"
}
counters_of() {
	tarry report --json - "$1" | python3 -c '
import json, sys
summary = json.load(sys.stdin)["summary"]
print(summary["counters"])
for rank in summary["ranks"]:
    print(rank["rank"], rank["counters"])'
}

echo "## options"
try tarry run --counters cycles,heat ./program
try tarry run --counters '' ./program
try tarry run --counters cycles, ./program
try tarry run --counters cycles --counters cycles ./program
for option in --only=p2p --not=p2p --from=a --to=b --summary --minimal; do
	try tarry run --counters cycles,instructions $option ./program
done
try tarry exec --counters cycles --summary ./program

echo "## all counters; rank 1 is slow"
run all 3 4000 "computing=4000000 cycles=12000000000 instructions=24000000000 task-clock=3900000000" "computing=4000000 cycles=12000000000 instructions=6000000000 task-clock=3900000000" \
	"computing=2000000 cycles=6000000000 instructions=12000000000 task-clock=1900000000"
try tarry report all.tarry
tarry report --all all.tarry | grep -A 6 "parallel eff"
tarry report --lang ru all.tarry | grep "за такт"
counters_of all.tarry
tarry report --sqlite all.db all.tarry >/dev/null
python3 -c '
import sqlite3
database = sqlite3.connect("all.db")
print(*database.execute("SELECT cycles, instructions, instructions_per_cycle FROM counters"), *database.execute("SELECT rank, cycles, instructions FROM ranks"), sep="\n")'

echo "## some counters, or not in all ranks"
run one 2 4000 "computing=4000000 instructions=6000000000"
tarry report one.tarry | grep cycle || echo "no rates"
counters_of one.tarry
run part 2 4000 "computing=4000000 cycles=1 instructions=2" ""
tarry report part.tarry | grep cycle || echo "no rates"
counters_of part.tarry
run none 2 4000
counters_of none.tarry

echo "## damaged"
run strange 4 4000 "computing=99999999999999999999999 cycles=1" "cycles=5 instructions=7" "computing= cycles=x instructions=-1" "computing=0 cycles=0 instructions=0 more=5"
tarry report strange.tarry | grep cycle || echo "no rates"
counters_of strange.tarry

echo "## scaling: with more ranks, each computes more instructions in all, and fewer per cycle"
run n2 2 4000 "computing=4000000 cycles=12000000000 instructions=24000000000"
run n4 4 2500 "computing=2500000 cycles=7500000000 instructions=12500000000"
run n8 8 1700 "computing=1700000 cycles=4590000000 instructions=6800000000"
try tarry scaling n2.tarry n4.tarry n8.tarry
tarry scaling --json scaling.json --svg plot.svg n2.tarry n4.tarry n8.tarry >/dev/null
python3 -c '
import json, math, xml.dom.minidom
answer = json.load(open("scaling.json"))
print(answer["computation_by"], answer["limiting_factor"])
for run in answer["runs"]:
    three = run["instruction_scaling"] * run["ipc_scaling"] * run["frequency_scaling"]
    print(run["ranks"], run["instructions"], run["cycles"], run["counted_s"], math.isclose(three, run["computation_scaling"]), math.isclose(three * run["parallel"], run["global"]))
print([(more["ranks"], more["computation_scaling"], more["ipc_scaling"] is not None) for more in answer["predictions"]])
print("clock frequency" in open("plot.svg").read(), bool(xml.dom.minidom.parse("plot.svg")))'
for n in 2 4 8; do
	tarry history add --commit c1 --machine m runs.db n$n.tarry 2>/dev/null
done
tarry history show --json - runs.db | python3 -c '
import json, sys
for run in json.load(sys.stdin)["scaling"][0]["scaling"]["runs"]:
    print(run["ranks"], round(run["instruction_scaling"], 3), round(run["ipc_scaling"], 3), round(run["frequency_scaling"], 3))'
echo "Without counters in each run:"
run n8 8 1700
tarry scaling n2.tarry n4.tarry n8.tarry | sed -n '3,9p'
run n2 2 4000
run n4 4 2500
tarry scaling n2.tarry n4.tarry n8.tarry | sed -n '7,9p'
