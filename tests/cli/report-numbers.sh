# A number means the same finding in every format of the report. With --all the small finding would join the second one's
# group and move it to the first place.
process() {
	echo "process world=1 rank=$1 size=3
property host \"node\"
property cpus \"0-7\"
source 1 \"src/halo.c\" \"exchange\"
comm 0x1 kind=intra rank=$1 size=3 remote=0$([ "$1" != 0 ] || echo ' members=1:0-2') \"MPI_COMM_WORLD\"
thread 0
0 1000 MPI_Init"
}
# Rank 0 sends late at lines 20 and 21, and slightly late at line 22, after the work before line 20.
trace() {
	process 0
	echo "1000000000 1000000100 MPI_Send site=1+0x14 comm=0x1 peer=1 tag=0 sent=8"
	echo "1000000200 1000000300 MPI_Send site=1+0x16 comm=0x1 peer=2 tag=2 sent=8"
	echo "2000000000 2000000100 MPI_Send site=1+0x15 comm=0x1 peer=1 tag=1 sent=8"
	echo "9900000000 10000000000 MPI_Finalize"
	process 1
	echo "100000000 1000000200 MPI_Recv site=1+0x1e comm=0x1 peer=0 tag=0 received=8"
	echo "1099000000 2000000200 MPI_Recv site=1+0x1f comm=0x1 peer=0 tag=1 received=8"
	echo "9900000000 10000000000 MPI_Finalize"
	process 2
	echo "998000000 1000000400 MPI_Recv site=1+0x20 comm=0x1 peer=0 tag=2 received=8"
	echo "9900000000 10000000000 MPI_Finalize"
}
trace | tarry assemble -o run -
echo "the first screen:"
tarry report run | grep '^ *[0-9]\.'
echo "all of them:"
tarry report --all run | grep -A1 '^ *[0-9]\.'
echo "one at a time:"
for number in 1 2 3; do
	tarry report --finding $number run | grep -A1 "^ *$number\."
done
echo "for programs:"
tarry report --all --csv - run | cut -d, -f1-3
