// What changed from one run to another.

import {element, table} from "./dom.js";
import {count, percent, seconds} from "./format.js";

const WORDS = {gone: "gone", new: "new", less: "less", more: "more", same: "same"};
const GRADES = {gone: "good", less: "good", new: "poor", more: "poor", same: "faint"};

function verdict(diff) {
	const ratio = diff.after.length_s / diff.before.length_s;
	if (!Number.isFinite(ratio) || ratio <= 0)
		return element("p", {class: "big"}, "The runs have no length that could be compared.");
	if (Math.abs(ratio - 1) < 0.02)
		return element("p", {class: "big"}, "The runs take the same time, within 2 %.");
	return element("p", {class: "big"}, "The second run is ", element("strong", {class: ratio < 1 ? "good" : "poor"}, ratio < 1 ? "faster" : "slower"),
		`: it takes ${percent(Math.abs(1 - ratio))} ${ratio < 1 ? "less" : "more"} time.`);
}

function runs(diff) {
	const figure = (run, name) => (run.efficiency ? percent(run.efficiency[name]) : "—");
	return table("Runs", [{title: "", words: true}, {title: "Before"}, {title: "After"}], [
		["Trace", diff.before.trace.replace(/^.*\//, ""), diff.after.trace.replace(/^.*\//, "")],
		["Processes", count(diff.before.processes), count(diff.after.processes)],
		["Length", seconds(diff.before.length_s), seconds(diff.after.length_s)],
		["Parallel efficiency", figure(diff.before, "parallel"), figure(diff.after, "parallel")],
		["Load balance", figure(diff.before, "load_balance"), figure(diff.after, "load_balance")],
		["Communication efficiency", figure(diff.before, "communication"), figure(diff.after, "communication")]]);
}

function rows_section(title, rows) {
	if (!rows.length)
		return null;
	const time = side => (side ? seconds(side.process_s) : "—");
	return element("section", {}, element("h2", {}, title),
		table(title, [{title: "", words: true}, {title: "Before"}, {title: "After"}, {title: "What", words: true}, {title: "Where", words: true}],
			rows.slice(0, 200).map(row => [element("strong", {class: GRADES[row.change]}, WORDS[row.change]), time(row.before), time(row.after), row.name,
				row.before && row.after && row.before.place !== row.after.place ? `${row.before.place} → ${row.after.place}` : (row.after || row.before).place])));
}

export function diff_view(diff) {
	return [
		element("section", {}, verdict(diff), runs(diff), element("p", {class: "faint"}, "Times below are those of a process on average.")),
		rows_section("Findings", diff.findings),
		rows_section("Phases", diff.phases),
		rows_section("Calls", diff.calls),
	];
}
