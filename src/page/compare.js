// Differences between two benchmarks.

import {written} from "./axis.js";
import {OVER, MEMORY_AXES, by_operation, by_step, facts_table, in_plots, open_when_printed, series_over, traits_words} from "./bench.js";
import {chance_words, forest, interval_words, line_chart, ratio_axis, ratio_words, verdict_signs} from "./charts.js";
import {element, table} from "./dom.js";
import {bytes, count, counted, percent, seconds} from "./format.js";

const ROWS_MAX = 48; // in a plot
const CHANGES_MAX = 40, LONELY_MAX = 40;
const ALL_TRAITS = ["variant", "datatype", "reduction", "root", "communicator", "cache", "in_place", "ranks", "bytes"];
const USUAL = {datatype: "byte", communicator: "world"};
const VERDICT_GRADES = {slower: "poor", more: "poor", faster: "good", less: "good"};

const graded = verdict => element("strong", {class: VERDICT_GRADES[verdict] || "faint"}, verdict);
// Default parameters are omitted.
const full_name = point => point.operation + ", " + traits_words(point, ALL_TRAITS.filter(name => point[name] !== USUAL[name]));

// Names of points within their operation: the parameters that differ, and always ranks and size.
function name_rows(rows) {
	const differ = ALL_TRAITS.filter(name => rows.some(row => row[name] !== rows[0][name]));
	return rows.map(row => ({...row, name: traits_words(row, [...differ, "ranks", "bytes"])}));
}

function verdict_words(differences) {
	const parts = Object.entries(differences.verdicts).filter(([, number]) => number > 0);
	return element("p", {class: "big"}, `${counted(differences.points.length, "point")} in both: `,
		parts.map(([verdict, number], i) => [i ? ", " : "", count(number), " ", graded(verdict)]), ".");
}

function sides_table(differences, sides) {
	return table("Compared", [{title: "", words: true}, {title: "File", words: true}, {title: "MPI library", words: true}], ["first", "second"].map(side => [side, differences[side],
		(sides[side].library || "") + (differences.compared === "jobs" ? ` (medians of ${counted(differences[side + "_jobs"], "job")})` : "") + (sides[side].complete ? "" : " (incomplete)")]));
}

// The significant differences, the largest first.
function changes(differences) {
	const far = row => Math.abs(Math.log(row.ratio)), rows = differences.points.filter(row => row.verdict === "slower" || row.verdict === "faster");
	const worst = rows.filter(row => row.verdict === "slower").sort((a, b) => far(b) - far(a))[0];
	if (!rows.length)
		return element("p", {}, "No difference is both significant and large enough to count.");
	return element("section", {}, element("h2", {}, "What changed"),
		worst && element("p", {}, "Slowed down most: ", element("strong", {}, full_name(worst)), `, which takes ${ratio_words(worst.ratio)} times as long.`),
		table("What changed", [{title: "", words: true}, {title: "Point", long: true}, {title: "First"}, {title: "Second"}, {title: "Ratio"}, {title: "p"}],
			rows.sort((a, b) => far(b) - far(a)).slice(0, CHANGES_MAX).map(row => [graded(row.verdict), full_name(row), seconds(row.first_median_s), seconds(row.second_median_s),
				[element("strong", {}, ratio_words(row.ratio)), " " + interval_words(row)], chance_words(row.corrected_p)])),
		rows.length > CHANGES_MAX && element("p", {class: "faint"}, `${counted(rows.length - CHANGES_MAX, "smaller difference")} below.`));
}

function forests(differences) {
	const axis = ratio_axis(differences.points, differences.threshold);
	return element("section", {}, element("h2", {}, "All points"), verdict_signs(), element("p", {class: "faint"},
		`A ratio above 1 is slower. Lines are ${percent(differences.confidence)} confidence intervals. Differences of up to ${percent(differences.threshold)} do not count. ` +
		"Points are coloured if the difference is larger and significant (Mann-Whitney test, with Holm's correction for the number of points)."),
	element("div", {class: "charts"}, by_operation(differences.points).map(({name, points}) =>
		in_plots(name_rows(points), ROWS_MAX).map(rows => forest(name, axis, differences.threshold, rows)))));
}

// Both results over message sizes.
function both_charts({name, points}) {
	const lines = series_over(points, "bytes", () => true).filter(group => group[0].bytes !== group[group.length - 1].bytes);
	const named = ALL_TRAITS.filter(trait => trait !== "bytes" && (trait === "ranks" || points.some(point => point[trait] !== points[0][trait])));
	return in_plots(lines).map(part => line_chart(`${name}: medians over message size`, {x: OVER.bytes, y: {title: "time", unit: "seconds"},
		series: part.flatMap((group, look) => ["first", "second"].map(side => ({name: `${side}, ${traits_words(group[0], named)}`, look, dashed: side === "second",
			spots: group.map(point => ({x: point.bytes, y: point[side + "_median_s"], words: `${bytes(point.bytes)}: ${seconds(point[side + "_median_s"])}`}))})))}));
}

function compare_overview(differences, sides) {
	return [
		element("section", {}, differences.points.length ? verdict_words(differences) : element("p", {class: "big"}, "The results have no point in common."), sides_table(differences, sides),
			differences.points.length > 0 && differences.compared === "runs" && element("div", {class: "care", role: "note"}, element("p", {},
				element("strong", {}, "Each side is one job. "), "Its runs share the placement of processes and memory and the load of the machine, which differ in the next job. " +
				"To be sure of small differences, measure several jobs into a folder for each side.")),
			differences.points.length > 0 && changes(differences)),
		differences.points.length > 0 && forests(differences),
	];
}

function sizes_view(differences) {
	return [element("section", {}, element("h2", {}, "Times over message size"),
		element("div", {class: "charts"}, by_operation(differences.points).map(both_charts)))];
}

function lonely(title, rows, words) {
	return rows.length > 0 && [element("h3", {}, title), element("ul", {}, rows.slice(0, LONELY_MAX).map(row => element("li", {}, words(row))),
		rows.length > LONELY_MAX && element("li", {}, `and ${count(rows.length - LONELY_MAX)} more`))];
}

function compared_memory(memory) {
	const steps = by_step(memory.steps), step_words = row => `${row.step}, ${counted(row.ranks, "rank")}`;
	const spots = (rows, side) => rows.map(row => ({x: row.ranks, y: row[side + "_bytes"]})).sort((a, b) => a.x - b.x);
	return [element("section", {}, element("h2", {}, "Memory of the MPI library"), element("p", {class: "faint"},
		"Private and shared memory that a step adds to a process, on average. A job has only one such number, so there is no interval and no test: \"more\" and \"less\" mean " +
		`a difference of more than ${percent(memory.threshold)} and more than ${bytes(memory.least_bytes)}.`),
	element("div", {class: "charts"}, steps.filter(rows => rows.some(row => row.first_bytes > 0 || row.second_bytes > 0)).slice(0, 24).map(rows =>
		line_chart(rows[0].step, {...MEMORY_AXES, series: ["first", "second"].map(side => ({name: side, spots: spots(rows, side)}))}))),
	table("Memory of the MPI library", [{title: "Step", words: true}, {title: "Ranks"}, {title: "First"}, {title: "Second"}, {title: "Ratio"}, {title: "Second has", words: true}],
		memory.steps.map(row => [row.step, row.ranks, written("memory", row.first_bytes), written("memory", row.second_bytes),
			Number.isFinite(row.ratio) ? ratio_words(row.ratio) : "", row.verdict === "same" ? "same" : graded(row.verdict)])),
	lonely("Only in the first", memory.only_first, step_words), lonely("Only in the second", memory.only_second, step_words))];
}

function compared_circumstances(differences) {
	return [
		element("section", {}, element("h2", {}, "Other circumstances"), differences.facts.length ?
			table("Other circumstances", [{title: "", words: true}, {title: "First", words: true}, {title: "Second", words: true}],
				differences.facts.map(fact => [fact.section + ": " + fact.name, fact.first || "", fact.second || ""])) : element("p", {}, "All recorded circumstances are the same.")),
		element("section", {}, lonely("Only in " + differences.first, differences.only_first, full_name), lonely("Only in " + differences.second, differences.only_second, full_name)),
	];
}

export function compare_views(differences, sides) {
	const {memory} = differences, has_memory = memory.steps.length || memory.only_first.length || memory.only_second.length;
	const lines = differences.points.some(point => point.bytes !== differences.points[0].bytes);
	open_when_printed();
	return {title: "bench compare", find: () => null, tabs: [
		{name: "overview", title: "Overview", show: () => compare_overview(differences, sides)},
		lines && {name: "sizes", title: "Over sizes", show: () => sizes_view(differences)},
		has_memory > 0 && {name: "memory", title: "Memory", show: () => compared_memory(memory)},
		{name: "circumstances", title: "Circumstances", show: () => compared_circumstances(differences)},
	].filter(Boolean)};
}
