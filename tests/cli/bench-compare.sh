# `tarry bench compare`: what became faster or slower, and what else is not the same.
cp "$(dirname "$1")"/../bench/data/*.json .

try tarry bench compare before.json after.json
echo '# the other way round'
try tarry bench compare after.json before.json | tail -n 3
echo '# with itself'
try tarry bench compare before.json before.json | grep -v '^$'

echo '# it takes more to be slower'
try tarry bench compare --threshold 40% before.json after.json | tail -n 4
try tarry bench compare --confidence 99.999% before.json after.json | grep -A 2 '^MPI_Bcast'

echo '# for programs'
try tarry bench compare --json - before.json before.json | first 16
try tarry bench compare --json changes.json --html changes.html before.json after.json | tail -n 3
python3 - <<'END'
import json
changes = json.load(open("changes.json", encoding="utf-8"))
print(changes["verdicts"], [point["bytes"] for point in changes["points"] if point["verdict"] == "slower"])
END
grep -c '<svg' changes.html

echo '# several jobs on each side'
mkdir jobs-before jobs-after
for job in 1 2 3 4 5; do
	cp before.json jobs-before/$job.json
	cp after.json jobs-after/$job.json
done
try tarry bench compare jobs-before/ jobs-after | tail -n 21
try tarry bench compare jobs-before after.json | grep -A 2 '^second\|^MPI_Barrier'
echo '{}' >jobs-after/9.json
try tarry bench compare jobs-before jobs-after
mkdir empty
try tarry bench compare empty jobs-before

echo '# nothing to compare'
sed 's/"ranks": [24]/"ranks": 8/; s/"processes": \[/"processes": null, "x": [/' before.json >eight.json
try tarry bench compare before.json eight.json | tail -n 3
cat >memory.json <<'END'
{"format": "tarry-bench", "version": 1, "complete": true, "trouble": null, "facts": {}, "points": [], "omissions": [],
 "memory": [{"step": "MPI_Init", "ranks": 2, "private_bytes": 2e6, "shared_bytes": 4e6, "file_bytes": 0, "heap_bytes": 1e6,
             "most_bytes": 6e6}]}
END
try tarry bench compare memory.json memory.json

echo '# what is wrong'
try tarry bench compare before.json nothing.json
try tarry bench compare nothing.json before.json
try tarry bench compare before.json
try tarry bench compare --confidence 1 before.json after.json
try tarry bench compare --confidence much before.json after.json
try tarry bench compare --threshold -1 before.json after.json
try tarry bench compare --json after.json before.json after.json
try tarry bench compare --html no/such/folder.html before.json after.json
