# Rules that use arguments of MPI functions: a trace with them, and one recorded without these rules.
cat >split.rules <<'RULES'
declare event split for MPI_Comm_split parameters( colour = color, order = key );
declare problem mine.split for split when colour = 3 and order < 0
parameters( name = "Split", duration = duration, advice = "colour {colour}, key {order}" );
RULES
trace() {
	echo "process world=1 rank=0 size=1
property host \"node\""
	[ -z "$1" ] || echo 'property argument "MPI_Comm_split:color"
property argument "MPI_Comm_split:key"'
	echo "clock monotonic 1000000000 tick=0 ns=0
comm 0x1 kind=intra rank=0 size=1 remote=0 members=1:0 \"MPI_COMM_WORLD\"
thread 0
0 1000 MPI_Init
2000 500002000 MPI_Comm_split comm=0x1 newcomm=0x0 $1
600000000 600001000 MPI_Comm_split comm=0x1 newcomm=0x0
700000000 700001000 MPI_Finalize"
}
trace 'param="color" value=3 param="key" value=-1' | tarry assemble -o with.tarry -
trace '' | tarry assemble -o without.tarry -
echo "recorded with the rules:"
tarry report --no-shipped --rules split.rules --finding 1 with.tarry
echo "recorded without them:"
tarry report --no-shipped --rules split.rules without.tarry
tarry report --no-shipped --rules split.rules --all without.tarry | sed -n 1,5p
tarry report --no-shipped --rules split.rules --all --lang ru without.tarry | sed -n 1,5p
