# Differences between two runs: findings that are gone, new or moved to other lines; limits; and errors.
process() {
	echo "process world=1 rank=$1 size=2
source 1 \"src/${file:-halo.c}\" \"exchange\"
source 2 \"src/main.c\" \"main\"
comm 0x1 kind=intra rank=$1 size=2 remote=0$([ "$1" != 0 ] || echo ' members=1:0-1') \"MPI_COMM_WORLD\"
thread 0
0 1000 MPI_Init"
}
# run LATE_MS BARRIER_MS LINE: in each step rank 0 sends late by this, and reaches a barrier late by this.
run() {
	late=$(($1 * 1000000)) barrier=$(($2 * 1000000))
	for rank in 0 1; do
		process $rank
		at=1000000
		for step in 1 2 3 4; do
			if [ $rank = 0 ]; then
				echo "$((at + late)) $((at + late + 100)) MPI_Send site=1+0x20 comm=0x1 peer=1 tag=0 sent=1000"
				echo "$((at + late + barrier + 1000)) $((at + late + barrier + 2000)) MPI_Barrier site=2+0x7 comm=0x1"
			else
				echo "$at $((at + late + 200)) MPI_Recv site=1+0x$3 comm=0x1 peer=0 tag=0 received=1000"
				echo "$((at + late + 300)) $((at + late + barrier + 2000)) MPI_Barrier site=2+0x7 comm=0x1"
			fi
			at=$((at + late + barrier + 50000000))
		done
		echo "$at $((at + 1000)) MPI_Finalize"
	done
}
run 100 0 30 | tarry assemble -o before.tarry -
run 0 40 33 | tarry assemble -o after.tarry -
run 60 0 33 | tarry assemble -o moved.tarry -
file=ring.c
run 60 0 33 | tarry assemble -o renamed.tarry -

try tarry diff before.tarry after.tarry
try tarry diff before.tarry moved.tarry
try tarry diff before.tarry renamed.tarry
try tarry diff before.tarry before.tarry

# Trust: a run without a call says nothing.
echo 'process world=1 rank=0 size=1 run=1' | tarry assemble -o empty.tarry -
try tarry diff before.tarry empty.tarry | head -n 6

# JSON
tarry diff --json - before.tarry moved.tarry | python3 -c '
import json, sys
diff = json.load(sys.stdin)
print([(row["change"], row["pattern"], row["before"]["place"], row["after"]["place"]) for row in diff["findings"]])
print([round(diff[side]["length_s"], 3) for side in ("before", "after")])'
tarry diff --html page.html before.tarry after.tarry >/dev/null
grep -c '"change": "gone"' page.html

# Limits
try tarry diff --fail-on 'slower>5%' --json /dev/null after.tarry before.tarry | grep -v '^ '
try tarry diff --fail-on 'slower>5%' --json - before.tarry after.tarry >/dev/null
try tarry diff --fail-on 'new>1%' before.tarry after.tarry | tail -n 2

# Errors
try tarry diff before.tarry
try tarry diff --fail-on 'faster>5%' before.tarry after.tarry
try tarry diff --json before.tarry before.tarry after.tarry
try tarry diff --json x --html x before.tarry after.tarry
try tarry diff before.tarry missing.tarry
