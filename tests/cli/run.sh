# A job from start to end, with a launcher that also plays the recorder.
install_tarry openmpi
PATH=$PWD:$PATH
script mpirun <<'END'
printf 'launched:'
printf ' %s' "$@"
echo
printf '%s\n' "$TARRY_OUTPUT" "$TARRY_BUFFER" "$LD_PRELOAD"
case $TARRY_RUN in *[!0-9a-f]*) echo "wrong number" ;; ????????????????) echo "a number of 16 digits" ;; esac
printf 'TARRY\032' >"$TARRY_OUTPUT"
exit "${CODE:-0}"
END
script app </dev/null

try tarry run -- mpirun -n 4 ./app input --output x
ls ./*.tarry
echo "again, with another exit code:"
CODE=9 try tarry run --buffer 2M mpirun -n 4 ./app
echo "the name:"
try tarry run -o chosen -- mpirun ./app
try tarry run -o chosen.tarry -- mpirun ./app | tail -3
for line in '--mca btl self,tcp -np 2 ./one : -np 1 ./two' '-genv A B -hosts x,y ./one' '-x A=1 ./folder/one a b' '-n 2' \
	'-n 2 /usr/bin/python3.11 folder/wave.py a' '-n 2 python -m wave' '-n 2 pythonic wave.py'; do
	echo "mpirun $line"
	tarry run -- mpirun $line 2>&1 | grep trace:
done
