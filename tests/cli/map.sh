# Ranks placed by their traffic: pairs that communicate were on two nodes.
install_tarry
export LC_ALL=C.UTF-8 HOME=$PWD XDG_CACHE_HOME=$PWD
unset TARRY_MACHINE SLURM_CONF
for rank in 0 1 2 3; do
	printf 'process world=1 rank=%s size=4 run=1\nproperty host "n%s"\n' $rank $((rank % 2))
	echo "comm 0x1 parent=0x0 kind=intra rank=$rank size=4 remote=0$([ $rank != 0 ] || echo " members=1:0-3") \"MPI_COMM_WORLD\""
	echo "thread 0 tid=1 main"
	echo "10 20 MPI_Send comm=0x1 peer=$((rank ^ 1)) tag=0 sent=500000"
	echo "30 40 MPI_Allreduce comm=0x1 sent=1200 received=1200"
done >text
tarry assemble -o job text
cat >m.conf <<'END'
NodeName=n[0-1] CoresPerSocket=2
LevelName=socket Latency=500ns Bandwidth=8GiB
LevelName=network Latency=2us Bandwidth=1GiB
END
try tarry map job --machine m.conf --rankfile ranks --slurm slurm --hostfile hosts --split keys
echo "files:"
paste ranks slurm keys
cat hosts
try tarry map job --machine m.conf --split -
try tarry map job --machine "node:2 core:2" --before block
LC_ALL=C try tarry map job | tail -n +3
try tarry map job --machine m.conf --json
echo "costs that were measured:"
mkdir -p tarry
grep LevelName m.conf >tarry/machine.conf
tarry map job | grep Predicted
tarry map job --machine "node:2 core:2" | grep predicted
try tarry coll show job
echo 'LevelName=node' >tarry/machine.conf
tarry map job --machine m.conf | grep Predicted
grep NodeName m.conf >nodes.conf
tarry map job --machine nodes.conf 2>&1 | grep -e machine.conf -e predicted
rm -r tarry
echo "what cannot be:"
try tarry map
try tarry map job --machine "node:1 core:2"
try tarry map job --machine "node:1 core:2" --before block
try tarry map job --machine m.conf --rankfile missing/ranks
