// The modules of pages without a browser: what they make of numbers, lines and calls. modules.mjs FOLDER

import assert from "node:assert/strict";
import {pathToFileURL} from "node:url";

const folder = process.argv[2];
const load = name => import(pathToFileURL(`${folder}/${name}.js`));
const {seconds, bytes, count, percent, number_runs, place_of} = await load("format");
const {tokens_of} = await load("source");
const {call_tree} = await load("profile");
const {unpack_timeline, first_behind, has_calls, choose_sites, next_chosen} = await load("timeline");
const {timeline_fragment} = await load("finding");
const plain = text => text.replaceAll("\u00a0", " ");

for (const [value, words] of [[0, "0 s"], [1.5e-9, "1.5 ns"], [0.0021499, "2.15 ms"], [0.99999, "1 s"], [119, "119 s"], [7200, "2 h"], [null, "—"], [-0.002, "-2 ms"]])
	assert.equal(plain(seconds(value)), words);
for (const [value, words] of [[0, "0 B"], [1023, "1023 B"], [1024, "1 KiB"], [1536, "1.5 KiB"], [1048576, "1 MiB"], [3 * 2 ** 40, "3072 GiB"]])
	assert.equal(plain(bytes(value)), words);
assert.equal(plain(count(1234567)), "1 234 567");
assert.equal(plain(percent(0.5604)), "56 %");
assert.equal(plain(percent(0.00004)), "< 0.1 %");
assert.equal(plain(percent(NaN)), "—");
assert.equal(number_runs([0, 1, 2, 7, 9, 10]), "0–2, 7, 9–10");
assert.equal(number_runs([0, 2, 4], 2), "0, 2, … (3)");
assert.equal(place_of({file: "/a/halo.c", line: 42}), "halo.c:42");
assert.equal(place_of({file: null, place: "app+0x4f0"}), "app+0x4f0");

// Nothing of a line is lost, whatever it is.
const kinds = (line, file) => tokens_of(line, file).filter(([kind]) => kind).map(([kind, text]) => kind + ":" + text);
for (const line of ["\tMPI_Send(a, 1, MPI_INT, 0, 7, comm); // \"x\"", "'unended", "/* a */ b", "  ! é 𝄞 <b>", ""])
	assert.equal(tokens_of(line, "x.c").map(([, text]) => text).join(""), line);
assert.deepEqual(kinds("if (x > 10) f(\"a\"); /* b */", "x.c"), ["word:if", "number:10", "function:f", "text:\"a\"", "comment:/* b */"]);
assert.deepEqual(kinds("CALL MPI_Send(a) ! b", "x.F90"), ["word:CALL", "call:MPI_Send", "comment:! b"]);
assert.deepEqual(kinds("def f(): # a", "x.py"), ["word:def", "function:f", "comment:# a"]);

// Times of callers are those of all that they call.
const tree = call_tree({computing_s: 2, call_paths: [
	{call: "MPI_Recv", file: "a.c", line: 3, path: [{file: "a.c", line: 20}, {file: "m.c", line: 5}], total_s: 3, calls: 7},
	{call: "MPI_Send", file: "a.c", line: 4, path: [{file: "a.c", line: 20}, {file: "m.c", line: 5}], total_s: 1, calls: 7},
	{call: "MPI_Wtime", file: "a.c", line: 5, path: [], total_s: 9, calls: 1, local: true}]});
assert.equal(tree.value, 6);
assert.deepEqual(tree.children.map(node => [node.name, node.value]), [["m.c:5", 4], ["computing", 2]]);
assert.deepEqual(tree.children[0].children[0].children.map(node => node.name), ["MPI_Recv a.c:3", "MPI_Send a.c:4"]);

const timeline = unpack_timeline({length_s: 1, complete: false, spans: [[0, 500000000]], rows: [{name: "rank 0"}],
	bins: {count: 2, from_s: 0, to_s: 1, rows: ["00000z" + "z00000"]}, sites: [{call: "MPI_Recv", place: "a.c:3", text: "peer=1"}, {call: "MPI_Send", place: "", text: ""}],
	calls: [[100, 50, 0, 20, 0, 200, 10, 1, 0, 3]], messages: [0, 10, 0, 400, 8, 0, 5, 0, 20, 9]});
assert.deepEqual([...timeline.calls[0].start], [100e-9, 300e-9]);
assert.deepEqual([...timeline.calls[0].end], [150e-9, 310e-9]);
assert.deepEqual(timeline.messages.map(message => message.bytes), [9, 8]);
assert.equal(timeline.bins.rows[0][5], 1);
assert.deepEqual([0, 149e-9, 151e-9, 1].map(time => first_behind(timeline.calls[0], time)), [0, 0, 1, 2]);
assert.equal(has_calls(timeline, 0.1, 0.4), true);
assert.equal(has_calls(timeline, 0.1, 0.6), false);
assert.deepEqual(choose_sites(timeline, "recv"), [true, false]);
assert.equal(choose_sites(timeline, " "), null);
assert.equal(next_chosen({timeline, from: 0, to: 400e-9, chosen: [true, true]}).i, 1);
assert.equal(next_chosen({timeline, from: 0, to: 400e-9, chosen: [true, false]}), null);
assert.equal(timeline_fragment({worst: {at: {start_s: 2, end_s: 4, rank: 1}, actions: [{start_s: 3, end_s: 5}]}}), "timeline/from=1.000000000&to=5.000000000&rank=1");
