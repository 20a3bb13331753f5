# Ranks without a CPU: delays for that reason are not findings, and the report and the page of a trace mention them. Three
# ranks on two cores: rank 0 sends to rank 1 late by 2 s, of which 1.5 s were scheduling delay; for that reason rank 1
# sends to rank 2 late by 1.5 s.
trace() {
	for rank in 0 1 2; do
		echo "process world=1 rank=$rank size=3"
		echo 'property host "node1"'
		echo 'property cpus "0-1"'
		echo 'clock monotonic 1000000000 tick=0 ns=1700000000000000000'
		echo 'source 1 "src/halo.c" "exchange"'
		echo "comm 0x1 kind=intra rank=$rank size=3 remote=0$([ $rank != 0 ] || echo ' members=1:0-2') \"MPI_COMM_WORLD\""
		echo 'thread 0'
		events_$rank
	done
}
events_0() {
	echo '0 1000 MPI_Init'
	echo "3000000000 3000000100 MPI_Ssend site=1+0x28 comm=0x1 peer=1 tag=0 sent=64"
	echo '9900000000 10000000000 MPI_Finalize'
}
events_1() {
	echo '0 1000 MPI_Init'
	echo '1000000000 3000000200 MPI_Recv site=1+0x2a comm=0x1 peer=0 tag=0 received=64'
	echo '4000000000 4000000100 MPI_Ssend site=1+0x2b comm=0x1 peer=2 tag=0 sent=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
events_2() {
	echo '0 1000 MPI_Init'
	echo '2500000000 4000000200 MPI_Recv site=1+0x2c comm=0x1 peer=1 tag=0 received=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
findings() {
	tarry analyze "$1" --json - | python3 -c '
import json, sys
report = json.load(sys.stdin)
for finding in report["findings"]:
    print(finding["pattern"], finding["line"], finding["total_s"])
print("metric", report["metrics"]["late-sender"]["total_s"])
for note in report["notes"]:
    print(note)'
}

echo 'who had no processor:'
trace | sed '/MPI_Ssend site=1+0x28/s/$/ delay_before=1500000 delay_inside=0/' | tarry assemble -o stolen.tarry -
findings stolen.tarry
tarry info stolen.tarry | grep processors
tarry info --json stolen.tarry | grep -E 'stolen|crowded'
tarry dump --no-source stolen.tarry | grep delay_
tarry report --finding 1 stolen.tarry | sed -n '/^   call/,/^   in all/p'

echo 'the same, noticed at a call that is shorter:'
trace | sed '/MPI_Ssend site=1+0x28/i 2999000000 2999000050 MPI_Comm_rank comm=0x1 delay_before=0 delay_inside=1500000' |
	tarry assemble -o noticed.tarry -
findings noticed.tarry

echo 'starting and ending MPI is no part of the run:'
trace | sed '/MPI_Ssend site=1+0x28/s/$/ delay_before=1500000 delay_inside=0/
/MPI_Finalize/s/$/ delay_before=0 delay_inside=90000/' | tarry assemble -o finalize.tarry -
for trace in stolen finalize; do
	tarry report --json - $trace.tarry | python3 -c 'import json, sys; print(json.load(sys.stdin)["trust"]["reasons"][0]["text"])'
	tarry info $trace.tarry | grep processors
done

echo 'each has one, and somebody else takes it:'
trace | sed 's/"0-1"/"0-2"/; /MPI_Ssend site=1+0x28/s/$/ delay_before=1500000 delay_inside=0/' | tarry assemble -o shared.tarry -
findings shared.tarry

echo 'the recorder itself was at work:'
trace | sed '/MPI_Ssend site=1+0x28/i overhead 1000000000 1500000000 clocks' | tarry assemble -o overhead.tarry -
findings overhead.tarry
tarry info --json overhead.tarry | grep -E 'stolen|overhead_ns'
tarry dump --no-source overhead.tarry | grep '^overhead'

echo 'and with one:'
trace | tarry assemble -o calm.tarry -
findings calm.tarry
tarry info calm.tarry | grep processors || echo 'nothing about processors'

echo 'the parts of a wait are what it is made of:'
events_1() {
	echo '0 1000 MPI_Init'
	echo '900000000 900000100 MPI_Irecv site=1+0x29 comm=0x1 peer=0 tag=0 room=64 request=0'
	echo '1000000000 3000000200 MPI_Wait site=1+0x2a done=0 received=64 delay_before=0 delay_inside=0'
	echo '4000000000 4000000100 MPI_Ssend site=1+0x2b comm=0x1 peer=2 tag=0 sent=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
trace | sed '/MPI_Ssend site=1+0x28/s/$/ delay_before=1500000 delay_inside=0/' | tarry assemble -o parts.tarry -
findings parts.tarry
tarry analyze parts.tarry | sed -n '/advice/,/^$/p'

echo 'who spins for another loses nothing without a processor:'
events_0() {
	echo '0 1000 MPI_Init'
	echo "9700000000 9800000000 MPI_Barrier site=1+0x28 comm=0x1"
	echo '9900000000 10000000000 MPI_Finalize'
}
events_1() {
	echo '0 1000 MPI_Init'
	echo "1000000 9800000000 MPI_Barrier site=1+0x28 comm=0x1 delay_before=0 delay_inside=9000000"
	echo '9900000000 10000000000 MPI_Finalize'
}
events_2() {
	events_1
}
trace | tarry assemble -o spinning.tarry -
tarry report --json - spinning.tarry | python3 -c '
import json, sys
trust = json.load(sys.stdin)["trust"]
print(trust["verdict"], trust["reasons"][0]["text"])'

echo 'and hides no finding:'
events_2() {
	echo '0 1000 MPI_Init'
	echo '1000000 500000000 MPI_Recv site=1+0x2c comm=0x1 peer=0 tag=0 received=64'
	events_1 | sed '1d; s/^1000000 /500000100 /'
}
trace | sed '/MPI_Barrier/i 500000000 500000100 MPI_Ssend site=1+0x2b comm=0x1 peer=2 tag=0 sent=64
' | sed '/^process.*rank=1/,$ { /MPI_Ssend/d }' | tarry assemble -o small.tarry -
findings small.tarry

echo 'a late post of 5.8 % of the run, while others spin without a processor for 61 % of it:'
events_0() {
	echo '0 1000 MPI_Init'
	echo "1000000000 2740000050 MPI_Win_start site=1+0x30 win=0x9 member=1 delay_before=0 delay_inside=1700000"
	echo '2740000100 2740000200 MPI_Put site=1+0x31 win=0x9 target=1 sent=64 epoch=2'
	echo '2740000300 2740000400 MPI_Win_complete site=1+0x32 win=0x9'
	echo "2800000000 9800000000 MPI_Barrier site=1+0x28 comm=0x1 delay_before=0 delay_inside=6900000"
	echo '9900000000 10000000000 MPI_Finalize'
}
events_1() {
	echo '0 1000 MPI_Init'
	echo "2740000000 2740000100 MPI_Win_post site=1+0x33 win=0x9 member=0${noticed:-}"
	echo '2740000500 2740000600 MPI_Win_wait site=1+0x34 win=0x9'
	echo "9700000000 9800000000 MPI_Barrier site=1+0x28 comm=0x1"
	echo '9900000000 10000000000 MPI_Finalize'
}
events_2() {
	echo '0 1000 MPI_Init'
	echo "1000000 9800000000 MPI_Barrier site=1+0x28 comm=0x1 delay_before=0 delay_inside=9700000"
	echo '9900000000 10000000000 MPI_Finalize'
}
trace | sed '/^comm/a object win 0x9 comm=0x1 size=64 unit=1 "window"' | tarry assemble -o post.tarry -
findings post.tarry
echo 'and who had no processor is not late by its own fault:'
noticed=' delay_before=1740000 delay_inside=0' trace |
	sed '/^comm/a object win 0x9 comm=0x1 size=64 unit=1 "window"' | tarry assemble -o noisy-post.tarry -
findings noisy-post.tarry

echo 'who computes longer, and for whom the recorder does:'
reductions() {
	echo '0 1000 MPI_Init'
	for round in 1 2 3 4 5 6 7 8 9 10; do
		[ $# = 1 ] || echo "overhead ${round}100000000 300000000 clocks"
		echo "${round}$1 ${round}900000000 MPI_Allreduce site=1+0x2d comm=0x1 sent=8 received=8"
	done
	echo '11990000000 12000000000 MPI_Finalize'
}
events_1() { reductions 500000000; }
events_2() { reductions 500000000; }
events_0() { reductions 800000000; }
trace | tarry assemble -o longer.tarry -
findings longer.tarry
tarry report --all longer.tarry | grep -E "^   (lost|excess) "
events_0() { reductions 800000000 recorder; }
trace | tarry assemble -o recorder.tarry -
findings recorder.tarry
