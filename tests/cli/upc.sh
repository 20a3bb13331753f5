# A UPC program in all commands: its processes are threads, its accesses move data, its calls have classes.
call() {
	start=$1 end=$2 function=$3 line=$4
	shift 4
	echo "${start}00000 ${end}00000 $function site=1+0x$line $* comm=0xa0"
}
# Three threads: puts to the next, gets from the previous one, a copy between two others, and thread 2 late at a barrier.
events() {
	next=$((($1 + 1) % 3)) before=$((($1 + 2) % 3))
	call 10 20 upc_all_alloc a room=3000
	call 30 40 upc_memput c target=$next sent=4096
	call 50 60 upc_memget d target=$before received=1024
	call 61 62 upc_memget d target="$1" received=512
	call 70 75 upc_memcpy e target=$before source=$next sent=64 received=64
	call $((130 + 100 * ($1 == 2))) 240 upc_barrier f
	call $((250 + $1)) $((260 + $1)) upc_lock 11 mutex=0x55 target=0
	call $((270 + $1)) $((271 + $1)) upc_unlock 12 mutex=0x55 target=0
	call 400 410 upc_notify 14 tag=3
	call 420 500 upc_wait 15 tag=3
	call $((510 + 50 * ($1 == 0))) 570 upc_all_broadcast 17 root=0 sync=18 "$([ "$1" = 0 ] && echo sent || echo received)=800"
	call 580 590 upc_memput_nb 19 target=$next sent=10 request=0
	call 595 600 upc_sync 1a done=0
	call 610 620 upc_fence 1b
	call 630 640 upc_atomic_relaxed 1c target=0 op=3
	[ "$1" = "$2" ] || call 700 800 upc_exit 0
}
# All of it but the end of one thread, if one is named; with MPI_COMM_WORLD, if it is asked for.
threads() {
	for thread in 0 1 2; do
		echo "process world=77 rank=$thread size=3 run=99"
		echo 'property host "node1"'
		echo 'property upc "berkeley"'
		echo 'property upc_version "2020.4.0"'
		echo 'clock monotonic 1000000000 tick=0 ns=1700000000000000000'
		echo "comm 0xa0 kind=upc rank=$((2 - thread * $2 - (1 - $2) * (2 - thread))) size=3 \"UPC threads\""
		[ "$2" = 0 ] || echo "comm 0x1 kind=intra rank=$thread size=3$([ $thread != 0 ] || echo ' members=77:0-2') \"MPI_COMM_WORLD\""
		echo 'source 1 "src/heat.upc" ""'
		echo 'thread 0'
		echo '0 0 upc_start comm=0xa0'
		[ "$2" = 0 ] || echo "1000 2000 MPI_Send comm=0x1 peer=$(((thread + 1) % 3)) tag=0 sent=100"
		[ "$2" = 0 ] || echo "3000 4000 MPI_Recv comm=0x1 peer=$(((thread + 2) % 3)) tag=0 received=100"
		events "$(($2 ? 2 - thread : thread))" "$1"
	done
}
threads none 0 | tarry assemble -o run.tarry -
try tarry info run.tarry
try tarry report --profile --no-shipped run.tarry
try tarry report --profile --no-shipped --lang ru run.tarry | sed '/ upc_/d'

echo "# What programs read."
tarry info --json run.tarry | tr , '\n' | grep -E '"(accesses|access_bytes|messages|upc|upc_version|kind)"'
tarry report --json - run.tarry | tr -d ' \n' | grep -o '"matrix":[^]]*]'

echo "# Other formats."
try tarry export --csv - run.tarry | first 5
tarry export --otf2 archive run.tarry
tarry import -o again.tarry archive/traces.otf2
tarry dump --no-source run.tarry >run.txt
tarry dump --no-source again.tarry | cmp - run.txt && echo the same
tarry import --plain -o plain.tarry archive/traces.otf2
tarry info plain.tarry | grep upc_

echo "# A thread that was killed."
threads 1 0 | tarry assemble -o killed.tarry -
try tarry analyze --no-shipped killed.tarry | first 4

echo "# With MPI, where the ranks are others."
threads none 1 | tarry assemble -o both.tarry -
try tarry info both.tarry | sed -n '1,/^function/p'
try tarry report --profile --no-shipped both.tarry | sed -n '/computing/p;/^Messages/,$p'

echo "# Tests of rules with calls of UPC, and what can be wrong with them."
cat >mine.rules <<'END'
declare composite event bar member( collective_call as c where c.function = upc_notify ) group by c.instance
parameters( latest = max(c.start) );
declare problem my.split for each c of bar when min(latest, c.end) > c.since parameters( duration = min(latest, c.end) - c.since );
test "split barriers" {
	rank 0: upc_notify() from 1 s to 2 s;
	rank 0: upc_wait() from 3 s to 6 s at "a.upc":7;
	rank 1: upc_notify() from 5 s to 6 s;
	rank 1: upc_wait() from 6 s to 7 s;
	expect my.split on rank 0 of 2 s;
}
test "flags are a number" {
	rank 0: upc_all_broadcast(root=0, sync=both) from 1 s to 2 s;
	expect nothing;
}
test "a field of that name is not there" {
	rank 0: upc_all_broadcast(root=0, sinc=9) from 1 s to 2 s;
	expect nothing;
}
END
try tarry rules test --no-shipped mine.rules
echo "# Classes of functions."
try tarry run --only upc-snyc -- true | tr ' ' '\n' | grep -E "upc|mean"
