# Output files get the modes that the umask allows.
echo 'process
10 20 MPI_Send peer=1' >text
for mask in 022 027 077; do
	umask "$mask"
	mkdir "$mask"
	(
		cd "$mask"
		tarry assemble -o run ../text
		tarry dump -o run.text run
		tarry export --csv run.csv run
		tarry export --perfetto run.pftrace run
		tarry export --otf2 archive run
		tarry report --json run.json --sarif run.sarif --html run.html run >/dev/null
		find . -type f -printf '%m\n' | sort -u
		find . -mindepth 1 -type d -printf '%m folder\n' | sort -u
	)
done
