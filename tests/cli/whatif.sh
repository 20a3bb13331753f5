# A run replayed under other conditions. Rank 1 computes 3 s and rank 0 computes 1 s before a barrier that takes 0.1 s. Then rank 0 sends, and waits 0.5 s for the receiver.
install_tarry
export LC_ALL=C.UTF-8
for rank in 0 1; do
	printf 'process world=1 rank=%s size=2 run=1\nclock monotonic 1000 tick=0 ns=0\neager 1000 node\n' $rank
	echo "comm 0x1 parent=0x0 kind=intra rank=$rank size=2 remote=0$([ $rank != 0 ] || echo " members=1:0-1") \"MPI_COMM_WORLD\""
	echo "thread 0 tid=1 main"
	echo "0 10 MPI_Init"
	if [ $rank = 0 ]; then
		echo "1010 3110 MPI_Barrier comm=0x1"
		echo "3110 3710 MPI_Send comm=0x1 peer=1 tag=0 sent=1000000"
		echo "4710 4720 MPI_Finalize"
	else
		echo "3010 3110 MPI_Barrier comm=0x1"
		echo "3610 3710 MPI_Recv comm=0x1 peer=0 tag=0 received=1000000"
		echo "3710 4720 MPI_Finalize"
	fi
done >text
tarry assemble -o job text
try tarry whatif job
try tarry whatif --eager 1MiB --json - job
tarry whatif --eager 10 job | grep -A1 'not predictable'
tarry whatif --json answers job
tarry whatif --json - --jobs 1 job | cmp answers -
try tarry whatif
try tarry whatif nothing
echo "a message is missing:"
grep -v MPI_Recv text >less
tarry assemble -o part less
tarry whatif part | grep -A1 'ideal network'
