# Messages after a job without a trace, a killed job, and a job with notes.
install_tarry openmpi
echo 'int main(void) { return 5; }' | compile app
try tarry run ./app
script mpirun <<'END'
exec ./app
END
try tarry run ./mpirun -n 2 ./app
try tarry run ./mpirun -n 2 ./missing
try tarry run -- sh -c 'kill -9 $$'
try tarry run ./missing
try tarry run missing-program
try tarry run ./
: >plain
try tarry run ./plain

echo "the parts of its processes become the trace:"
printf 'process\n10 20 MPI_Send peer=1\nprocess\n10 30 MPI_Recv peer=0\n' >ring.txt
tarry assemble ring.txt
script finished <<'END'
mkdir -p "$TARRY_OUTPUT.parts"
echo "rank 3: the disk is full, events after 2.5 s are lost" >"$TARRY_OUTPUT.parts/notes"
cp ring.tarry "$TARRY_OUTPUT.parts/0.part"
END
show_run() { try tarry run "$@" | sed 's/size: .*/size: SIZE/'; }
show_run ./finished
[ ! -e finished.tarry.parts ]
tarry dump finished.tarry | grep MPI_

echo "with notes alone:"
script noted <<'END'
mkdir -p "$TARRY_OUTPUT.parts"
echo "nothing could be written" >"$TARRY_OUTPUT.parts/notes"
END
try tarry run ./noted
[ ! -e noted.tarry.parts ]

echo "parts that are damaged:"
script damaged <<'END'
mkdir -p "$TARRY_OUTPUT.parts"
head -c 100 ring.tarry >"$TARRY_OUTPUT.parts/0.part"
kill -9 $$
END
try tarry run ./damaged
echo "what an earlier job left is set aside:"
for turn in 1 2; do
	try tarry run ./damaged | first 2
done
ls -d ./damaged*.tarry*
tarry recover damaged.old-1.tarry.parts 2>&1 | first 1
