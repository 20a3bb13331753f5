# Messages about a useless trace: the requested part of the run never occurred, or each process was a separate job.
install_tarry openmpi
replay() { # NAME CODE: a launcher that leaves this trace and ends with this code
	tarry assemble "$1.txt"
	script "$1-job" <<END
mkdir -p "\$TARRY_OUTPUT.parts"
cp $1.tarry "\$TARRY_OUTPUT.parts/0.part"
exit $2
END
}
show_run() { try tarry run --replace "$@" | sed 's/size: .*/size: SIZE/'; }

printf 'property selection "--from step:10"\nproperty never_came "--from step:10"\nproperty seen "stpe, end"\n1 2 MPI_Init\npause 2\n' >never.txt
replay never 0
show_run --no-analyze ./never-job
try tarry report never-job.tarry | head -3
tarry info never-job.tarry | grep 'never'

lonely() { # RANK WORLD SIZE
	printf 'process world=%s rank=0 size=%s run=1\nproperty launcher "mpirun (Open MPI)"\nproperty mpi "mpich"\n' "$2" "$3"
	printf 'property env "OMPI_COMM_WORLD_SIZE=%s"\n1 2 MPI_Init\n3 4 MPI_Barrier\n5 6 MPI_Finalize\n' "$1"
}
{ lonely 2 1 1; lonely 2 2 1; } >lonely.txt
replay lonely 0
show_run --no-analyze ./lonely-job
try tarry report lonely-job.tarry | head -3
tarry info lonely-job.tarry | grep 'alone'

echo "the code of the program is not lost:"
replay lonely 7
show_run --no-analyze ./lonely-job

echo "a script may start jobs of one process each:"
{ lonely 1 1 1; lonely 1 2 1; } >lonely.txt
replay lonely 0
show_run --no-analyze ./lonely-job
