# Findings of a trace, as text and as JSON, and invalid requests. Three ranks: a late sender, a late
# receiver, a barrier and a broadcast.
trace() {
	for rank in 0 1 2; do
		echo "process world=1 rank=$rank size=3"
		echo 'property host "node1"'
		echo 'clock monotonic 1000000000 tick=0 ns=1700000000000000000'
		echo 'source 1 "src/halo.c" "exchange"'
		echo 'source 2 "src/main.c" "main"'
		echo "comm 0x1 kind=intra rank=$rank size=3 remote=0$([ $rank != 0 ] || echo ' members=1:0-2') \"MPI_COMM_WORLD\""
		echo 'thread 0'
		events_$rank
	done
}
events_0() {
	echo '0 1000 MPI_Init'
	echo '3000000000 3000000100 MPI_Send site=1+0x28 comm=0x1 peer=1 tag=0 sent=8192'
	echo '4000000000 4000000100 MPI_Send site=1+0x28 comm=0x1 peer=2 tag=0 sent=8192'
	echo '5000000000 5000000200 MPI_Barrier site=2+0x9 comm=0x1'
	echo '6000000000 6000000200 MPI_Bcast site=2+0xa comm=0x1 root=0 sent=64'
	echo '7000000000 9000000100 MPI_Ssend site=2+0xb comm=0x1 peer=1 tag=1 sent=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
events_1() {
	echo '0 1000 MPI_Init'
	echo '1000000000 3000000200 MPI_Recv site=1+0x2a comm=0x1 peer=0 tag=0 received=8192'
	echo '4500000000 5000000300 MPI_Barrier site=2+0x9 comm=0x1'
	echo '6000000001 6000000300 MPI_Bcast site=2+0xa comm=0x1 root=0 received=64'
	echo '9000000000 9000000200 MPI_Recv site=2+0xc comm=0x1 peer=0 tag=1 received=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
events_2() {
	echo '0 1000 MPI_Init'
	echo '3500000000 4000000200 MPI_Recv site=1+0x2a comm=0x1 peer=0 tag=0 received=8192'
	echo '4000001000 5000000100 MPI_Barrier site=2+0x9 comm=0x1'
	echo '5500000000 6000000400 MPI_Bcast site=2+0xa comm=0x1 root=0 received=64'
	echo '9900000000 10000000000 MPI_Finalize'
}
trace >text
tarry assemble -o run text
try tarry analyze run
echo "of the numbers for programs:"
tarry analyze --json - run >found.json
python3 - <<'END'
import json
found = json.load(open("found.json"))
print(found["run"])
for finding in found["findings"]:
    print(finding["pattern"], finding["occurrences"], finding["total_s"], finding["max_s"], finding["processes"],
          finding["call"], finding["file"], finding["line"], finding["function"], finding["confidence"])
    print(" ", finding["partner"])
    print(" ", [(action["rank"], action["call"], action["start_s"]) for action in finding["worst"]["actions"]])
for name, metric in sorted(found["metrics"].items()):
    if metric["occurrences"]:
        print(name, metric)
print("others:", {metric["total_s"] for metric in found["metrics"].values() if not metric["occurrences"]})
END
echo "of several messages that one call waits for, the calls of all:"
cat >text <<'END'
process world=1 rank=0 size=3 run=1
comm 0xc0 kind=intra rank=0 size=3 remote=0 members=1:0,1:1,1:2 "MPI_COMM_WORLD"
thread 0
1000000 1100000 MPI_Irecv peer=1 tag=1 comm=0xc0 request=0
1200000 1300000 MPI_Irecv peer=2 tag=1 comm=0xc0 request=1
1400000 9000000 MPI_Waitall count=2 done=0 source=1 source_tag=1 received=8 done=1 source=2 source_tag=1 received=8
process world=1 rank=1 size=3 run=1
comm 0xc0 kind=intra rank=1 size=3 remote=0 "MPI_COMM_WORLD"
thread 0
5000000 5100000 MPI_Send peer=0 tag=1 comm=0xc0 sent=8
process world=1 rank=2 size=3 run=1
comm 0xc0 kind=intra rank=2 size=3 remote=0 "MPI_COMM_WORLD"
thread 0
8000000 8100000 MPI_Send peer=0 tag=1 comm=0xc0 sent=8
END
tarry assemble -o waitall text
tarry analyze --all --json - waitall | python3 -c '
import json, sys
for finding in json.load(sys.stdin)["findings"]:
    print(finding["pattern"], [(action["rank"], action["call"], action["start_s"]) for action in finding["worst"]["actions"]])'
echo "advice that names places and plain numbers:"
cat >places.rules <<'END'
declare composite event sent_to
member( transfer as m where not m.is_send )
parameters( at = m.wait, share = m.wait.duration / 100 us, from = m.send.place );
declare problem slow-receive for sent_to
when share > 1000
parameters( name = "Slow receive", description = "It is slow.", advice = "{share} parts at {at.place}, sent at {from}",
	duration = at.duration );
END
try tarry analyze --no-shipped --rules places.rules run
echo "beside the text:"
try tarry analyze --json written.json run | first 3
cmp found.json written.json
echo "with one core, and with many:"
for jobs in 1 2 3 8; do
	tarry analyze --json - --jobs $jobs run | cmp - found.json
done
echo "a threshold of one's own:"
try tarry analyze --set eps=1.5s run | first 4
echo "a rule of one's own, alone:"
cat >mine.rules <<'END'
import "mpi-p2p";
declare problem mine.large for point_to_point
when bytes > 4 KiB
parameters( name = "Large", duration = recv_wait_end_time - recv_wait_start_time, confidence = suspicion,
	advice = "{bytes} is large" );
END
try tarry analyze --no-shipped --rules mine.rules run
echo "nothing found:"
echo 'process
10 20 MPI_Init
30 40 MPI_Finalize' >text
tarry assemble -o calm text
try tarry analyze calm
echo "one rank of three:"
trace | sed '/rank=1 size/,$d' >text
tarry assemble -o alone text
try tarry analyze alone
echo "a job that crashed:"
trace | sed '/MPI_Finalize/d; /MPI_Bcast/d; /MPI_Ssend/d; /tag=1/d' >text
tarry assemble -o crashed text
try tarry analyze crashed | first 2
tarry analyze --json - crashed | grep '"complete"'
echo "a rule over a function that nobody recorded, and its twin:"
cat >io.rules <<'END'
declare event io_write for "ssize_t write(int fd, const void *buf, size_t count)" parameters( fd = fd in );
declare problem slow-write for io_write parameters( name = "Slow write", duration = duration );
END
try tarry analyze --no-shipped --rules io.rules run
trace | sed 's/^property host/property traced "write"\n&/' >text
tarry assemble -o traced text
try tarry analyze --no-shipped --rules io.rules traced
echo "times without end:"
cat >endless.rules <<'END'
import "mpi-p2p";
declare problem endless for point_to_point parameters( name = "Endless", duration = 1 s / 0 );
END
try tarry analyze --all --no-shipped --rules endless.rules run | grep -v '^ '
echo "a part of a job:"
trace | sed 's/^property host/property selection "--only p2p"\n&/' >text
tarry assemble -o part text
try tarry analyze part | first 2
echo "wrong words:"
try tarry analyze
try tarry analyze nothing
try tarry analyze --set eps run
try tarry analyze --set epsilon=1s run
try tarry analyze --set eps=1 run
try tarry analyze --rules nothing.rules run
try tarry analyze --jobs -1 run
try tarry analyze --json /nowhere/found.json run | grep cannot
echo "an eager message needs no receiver, a large one does:"
eager() {
	echo "process
comm 0x1 rank=0 size=2 members=1:0-1 \"MPI_COMM_WORLD\"
eager 4096 node
10 9000000 MPI_Send comm=0x1 peer=1 tag=0 sent=$1
process
comm 0x1 rank=1 size=2 \"MPI_COMM_WORLD\"
eager 4096 node
5000000 9100000 MPI_Recv comm=0x1 peer=0 tag=0 received=$1" >text
	tarry assemble -o sent-$1 text
	try tarry analyze sent-$1 | first 5
}
eager 64
eager 8192
echo "the user knows the limit better:"
try tarry analyze --set eager=16KiB sent-8192 | first 5
try tarry analyze --set eager=0B sent-64 | first 5
try tarry analyze --set eager=16 sent-64
echo "the limit and its source:"
sed '/^eager/d; 1a property eager "node: btl_vader_eager_limit = 4096"\nproperty eager "network: not told"\neager 4040 node' text >told.text
tarry assemble -o told told.text
tarry info told | grep -A1 ^eager
tarry info --json told | grep -A9 '"eager"'
echo "an error is always shown, although nobody waits:"
sed 's/MPI_Send/MPI_Rsend/; s/=8192/=64/; s/10 9000000 MPI_R/10 900 MPI_R/' text >ready.text
tarry assemble -o ready ready.text
tarry analyze ready | grep "^1"
echo "four threads that wait at once wait less than all of their time:"
{
	for rank in 0 1; do
		echo "process world=1 rank=$rank size=2"
		echo "comm 0x1 kind=intra rank=$rank size=2 remote=0$([ $rank != 0 ] || echo ' members=1:0-1') \"MPI_COMM_WORLD\""
		for thread in 0 1 2 3; do
			echo "thread $thread"
			[ $rank = 1 ] || echo "0 100000 MPI_Recv comm=0x1 peer=1 tag=$thread received=8"
			[ $rank = 0 ] || echo "90000 100000 MPI_Send comm=0x1 peer=0 tag=$thread sent=8"
		done
	done
} | tarry assemble -o threads -
tarry analyze --json threads.json threads >/dev/null
python3 -c '
import json
found = json.load(open("threads.json"))
print(found["run"]["time_s"], [(finding["total_s"], finding["share"]) for finding in found["findings"]])'
