install_tarry openmpi
# Reliability of findings: problems of a trace are at the top of the report and in every format, and affect --fail-on. Two ranks; rank
# 1 waits 4 ms of 40 ms for rank 0. The variables make a trace worse.
process() {
	echo "process world=1 rank=$1 size=2
$2
property host \"node\"
source 1 \"halo.c\" \"exchange\"
comm 0x1 rank=$1 size=2$([ "$1" != 0 ] || echo ' members=1:0-1') \"MPI_COMM_WORLD\"
thread 0
0 10 MPI_Init"
}
trace() {
	process 0 "${facts:-}"
	echo "5000000 5000100 MPI_Send site=1+0x9 comm=0x1 peer=1 tag=0 sent=8${stolen:-}"
	[ "${end:-}" = killed ] || echo "20000000 20000010 MPI_Finalize${starved:-}"
	[ "${ranks:-}" != one ] || return 0
	process 1 "${facts1-${facts:-}}"
	echo '1000000 5000200 MPI_Recv site=1+0xa comm=0x1 peer=0 tag=0 received=8'
	echo "${more:-}"
	[ "${end:-}" = killed ] || echo "20000000 20000010 MPI_Finalize${starved:-}"
}
judged() {
	code=0
	tarry analyze --fail-on "$@" run.tarry >/dev/null || code=$?
	echo "exit code $code"
}
show() {
	echo "$1:"
	rm -f run.tarry
	trace | tarry assemble -o run.tarry -
	tarry analyze run.tarry | first 2 | sed '/^run.tarry/,$d'
	tarry analyze --lang ru run.tarry | first 2 | sed '/^run.tarry/,$d'
	tarry analyze --json - run.tarry | python3 -c '
import json, sys
trust = json.load(sys.stdin)["trust"]
print(trust["verdict"], trust["can_judge"], *(reason["id"] for reason in trust["reasons"]))'
	judged 'late-sender>50%'
	judged 'late-sender>5%'
}
show complete
end=killed show incomplete
ranks=one show 'one process of two'
more='loss 6000000 "no space left"' show 'events lost'
facts='property cpus "0"' stolen=' delay_before=4000 delay_inside=0' show oversubscribed
facts='property cpus "0"' stolen=' delay_before=100 delay_inside=0' show 'a little less than its own core'
facts='property cpus "0"' starved=' delay_before=14000 delay_inside=0' show 'hardly ever a core'
facts='property steal "76/200"' show 'a virtual machine whose host takes the processors'
echo 'a virtual machine that gets nearly all, too short to tell, a machine of its own, a count that nobody can read:'
for steal in 3/200 4/8 0/200 nonsense; do
	facts="property steal \"$steal\"" trace | tarry assemble -o run.tarry -
	tarry analyze run.tarry | first 1
done
facts='property node "a"
property steal "10/200"' facts1='property node "b"
property steal "60/200"' show 'two nodes lose time'
facts='property other_threads "12000/20000"' show 'threads that were not recorded'
echo 'threads that do little, in a short run, and a count that nobody can read:'
for others in 900/20000 4900/5000 0/20000 7000/0 nonsense; do
	facts="property other_threads \"$others\"" trace | tarry assemble -o run.tarry -
	tarry analyze run.tarry | first 1
done
facts='property selection "--only p2p"' show 'in part'
more='pause 6000000' show paused
echo 'excluded calls: what they may have held is not judged, the rest is:'
excluding() {
	facts="property selection \"$1\"
property counted \"SKIPPED\"" trace | tarry assemble -o run.tarry -
	shift
	for limit; do
		echo "$limit:"
		judged "$limit"
	done
}
excluding '--only collective' 'late-sender>50%' 'wait-at-barrier>50%' 'load-imbalance>50%' 'any>50%'
excluding '--not MPI_Ssend' 'late-sender>50%' 'wait-at-barrier>50%' 'late-sender>50%,late-sender>5%'
excluding '--not MPI_Comm_rank,MPI_Wtime' 'any>50%'
excluding '--not marks,upc' 'any>50%'
echo 'a barrier that is completed by an excluded call, and one that needs none:'
more='6000000 6000010 MPI_Ibarrier site=1+0xb comm=0x1 request=1' excluding '--only collective' 'wait-at-barrier>50%'
more='6000000 6000010 MPI_Barrier site=1+0xb comm=0x1' excluding '--only collective' 'wait-at-barrier>50%'
echo 'what --minimal records is all that rules need:'
script minimal <<'EOF'
echo "$TARRY_ONLY" | sed "s/%2C/,/g"
EOF
excluding "--only $(tarry run --minimal --no-analyze -o none ./minimal 2>/dev/null)" 'any>50%' 'late-sender>5%'
echo 'a moment that never came:'
for seen in '' 'property seen "setup, step"'; do
	facts="property selection \"--from solve:3\"
property never_came \"--from solve:3\"
$seen" trace | tarry assemble -o run.tarry -
	tarry analyze run.tarry | sed '/^run.tarry/,$d'
	judged 'late-sender>5%'
done
echo 'it came in one process:'
facts='property selection "--from solve:3"' facts1='property selection "--from solve:3"
property never_came "--from solve:3"' trace | tarry assemble -o run.tarry -
tarry analyze run.tarry | sed '/^run.tarry/,$d'
judged 'late-sender>50%'
echo 'started by the launcher of another MPI library, and alone on purpose:'
for size in 2 1; do
	for world in 1 2; do
		printf 'process world=%s rank=0 size=1\nproperty env "OMPI_COMM_WORLD_SIZE=%s"\n' $world $size
		printf 'property launcher "mpirun"\nproperty mpi "mpich"\n0 10 MPI_Init\n20000000 20000010 MPI_Finalize\n'
	done | tarry assemble -o run.tarry -
	tarry analyze run.tarry | first 2
	judged 'any>1%'
done
echo 'a rule that is given too little memory, and one that is not:'
cat >pairs.rules <<'EOF'
declare composite event pair
member( shared call as a where a.function = MPI_Send, shared call as b where b.function = MPI_Recv )
when a.process = b.process and b.end < a.start
parameters( at = a );
declare problem mpi.pair for pair parameters( name = "Pair", duration = 1 ns );
EOF
for count in 3000 3; do
	{
		printf 'process\ncomm 0x1 rank=0 size=1 members=1:0 "MPI_COMM_WORLD"\n0 10 MPI_Init\n'
		seq 1 $count | awk '{ print $1 * 100, $1 * 100 + 10, "MPI_Send comm=0x1 peer=0 tag=0 sent=8" }'
		echo '20000000 20000010 MPI_Finalize'
	} | tarry assemble -o run.tarry -
	tarry analyze --no-shipped --rules pairs.rules run.tarry | sed '/^run.tarry/,$d'
	judged 'pair>5%' --no-shipped --rules pairs.rules
done
clock() { echo "property clock \"$1\"
clock monotonic 1000000000 tick=0 ns=1700000000000000000"; }
facts=$(clock a) facts1=$(clock b) show 'clocks not compared'
facts=$(clock a) show 'one clock'
facts=$(clock a) facts1="$(clock b)
compare tick=0 other=0 rate=1000000000 uncertainty=9000000 \"a\"" show 'clocks far apart'
facts=$(clock a) facts1="$(clock b)
compare tick=0 other=0 rate=1000000000 uncertainty=9000 \"a\"" show 'clocks close together'
rm run.tarry
echo 'process' | tarry assemble -o run.tarry -
tarry analyze run.tarry
judged 'any>1%'
echo 'several at once, the worst first:'
ranks=one facts='property selection "--only p2p"
property cpus "0"' starved=' delay_before=14000 delay_inside=0' trace | tarry assemble -o run.tarry -
tarry analyze run.tarry | first 1
tarry analyze --all run.tarry | sed '/^run.tarry/,$d'
tarry analyze --sarif - run.tarry | python3 -c '
import json, sys
invocation = json.load(sys.stdin)["runs"][0]["invocations"][0]
print([note["level"] for note in invocation["toolExecutionNotifications"]], invocation["properties"]["trust"]["verdict"])'
echo 'damaged:'
trace | tarry assemble -o run.tarry -
size=$(wc -c <run.tarry)
head -c $((size - 20)) run.tarry >damaged.tarry
tarry analyze damaged.tarry | first 1
try tarry analyze --fail-on 'any>90%' damaged.tarry | tail -n 3
echo 'time in MPI that no finding explains, and its twin:'
for end in 8000 3000; do
	rm -f run.tarry
	printf 'process\n0 10 MPI_Init\n2000 %s MPI_File_write\n10000 10010 MPI_Finalize\n' $end | tarry assemble -o run.tarry -
	tarry report run.tarry | sed -n '/time is in MPI/,/^$/p; /^No/p'
	tarry report --lang ru run.tarry | sed -n '/времени проходит/,/^$/p; /не найдено/p'
done
