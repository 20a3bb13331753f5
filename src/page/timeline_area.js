// Statistics of an area of the timeline: time by kind, calls, bytes, waits and the calls that waited longest. Where single calls are missing,
// only the time is known, from the summary.

import {bytes, count, percent, seconds} from "./format.js";
import {element, table} from "./dom.js";
import {filled, translated} from "./words.js";
import {BLOCKED, first_behind, has_calls, NO_CPU, PART_NAMES, PARTS, WAIT} from "./timeline_data.js";
import {gap_shares, parts_of_call} from "./timeline_columns.js";
import {is_left} from "./timeline_filter.js";
import {KIND_NAMES} from "./timeline_words.js";

const WORST = 5;

const overlap = (from, to, area) => Math.max(0, Math.min(to, area.to) - Math.max(from, area.from));

// The rows of the data in the area, each once.
export function rows_in_area(view, area) {
	return [...new Set(view.rows.slice(area.first, area.last + 1).flatMap(row => row.members))];
}

function keep_worst(worst, call) {
	worst.push(call);
	worst.sort((a, b) => b.wait - a.wait || b.length - a.length);
	worst.length = Math.min(worst.length, WORST);
}

function add_call(sums, calls, i, kind, area) {
	const waited = calls.start[i] + calls.wait[i], {running, waiting} = calls.before ? parts_of_call(calls, i) : {running: 1, waiting: 1};
	const wait = overlap(calls.start[i], waited, area), inside = overlap(waited, calls.end[i], area);
	sums[WAIT] += wait * running * waiting;
	sums[kind] += inside * running;
	sums[NO_CPU] += wait * (1 - running * waiting) + inside * (1 - running);
	if (calls.before && i > 0) {
		const {no_cpu, blocked} = gap_shares(calls, i), gap = overlap(calls.end[i - 1], calls.start[i], area);
		sums[NO_CPU] += gap * no_cpu;
		sums[BLOCKED] += gap * blocked;
	}
	return wait;
}

function from_calls(timeline, rows, area, filter) {
	const sums = new Float64Array(PARTS), worst = [], found = {calls: 0, sent: 0, received: 0, waits: 0};
	for (const row of rows) {
		const calls = timeline.calls[row];
		for (let i = first_behind(calls, area.from); i < calls.start.length && calls.start[i] < area.to; i++) {
			const site = timeline.sites[calls.site[i]];
			if (!is_left(filter, calls, i))
				continue;
			const wait = add_call(sums, calls, i, PART_NAMES.indexOf(site.kind), area);
			found.calls++;
			found.sent += site.sent || 0;
			found.received += site.received || 0;
			found.waits += wait > 0;
			if (worst.length < WORST || calls.wait[i] > worst[worst.length - 1].wait)
				keep_worst(worst, {row, i, wait: calls.wait[i], length: calls.end[i] - calls.start[i], start: calls.start[i], end: calls.end[i], name: site.call, place: site.place});
		}
		for (const {from, to, part} of timeline.states[row] || [])
			sums[part] += overlap(from, to, area);
	}
	return {...found, sums, worst, is_exact: true};
}

// Sums up to a time, in seconds: bins are prefix sums.
function sum_until(sums, bins, part, time) {
	const at = Math.min(Math.max((time - bins.from) / (bins.to - bins.from), 0), 1) * bins.count, bin = Math.min(bins.count - 1, Math.floor(at));
	const before = sums[bin * PARTS + part];
	return (before + (at - bin) * (sums[(bin + 1) * PARTS + part] - before)) * (bins.to - bins.from) / bins.count;
}

function from_bins(timeline, rows, area) {
	const bins = area.from >= timeline.bins.from && area.to <= timeline.bins.to ? timeline.bins : timeline.whole_bins, sums = new Float64Array(PARTS);
	for (const row of rows)
		for (let part = 0; part < PARTS; part++)
			sums[part] += sum_until(bins.rows[row], bins, part, area.to) - sum_until(bins.rows[row], bins, part, area.from);
	return {sums, worst: [], is_exact: false};
}

// {is_exact, all, computing, sums, calls, sent, received, waits, worst}: times in seconds, `sums` by part. With a filter, the rest is not computing.
export function area_statistics(timeline, rows, area, filter = null) {
	const found = has_calls(timeline, area.from, area.to) ? from_calls(timeline, rows, area, filter) : from_bins(timeline, rows, area);
	const all = (area.to - area.from) * rows.length, other = found.sums.reduce((sum, one) => sum + one, 0);
	return {...found, all, computing: Math.max(0, all - other)};
}

// Elements

function time_table(found, has_filter) {
	const rows = [[has_filter ? "computing and hidden calls" : KIND_NAMES.compute, found.computing], ...PART_NAMES.map((name, part) => [KIND_NAMES[name], found.sums[part]])].filter(([, time]) => time > 0);
	return table(translated("Time by kind"), [{title: translated("kind"), words: true}, {title: translated("time")}, {title: translated("share")}],
		rows.map(([name, time]) => [translated(name), seconds(time), percent(time / found.all)]));
}

function fact(name, value) {
	return element("div", {}, element("dt", {}, translated(name)), element("dd", {}, value));
}

function facts_of(found) {
	return element("dl", {class: "facts"}, fact("calls", count(found.calls)), fact("sent", bytes(found.sent)), fact("received", bytes(found.received)), fact("calls that waited", count(found.waits)));
}

function worst_list(view, found) {
	return element("ol", {class: "worst"}, found.worst.filter(call => call.wait > 0).map(call => element("li", {},
		element("button", {onclick: () => view.show(call.start - (call.end - call.start) / 2, call.end + (call.end - call.start) / 2)},
			filled("$1: $2 $3, $4 waiting", view.timeline.rows[call.row].name, call.name, call.place || "", seconds(call.wait))))));
}

// The panel below the timeline. `why` is a sentence if something is missing.
export function area_panel(view, area, found, why, close) {
	const rows = rows_in_area(view, area);
	return element("section", {class: "panel area", "aria-label": translated("Selected area")},
		element("h3", {}, filled("Selected: $1 from $2 on $3", seconds(area.to - area.from), seconds(area.from), rows.length === 1 ? view.timeline.rows[rows[0]].name : filled("$1 rows", count(rows.length)))),
		element("button", {onclick: close}, translated("Clear selection")),
		why && element("p", {class: "faint"}, why),
		element("div", {class: "side-by-side"}, time_table(found, Boolean(view.filter && found.is_exact)), found.is_exact && element("div", {}, facts_of(found), found.worst.some(call => call.wait > 0) && element("h4", {}, translated("Longest waits")), worst_list(view, found))));
}
