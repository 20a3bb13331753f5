# `tarry bench show`: the table, CSV and the page of an existing file.
cp "$(dirname "$1")"/../bench/data/*.json .

# A page has the points of the file that it shows.
page_part() {
	python3 - "$@" <<'END'
import json, sys
page = open(sys.argv[1], encoding="utf-8").read()
shown = json.loads(page.split(f'id="{sys.argv[2]}">', 1)[1].split("</script>", 1)[0])
other = ("times_s", "times_every", "processes", "plain_error_s")  # thinned, or computed again
strip = lambda points: [{key: point[key] for key in point if key not in other} for point in points]
file = json.load(open(sys.argv[3], encoding="utf-8"))
print(len(shown["points"]), strip(shown["points"]) == strip(file["points"]))
END
}

try tarry bench show before.json
echo '# ended early'
try tarry bench show after.json | tail -n 3

echo '# other forms'
try tarry bench show --csv - before.json | cut -d, -f1-12 | first 3
try tarry bench show --csv before.csv --html before.html before.json | tail -n 1
wc -l <before.csv
page_part before.html results before.json
ls

echo '# memory'
cat >memory.json <<'END'
{"format": "tarry-bench", "version": 1, "complete": true, "trouble": null, "facts": {}, "points": [], "omissions": [],
 "memory": [{"step": "MPI_Init", "ranks": 2, "private_bytes": 2e6, "shared_bytes": 4e6, "file_bytes": 0, "heap_bytes": 1e6,
             "most_bytes": 6e6}]}
END
try tarry bench show memory.json

echo '# what is wrong'
try tarry bench show nothing.json
try tarry bench show .
echo 'hello' >hello.json
try tarry bench show hello.json
echo '{"version": 1}' >other.json
try tarry bench show other.json
: >empty.json
try tarry bench show empty.json
head -n 30 before.json >cut.json
try tarry bench show cut.json
sed 's/"version": 1/"version": 12/' before.json >newer.json
try tarry bench show newer.json
sed 's/"median_s": /"medium_s": /' before.json >without.json
try tarry bench show without.json
sed 's/"q05_s": /"q05_s": -/' before.json >negative.json
try tarry bench show negative.json
sed 's/"right": 12/"right": 1000000000000000/' before.json >many.json
try tarry bench show many.json
try tarry bench show --csv before.json before.json
try tarry bench show --csv same --html same before.json
try tarry bench show --csv - --html - before.json
try tarry bench show --csv no/such/folder.csv before.json
try tarry bench show
try tarry bench show before.json after.json
ls
