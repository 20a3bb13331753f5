# The drawing of a machine, with and without the ranks of a job.
install_tarry
export LC_ALL=C.UTF-8
unset TARRY_MACHINE SLURM_CONF
export HOME=$PWD XDG_CACHE_HOME=$PWD
try tarry coll show --machine "switch:2 node:4 socket:2 core:2" -n 18
try tarry coll show --machine "node:64 core:4" --ranks-per-node 2 --order cyclic
cat >m.conf <<'END'
SwitchName=top Switches=s[0-1]
SwitchName=s0 Nodes=n[0-2]
SwitchName=s1 Nodes=big
NodeName=n[0-2] CoresPerSocket=2
NodeName=big Sockets=2 CachesPerSocket=2 CoresPerSocket=4
END
echo "without UTF-8:"
LC_ALL=C try tarry coll show --machine m.conf --ranks 22 --ranks-per-node 8
echo "of a trace, by a file, and by its own hosts:"
for rank in 0 1 2 3; do
	host=n$((rank % 2))
	[ $rank != 3 ] || host=big.cluster
	printf 'process world=1 rank=%s size=4 run=1\nproperty host "%s"\nproperty cpus "0-3"\n10 20 MPI_Init\n' $rank $host
done >text
tarry assemble -o job text
try tarry coll show -m m.conf job
try tarry coll show job
TARRY_MACHINE=m.conf try tarry coll show job | first 2
mkdir -p tarry slurm
cp m.conf tarry/machine.conf
try tarry coll show | first 2
cp m.conf slurm/topology.conf
SLURM_CONF=$PWD/slurm/slurm.conf tarry coll show | first 1 | sed "s|$PWD/||"
echo 'NodeName=n[0-9] CoresPerSocket=4' >tarry/machine.conf
try tarry coll show job
rm -r tarry
echo "a picture:"
try tarry coll show -m m.conf --svg m.svg job | tail -1
tarry coll show -m m.conf --svg - job | cmp - m.svg
grep -c 'class="rank"' m.svg
echo "algorithms:"
try tarry coll show --algorithms | first 11
tarry coll --help | sed -n '/^ALGORITHMS/,/^$/p'
echo "what cannot be:"
try tarry coll --algorithm allgather=bruck_reorder,barrier=fast -- mpirun ./app
try tarry coll --algorithm alltoallw=ring -- mpirun ./app
try tarry coll show -m missing.conf
try tarry coll show -m "rack:2 node:2"
try tarry coll show -m "node:2 core:2" job
try tarry coll show -m "node:2 core:2" -n 5
try tarry coll show -n 2 job
echo 'SwitchName=a Switches=b
SwitchName=b Switches=a
NodeName=n0 CPUs=1' >bad.conf
try tarry coll show -m bad.conf
try tarry coll
try tarry coll nothing
