# `tarry bench compare`: faster and slower points, and other differences.
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
page = open("changes.html", encoding="utf-8").read()
print(json.loads(page.split('id="differences">', 1)[1].split("</script>", 1)[0]) == changes)
print(changes["verdicts"], [point["bytes"] for point in changes["points"] if point["verdict"] == "slower"])
END

echo '# several jobs on each side'
mkdir jobs-before jobs-after
for job in 1 2 3 4 5; do
	cp before.json jobs-before/$job.json
	cp after.json jobs-after/$job.json
done
try tarry bench compare jobs-before/ jobs-after | tail -n 24
try tarry bench compare jobs-before after.json | grep -A 2 '^second\|^MPI_Barrier'
echo '{}' >jobs-after/9.json
try tarry bench compare jobs-before jobs-after
mkdir empty
try tarry bench compare empty jobs-before

echo '# nothing to compare'
sed 's/"ranks": [24]/"ranks": 8/; s/"processes": \[/"processes": null, "x": [/' before.json >eight.json
try tarry bench compare before.json eight.json | tail -n 3

echo '# memory'
memory() {
	python3 - "$@" <<'END'
import json, sys
rows = [dict(zip(("step", "ranks", "private_bytes", "shared_bytes"), row.split(":"))) for row in sys.argv[1:]]
for row in rows:
    row.update({key: float(row[key]) for key in row if key.endswith("_bytes")}, ranks=int(row["ranks"]),
               file_bytes=0, heap_bytes=0, most_bytes=0)
json.dump({"format": "tarry-bench", "version": 1, "complete": True, "trouble": None, "facts": {}, "points": [],
           "omissions": [], "memory": rows}, sys.stdout)
END
}
memory MPI_Init:2:2e6:4e6 copy:2:0:0 MPI_Init:4:2e6:6e6 copy:4:4096:0 window:4:1e6:0 >memory.json
memory copy:2:8e4:0 copy:4:2e4:0 MPI_Init:4:2.2e6:6e6 MPI_Init:2:1e6:4e6 half:2:1:1 >more.json
try tarry bench compare memory.json memory.json
try tarry bench compare memory.json more.json
try tarry bench compare --memory-threshold 1% --memory-least 0 memory.json more.json | tail -n 2
try tarry bench compare --memory-least 1M --memory-threshold 30% memory.json more.json | tail -n 2
try tarry bench compare --memory-least 100K --json - memory.json more.json | tail -n 61 | head -n 34
try tarry bench compare --html memory.html memory.json more.json | tail -n 2
grep -o '"verdict": "[a-z]*"' memory.html | sort | uniq -c
mkdir memory-jobs
for job in 1 2 3; do
	cp memory.json memory-jobs/$job.json
done
cp more.json memory-jobs/2.json
try tarry bench compare memory-jobs memory.json | sed -n '/MPI_Init/,/^$/p'
try tarry bench compare memory.json before.json | tail -n 2

echo '# what is wrong'
try tarry bench compare before.json nothing.json
try tarry bench compare nothing.json before.json
try tarry bench compare before.json
try tarry bench compare --confidence 1 before.json after.json
try tarry bench compare --confidence much before.json after.json
try tarry bench compare --memory-threshold -1 before.json after.json
try tarry bench compare --memory-least much before.json after.json
try tarry bench compare --threshold -1 before.json after.json
try tarry bench compare --json after.json before.json after.json
try tarry bench compare --html no/such/folder.html before.json after.json
