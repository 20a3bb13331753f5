# Open MPI gets the list of variables to forward to other nodes, in a way compatible with the user's
# own options.
install_tarry openmpi
script show <<'END'
printf ' %s\n' "$@" | sed "s|$LD_PRELOAD|OURS|"
echo "list: ${OMPI_MCA_mca_base_env_list-none}"
printf 'TARRY\032' >"$TARRY_OUTPUT"
END
for name in mpirun mpiexec.openmpi srun script.sh; do
	cp show "$name"
done
show() {
	echo "\$ $*"
	"$@" 2>/dev/null
}
show tarry run ./mpirun -n 2 ./app
OMPI_MCA_mca_base_env_list='A;B=1' show tarry run ./mpiexec.openmpi -n 2 ./app
show tarry run ./mpirun -x A -n 2 ./app -x B : -n 1 ./other
show tarry run ./mpirun -x LD_PRELOAD=theirs.so ./app
show tarry run ./mpirun --mca mca_base_env_list 'A;B' ./app
show tarry run ./srun -x node7 ./app
show tarry run ./script.sh
script upcrun <<'END'
echo "upcrun carries: $UPC_ENVPREFIX"
printf ' %s\n' "$@"
printf 'TARRY\032' >"$TARRY_OUTPUT"
END
show tarry run ./upcrun -q -shared-heap 64MB -n 2 ./app -n 3
UPC_ENVPREFIX=LD_LIBRARY_PATH show tarry run ./upcrun -n 2 ./app
ls *.tarry
