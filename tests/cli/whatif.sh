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
echo "all messages cross nodes, and would be inside of one:"
export HOME=$PWD XDG_CACHE_HOME=$PWD
unset TARRY_MACHINE SLURM_CONF
for rank in 0 1 2 3; do
	printf 'process world=1 rank=%s size=4 run=1\nproperty host "n%s"\nclock monotonic 1000000 tick=0 ns=0\n' $rank $((rank % 2))
	printf 'eager 1000000 node\neager 1000000 network\n'
	echo "comm 0x1 parent=0x0 kind=intra rank=$rank size=4 remote=0$([ $rank != 0 ] || echo " members=1:0-3") \"MPI_COMM_WORLD\""
	echo "thread 0 tid=1 main"
	echo "0 10 MPI_Init"
	for number in 0 1 2 3 4 5 6 7 8 9; do
		sent=$((20 + 510 * number)) last=$((20 + 510 * (number > 0 ? number - 1 : 0) + 10))
		if [ $(((rank + number) % 2)) = 0 ]; then
			echo "$sent $((sent + 10)) MPI_Send comm=0x1 peer=$((rank ^ 1)) tag=0 sent=500000"
		else
			echo "$last $((sent + 500)) MPI_Recv comm=0x1 peer=$((rank ^ 1)) tag=0 received=500000"
		fi
	done
	echo "5200 5210 MPI_Finalize"
done >text
tarry assemble -o nodes text
tarry whatif nodes | grep -A1 'placement'
tarry whatif --lang ru nodes | grep -A1 'tarry map'
printf 'LevelName=socket Latency=500ns Bandwidth=8GiB\nLevelName=network Latency=2us Bandwidth=1GiB\n' >costs
(echo 'NodeName=n[0-1] CoresPerSocket=2'; cat costs) >m.conf
tarry whatif --machine m.conf nodes | grep 'placement'
mkdir -p tarry
cp costs tarry/machine.conf
tarry whatif nodes | grep 'placement'
try tarry whatif --machine "node:1 core:2" nodes
echo "rank 1 computes 3 s instead of 1 s, but only in every other step: 4 s of 16 s can be saved"
for rank in 0 1; do
	printf 'process world=1 rank=%s size=2 run=1\nproperty host "n"\nclock monotonic 1000 tick=0 ns=0\n' $rank
	echo 'module 1 base=0x1000 size=0x1000 "app"'
	echo "comm 0x1 parent=0x0 kind=intra rank=$rank size=2 remote=0$([ $rank != 0 ] || echo " members=1:0-1") \"MPI_COMM_WORLD\""
	echo "thread 0 tid=1 main"
	echo "0 0 MPI_Init"
	echo "0 0 MPI_Barrier comm=0x1 site=1+0x4f0"
	end=0
	for step in 3000 1000 3000 1000 3000 1000 3000 1000; do
		echo "$((end + (rank ? step : 1000))) $((end += step)) MPI_Barrier comm=0x1 site=1+0x4f0"
	done
	echo "$end $end MPI_Finalize"
done >text
tarry assemble -o steps text && tarry whatif steps | grep -e recorded -e '1\. '
echo "a delay during a call without communication, recorded or not (--minimal):"
for rank in 0 1; do
	printf 'process world=1 rank=%s size=2 run=1\nproperty host "n"\nclock monotonic 1000 tick=0 ns=0\n' $rank
	echo "comm 0x1 parent=0x0 kind=intra rank=$rank size=2 remote=0$([ $rank != 0 ] || echo " members=1:0-1") \"MPI_COMM_WORLD\""
	echo "thread 0 tid=1 main"
	echo "0 0 MPI_Init"
	[ $rank = 0 ] && echo "1000 1500 MPI_Comm_rank comm=0x1 delay_inside=200000"
	echo "$((rank ? 1000 : 3000)) 3100 MPI_Barrier comm=0x1"
	echo "3100 3100 MPI_Finalize"
done >text
tarry assemble -o all text
sed '/MPI_Comm_rank/d; s/^3000 3100 MPI_Barrier.*/& delay_before=200000/' text >less
tarry assemble -o minimal less
for trace in all minimal; do tarry whatif $trace | grep -e balance -e noise; done
