# A folder without space left: a new trace, and parts that have holes because space ran out while they were written.
install_tarry openmpi
echo 'process
10 20 MPI_Send peer=1' >text
tarry assemble -o made text
mkdir full
cat >inside <<'END'
mount -t tmpfs -o size=64k none full || exit 77
mkdir full/holes.tarry.parts
cp made.tarry full/holes.tarry.parts/1.part
truncate -s 1M full/holes.tarry.parts/1.part
head -c 1M /dev/zero >full/rest 2>/dev/null
tarry run -o full/x true 2>&1 || echo "exit code $?"
tarry recover -o recovered full/holes 2>&1 || echo "exit code $?"
tarry dump --no-source recovered.tarry 2>&1 | grep MPI_Send
END
unshare -rm sh inside 2>/dev/null || { echo "skipped: no file system can be mounted here"; exit 77; }
