// Pictures of the longest instance of a finding, as recorded.

import {drawn} from "./dom.js";
import {place_of, seconds} from "./format.js";
import {filled} from "./words.js";

// Findings that are not waits, such as a load imbalance, have no causes.
export function is_wait(finding) {
	return finding.causes && finding.causes.length > 0;
}

export function is_imbalance(finding) {
	return /imbalance/.test(finding.pattern);
}

// The calls that led to the wait, each once.
export function calls_of(worst) {
	return [...new Map([worst.at, ...worst.actions].map(call => [call.rank + " " + call.start_s, call])).values()];
}

const ROW = 34, BAR = 18, SKETCH_LEFT = 64;

// Text stays readable on a narrow screen: the picture is drawn narrower, not smaller.
function fitting(width) {
	return Math.min(width, Math.max(340, innerWidth - 40));
}

// Bars of {rank, start_s, end_s, kind, title, label} over time, one line per rank. On each rank, the longest bar with a label is named.
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
		bars.map(bar => drawn("rect", {class: "fill " + bar.kind, x: x(bar.start_s), y: y(bar), rx: 2, width: Math.max(2, length(bar) * scale), height: BAR},
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
