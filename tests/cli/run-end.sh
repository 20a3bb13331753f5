# What is said after a job that left no trace, or pieces of one, or that had something to note.
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

script notes <<'END'
mkdir "$TARRY_OUTPUT.parts"
echo "rank 3: the disk is full, blind from 2.5 s on" >"$TARRY_OUTPUT.parts/notes"
printf 'TARRY\032' >"$TARRY_OUTPUT"
END
try tarry run ./notes
[ ! -e notes.tarry.parts ]
script killed <<'END'
mkdir "$TARRY_OUTPUT.parts"
: >"$TARRY_OUTPUT.parts/0.part"
kill -9 $$
END
try tarry run ./killed
echo "what an earlier job left is set aside:"
for turn in 1 2; do
	try tarry run ./killed
done
ls -d ./*.parts*
