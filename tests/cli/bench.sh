# `tarry bench` starts jobs: the launcher, its arguments, forwarded options and the end of jobs. Program and launchers are stand-ins;
# tests/bench has real ones.
install_tarry
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_MCA_rmaps_base_oversubscribe=1
unset SLURM_JOB_ID PBS_NODEFILE LSB_HOSTS PE_HOSTFILE COBALT_NODEFILE
PATH=$PWD/prefix/bin:/usr/bin:/bin
mkdir launchers
script launchers/mpirun <<'END'
case $1 in --version) echo 'mpirun (Open MPI) 4.1.4'; exit ;; esac
echo "mpirun: $*"
for word; do case $word in *' '*) echo "one word: $word" ;; esac; done
while [ "${1#/}" = "$1" ]; do shift; done
exec "$@"
END
script launchers/mpiexec.mpich <<'END'
echo "mpiexec.mpich: $*" | sed "s,$PWD,.,g"
END
script stand-in <<'END'
for word; do
	case $word in
	--list) echo 'all operations'; exit 0 ;;
	bcas) echo "tarry-bench: unknown operation 'bcas', did you mean 'bcast'?" >&2; exit 2 ;;
	esac
done
case $* in *--dry-run*) echo "would measure: $*"; exit 0 ;; esac
printf '\036tarry 0 0/3 MPI_Bcast\n' >&2
echo 'a line of the table'
printf '\036tarry 0.33 1/3 MPI_Bcast 1 B\n' >&2
echo 'tarry-bench: a note' >&2
printf '\036tarry something else\n' >&2
for word; do
	case $word in
	dies) kill -9 $$ ;;
	stops) exit 0 ;;
	fails) echo "tarry-bench: it went wrong" >&2; exit 1 ;;
	esac
done
printf '\036tarry 1 3/3 done\n' >&2
END
# Its stderr is last: the order of the two streams is not defined.
shown() {
	{ try_apart "$@"; } | PATH=$tools sed "s,$PWD,.,g"
}
try_apart() {
	echo "\$ $*"
	code=0
	"$@" 2>errors || code=$?
	PATH=$tools cat errors
	[ "$code" -eq 0 ] || echo "exit code $code"
}
tools=/usr/bin:/bin

echo '# nothing that measures'
shown tarry bench bcast
cp stand-in prefix/bin/tarry-bench-openmpi
shown tarry bench --mpi mpich bcast

echo '# no launcher'
PATH=$PWD/prefix/bin:$PWD/nowhere
shown tarry bench -n 2 bcast
shown tarry bench bcast -- srun -n 2
shown tarry bench --launcher ''
PATH=$PWD/launchers:$PWD/prefix/bin:$tools

echo '# fine'
shown tarry bench -n 2 --sizes 8-64 --trim 10% bcast
shown tarry bench -o r.json --csv r.csv bcast -- mpirun -n 4 --map-by core
shown tarry bench -n 3 --launcher 'mpirun --verbose' bcast
shown tarry bench --launcher 'mpirun "--note=two  words" three\ words -n 2' bcast
echo '# a batch system decides how many'
SLURM_JOB_ID=1 shown tarry bench bcast
shown tarry bench list
shown tarry bench -n 64 --dry-run bcast
cp stand-in prefix/bin/tarry-bench-mpich
shown tarry bench --mpi mpich -n 2

echo '# what Open MPI has to be told'
unset OMPI_MCA_rmaps_base_oversubscribe
shown tarry bench -n 100000 bcast | sed 's/share .* cores*,/share CORES,/'
export OMPI_MCA_rmaps_base_oversubscribe=1

echo '# as it ends'
shown tarry bench -n 2 dies
shown tarry bench -n 2 -o r.json fails
shown tarry bench -n 2 stops
shown tarry bench -n 2 bcas
shown tarry bench -n 2 --quiet -o r.json bcast

echo '# several jobs'
shown tarry bench -n 2 --jobs 2 -o several/ bcast
shown tarry bench -n 2 --jobs 2 -o several fails
shown tarry bench --jobs 2 bcast
shown tarry bench --jobs 2 -o several --csv r.csv bcast
shown tarry bench --jobs 2 -o nowhere/several bcast
shown tarry bench --jobs 2 -o stand-in bcast

echo '# wrong words'
shown tarry bench --size 4
shown tarry bench --trim 60%
shown tarry bench --sizes 1,x
shown tarry bench --sizes 99999999999999999999
shown tarry bench -n -1
shown tarry bench --quiet
shown tarry bench -o nowhere/r.json
shown tarry bench -o launchers
shown tarry bench tune -o nowhere/tuned.rules
shown tarry bench tune --json launchers
shown tarry bench --csv r --html r
shown tarry bench --memory bcast
shown tarry bench --launcher mpirun -- mpirun
shown tarry bench --launcher 'mpirun "--note' bcast
shown tarry bench bcast --
tarry bench -n 2 bcast 2>&1 >&- | sed "s,$PWD,.,g"
