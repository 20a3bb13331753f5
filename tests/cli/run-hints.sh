# The commands suggested at the end of a run can be copied into the shell where it was started.
install_tarry openmpi
script app <<'END'
cp made.tarry "$(echo "$TARRY_OUTPUT" | sed "s/%20/ /g; s/%27/'/g")"
END
echo 'process
10 20 MPI_Send peer=1' | tarry assemble -o made -
echo 'declare event done for MPI_Finalize;' >'my own.rules'
mkdir 'a folder' plain

hints() {
	tarry run --no-analyze "$@" ./app 2>&1 | tee said | sed '/size:/d'
	# each of them, as a shell reads it
	sed -n 's/^tarry: see: \(.*\), \(.*\)$/\1\n\2/p' said | while read -r command; do
		eval "$command" >/dev/null && echo "works: $command"
	done
}

hints -o plain/x
hints -o 'a folder/two words' --no-shipped --rules 'my own.rules'
hints -o "it's"
hints -o "$PWD/plain/absolute"
hints -o -dash
cd plain
cp ../app ../made.tarry .
hints -o ../elsewhere
