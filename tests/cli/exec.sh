# The program runs with recording prepared, and is otherwise unchanged.
install_tarry openmpi

echo "environment of the program:"
tarry exec sh -c 'printf "%s\n" "$TARRY_OUTPUT" "$TARRY_BUFFER" "$LD_PRELOAD" "${TARRY_RUN-no number}"'
tarry exec -o there.tarry --buffer 1G sh -c 'printf "%s\n" "$TARRY_OUTPUT" "$TARRY_BUFFER"'
mkdir elsewhere
tarry exec -o "$PWD/elsewhere/x" sh -c 'echo "$TARRY_OUTPUT"'

echo "arguments and exit code:"
try tarry exec sh -c 'echo "$@"; exit 7' sh -o 'two words' --buffer
try tarry exec -- sh -c 'exit 3'

echo "what is preloaded already stays, and ours comes once:"
cp prefix/lib/libtarry-preload.so theirs.so
LD_PRELOAD=$PWD/theirs.so tarry exec tarry exec sh -c 'echo "$LD_PRELOAD"'

echo "under tarry run, its trace is meant unless another is named:"
show='echo "$TARRY_OUTPUT" ${TARRY_RUN:+awaited}'
tarry run -o outer -- tarry exec sh -c "$show" 2>/dev/null
tarry run -o outer -- tarry exec -o outer sh -c "$show" 2>/dev/null
tarry run -o outer -- tarry exec -o other sh -c "$show" 2>/dev/null

echo "programs that cannot be run:"
: >plain
try tarry exec ./missing
try tarry exec missing-program
try tarry exec ./plain
try tarry exec ./
try tarry exec .

echo "the trace is named before the start, once for all processes:"
try env OMPI_COMM_WORLD_RANK=0 tarry exec -o 'my run' sh -c :
try env OMPI_COMM_WORLD_RANK=1 tarry exec -o 'my run' sh -c :
: >'my run.tarry'
try env PMI_RANK=0 tarry exec -o 'my run' sh -c :
mkdir -m 700 left.tarry.parts
: >left.tarry.parts/node-1-2.part
try tarry exec -o left sh -c :
touch -d '2 minutes ago' left.tarry.parts/node-1-2.part
try tarry exec -o left sh -c :
