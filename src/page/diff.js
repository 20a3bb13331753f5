// What changed from one run to another.

import {element, table} from "./dom.js";
import {count, percent, seconds} from "./format.js";
import {filled, translated} from "./words.js";

const WORDS = {gone: "gone", new: "new", less: "less", more: "more", same: "same"};
const GRADES = {gone: "good", less: "good", new: "poor", more: "poor", same: "faint"};

function verdict(diff) {
	const ratio = diff.after.length_s / diff.before.length_s;
	if (!Number.isFinite(ratio) || ratio <= 0)
		return element("p", {class: "big"}, translated("The lengths of the runs cannot be compared."));
	if (Math.abs(ratio - 1) < 0.02)
		return element("p", {class: "big"}, translated("The runs take the same time, within 2 %."));
	return element("p", {class: "big"}, translated("The second run is"), " ", element("strong", {class: ratio < 1 ? "good" : "poor"}, translated(ratio < 1 ? "faster" : "slower")),
		": ", filled(ratio < 1 ? "it takes $1 less time." : "it takes $1 more time.", percent(Math.abs(1 - ratio))));
}

function runs(diff) {
	const figure = (run, name) => (run.efficiency ? percent(run.efficiency[name]) : "—");
	return table(translated("Runs"), [{title: "", words: true}, {title: translated("Before")}, {title: translated("After")}], [
		[translated("Trace"), diff.before.trace.replace(/^.*\//, ""), diff.after.trace.replace(/^.*\//, "")],
		[translated("Processes"), count(diff.before.processes), count(diff.after.processes)],
		[translated("Length"), seconds(diff.before.length_s), seconds(diff.after.length_s)],
		[translated("Parallel efficiency"), figure(diff.before, "parallel"), figure(diff.after, "parallel")],
		[translated("Load balance"), figure(diff.before, "load_balance"), figure(diff.after, "load_balance")],
		[translated("Communication efficiency"), figure(diff.before, "communication"), figure(diff.after, "communication")]]);
}

function rows_section(title, rows) {
	if (!rows.length)
		return null;
	const time = side => (side ? seconds(side.process_s) : "—");
	return element("section", {}, element("h2", {}, title),
		table(title, [{title: "", words: true}, {title: translated("Before")}, {title: translated("After")}, {title: translated("What"), words: true}, {title: translated("Where"), words: true}],
			rows.slice(0, 200).map(row => [element("strong", {class: GRADES[row.change]}, translated(WORDS[row.change])), time(row.before), time(row.after), row.name,
				row.before && row.after && row.before.place !== row.after.place ? `${row.before.place} → ${row.after.place}` : (row.after || row.before).place])));
}

export function diff_view(diff) {
	return [
		element("section", {}, verdict(diff), runs(diff), element("p", {class: "faint"}, translated("Times below are averages per process."))),
		rows_section(translated("Findings"), diff.findings),
		rows_section(translated("Phases"), diff.phases),
		rows_section(translated("Calls"), diff.calls),
	];
}
