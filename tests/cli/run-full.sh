# A folder without space left.
install_tarry openmpi
mkdir full
cat >inside <<'END'
mount -t tmpfs -o size=64k none full || exit 77
head -c 1M /dev/zero >full/rest 2>/dev/null
tarry run -o full/x true 2>&1 || echo "exit code $?"
END
unshare -rm sh inside 2>/dev/null || { echo "skipped: no file system can be mounted here"; exit 77; }
