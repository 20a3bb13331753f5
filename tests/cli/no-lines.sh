# Missing debug information is reported for the program, and for a library of the system only if a finding is in it.
library=$(ldconfig -p | sed -n 's/.*libgcc_s\.so\.1 .* => //p' | head -n 1)
case $library in
/lib/* | /lib64/* | /usr/lib*) ;;
*) echo "skipped: libgcc is elsewhere"; exit 77 ;;
esac
readelf -S "$library" | grep -q debug_info && { echo "skipped: libgcc has debug information"; exit 77; }
echo 'int main(void) { return 0; }' | cc -s -x c - -o app
trace() {
	cat >text <<EOF
process
comm 0x1 rank=0 size=2 members=1:0-1 "MPI_COMM_WORLD"
module 1 base=0x0 size=0x100000 "$2"
0 10 MPI_Init
5000000 5000100 MPI_Send site=1+0x990 comm=0x1 peer=1 tag=0 sent=8
20000000 20000010 MPI_Finalize
process
comm 0x1 rank=1 size=2 "MPI_COMM_WORLD"
module 1 base=0x0 size=0x100000 "$2"
0 10 MPI_Init
1000000 5000200 MPI_Recv site=1+0x990 comm=0x1 peer=0 tag=0 received=8
20000000 20000010 MPI_Finalize
EOF
	tarry assemble -o "$1" text
}
trace own "$PWD/app"
trace system "$library"
trace gone /usr/lib/gone/libgone.so
trace moved "$PWD/gone"
rule='declare composite event late member( transfer as m where not m.is_send )
parameters( late = m.send.start - m.wait.start, at = m.wait, partner = m.send );
declare problem mpi.late-sender for late when late > %s parameters( name = "Late sender", duration = late );'
printf "$rule" '0 s' >finds.rules
printf "$rule" '9 s' >not.rules
said() {
	echo "$*"
	"$@" 2>&1 >/dev/null | sed "s|$library|LIBRARY|; s/, or name.*//"
}
for trace in own system gone moved; do
	said tarry dump $trace
	said tarry report --no-shipped --rules not.rules $trace
	said tarry report --no-shipped --rules finds.rules $trace
done
