// Pictures of the longest instance of a finding, as recorded.

import {drawn} from "./dom.js";
import {place_of, seconds} from "./format.js";
import {filled, translated} from "./words.js";

// Findings that are not waits, such as a load imbalance, have no causes.
export function is_wait(finding) {
	return finding.causes && finding.causes.length > 0;
}

// A thread waits for another one of its rank.
export function is_team_wait({pattern, worst: {at, partner}}) {
	return pattern.startsWith("omp.") && Boolean(partner) && partner.rank === at.rank && at.end_s > at.start_s;
}

export function is_imbalance(finding) {
	return /imbalance/.test(finding.pattern);
}

// The calls that led to the wait, each once.
export function calls_of(worst) {
	return [...new Map([worst.at, ...worst.actions].map(call => [call.rank + " " + call.start_s, call])).values()];
}

const ROW = 34, BAR = 18, RANKS_LEFT = 64, THREADS_LEFT = 118;

// Text stays readable on a narrow screen: the picture is drawn narrower, not smaller.
function fitting(width) {
	return Math.min(width, Math.max(340, innerWidth - 40));
}

// A line for each rank, or for each thread if there are several of a rank.
function lines_of(bars) {
	const all = [...new Map(bars.map(({rank, thread}) => [`${rank} ${thread || 0}`, {rank, thread: thread || 0}])).values()].sort((a, b) => a.rank - b.rank || a.thread - b.thread);
	const several = new Set(all.map(line => line.rank)).size < all.length, name = ({rank, thread}) => filled("rank $1", rank) + (several ? ", " + filled("thread $1", thread) : "");
	return {left: several ? THREADS_LEFT : RANKS_LEFT, lines: all.map(line => ({...line, name: name(line)}))};
}

// Bars of {rank, thread, start_s, end_s, kind, title, label} over time. On each line, the longest bar with room for its label is named.
export function bars_over_time(words, bars, {max_width = 760, from, to} = {}) {
	const width = fitting(max_width), {left, lines} = lines_of(bars), is_of = (line, bar) => line.rank === bar.rank && line.thread === (bar.thread || 0);
	const scale = (width - left - 8) / (to - from || 1), x = time => left + (time - from) * scale;
	const y = bar => lines.findIndex(line => is_of(line, bar)) * ROW + 8, length = bar => bar.end_s - bar.start_s;
	// The part of a bar that has one colour and room for the label: its wait, or the rest.
	const room_in = (bar, needed) => {
		const wait_end = bars.reduce((end, one) => (one.kind === "wait" && is_of(bar, one) && one.start_s === bar.start_s ? one.end_s : end), bar.start_s);
		return [{from: bar.start_s, to: wait_end, on: "wait"}, {from: wait_end, to: bar.end_s}].find(part => (part.to - part.from) * scale > needed);
	};
	const label = bar => {
		const needed = bar.label.length * 7, inside = room_in(bar, needed);
		// No other bar of the line crosses the label.
		const is_free = (at, end) => !bars.some(one => one !== bar && is_of(bar, one) && x(one.end_s) + 2 > at && x(one.start_s) < end);
		const before = !inside && x(bar.start_s) > left + needed && is_free(x(bar.start_s) - needed, x(bar.start_s)), behind = x(bar.end_s) + needed < width && is_free(x(bar.end_s) + 3, x(bar.end_s) + needed);
		return (inside || before || behind) && drawn("text", {x: inside ? x(inside.from) + 5 : before ? x(bar.start_s) - 5 : x(bar.end_s) + 5, y: y(bar) + 13,
			class: inside ? inside.on ? "on-bar wait" : "on-bar" : before ? "end" : null}, bar.label);
	};
	const label_of = line => bars.filter(bar => is_of(line, bar) && bar.label).sort((a, b) => length(b) - length(a)).reduce((found, bar) => found || label(bar), null);
	return drawn("svg", {viewBox: `0 0 ${width} ${lines.length * ROW + 24}`, style: `max-width:${width}px`, role: "img", "aria-label": words},
		lines.map(({name}, i) => [
			drawn("text", {x: 0, y: i * ROW + 21}, name),
			drawn("line", {class: "axis", x1: left, x2: width, y1: i * ROW + 17, y2: i * ROW + 17})]),
		bars.map(bar => drawn("rect", {class: "fill " + bar.kind, x: x(bar.start_s), y: y(bar), rx: 2, width: Math.max(2, length(bar) * scale), height: BAR},
			drawn("title", {}, bar.title))),
		lines.map(label_of),
		drawn("text", {x: left, y: lines.length * ROW + 18}, seconds(from)),
		drawn("text", {x: width, y: lines.length * ROW + 18, class: "end"}, (from > 0 ? "+ " : "") + seconds(to - from)));
}

function call_bar(call, kind = "call") {
	return {...call, kind, title: `${call.call} ${place_of(call)}: ${seconds(call.end_s - call.start_s)}`, label: call.call + " " + place_of(call)};
}

export function wait_bar(finding) {
	const {at, duration_s} = finding.worst;
	return {...call_bar({...at, end_s: at.start_s + Math.min(duration_s, at.end_s - at.start_s)}, "wait"), label: null};
}

// The end of a wait for a thread, which until then works: it arrives at the barrier, or releases the lock.
export const team_wait_end = ({at, partner}) => Math.min(at.end_s, Math.max(at.start_s, partner.start_s));

function working_bar({rank, thread}, start_s, end_s, label) {
	return {rank, thread, start_s, end_s, kind: "compute", title: `${label}: ${seconds(end_s - start_s)}`, label};
}

function team_bars(worst) {
	const {at, partner} = worst, end_s = team_wait_end(worst), own = {...call_bar(at), end_s: Math.min(at.end_s, end_s + (end_s - at.start_s) / 10)};
	return [own, {...call_bar({...at, end_s}, "wait"), label: null}, working_bar(partner, at.start_s, end_s, translated("computing"))];
}

export function bars_before(finding) {
	const {at, partner} = finding.worst;
	if (is_team_wait(finding))
		return team_bars(finding.worst);
	if (finding.pattern === "omp.idle-threads" && partner)
		return [working_bar(at, partner.end_s, at.start_s, `${place_of(partner)} → ${place_of(at)}`)];
	return [...calls_of(finding.worst).map(call => call_bar(call)),
		is_wait(finding) && wait_bar(finding)].filter(Boolean);
}
