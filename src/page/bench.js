// The results of a benchmark as text, plots and numbers.

import {make_axis, axis_label, written} from "./axis.js";
import {SERIES_MAX, filled_later, folded, histogram, line_chart, measured_signs, spread_chart} from "./charts.js";
import {element, link, table} from "./dom.js";
import {bytes, count, counted, percent, seconds, significant} from "./format.js";

const by_value = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Roots in the same position for any number of ranks are one kind, so that a series over ranks stays whole.
function root_words(point) {
	if (!Number.isFinite(point.root))
		return "";
	if (point.root > 0 && point.root === point.ranks - 1)
		return "last root";
	return point.root > 0 && point.root === Math.floor(point.ranks / 2) ? "middle root" : "root " + point.root;
}

// Parameters that distinguish the points of an operation. Times are plotted over the last two.
const TRAITS = [
	{name: "variant"}, {name: "datatype"}, {name: "reduction"}, {name: "root", words: root_words}, {name: "communicator"},
	{name: "cache", words: point => point.cache && point.cache + " cache"}, {name: "in_place", words: point => (point.in_place ? "in place" : "")},
	{name: "ranks", words: point => counted(point.ranks, "rank"), value: point => point.ranks},
	{name: "bytes", words: point => bytes(point.bytes), value: point => point.bytes},
];
const words_of = (trait, point) => (trait.words ? trait.words(point) : point[trait.name]) || "";
const value_of = (trait, point) => (trait.value ? trait.value(point) : words_of(trait, point));

function differing_traits(points) {
	return TRAITS.filter(trait => points.some(point => value_of(trait, point) !== value_of(trait, points[0]))).map(trait => trait.name);
}

// "8 ranks, warm cache": the given parameters of a point.
export function traits_words(point, names) {
	return TRAITS.filter(trait => names.includes(trait.name)).map(trait => words_of(trait, point)).filter(Boolean).join(", ");
}

// One series per combination of the other parameters, sorted by `over`.
export function series_over(points, over, wanted) {
	const others = TRAITS.filter(trait => trait.name !== over), groups = new Map();
	for (const point of points.filter(wanted)) {
		const key = JSON.stringify(others.map(trait => value_of(trait, point)));
		groups.set(key, [...groups.get(key) || [], point]);
	}
	const order = (a, b) => others.reduce((found, trait) => found || by_value(value_of(trait, a[0]), value_of(trait, b[0])), 0);
	return [...groups.values()].sort(order).map(group => group.sort((a, b) => a[over] - b[over]));
}

// Points by operation, in order of appearance: [{name, points}].
export function by_operation(points) {
	const groups = new Map();
	for (const point of points)
		groups.has(point.operation) ? groups.get(point.operation).push(point) : groups.set(point.operation, [point]);
	return [...groups].map(([name, own]) => ({name, points: own}));
}

// Splits series evenly into plots, so that no plot has only a few of them.
export function in_plots(series, max = SERIES_MAX) {
	const plots = Math.ceil(series.length / max), step = Math.ceil(series.length / plots), parts = [];
	for (let from = 0; from < series.length; from += step)
		parts.push(series.slice(from, from + step));
	return parts;
}

export const OVER = {bytes: {title: "message size (bytes)", unit: "bytes"}, ranks: {title: "ranks", unit: "count"}};
const other_than = over => (over === "bytes" ? "ranks" : "bytes");

const time_of = point => point.mean_s;
// The measured rate. If a run moves one message, or one per process: its size divided by its time.
const rate_of = point => (Number.isFinite(point.bytes_per_s) ? point.bytes_per_s : NaN);
const bandwidth_of = point => (!Number.isFinite(point.bytes_per_s) && point.bytes && point.mean_s > 0 ? point.bytes / point.mean_s : NaN);

const CHART_KINDS = [
	{what: "time over message size", over: "bytes", title: "time", unit: "seconds", y: time_of, half: point => point.half_width_s},
	{what: "time over ranks", over: "ranks", title: "time", unit: "seconds", y: time_of, half: point => point.half_width_s},
	{what: "hidden by computation", over: "bytes", title: "overlap", unit: "percent", y: point => point.overlap},
	{what: "hidden by computation, over ranks", over: "ranks", title: "overlap", unit: "percent", y: point => point.overlap},
	{what: "bandwidth over message size", over: "bytes", title: "bandwidth", unit: "rate", y: rate_of},
	{what: "bandwidth over ranks", over: "ranks", title: "bandwidth", unit: "rate", y: rate_of},
	{what: "bandwidth over message size", over: "bytes", title: "bandwidth (message size / time)", unit: "rate", y: bandwidth_of},
];

function spot_of(kind, point) {
	const y = kind.y(point), half = kind.half && Number.isFinite(kind.half(point)) ? kind.half(point) : NaN;
	return {x: point[kind.over], y, low: y - half, high: y + half, doubtful: point.marks.length > 0,
		words: `${traits_words(point, [kind.over])}: ${written(kind.unit, y)}` + (Number.isFinite(half) ? ` ± ${written(kind.unit, half)}` : "") +
			`, ${count(point.right)} of ${counted(point.runs, "run")} right` + (point.marks.length ? `; with care: ${point.marks.join(", ")}` : "") +
			(point.slower ? "; " + point.slower.join(", ") : "")};
}

// Lines only: the table already shows series of a single point.
function kind_charts(kind, operation, differ) {
	const named = [...differ, other_than(kind.over)].filter(name => name !== kind.over);
	const lines = series_over(operation.points, kind.over, point => Number.isFinite(kind.y(point))).filter(group => group[0][kind.over] !== group[group.length - 1][kind.over]);
	return in_plots(lines).map(part => line_chart(`${operation.name}: ${kind.what}`, {x: OVER[kind.over], y: {title: kind.title, unit: kind.unit},
		series: part.map(group => ({name: traits_words(group[0], named), spots: group.map(point => spot_of(kind, point))}))}));
}

function process_spots(point) {
	const {mean_s, min_s, max_s, every} = point.processes;
	return mean_s.map((mean, i) => ({x: i * every, y: mean, low: min_s[i], high: max_s[i],
		words: `rank ${i * every}: ${written("seconds", mean)}, from ${written("seconds", min_s[i])} to ${written("seconds", max_s[i])}`}));
}

// Of many sizes only a few, including the smallest and the largest.
function process_charts(operation, differ) {
	const SHOWN = 5, named = [...differ, "ranks"].filter(name => name !== "bytes");
	return series_over(operation.points, "bytes", point => point.processes && point.ranks > 1).map(group => {
		const shown = Math.min(group.length, SHOWN), chosen = Array.from({length: shown}, (_, i) => group[shown > 1 ? Math.floor(i * (group.length - 1) / (shown - 1)) : 0]);
		return line_chart(`${operation.name}: processes, ${traits_words(group[0], named)}`, {x: {title: group[0].processes.every > 1 ? `rank (one of ${group[0].processes.every})` : "rank", unit: "count"}, y: {title: "time of the process", unit: "seconds"},
			series: chosen.map(point => ({name: bytes(point.bytes), spots: process_spots(point)}))});
	});
}

const has_runs = point => point.right > 1 && point.times_s && point.times_s.length > 0;

function groups_of_runs(operation, differ) {
	const over = differ.includes("bytes") || !differ.includes("ranks") ? "bytes" : "ranks";
	return {over, groups: series_over(operation.points, over, has_runs)};
}

function spread_charts(operation, differ) {
	const {over, groups} = groups_of_runs(operation, differ), axis = make_axis(OVER[over].unit, [1, 2]);
	const named = [...differ, other_than(over)].filter(name => name !== over);
	return groups.flatMap(group => in_plots(group, 24).map(part => spread_chart(`${operation.name}: spread of runs, ${traits_words(part[0], named)}`, OVER[over].title,
		part.map(point => ({...point, label: axis_label(axis, point[over])})))));
}

function histograms(operation, differ) {
	const {groups} = groups_of_runs(operation, differ), named = [...differ, "ranks", "bytes"];
	return groups.length > 0 && folded("Histograms of valid runs", () => element("div", {class: "charts small"},
		groups.flat().map(point => histogram(traits_words(point, named) + (point.times_every > 1 ? `, one of ${point.times_every} runs` : ""), point))), {class: "numbers"});
}

// Columns of the numbers: title, value, and whether to show an empty column.
const NUMBER_COLUMNS = [
	["Runs", point => count(point.runs)], ["Valid", point => count(point.right)], ["Averaged", point => count(point.kept)], ["Mean", point => seconds(point.mean_s)],
	["±", point => seconds(point.half_width_s)], ["Min", point => seconds(point.min_s)], ["Median", point => seconds(point.median_s)], ["95 %", point => seconds(point.q95_s)],
	["Max", point => seconds(point.max_s)], ["Clock error", point => seconds(point.clock_error_s)],
	["Bandwidth", point => written("rate", point.bytes_per_s), "bytes_per_s"], ["Overlap", point => written("percent", point.overlap), "overlap"],
];

function numbers(operation, differ) {
	const traits = differ.filter(name => name !== "ranks" && name !== "bytes");
	const shown = NUMBER_COLUMNS.filter(([, , key]) => !key || operation.points.some(point => Number.isFinite(point[key])));
	return folded("Numbers", () => table("Numbers of " + operation.name,
		[{title: "Size"}, {title: "Ranks"}, traits.length && {title: "With", words: true}, ...shown.map(([title]) => ({title})), {title: "Marks", words: true}].filter(Boolean),
		operation.points.map(point => [bytes(point.bytes), point.ranks, ...traits.length ? [traits_words(point, traits)] : [], ...shown.map(([, value]) => value(point)),
			[...point.marks, ...point.slower || []].join(", ")])), {class: "numbers", open: operation.points.length < 4});
}

const extreme = (points, value, sign) => points.reduce((best, point) =>
	(Number.isFinite(value(point)) && (!best || (value(point) - value(best)) * sign > 0) ? point : best), null);
const place_words = point => [point.bytes > 0 && bytes(point.bytes), counted(point.ranks, "rank")].filter(Boolean).join(", ");

// "It takes 1 µs (1 B, 2 ranks) to 353 µs (1 MiB, 32 ranks)."
function in_words(operation) {
	const min = extreme(operation.points, time_of, -1), max = extreme(operation.points, time_of, 1);
	const rate = point => (Number.isFinite(point.bytes_per_s) ? rate_of(point) : bandwidth_of(point));
	const widest = extreme(operation.points, rate, 1), hidden = extreme(operation.points, point => point.overlap ?? NaN, 1);
	return element("p", {},
		!min ? "No run was valid." : min === max ? `It takes ${seconds(min.mean_s)} (${place_words(min)}).` :
			`It takes ${seconds(min.mean_s)} (${place_words(min)}) to ${seconds(max.mean_s)} (${place_words(max)}).`,
		widest && ` Bandwidth reaches ${written("rate", rate(widest))} (${place_words(widest)}).`,
		hidden && ` Computation hides up to ${percent(hidden.overlap)} of it (${place_words(hidden)}).`);
}

function operation_section(operation, is_alone) {
	const differ = differing_traits(operation.points);
	const plots = () => [element("div", {class: "charts"}, CHART_KINDS.map(kind => kind_charts(kind, operation, differ)), spread_charts(operation, differ),
		process_charts(operation, differ)), histograms(operation, differ), numbers(operation, differ)];
	return element("section", {}, element("h2", {}, operation.name), in_words(operation), is_alone ? plots() : filled_later(plots));
}

// "41 of 55 points": points with warnings, and the reasons.
function cares(results, marks) {
	const marked = results.points.filter(point => point.marks.length);
	return [
		!results.complete && element("div", {class: "care none", role: "note"}, element("p", {}, element("strong", {}, "Incomplete: the job ended early"),
			results.trouble ? ": " + results.trouble + "." : ".")),
		marked.length > 0 && element("div", {class: "care", role: "note"}, element("p", {}, element("strong", {},
			`${count(marked.length)} of ${counted(results.points.length, "point")} to be treated with caution`), "; plots show them hollow:"),
		element("ul", {}, marks.filter(mark => marked.some(point => point.marks.includes(mark.name))).map(mark =>
			element("li", {}, element("strong", {}, mark.name), ` (${count(marked.filter(point => point.marks.includes(mark.name)).length)}): ${mark.help}`)))),
	];
}

// Points that are slower than another way to the same result.
function guidelines_section(results) {
	const {checked, violations} = results.guidelines || {checked: 0, violations: []};
	return checked > 0 && element("section", {}, element("h2", {}, "Performance guidelines"),
		element("p", {}, violations.length ? `${count(violations.length)} of ${count(checked)} guidelines violated: the library has a faster way to the same result.`
			: `${count(checked)} guidelines checked, none violated.`),
		violations.length > 0 && table("Violated performance guidelines", [{title: "Operation", words: true}, {title: "Size"}, {title: "Ranks"}, {title: "Time"}, {title: "Faster"},
			{title: "Alternative", words: true}], violations.map(({point, alternative, bound_s}) => [results.points[point], alternative, bound_s])
			.map(([point, alternative, bound]) => [point.operation, point.bytes ? bytes(point.bytes) : "—", point.ranks, seconds(point.mean_s), seconds(bound), alternative])));
}

// Marks points that violate a guideline, with the faster alternative.
function mark_slower(results) {
	for (const {point, alternative} of results.guidelines ? results.guidelines.violations : [])
		results.points[point].slower = [...results.points[point].slower || [], "slower than " + alternative.replace(/^as /, "")];
}

function measured_words(results, operations) {
	if (!results.points.length)
		return results.memory ? "Only the memory of the MPI library was measured." : "Nothing was measured.";
	const errors = results.points.map(point => point.half_width_s / point.mean_s).filter(Number.isFinite).sort(by_value);
	return `${counted(results.points.length, "point")} of ${counted(operations.length, "operation")} measured.` +
		(errors.length ? ` The confidence interval is within ± ${percent(errors[Math.floor((errors.length - 1) / 2)])} for half of the points, and within ± ` +
			`${percent(errors[Math.floor((errors.length - 1) * 0.9)])} for nine in ten.` : "");
}

const FACTS = [["mpi", "library"], ["machine", "hosts"], ["mpi", "processes"], ["machine", "processor"], ["machine", "kernel"], ["job", "start"]];

function known_facts(results) {
	return FACTS.map(([section, name]) => [name, results.facts[section] && results.facts[section][name]]).filter(([, value]) => value);
}

const range_words = (values, words) => {
	const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
	return low === high ? words(low) : `${words(low)} – ${words(high)}`;
};

function operation_row(operation, i) {
	const min = extreme(operation.points, time_of, -1), max = extreme(operation.points, time_of, 1);
	const error = extreme(operation.points, point => point.half_width_s / point.mean_s, 1), marked = operation.points.filter(point => point.marks.length).length;
	return [link("operation-" + (i + 1), operation.name), operation.points.length,
		operation.points.some(point => point.bytes) ? range_words(operation.points.map(point => point.bytes), bytes) : "—", range_words(operation.points.map(point => point.ranks), significant), min ? seconds(min.mean_s) : "—", max ? seconds(max.mean_s) : "—",
		error ? "± " + percent(error.half_width_s / error.mean_s) : "—", marked || ""];
}

function bench_overview(results, operations, marks) {
	const tests = Object.entries(results.facts["self-tests"] || {});
	return [
		element("section", {}, element("p", {class: "big"}, measured_words(results, operations)), facts_table("Where", known_facts(results)), cares(results, marks)),
		operations.length > 0 && element("section", {}, element("h2", {}, "Operations"), table("Operations", [{title: "Operation", words: true}, {title: "Points"}, {title: "Sizes"},
			{title: "Ranks"}, {title: "Shortest"}, {title: "Longest"}, {title: "Widest interval"}, {title: "Marked points"}], operations.map(operation_row)),
		element("p", {class: "faint"}, "Times are trimmed means of valid runs. The time of a run is that of its slowest process.")),
		guidelines_section(results),
		tests.length > 0 && element("section", {}, element("h2", {}, "Self-tests"), element("p", {class: "faint"},
			"The true times of these operations are known. Their measured times show how accurate the other results are."), facts_table("Self-tests", tests)),
		results.omissions.length > 0 && element("section", {}, element("h2", {}, "Not measured"), element("ul", {},
			results.omissions.map(omission => element("li", {}, element("strong", {}, omission.operation), ": " + omission.reason)))),
	];
}

export function facts_table(caption, rows) {
	return table(caption, [{title: "", words: true}, {title: "", words: true}], rows);
}

function circumstances(results) {
	const sections = Object.entries(results.facts).filter(([section]) => section !== "self-tests");
	return sections.length ? sections.map(([section, own]) => element("section", {}, element("h2", {}, section), facts_table(section, Object.entries(own)))) :
		[element("p", {}, "No circumstances were recorded.")];
}

const MEMORY_FIELDS = ["private", "shared", "file", "heap", "most"];
const STEPS_DRAWN = 24;
export const MEMORY_AXES = {x: {title: "ranks", unit: "count"}, y: {title: "bytes added to a process", unit: "memory"}};

// Rows by step, in order of appearance: [[row]].
export function by_step(rows) {
	const steps = new Map();
	for (const row of rows)
		steps.has(row.step) ? steps.get(row.step).push(row) : steps.set(row.step, [row]);
	return [...steps.values()];
}

function memory_view(results, growth) {
	const steps = by_step(results.memory), grows = new Map(growth.map(row => [row.step, row.bytes_per_rank]));
	const spots = (rows, field) => [...rows].sort((a, b) => a.ranks - b.ranks).map(row => ({x: row.ranks, y: row[field + "_bytes"]}));
	return [element("section", {}, element("h2", {}, "Memory of the MPI library"),
		element("div", {class: "charts"}, steps.filter(rows => rows.some(row => row.private_bytes + row.shared_bytes > 0)).slice(0, STEPS_DRAWN).map(rows =>
			line_chart(rows[0].step, {...MEMORY_AXES, series: ["private", "shared"].map(field => ({name: field, spots: spots(rows, field)}))}))),
		table("Memory of the MPI library", [{title: "Step", words: true}, {title: "Ranks"}, ...MEMORY_FIELDS.map(field => ({title: field[0].toUpperCase() + field.slice(1)})), {title: "For each further rank"}],
			steps.flat().map(row => [row.step, row.ranks, ...MEMORY_FIELDS.map(field => written("memory", row[field + "_bytes"])),
				Number.isFinite(grows.get(row.step)) ? Math.round(grows.get(row.step)) + "\u00a0bytes" : ""])))];
}

// Opens folded and draws pending parts that belong on paper.
export function open_when_printed() {
	window.addEventListener("beforeprint", () => {
		document.querySelectorAll(".later").forEach(part => part.dispatchEvent(new Event("print")));
		document.querySelectorAll("details.numbers").forEach(part => {
			part.open = true;
			part.dispatchEvent(new Event("toggle"));
		});
	});
}

const LISTED_MAX = 16;

function operations_view(results, shown, operations) {
	const thinned = results.points.some(point => point.times_every > 1) && "Only some of very many runs are drawn; quantiles and means are those of all runs. ";
	const list = () => element("nav", {"aria-label": "Operations"}, operations.map((operation, i) => {
		const item = link("operation-" + (i + 1), operation.name);
		if (shown.length === 1 && shown[0] === operation)
			item.setAttribute("aria-current", "page");
		return item;
	}));
	return [element("section", {}, measured_signs(), element("p", {class: "faint"}, thinned, "Click on the name of a series, or press Enter, to hide it."),
		operations.length > 1 && (operations.length > LISTED_MAX ? folded("Other operations", list) : list())), ...shown.map(operation => operation_section(operation, shown.length === 1))];
}

export function bench_views(results, marks, growth) {
	const operations = by_operation(results.points), library = results.facts.mpi && results.facts.mpi.library;
	mark_slower(results);
	open_when_printed();
	return {
		title: "bench" + (library ? ": " + library : ""),
		tabs: [
			{name: "overview", title: "Overview", show: () => bench_overview(results, operations, marks)},
			operations.length > 0 && {name: "operations", title: operations.length > 1 ? "All operations" : operations[0].name,
				show: () => operations_view(results, operations, operations)},
			results.memory && {name: "memory", title: "Memory", show: () => memory_view(results, growth)},
			{name: "circumstances", title: "Circumstances", show: () => circumstances(results)},
		].filter(Boolean),
		find: name => {
			const operation = /^operation-\d+$/.test(name) && operations[Number(name.slice(10)) - 1];
			return operation && {show: () => operations_view(results, [operation], operations)};
		},
	};
}
