// The modules of pages without a browser: their output for numbers, lines and calls. modules.mjs FOLDER

import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

// Words are those of the page's language.
globalThis.document = {documentElement: {lang: "en"}};

const folder = process.argv[2];
const load = name => import(pathToFileURL(`${folder}/${name}.js`));
const {bin_label, seconds, bytes, count, percent, number_runs, payers_in_words, place_of} = await load("format");
const {colour_under} = await load("timeline_draw");
const {joined_excerpt, tokens_of} = await load("source");
const {call_tree} = await load("profile");
const {unpack_summary, unpack_calls, first_behind, has_calls} = await load("timeline_data");
const {choose_sites, filter_calls, is_left, is_message_left, next_chosen} = await load("timeline_filter");
const {argument_words, comm_words, describe_call} = await load("timeline_words");
const {parse_ranks, choose_rows, few_rows, fold_by_behaviour, places_of} = await load("timeline_rows");
const {read_choice, fragment_of} = await load("timeline_choice");
const {timeline_fragment, time_columns, shell_word} = await load("finding");
const {lead_words} = await load("overview");
const {iteration_window, waits_by_iteration} = await load("iterations");
const {outlier_test} = await load("tables");
const {waterfall_steps} = await load("diff");
const {matrix_cells, unpack_ranks} = await load("communication");
const {arguments_in_words, calls_by_line, check_verdict, entries_of, graph_arrows, graph_boxes} = await load("check");
const plain = text => text.replaceAll("\u00a0", " ");

for (const [value, words] of [[0, "0 s"], [1.5e-9, "1.5 ns"], [0.0021499, "2.15 ms"], [0.99999, "1 s"], [119, "119 s"], [7200, "2 h"], [null, "—"], [-0.002, "−2 ms"]])
	assert.equal(plain(seconds(value)), words);
for (const [value, words] of [[0, "0 B"], [1023, "1023 B"], [1024, "1 KiB"], [1536, "1.5 KiB"], [1048576, "1 MiB"], [3 * 2 ** 40, "3072 GiB"]])
	assert.equal(plain(bytes(value)), words);
assert.equal(plain(count(1234567)), "1 234 567");
assert.equal(plain(percent(0.5604)), "56 %");
assert.equal(plain(percent(0.00004)), "< 0.1 %");
assert.equal(plain(percent(NaN)), "—");
assert.equal(number_runs([0, 1, 2, 7, 9, 10]), "0–2, 7, 9–10");
assert.equal(number_runs([0, 2, 4], 2), "0, 2, …");
assert.equal(number_runs([[0, 2], [3, 3], [7, 9], null]), "0–3, 7–9, …");
assert.equal(payers_in_words({processes: [0, 1], concerned: [0, 1]}), "ranks 0–1");
assert.equal(plain(payers_in_words({processes: [0, 1, 4], concerned: [1]})), "almost only rank 1");
assert.equal(plain(payers_in_words({processes: [[0, 3], [6, 9]], concerned: [[0, 3], [6, 8]]})), "almost only ranks 0–3, 6–8");
assert.equal(payers_in_words({processes: [[0, 3], null], concerned: [[0, 2]]}), "ranks 0–2");
assert.equal(place_of({file: "/a/halo.c", line: 42}), "halo.c:42");
assert.equal(place_of({file: null, place: "app+0x4f0"}), "app+0x4f0");

// Nothing of a line is lost, whatever its content.
const kinds = (line, file) => tokens_of(line, file).filter(([kind]) => kind).map(([kind, text]) => kind + ":" + text);
for (const line of ["\tMPI_Send(a, 1, MPI_INT, 0, 7, comm); // \"x\"", "'unended", "/* a */ b", "  ! é 𝄞 <b>", ""])
	assert.equal(tokens_of(line, "x.c").map(([, text]) => text).join(""), line);
assert.deepEqual(kinds("if (x > 10) f(\"a\"); /* b */", "x.c"), ["word:if", "number:10", "function:f", "text:\"a\"", "comment:/* b */"]);
assert.deepEqual(kinds("CALL MPI_Send(a) ! b", "x.F90"), ["word:CALL", "call:MPI_Send", "comment:! b"]);
assert.deepEqual(kinds("def f(): # a", "x.py"), ["word:def", "function:f", "comment:# a"]);

// Excerpts that overlap become one, in either order.
const lines_from = (first, count, file = "a.c") => ({file, first, lines: Array.from({length: count}, (_, i) => `line ${first + i}`)});
for (const [one, other, first, last] of [[lines_from(3, 4), lines_from(5, 6), 3, 10], [lines_from(5, 6), lines_from(3, 4), 3, 10], [lines_from(3, 2), lines_from(5, 1), 3, 5], [lines_from(3, 9), lines_from(4, 2), 3, 11]])
	assert.deepEqual(joined_excerpt(one, other), lines_from(first, last - first + 1));
assert.equal(joined_excerpt(lines_from(3, 2), lines_from(6, 1)), null);
assert.equal(joined_excerpt(lines_from(3, 2), lines_from(4, 1, "b.c")), null);

// Times of callers include all their callees.
const tree = call_tree({computing_s: 2, call_paths: [
	{call: "MPI_Recv", file: "a.c", line: 3, path: [{file: "a.c", line: 20, function: "step"}, {file: "m.c", line: 5}], total_s: 3, calls: 7},
	{call: "MPI_Send", file: "a.c", line: 4, path: [{file: "a.c", line: 20, function: "step"}, {file: "m.c", line: 5}], total_s: 1, calls: 7},
	{call: "MPI_Wtime", file: "a.c", line: 5, path: [], total_s: 9, calls: 1, local: true}]});
assert.equal(tree.value, 6);
assert.deepEqual(tree.children.map(node => [node.name, node.value]), [["m.c:5", 4], ["computing", 2]]);
assert.deepEqual(tree.children[0].children.map(node => [node.name, node.find]), [["step (a.c:20)", "a.c:20"]]);
assert.deepEqual(tree.children[0].children[0].children.map(node => node.name), ["MPI_Recv a.c:3", "MPI_Send a.c:4"]);

const timeline = unpack_calls(unpack_summary({length_s: 1, complete: false, spans: [[0, 500000000]], rows: [{rank: 0}], comms: [{id: "1", name: "a", size: 2}, {id: "2", name: "", size: 3}],
	bins: {count: 2, from_s: 0, to_s: 1, rows: ["00000z000" + "z00000000"]},
	sites: [{call: "MPI_Recv", kind: "p2p", place: "a.c:3", from: 1, received: 8, comm: 0}, {call: "MPI_Wait", kind: "p2p", place: ""}, {call: "MPI_Isend", kind: "p2p", place: "a.c:9", to: 0, tag: 4, sent: 9, comm: 1}],
	calls: [[100, 50, 0, 20, 0, 200, 10, 1, 0, 3]], messages: [0, 10, 0, 400, 8, 2, 0, 5, 0, 310, 9, 2]}));
assert.deepEqual([...timeline.calls[0].start], [100e-9, 300e-9]);
assert.deepEqual([...timeline.calls[0].end], [150e-9, 310e-9]);
assert.deepEqual(timeline.messages.map(message => message.bytes), [9, 8]);
// Two groups of iterations; ranks wait in the second one, in a call of an inlined function.
const looped = {iterations: {groups: [1100, 3100, 3100, 5100], places: [{call: "MPI_Recv", place: "a.c:30 exchange (inlined)", waits: [0, 2000]}, {call: "MPI_Recv", place: "a.c:31", waits: [500, 0]}]}};
assert.deepEqual(waits_by_iteration(looped, {call: "MPI_Recv", place: "a.c:30 (exchange)"}), [0, 2e-6]);
assert.equal(iteration_window(looped, 1), "from=0.000003100&to=0.000005100");
assert.equal(iteration_window({}, 1), null);
assert.equal(waits_by_iteration(looped, {call: "MPI_Recv", place: "a.c:3"}), null);
assert.equal(waits_by_iteration({iterations: {...looped.iterations, groups: [1100, 3100]}}, {call: "MPI_Recv", place: "a.c:30"}), null);
// Bins are summed up to each of their edges.
assert.deepEqual([...timeline.bins.rows[0]], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);
assert.deepEqual([0, 149e-9, 151e-9, 1].map(time => first_behind(timeline.calls[0], time)), [0, 0, 1, 2]);
assert.equal(has_calls(timeline, 0.1, 0.4), true);
assert.equal(has_calls(timeline, 0.1, 0.6), false);
assert.deepEqual(choose_sites(timeline, "recv"), [true, false, false]);
assert.deepEqual(choose_sites(timeline, "to rank 0"), [false, false, true]);
assert.equal(choose_sites(timeline, " "), null);
const seen = {timeline, from: 0, to: 400e-9, places: [0], filter: null};
assert.equal(next_chosen({...seen, chosen: [true, true, true]}).i, 1);
assert.equal(next_chosen({...seen, chosen: [true, false, true]}), null);
assert.equal(next_chosen({...seen, places: [-1], chosen: null}), null);

// A filter leaves classes of calls: functions and communicators.
const {sum_classes} = await load("timeline_data"), {classes_left} = await load("timeline_filter");
const classes = {count: 2, names: [{call: "", kind: "", comm: -1}, {call: "MPI_Recv", kind: "p2p", comm: 0}, {call: "MPI_Wait", kind: "p2p", comm: 1}, {call: "MPI_Bcast", kind: "collective", comm: 0}],
	rows: [[[1, "z00z"], [3, "0z00"]]]};
const classes_of = choice => classes_left(classes, {...timeline, classes}, {kind: "", call: "", comm: "", ...choice});
assert.deepEqual([classes_of({kind: "p2p"}), classes_of({call: "MPI_Wait"}), classes_of({comm: "1"}), classes_of({comm: "77"}), classes_of({call: "bcast", comm: "1"})],
	[[false, true, true, false], [false, false, true, false], [false, true, false, true], [false, false, false, false], [false, false, false, true]]);
assert.deepEqual([...sum_classes(classes, 0, classes_of({comm: "1"}))], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0]);
assert.deepEqual([...sum_classes(classes, 0, classes_of({kind: "p2p"}))], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);

// The critical path: which step is at a time, and how it is described.
const {unpack_path, is_on_path, path_words} = await load("timeline_path");
const led = {timeline: {...timeline, rows: [{name: "rank 0"}, {name: "rank 1"}], path: null, whole_path: unpack_path({exact: true, to: 4e8, steps: [1, 1e8, 0, 1e8, 1, 1e8]})}, from: 0, to: 1, places: [0, 1], shows_path: true};
assert.deepEqual([...led.timeline.whole_path.from], [0.1, 0.2, 0.3, 0.4]);
assert.deepEqual([0.05, 0.15, 0.25, 0.35, 0.45].map(time => is_on_path(led, 1, time)), [false, true, false, true, false]);
assert.equal(plain(path_words(led)), "Critical path in this view: rank 1 67 %, rank 0 33 %; 2 moves.");
assert.equal(plain(path_words({...led, from: 0.21, to: 0.29})), "Critical path in this view: rank 0 100 %; 0 moves.");
assert.equal(path_words({...led, shows_path: false}), "");
assert.equal(unpack_path(undefined), null);

// A call that received a message belongs to its communicator.
assert.deepEqual([...timeline.calls[0].comm], [0, 1]);
const left = choice => [0, 1].filter(i => is_left(filter_calls(timeline, {kind: "", call: "", comm: "", ...choice}), timeline.calls[0], i));
const messages_left = choice => timeline.messages.filter(message => is_message_left(filter_calls(timeline, {kind: "", call: "", comm: "", ...choice}), timeline, message)).length;
assert.equal(filter_calls(timeline, {kind: "", call: " ", comm: ""}), null);
assert.deepEqual([left({}), left({kind: "p2p"}), left({kind: "io"}), left({call: "mpi_wait"}), left({call: "MPI_"}), left({comm: "1"}), left({comm: "2"}), left({comm: "77"})],
	[[0, 1], [0, 1], [], [1], [0, 1], [0], [1], []]);
// One of the two messages was received in MPI_Wait, both were sent by MPI_Isend on the second communicator.
assert.deepEqual([messages_left({}), messages_left({call: "MPI_Wait"}), messages_left({call: "MPI_Isend"}), messages_left({call: "MPI_Recv"}), messages_left({comm: "1"}), messages_left({comm: "2"})], [2, 1, 2, 0, 0, 2]);

assert.equal(plain(argument_words(timeline.sites[2], timeline.comms)), "to rank 0, 9 B, tag 4, communicator 3 ranks (2)");
assert.equal(argument_words({to: "null", root: "root", from: "any"}, []), "to MPI_PROC_NULL, from any rank, root MPI_ROOT");
assert.equal(comm_words([{id: "1", name: "team"}, {id: "2", name: "team"}], 1), "team (2)");
assert.equal(plain(describe_call(timeline, 0, 1)), "rank 0: MPI_Wait · received 9 B from rank 0, tag 4, communicator 3 ranks (2) · at 300 ns for 10 ns");

assert.deepEqual(parse_ranks("0-7, 12,3 - 4,"), [[0, 7], [12, 12], [3, 4]]);
assert.deepEqual(parse_ranks(""), []);
for (const text of ["x", "7-3", "-1", "1-", "1 2", "1e3", "99999999999"])
	assert.equal(parse_ranks(text), null);

// 300 ranks on 3 nodes: every tenth waits, and the last one does neither.
const many = {nodes: ["a", "b", "c"], rows: Array.from({length: 300}, (_, i) => ({name: "rank " + i, rank: i, thread: 0, threads: 1, node: Math.floor(i / 100),
	shares: i === 299 ? [0, 0, 0, 900, 0, 0] : i % 10 ? [100 + i % 7, 0, 0, 0, 0, 20] : [100, 0, 0, 0, 0, 400 + i % 40]}))};
const rows_of = choice => choose_rows(many, {ranks: [], fold: "none", open: new Set(), ...choice});
assert.equal(rows_of({}).length, 300);
assert.deepEqual(rows_of({ranks: [[5, 6], [12, 12]]}).map(row => row.name), ["rank 5", "rank 6", "rank 12"]);
assert.deepEqual(rows_of({fold: "node"}).map(row => plain(row.title)), ["a: 100 ranks (0–99)", "b: 100 ranks (100–199)", "c: 100 ranks (200–299)"]);
assert.deepEqual(rows_of({fold: "behaviour"}).map(row => row.members.length), [30, 269, 1]);
assert.deepEqual(rows_of({fold: "behaviour", ranks: [[299, 299]]}).map(row => row.name), ["rank 299"]);
const unfolded = rows_of({fold: "node", open: new Set([100])});
assert.equal(unfolded.length, 103);
assert.deepEqual([...places_of(many, unfolded)].filter((_, i) => i % 100 === 7), [0, 9, 102]);
assert.deepEqual(few_rows(many, 100).map(row => row.members.length), Array(100).fill(3));
// Threads are named by their rank and number.
const threads = unpack_summary({length_s: 1, rows: [[0, 0], [0, 1], [1, 0], [1, 1], [2 ** 32 - 1, 0, 7]].map(([rank, thread, process]) => ({rank, process, thread, threads: 1, shares: [0, 0, 0, 0, 0, thread ? 9 : 0, 0, 0, 0]})),
	bins: {count: 1, from_s: 0, to_s: 1, rows: []}});
assert.deepEqual(threads.rows.map(row => row.name), ["rank 0", "rank 0, thread 1", "rank 1", "rank 1, thread 1", "process 7"]);
for (const [sort, names] of [["", ["rank 0", "rank 0, thread 1", "rank 1", "rank 1, thread 1", "process 7"]], ["wait", ["rank 0, thread 1", "rank 1, thread 1", "rank 0", "rank 1", "process 7"]]])
	assert.deepEqual(choose_rows(threads, {ranks: [], fold: "none", open: new Set(), sort}).map(row => row.name), names);
assert.deepEqual(choose_rows(threads, {ranks: [], fold: "behaviour", open: new Set()}).map(row => plain(row.title)), ["5 threads (0–1, 4294967295)"]);
// There are never too many groups, and no rank is lost.
const unlike = Array.from({length: 2000}, (_, i) => ({shares: [i * 7919 % 1000, i * 104729 % 1000, i * 31 % 500, 0, i % 300, 0]}));
const groups = fold_by_behaviour(unlike, unlike.map((_, i) => i));
assert.ok(groups.length <= 64);
assert.deepEqual(groups.flat().sort((a, b) => a - b), unlike.map((_, i) => i));

// Choices survive the way through the address and back.
const few = {...timeline, length_s: 1}, kept = choice => fragment_of({from: 0, to: 1, timeline: few}, read_choice(choice, few));
assert.equal(kept({}), "timeline/from=0.000000000&to=1.000000000");
assert.equal(fragment_of({from: 0, to: 1, timeline: few, scroll: 50, row_height: 4}, read_choice({}, few)), "timeline/from=0.000000000&to=1.000000000&top=12.5000");
const chosen = {find: "a&b=c/d", kind: "io", call: "MPI_X", ranks: "0-7,12", comm: "2", fold: "node", open: "0,100", rank: "3"};
assert.deepEqual(Object.fromEntries([...new URLSearchParams(kept(chosen).split("/", 2)[1])].slice(2)), chosen);
assert.equal(read_choice({}, many).fold, "behaviour");
assert.equal(read_choice({rank: "3"}, many).fold, "none");
assert.equal(timeline_fragment({worst: {at: {start_s: 2, end_s: 4, rank: 1}, actions: [{start_s: 3, end_s: 5}]}}), "timeline/from=1.000000000&to=5.000000000&rank=1");

// Axes: ticks where people expect them, values where the ticks say.
const {make_axis, axis_has, axis_label, axis_share, axis_ticks, written} = await load("axis");
const labels = axis => axis_ticks(axis, 6).filter(tick => tick.labelled).map(tick => plain(axis_label(axis, tick.value)));
assert.deepEqual(labels(make_axis("seconds", [1.1e-6, 4.9e-6])), ["0 µs", "1 µs", "2 µs", "3 µs", "4 µs", "5 µs"]);
assert.deepEqual(labels(make_axis("seconds", [1.3e-6, 2.5e-3])), ["1 µs", "10 µs", "100 µs", "1 ms"]);
assert.deepEqual(labels(make_axis("seconds", [2e-6, 4e-5])), ["2 µs", "5 µs", "10 µs", "20 µs"]);
assert.deepEqual(labels(make_axis("bytes", [0, 1 << 20])), ["0", "1", "32", "1K", "32K", "1M"]);
assert.deepEqual(labels(make_axis("count", [2, 8])), ["2", "4", "6", "8"]);
assert.deepEqual(labels(make_axis("percent", [0.2, 0.9])), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
assert.deepEqual(labels(make_axis("memory", [0, 300 * 1024])), ["0", "100K", "200K", "300K"]);
const sizes = make_axis("bytes", [1, 1024]);
assert.ok(Math.abs(axis_share(sizes, 32) - (axis_share(sizes, 1) + axis_share(sizes, 1024)) / 2) < 1e-9);
assert.deepEqual([axis_has(sizes, 0), axis_has(make_axis("seconds", [1, 100]), 0), axis_has(sizes, NaN), axis_has(sizes, null)], [true, false, false, false]);
for (const unit of ["seconds", "bytes", "memory", "count", "rate", "percent", "ratio"])
	for (const values of [[], [NaN], [0], [-1, 0], [5e-324, 1.7e308], [1, 1]]) {
		const axis = make_axis(unit, values);
		assert.ok(Number.isFinite(axis.low) && axis.low < axis.high && axis_ticks(axis, 6).length <= 1000, `${unit} ${values}`);
	}
assert.equal(plain(written("rate", 3.05e9)), "3.05 GB/s");
assert.equal(written("seconds", null), "—");

// The axis of the timeline: never more labels than fit, all different; the base is written once.
const {time_axis} = await load("timeline_axis");
for (const [from, span, most] of [[0, 1, 10], [0.3, 1e-3, 4], [0.3, 1e-7, 3.7], [12.3456789, 3e-6, 2], [0, 9.99, 6], [7200, 0.5, 12]]) {
	const {ticks} = time_axis(from, from + span, most);
	assert.ok(ticks.length <= most + 1 && new Set(ticks.map(tick => tick.words)).size === ticks.length, `${span} s from ${from} s: ${ticks.map(tick => tick.words)}`);
}
const near = time_axis(0.3, 0.30001, 5);
assert.deepEqual([near.base, ...near.ticks.map(tick => tick.words)].map(plain), ["300.0 ms", "+0 µs", "+2 µs", "+4 µs", "+6 µs", "+8 µs", "+10 µs"]);

// Series of points are distinguished by their differences; all runs in histograms are counted.
const {by_operation, in_plots, series_over, traits_words} = await load("bench");
const point = (ranks, size, root, variant = "") => ({operation: "MPI_Bcast", variant, bytes: size, ranks, root, datatype: "byte", reduction: "", communicator: "world", cache: "cold", in_place: false});
const swept = [point(4, 64, 3), point(2, 64, 1), point(4, 8, 3), point(2, 8, 1), point(2, 8, 1, "<b>")];
assert.deepEqual(series_over(swept, "bytes", () => true).map(group => group.map(one => [one.ranks, one.bytes, one.variant])),
	[[[2, 8, ""], [2, 64, ""]], [[4, 8, ""], [4, 64, ""]], [[2, 8, "<b>"]]]);
assert.deepEqual(series_over(swept, "ranks", one => !one.variant).map(group => group.map(one => one.ranks)), [[2, 4], [2, 4]]);
assert.equal(plain(traits_words(swept[0], ["root", "cache", "ranks", "bytes", "reduction"])), "last root, cold cache, 4 ranks, 64 B");
assert.deepEqual(by_operation([{operation: "b"}, {operation: "a"}, {operation: "b"}]).map(one => [one.name, one.points.length]), [["b", 2], ["a", 1]]);
assert.deepEqual(in_plots([...Array(9).keys()]).map(one => one.length), [5, 4]);
const {count_bars, chance_words, ratio_words} = await load("charts");
const counted_bars = count_bars([1, 1.1, 1.2, 1.3, 9], {min_s: 1, q25_s: 1.1, q75_s: 1.3});
assert.equal(counted_bars.beyond, 1);
assert.equal(counted_bars.bars.reduce((sum, number) => sum + number), 4);
assert.deepEqual(count_bars([2, 2], {min_s: 2, q25_s: 2, q75_s: 2}).bars, [2]);
assert.deepEqual([ratio_words(1.2), ratio_words(0.9004), chance_words(1e-9), chance_words(0.04)], ["1.20", "0.900", "< 0.001", "0.04"]);
assert.deepEqual(unpack_ranks([[0, 3], [null, 1], [7, 2]]), [0, 1, 2, "?", 7, 8]);
assert.deepEqual(matrix_cells([0, 1, 5, 100, 20, 0, 1, 0, 0, 0, 0, 30], {of: (cells, i) => cells[i + 3] + cells[i + 4]}), [[0, 1, 120]]);

assert.deepEqual(time_columns({total_s: 3, over_time: {bin_s: 2, total_s: [0, 3]}}, 9).map(one => one.value), [0, 3, 0, 0, 0]);
assert.equal(time_columns({total_s: 3, over_time: {bin_s: 2, total_s: []}}, 9), null);
// Also a wait in a short part of the run is shown over all of it, up to its end.
const short_part = time_columns({total_s: 3, over_time: {bin_s: 1, total_s: [0, 1, 2]}}, 640.5);
assert.equal(short_part.length, 59);
assert.deepEqual([short_part[0].value, short_part[0].label, short_part[58].label], [3, "0\u00a0s", "10.7\u00a0min"]);
assert.deepEqual([bin_label(0, 64, bytes), bin_label(64, 1024, bytes), bin_label(0, 0, bytes)], ["<\u00a064\u00a0B", "≥\u00a064\u00a0B", "0\u00a0B"]);
// The name of a high bar is above the time without a CPU, that of a low one in its middle.
const under = height => colour_under({hidden: new Set(), palette: {no_cpu: "yellow"}}, {before: [0], start: [0], end: [10], inside: [6], wait: [0], other: [0]}, 0, false, "grey", height);
assert.deepEqual([under(100), under(20)], ["grey", "yellow"]);
assert.equal(shell_word("a/b-1.tarry"), "a/b-1.tarry");
assert.equal(shell_word("it's $x"), "'it'\\''s $x'");

// The first sentence of a report.
const run_of = (findings, verdict = "full") => ({trust: {verdict}, findings});
const late_sender = {name: "Late Sender", file: "/a/halo.c", line: 7, predictable: true, saves_s: 1.35, saves_share: 0.6637, lost_share: 0.2, lost_s: 4};
assert.equal(plain(lead_words(run_of([late_sender]))), "Fix Late Sender at halo.c:7 first: the run would save 1.35 s, 66 % of its time.");
assert.equal(plain(lead_words(run_of([{...late_sender, predictable: false}]))), "Look at Late Sender at halo.c:7 first: ranks lose 4 s, 20 % of their time.");
assert.equal(plain(lead_words(run_of([{...late_sender, saves_share: 0, saves_s: 0}]))), "No single fix would shorten the run. Look at Late Sender at halo.c:7 first: ranks lose 4 s.");
const stuck = {rank: 3, call: "MPI_Recv", file: "a.c", line: 9, stuck: true};
assert.equal(lead_words({...run_of([late_sender]), open_calls: [{...stuck, stuck: false}, stuck]}), "Rank 3 never returned from MPI_Recv at a.c:9.");
assert.equal(plain(lead_words({...run_of([]), open_calls: [stuck, stuck]})), "2 ranks never returned from their calls: rank 3 waits in MPI_Recv at a.c:9.");
assert.equal(lead_words({...run_of([]), deadlock: [3, 1, 2], open_calls: [stuck]}), "Deadlock: ranks 1–3 wait for each other and never return.");
assert.equal(lead_words(run_of([])), "No significant wait states found.");
assert.equal(lead_words(run_of([late_sender], "none")), "This trace is too unreliable for advice: do not rely on the figures below.");

const is_far = outlier_test([10, 10, 11, 10, 30, 1]);
assert.deepEqual([10, 11, 30, 1].map(is_far), [0, 0, 1, -1]);
assert.equal(outlier_test([1, 99])(99), 0);
assert.equal(outlier_test([0, 0, 0, 0, 0])(0), 0);
assert.deepEqual([0, 4, 6].map(outlier_test([0, 0, 0, 0, 6], 5)), [0, 0, 1]);

// The steps between two runs add up, with small changes of calls in one step.
const call_row = (name, before, after) => ({name, before: before === null ? null : {process_s: before, place: ""}, after: after === null ? null : {process_s: after, place: ""}});
const compared = {before: {length_s: 10, efficiency: {parallel: 0.5}}, after: {length_s: 7, efficiency: {parallel: 0.6}},
	calls: [call_row("a", 4, 1), call_row("b", null, 1), call_row("c", 1, null), call_row("d", 0, 0.001)]};
const stairs = waterfall_steps(compared);
assert.deepEqual(stairs.map(step => step.name), ["computing", "a", "b", "c", "other calls", "everything else"]);
assert.ok(Math.abs(stairs.reduce((sum, step) => sum + step.change_s, 0) + 3) < 1e-12);
assert.equal(waterfall_steps({...compared, after: {length_s: 7, efficiency: null}}), null);
assert.deepEqual(waterfall_steps({...compared, calls: [call_row("a", 4, null), call_row("a", null, 1)]}).map(step => [step.name, Math.round(step.change_s * 10)]), [["computing", -8], ["a", -30], ["everything else", 8]]);

// Calls of one line are one item, whichever ranks made them and on whichever path.
const call_of = (rank, line, caller, role = "here") => ({rank, role, function: "MPI_Recv", arguments: "", file: "a.c", line, stack: [{line}, {line: caller}]});
assert.deepEqual(calls_by_line([call_of(0, 1, 7), call_of(0, 1, 8), call_of(1, 1, 7), call_of(0, 2, 7), call_of(0, 1, 8, "sent")]).map(calls => calls.map(call => [call.rank, call.stack[1].line])),
	[[[0, 7], [0, 8], [1, 7]], [[0, 7]], [[0, 8]]]);

assert.equal(arguments_in_words({arguments: "count = 1, datatype = made by MPI_Type_vector, comm = MPI_COMM_WORLD"}), "count = 1, datatype = MPI_Type_vector(…), comm = MPI_COMM_WORLD");

// Ranks 0 and 1 wait for each other, ranks 2 and 3 wait for them at one place: one box with one arrow to each.
const knot = {calls: [call_of(0, 1, 7, "waits"), call_of(1, 1, 7, "waits"), call_of(2, 2, 7, "behind"), call_of(3, 2, 7, "behind")], behind: [{ranks: [2, 3], function: "MPI_Recv", file: "a.c", line: 2, role: "behind"}],
	waits: [[0, 1], [1, 0], [2, 0], [3, 0], [3, 1]].map(([from, to]) => ({from, to, why: "message", one_of: false}))};
assert.deepEqual(graph_boxes(knot).map(box => [box.part, box.ranks]), [["waits", [0]], ["waits", [1]], ["behind", [2, 3]]]);
assert.deepEqual(graph_arrows(knot, graph_boxes(knot)).map(({from, to}) => [from.ranks[0], to.ranks[0]]), [[0, 1], [1, 0], [2, 0], [2, 1]]);
assert.deepEqual(graph_boxes({...knot, behind: undefined, states: []}).map(box => box.part), ["hang", "hang"]);

assert.deepEqual(entries_of([["error", "a"], ["error", "a"], ["note", "b"], ["note", "b"], ["note", "c"]].map(([severity, id]) => ({severity, id}))).map(entry => entry.length), [1, 1, 2, 1]);
for (const [errors, warnings, returned_errors, words] of [[1, 2, 3, "Found 1 error, 2 warnings and 3 notes."], [0, 1, 0, "Found 1 warning."], [0, 0, 2, "No errors found. 2 notes."], [0, 0, 0, "No errors found."]])
	assert.equal(plain(check_verdict({errors, warnings, returned_errors})), words);

// The page of a folder: reports that cannot be read have a sentence; the commit of a run is that of a run of the same trace and length; of each size, the newest run shows how a program scales.
const {answered_report, lost_over_time, commit_of, scaling_groups} = await load("folder");
const some_report = {trace: "/a/n4.tarry", run: {program: "heat", processes: 4, length_s: 2, elapsed_s: 4}, trust: {verdict: "full"}, findings: [{over_time: {bin_s: 1, total_s: [0, 3, 0, 1]}}, {over_time: null}]};
assert.equal(answered_report({said: "gone", result: null}).said, "gone");
assert.equal(answered_report({said: null, text: "{\"run\": "}).said, "This report is damaged.");
assert.equal(answered_report({said: null, text: "{}"}).said, "This is not a report of Tarry.");
assert.deepEqual(answered_report({said: null, text: JSON.stringify(some_report)}).report, some_report);
assert.deepEqual(lost_over_time(some_report, 4), [0, 3, 0, 1]);
assert.deepEqual(lost_over_time({...some_report, run: {elapsed_s: 0}}, 2), [0, 0]);
const trends_of = length_s => [{series: [{runs: [{commit: "v1", trace: "n4.tarry", length_s: 3}, {commit: "v2", trace: "b/n4.tarry", length_s}]}]}];
assert.equal(commit_of(some_report, trends_of(2)), "v2");
assert.equal(commit_of(some_report, trends_of(2.1)), null);
const row_of = (number, processes, modified_s, other) => ({number, kind: "trace", modified_s, said: null, report: {...some_report, run: {program: "heat", processes}}, ...other});
assert.deepEqual(scaling_groups([row_of(0, 8, 1), row_of(1, 4, 2), row_of(2, 8, 3), row_of(3, 2, 4, {said: "damaged"}), row_of(4, 2, 5, {kind: "report"})]).map(group => group.rows.map(row => row.number)), [[1, 2]]);

// All texts of the modules have Russian translations, with as many placeholders. Pages of benchmarks are in English only.
const russian = {documentElement: {lang: "ru"}}, {translated, plural, filled} = await load("words");
const ENGLISH = ["axis.js", "charts.js", "bench.js", "compare.js"];
const sources = readdirSync(folder).filter(name => name.endsWith(".js") && !ENGLISH.includes(name)).map(name => readFileSync(`${folder}/${name}`, "utf-8")).join("\n");
const said = new Set([...sources.matchAll(/\b(?:translated|filled|section|chooser|pairs_table)\(\s*((?:[^"()]* \? )?)"((?:[^"\\]|\\.)*)"(?: :\s*"((?:[^"\\]|\\.)*)")?/g)].flatMap(found => found.slice(2)).filter(Boolean));
assert.ok(said.size > 100, `only ${said.size} sentences are found`);
globalThis.document = russian;
for (const words of said) {
	assert.match(translated(words), /[А-Яа-яё]|^\$1$|^, $/, `'${words}' has no Russian words`);
	assert.deepEqual(translated(words).match(/\$\d/g)?.sort(), words.match(/\$\d/g)?.sort(), `'${words}' has other values in Russian`);
}
for (const [, one] of sources.matchAll(/\bcounted\([^"]*?, "([a-z ]+)"\)/g))
	assert.equal(new Set([1, 2, 5].map(number => plural(number, one))).size > 1, true, one);
assert.deepEqual([1, 2, 5, 11, 14, 21, 22, 100, 111].map(number => plural(number, "error")), ["ошибка", "ошибки", "ошибок", "ошибок", "ошибок", "ошибка", "ошибки", "ошибок", "ошибок"]);
assert.equal(filled("rank $1", 3), "ранг 3");
assert.equal(plain(seconds(0.0021499)), "2,15 мс");
assert.equal(plain(percent(0.00004)), "< 0,1 %");
