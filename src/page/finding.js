// One finding: what happened, in which lines, who waited for whom, how often and how long, and what to do.

import {drawn, element, link} from "./dom.js";
import {count, counted, number_runs, percent, place_of, seconds} from "./format.js";
import {bar, columns} from "./plots.js";
import {code_around} from "./source.js";
import {translated} from "./words.js";

// Findings that are no waits, such as a load imbalance, have no causes.
function is_wait(finding) {
	return finding.causes && finding.causes.length > 0;
}

function section(title, ...children) {
	return element("section", {}, element("h3", {}, translated(title)), ...children);
}

function source_of(sources, call) {
	return call && call.file && sources && sources.find(one => one.file === call.file && one.line === call.line);
}

function code_panel(title, call, sources) {
	const excerpt = source_of(sources, call);
	return element("div", {class: "panel"},
		element("h4", {}, title, " ", element("code", {}, call.call + " "), element("span", {class: "faint"}, place_of(call) + (call.function ? " in " + call.function : ""))),
		excerpt ? code_around(excerpt, call.file, call.line) :
			element("p", {class: "faint"}, call.file ? "The source file is not readable here." : "No source line is known: compile with -g."));
}

function where(finding, sources) {
	const path = finding.path && finding.path.length ? finding.path.map(place_of).join(" ← ") : null;
	return section("Where",
		element("div", {class: "side-by-side"},
			code_panel(is_wait(finding) ? translated("waits") + ":" : "", finding, sources),
			finding.partner && code_panel(is_wait(finding) ? translated("late") + ":" : "", finding.partner, sources)),
		path && element("p", {class: "faint"}, translated("Call path") + ": " + path));
}

const PICTURE = {width: 760, left: 64, row: 34, bar: 18};

// The calls of the longest instance, each on the line of its rank, in real proportions. Of each rank, the longest is named.
function instance_picture(finding) {
	const at = finding.worst.at;
	const words = `Rank ${at.rank} ${is_wait(finding) ? "waits" : "costs"} ${seconds(finding.worst.duration_s)} in the longest instance.`;
	const calls = [...new Map([at, ...finding.worst.actions].map(call => [call.rank + " " + call.start_s, call])).values()];
	const ranks = [...new Set(calls.map(call => call.rank))].sort((a, b) => a - b);
	const from = Math.min(...calls.map(call => call.start_s)), to = Math.max(...calls.map(call => call.end_s));
	const scale = (PICTURE.width - PICTURE.left - 8) / (to - from || 1), x = time => PICTURE.left + (time - from) * scale;
	const y = call => ranks.indexOf(call.rank) * PICTURE.row + 8, length = call => call.end_s - call.start_s;
	const named = ranks.map(rank => calls.filter(call => call.rank === rank).reduce((a, b) => (length(b) > length(a) ? b : a)));
	const box = (call, seconds_long, kind) => drawn("rect", {class: "fill " + kind, x: x(call.start_s), y: y(call), rx: 2,
		width: Math.max(2, seconds_long * scale), height: PICTURE.bar},
	drawn("title", {}, `${call.call} ${place_of(call)}: ${seconds(length(call))}`));
	const label = call => {
		const words = call.call + " " + place_of(call), inside = length(call) * scale > words.length * 7;
		const before = !inside && x(call.start_s) > PICTURE.left + words.length * 7;
		return drawn("text", {x: inside ? x(call.start_s) + 5 : before ? x(call.start_s) - 5 : x(call.end_s) + 5, y: y(call) + 13,
			class: inside ? "on-bar" : before ? "end" : null}, words);
	};
	return element("figure", {class: "plot instance"},
		drawn("svg", {viewBox: `0 0 ${PICTURE.width} ${ranks.length * PICTURE.row + 24}`, role: "img",
			"aria-label": words},
		ranks.map((rank, i) => [
			drawn("text", {x: 0, y: i * PICTURE.row + 21}, "rank " + rank),
			drawn("line", {class: "axis", x1: PICTURE.left, x2: PICTURE.width, y1: i * PICTURE.row + 17, y2: i * PICTURE.row + 17})]),
		calls.map(call => box(call, length(call), "call")),
		is_wait(finding) && box(at, Math.min(finding.worst.duration_s, length(at)), "wait"),
		named.map(label),
		drawn("text", {x: PICTURE.left, y: ranks.length * PICTURE.row + 18}, seconds(from)),
		drawn("text", {x: PICTURE.width, y: ranks.length * PICTURE.row + 18, class: "end"}, seconds(to))),
		element("figcaption", {}, words,
			link(timeline_fragment(finding), translated("Show on the timeline"))));
}

// The longest instance with as much around it.
export function timeline_fragment(finding) {
	const at = finding.worst.at, length = Math.max(at.end_s - at.start_s, 1e-6);
	const start = Math.min(at.start_s, ...finding.worst.actions.map(call => call.start_s));
	return `timeline/from=${Math.max(0, start - length / 2).toFixed(9)}&to=${(at.end_s + length / 2).toFixed(9)}&rank=${at.rank}`;
}

function causes(finding) {
	if (!finding.causes || !finding.causes.length)
		return null;
	return section("Causes", element("ul", {class: "causes"}, finding.causes.map(cause =>
		element("li", {}, bar(cause.total_s / finding.total_s), percent(cause.total_s / finding.total_s), " ", cause.text))));
}

// Of many ranks, neighbours are one.
function ranks_of(amount) {
	return amount.last_rank === undefined ? String(amount.rank) : amount.rank + "–" + amount.last_rank;
}

function distribution(finding) {
	const amounts = finding.by_rank;
	return section("How long",
		element("p", {}, `${counted(finding.occurrences, "time")}, ${seconds(finding.total_s)} in all, ${seconds(finding.mean_s)} on average, ` +
			`at most ${seconds(finding.max_s)}.`),
		element("div", {class: "plots"},
			columns("occurrences by duration", finding.histogram.map(bin => ({
				label: seconds(bin.from_s), value: bin.occurrences,
				title: `${seconds(bin.from_s)} to ${seconds(bin.to_s)}: ${counted(bin.occurrences, "time")}`})), {unit: count}),
			amounts && amounts.length > 1 && columns("time by rank", amounts.map(one => ({label: ranks_of(one), value: one.total_s,
				title: `rank ${ranks_of(one)}: ${seconds(one.total_s)}`})))));
}

function verify(report, finding) {
	return section("Check the change",
		element("p", {}, "Record again after the change and compare:"),
		element("pre", {class: "command"}, `tarry run -o after.tarry -- mpirun …\ntarry diff ${report.trace.replace(/^.*\//, "")} after.tarry`));
}

export function finding_view(report, number, sources) {
	const finding = report.findings[number - 1];
	if (!finding)
		return [element("p", {}, `There is no finding ${number}.`)];
	const explains = finding.explained_by && report.findings[finding.explained_by - 1];
	return [element("article", {class: "finding-view"},
		element("p", {class: "steps"}, number > 1 && link("finding-" + (number - 1), "← " + (number - 1)), " ",
			number < report.findings.length && link("finding-" + (number + 1), (number + 1) + " →")),
		element("h2", {}, number + ". " + (finding.name || finding.pattern)),
		element("p", {class: "big"}, element("strong", {class: finding.severity}, percent(finding.share)), " of the run: ",
			seconds(finding.total_s), ", ", translated("Ranks").toLowerCase(), " ", number_runs(finding.processes),
			finding.partner && finding.partner.ranks.length ? [" ← ", number_runs(finding.partner.ranks)] : null),
		section("What happened", element("p", {}, finding.description),
			explains && element("p", {}, "Explained by ", link("finding-" + finding.explained_by, explains.name), ".")),
		finding.advice && section("What to do", element("p", {class: "advice"}, finding.advice)),
		where(finding, sources),
		section(is_wait(finding) ? "Who waits for whom" : "The longest instance", instance_picture(finding)),
		causes(finding), distribution(finding), verify(report, finding))];
}
