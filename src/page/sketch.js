// Pictures of the longest instance of a finding: as it was, and as it would be without what it costs.

import {drawn, element} from "./dom.js";
import {place_of, seconds} from "./format.js";
import {filled, translated} from "./words.js";

// Findings that are no waits, such as a load imbalance, have no causes.
export function is_wait(finding) {
	return finding.causes && finding.causes.length > 0;
}

export function is_imbalance(finding) {
	return /imbalance/.test(finding.pattern);
}

// The calls that led to it, each once.
export function calls_of(worst) {
	return [...new Map([worst.at, ...worst.actions].map(call => [call.rank + " " + call.start_s, call])).values()];
}

// The same if nobody was late: who waited ends earlier by that, and who came after it comes at the same time.
export function calls_after(finding) {
	const {at} = finding.worst, saved = Math.min(finding.worst.duration_s, at.end_s - at.start_s);
	return calls_of(finding.worst).map(call => {
		if (call.rank === at.rank && call.start_s === at.start_s)
			return {...call, end_s: call.end_s - saved};
		if (call.start_s < at.start_s || (call.rank !== at.rank && !is_wait(finding)))
			return call;
		const start_s = Math.max(at.start_s, call.start_s - saved);
		return {...call, start_s, end_s: Math.max(start_s, call.end_s - saved)};
	});
}

const ROW = 34, BAR = 18, SKETCH_LEFT = 64;

// Letters stay readable on a narrow screen: there a picture is drawn narrower, not smaller.
function fitting(width) {
	return Math.min(width, Math.max(340, innerWidth - 40));
}

// Bars of {rank, start_s, end_s, kind, title, label} over time, a line for each rank. Of each rank, the longest bar with a label is named.
export function bars_over_time(words, bars, {most_width = 760, from, to} = {}) {
	const width = fitting(most_width);
	const ranks = [...new Set(bars.map(bar => bar.rank))].sort((a, b) => a - b);
	const scale = (width - SKETCH_LEFT - 8) / (to - from || 1), x = time => SKETCH_LEFT + (time - from) * scale;
	const y = bar => ranks.indexOf(bar.rank) * ROW + 8, length = bar => bar.end_s - bar.start_s;
	const named = ranks.map(rank => bars.filter(bar => bar.rank === rank && bar.label).reduce((a, b) => (!a || length(b) > length(a) ? b : a), null)).filter(Boolean);
	const label = bar => {
		const needed = bar.label.length * 7, inside = length(bar) * scale > needed;
		const before = !inside && x(bar.start_s) > SKETCH_LEFT + needed, behind = x(bar.end_s) + needed < width;
		return (inside || before || behind) && drawn("text", {x: inside ? x(bar.start_s) + 5 : before ? x(bar.start_s) - 5 : x(bar.end_s) + 5, y: y(bar) + 13,
			class: inside ? bar.on === "wait" ? "on-bar wait" : "on-bar" : before ? "end" : null}, bar.label);
	};
	return drawn("svg", {viewBox: `0 0 ${width} ${ranks.length * ROW + 24}`, role: "img", "aria-label": words},
		ranks.map((rank, i) => [
			drawn("text", {x: 0, y: i * ROW + 21}, filled("rank $1", rank)),
			drawn("line", {class: "axis", x1: SKETCH_LEFT, x2: width, y1: i * ROW + 17, y2: i * ROW + 17})]),
		bars.map(bar => drawn("rect", {class: bar.kind === "ghost" ? "ghost" : "fill " + bar.kind, x: x(bar.start_s), y: y(bar), rx: 2, width: Math.max(2, length(bar) * scale), height: BAR},
			drawn("title", {}, bar.title))),
		named.map(label),
		drawn("text", {x: SKETCH_LEFT, y: ranks.length * ROW + 18}, seconds(from)),
		drawn("text", {x: width, y: ranks.length * ROW + 18, class: "end"}, (from > 0 ? "+ " : "") + seconds(to - from)));
}

function call_bar(call, kind = "call") {
	return {...call, kind, title: `${call.call} ${place_of(call)}: ${seconds(call.end_s - call.start_s)}`, label: call.call + " " + place_of(call)};
}

export function wait_bar(finding) {
	const {at, duration_s} = finding.worst;
	return {...call_bar({...at, end_s: at.start_s + Math.min(duration_s, at.end_s - at.start_s)}, "wait"), label: null};
}

export function bars_before(finding) {
	const {at} = finding.worst;
	return [...calls_of(finding.worst).map(call => ({...call_bar(call), on: call.rank === at.rank && is_wait(finding) ? "wait" : null})),
		is_wait(finding) && wait_bar(finding)].filter(Boolean);
}

// What the late one did meanwhile, if that is known.
function late_bars(finding) {
	const {at, partner} = finding.worst, cause = is_wait(finding) && finding.causes[0];
	if (!partner || !cause || cause.kind !== "computing")
		return [];
	return calls_of(finding.worst).filter(call => call.rank === partner.rank && call.start_s === partner.start_s && call.start_s > at.start_s).map(call => ({rank: call.rank, start_s: at.start_s,
		end_s: call.start_s, kind: "compute", label: translated("computing"), title: translated("computing")}));
}

// The time that is no longer needed.
function saved_bar(finding, saved) {
	const {at} = finding.worst;
	return {rank: at.rank, start_s: at.end_s - saved, end_s: at.end_s, kind: "ghost", label: filled("$1 less", seconds(saved)), title: filled("$1 less", seconds(saved))};
}

function figure_of(title, picture) {
	return element("figure", {class: "plot"}, element("figcaption", {}, element("strong", {}, translated(title))), picture);
}

function sketch_of(before, after, words) {
	const all = [...before, ...after], from = Math.min(...all.map(bar => bar.start_s)), to = Math.max(...all.map(bar => bar.end_s));
	const range = {most_width: 520, from, to};
	return element("div", {class: "sketch"}, element("div", {class: "side-by-side"},
		figure_of("Before", bars_over_time(translated("Before"), before, range)), figure_of("After", bars_over_time(translated("After"), after, range))),
	element("p", {class: "faint"}, words));
}

// How long ranks computed in all, the slowest and the quickest among them, and the same if all did the same.
function imbalance_sketch(finding, rows) {
	const mean = rows.reduce((sum, row) => sum + row.computing_s, 0) / rows.length;
	const wanted = new Set([finding.worst.at.rank, finding.worst.partner && finding.worst.partner.rank]);
	const shown = [...rows].sort((a, b) => wanted.has(b.rank) - wanted.has(a.rank) || b.computing_s - a.computing_s).slice(0, 6);
	const bars = of => shown.map(row => ({rank: row.rank, start_s: 0, end_s: of(row), kind: "compute", label: translated("computing"),
		title: translated("computing") + ": " + seconds(of(row))}));
	return sketch_of(bars(row => row.computing_s), bars(() => mean),
		translated("A sketch: the total computing time of some ranks as it was, and as it would be if all ranks computed equally long."));
}

// null: nothing is known that could be drawn.
export function before_and_after(finding, rows) {
	if (is_imbalance(finding))
		return rows && rows.length > 1 ? imbalance_sketch(finding, rows) : null;
	const {at} = finding.worst, saved = Math.min(finding.worst.duration_s, at.end_s - at.start_s);
	if (!(saved > 0))
		return null;
	return sketch_of([...late_bars(finding), ...bars_before(finding)], [...calls_after(finding).map(call => call_bar(call)), saved_bar(finding, saved)],
		translated(is_wait(finding) ? "A sketch: the longest instance as it was, and as it would be if no rank were late." :
			"A sketch: the longest instance as it was, and as it would be without its cost."));
}
