# Findings are printed at the end of the job; the exit code is always the job's.
install_tarry openmpi
cat >text <<'END'
process
source 1 "halo.c" "exchange"
comm 0x1 rank=0 size=2 members=1:0-1 "MPI_COMM_WORLD"
5000000 5000100 MPI_Send site=1+0x9 comm=0x1 peer=1 tag=0 sent=8
process
source 1 "halo.c" "exchange"
comm 0x1 rank=1 size=2 "MPI_COMM_WORLD"
1000000 5000200 MPI_Recv site=1+0xa comm=0x1 peer=0 tag=0 received=8
END
tarry assemble -o made text
script app <<'END'
cp made.tarry "$TARRY_OUTPUT"
echo "the program's output"
exit 7
END
try tarry run --replace -o found ./app
echo "not wanted:"
try tarry run --replace --no-analyze -o found ./app
echo "with rules of one's own:"
cat >mine.rules <<'END'
disable problem mpi.late-standard-send;
declare problem mine.late for point_to_point
parameters( name = "Mine", duration = recv_wait_end_time - recv_wait_start_time );
END
try tarry run --replace --rules mine.rules -o found ./app
echo "and those alone:"
printf 'import "mpi-blocking";\n' | cat - mine.rules >alone.rules
try tarry run --replace --no-shipped --rules alone.rules -o found ./app
echo "the program's output is its own:"
tarry run --replace -o found ./app 2>/dev/null || echo "exit code $?"
echo "the installation is damaged:"
echo 'declare nonsense;' >prefix/share/tarry/rules/mpi.rules
try tarry run --replace -o found ./app
rm -r prefix/share
try tarry run --replace -o found ./app
