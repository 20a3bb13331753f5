# The report of a UPC program: threads, not ranks, in lines that fit, in both languages, and the same numbers in JSON.
s=1000000000
thread() {
	echo "process world=1 rank=$1 size=3
property host \"node0\"
property upc \"berkeley\"
source 1 \"src/tasks.upc\" \"\"
comm 0x1 kind=upc rank=$1 size=3 remote=0 \"UPC threads\"
thread 0
0 1000 upc_barrier site=1+0x5 comm=0x1"
}
# Thread 0 creates tasks for 2 s, distributes them, and waits for results for 3 s; thread 2 reads a table element by
# element.
trace() {
	thread 0
	for worker in 1 2; do
		echo "$((2 * s + worker * 1000)) $((2 * s + worker * 1000 + 500)) upc_memput site=1+0x10 comm=0x1 target=$worker sent=4096"
	done
	echo "$((2 * s + 4000)) $((2 * s + 5000)) upc_barrier site=1+0x12 comm=0x1
$((2 * s + 6000)) $((5 * s + 1000)) upc_barrier site=1+0x13 comm=0x1"
	for worker in 1 2; do
		echo "$((5 * s + worker * 2000)) $((5 * s + worker * 2000 + 500)) upc_memget site=1+0x15 comm=0x1 target=$worker received=4096"
	done
	echo "$((5 * s + 6000)) $((5 * s + 7000)) upc_exit comm=0x1"
	for worker in 1 2; do
		thread $worker
		echo "2000 $((2 * s + 5000)) upc_barrier site=1+0x20 comm=0x1"
		i=0
		while [ $worker = 2 ] && [ $i -lt 200 ]; do
			i=$((i + 1))
			echo "$((3 * s + i * 5000000)) $((3 * s + i * 5000000 + 4000000)) upc_get site=1+0x22 comm=0x1 target=0 received=8"
		done
		echo "$((5 * s)) $((5 * s + 1000)) upc_barrier site=1+0x24 comm=0x1
$((5 * s + 2000)) $((5 * s + 7000)) upc_exit comm=0x1"
	done
}
trace >upc.txt
tarry assemble upc.txt -o upc.tarry
tarry report upc.tarry
tarry report --all upc.tarry
tarry report --lang ru upc.tarry
tarry report --all --lang ru upc.tarry
tarry report --json - upc.tarry >upc.json
python3 - <<'PY'
import json

run = json.load(open("upc.json", encoding="utf-8"))
print("run", run["run"]["processes"], "of", run["run"]["calls"], "calls")
for finding in run["findings"]:
    partner = (finding["partner"] or {}).get("ranks")
    print(finding["pattern"], finding["call"], finding["line"], finding["processes"], partner, finding["total_s"], finding["confidence"])
PY
tarry report --all upc.tarry | sed 's,→,>,g' | awk 'length > 80 { print "too wide: " $0 }'
