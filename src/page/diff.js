// Differences between two runs.

import {element, table} from "./dom.js";
import {count, percent, seconds} from "./format.js";
import {run_window, strip} from "./timeline_view.js";
import {trust_notes} from "./trust.js";
import {filled, translated} from "./words.js";

const WORDS = {gone: "gone", new: "new", less: "less", more: "more", same: "same"};
const GRADES = {gone: "good", less: "good", new: "poor", more: "poor", same: "faint"};

export function diff_verdict(diff) {
	return [diff.before, diff.after].some(run => run.trust && run.trust.verdict === "none") ? "none" : "full";
}

function verdict(diff) {
	if (diff_verdict(diff) === "none")
		return element("p", {class: "big"}, translated("These runs cannot be compared: do not rely on the figures below."));
	const ratio = diff.after.length_s / diff.before.length_s;
	if (!Number.isFinite(ratio) || ratio <= 0)
		return element("p", {class: "big"}, translated("The lengths of the runs cannot be compared."));
	if (Math.abs(ratio - 1) < 0.02)
		return element("p", {class: "big"}, translated("The runs take the same time, within 2 %."));
	return element("p", {class: "big"}, translated("The second run is"), " ", element("strong", {class: ratio < 1 ? "good" : "poor"}, translated(ratio < 1 ? "faster" : "slower")),
		": ", filled(ratio < 1 ? "it takes $1 less time." : "it takes $1 more time.", percent(Math.abs(1 - ratio))));
}

const file_name = run => run.trace.replace(/^.*\//, "");

function runs(diff) {
	const figure = (run, name) => (run.efficiency ? percent(run.efficiency[name]) : "—");
	return table(translated("Runs"), [{title: "", words: true}, {title: translated("Before")}, {title: translated("After")}], [
		[translated("Trace"), file_name(diff.before), file_name(diff.after)],
		[translated("Processes"), count(diff.before.processes), count(diff.after.processes)],
		[translated("Length"), seconds(diff.before.length_s), seconds(diff.after.length_s)],
		[translated("Parallel efficiency"), figure(diff.before, "parallel"), figure(diff.after, "parallel")],
		[translated("Load balance"), figure(diff.before, "load_balance"), figure(diff.after, "load_balance")],
		[translated("Communication efficiency"), figure(diff.before, "communication"), figure(diff.after, "communication")]]);
}

const signed_seconds = value => (value > 0 ? "+" : "") + seconds(value);

function rows_section(title, rows, key = "process_s") {
	if (!rows.length)
		return null;
	const time = side => (side ? seconds(side[key]) + (side.share === undefined ? "" : ` (${percent(side.share)})`) : "—"), value = side => (side ? side[key] : 0), has_places = rows.some(row => (row.after || row.before).place);
	return element("section", {}, element("h2", {}, title),
		table(title, [{title: "", words: true}, {title: translated("What"), long: true}, {title: translated("Before")}, {title: translated("After")}, {title: translated("Difference")}, has_places && {title: translated("Where"), long: true}].filter(Boolean),
			rows.slice(0, 200).map(row => [element("strong", {class: GRADES[row.change]}, translated(WORDS[row.change])), row.name, time(row.before), time(row.after),
				element("span", {class: GRADES[row.change]}, signed_seconds(value(row.after) - value(row.before))),
				has_places && (row.before && row.after && row.before.place !== row.after.place ? `${row.before.place} → ${row.after.place}` : (row.after || row.before).place)].filter(cell => cell !== false))));
}

const STEPS_SHOWN = 8, STRIP_HEIGHT = 200;

// Steps from the length of the first run to that of the second, in seconds per process: computing, the calls that changed most, other calls, and the rest.
// They add up to the difference. null if it is not known how long the processes computed.
export function waterfall_steps(diff) {
	const {before, after} = diff;
	if (!before.efficiency || !after.efficiency || !(before.length_s > 0) || !(after.length_s > 0))
		return null;
	const time = side => (side ? side.process_s : 0);
	const min = Math.max(before.length_s, after.length_s) / 1000, sum = steps => steps.reduce((total, step) => total + step.change_s, 0);
	// Calls of one place may have several rows: callers differ.
	const by_place = new Map();
	for (const row of diff.calls) {
		const {place} = row.after || row.before, key = row.name + "\n" + place, known = by_place.get(key) || {name: row.name, place, change_s: 0};
		known.change_s += time(row.after) - time(row.before);
		by_place.set(key, known);
	}
	const calls = [...by_place.values()].sort((a, b) => Math.abs(b.change_s) - Math.abs(a.change_s));
	const large = calls.slice(0, STEPS_SHOWN).filter(call => Math.abs(call.change_s) >= min), steps = [
		{name: translated("computing"), change_s: after.efficiency.parallel * after.length_s - before.efficiency.parallel * before.length_s}, ...large];
	if (calls.length > large.length)
		steps.push({name: translated("other calls"), change_s: sum(calls.slice(large.length))});
	const rest = after.length_s - before.length_s - sum(steps);
	// Rounding errors are not a step.
	return Math.abs(rest) < min / 100 ? steps : [...steps, {name: translated("everything else"), change_s: rest}];
}

// A bar from one time to another, on a scale of so many seconds.
function waterfall_row(name, place, from, to, max, kind, words) {
	const left = Math.min(from, to) / max * 100, width = Math.abs(to - from) / max * 100;
	return element("li", {class: "step"}, element("span", {class: "step-name"}, name, place && element("span", {class: "faint"}, " " + place)),
		element("span", {class: "step-track", "aria-hidden": "true"}, element("span", {class: "fill " + kind, style: `left:${left.toFixed(3)}%;width:${width.toFixed(3)}%`})),
		element("span", {class: "step-value"}, words));
}

function waterfall(diff) {
	const steps = waterfall_steps(diff);
	if (!steps || diff_verdict(diff) === "none")
		return null;
	let at = diff.before.length_s, max = Math.max(at, diff.after.length_s);
	for (const step of steps)
		max = Math.max(max, step.end_s = at += step.change_s);
	const row = step => waterfall_row(step.name, step.place, step.end_s - step.change_s, step.end_s, max, step.change_s > 0 ? "poor" : "good", signed_seconds(step.change_s));
	return element("section", {class: "waterfall"}, element("h2", {}, translated("What became faster and slower")),
		element("p", {class: "faint"}, translated("Means per process. The steps add up to the difference of the runs.")),
		element("ol", {class: "steps-list"}, waterfall_row(translated("Before"), null, 0, diff.before.length_s, max, "other", seconds(diff.before.length_s)),
			steps.map(row),
			waterfall_row(translated("After"), null, 0, diff.after.length_s, max, "other", seconds(diff.after.length_s))));
}

// Both runs over the same length of time, each from its own start to its own end. One legend for both if it is the same.
function timelines(diff, before, after) {
	if (!before || !after || diff_verdict(diff) === "none")
		return null;
	const windows = [before, after].map(run_window), longest = Math.max(...windows.map(one => one.to - one.from));
	const strips = [before, after].map((timeline, i) => strip(timeline, {from: windows[i].from, to: windows[i].from + longest, end: windows[i].to, zero: windows[i].from}, STRIP_HEIGHT));
	const one_strip = (i, title, run) => element("div", {}, element("h3", {}, translated(title), " ", element("span", {class: "faint"}, file_name(run))), strips[i]);
	const legends = strips.map(one => one.querySelector(".legend"));
	if (legends[0].textContent === legends[1].textContent)
		legends[0].remove();
	return element("section", {class: "two-timelines"}, element("h2", {}, translated("Timeline")),
		element("p", {class: "faint"}, translated("Both runs have the same scale and begin at 0.")),
		one_strip(0, "Before", diff.before), one_strip(1, "After", diff.after));
}

// `before` and `after` are timelines; null: unknown.
export function diff_view(diff, before, after) {
	return [
		element("section", {}, verdict(diff), trust_notes(diff.before.trust, "Before"), trust_notes(diff.after.trust, "After"), runs(diff), element("p", {class: "faint"}, translated(diff.compares_savings ? "Findings: time that the run would save without them. Other times are averages per process." :
			"Times below are averages per process."))),
		waterfall(diff),
		timelines(diff, before, after),
		rows_section(translated("Findings"), diff.findings, diff.compares_savings ? "saves_s" : "process_s"),
		rows_section(translated("Phases"), diff.phases),
		rows_section(translated("Calls"), diff.calls),
	];
}
