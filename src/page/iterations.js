// When iterations were, from single calls of the timeline: an iteration lasts from the end of the call that begins it to the end of the next such call.

import {first_behind, unpack_calls} from "./timeline_data.js";

const MOST = 64; // groups of neighbouring iterations

// "halo.c:42 (exchange)" of reports is "halo.c:42 exchange (inlined)" of timelines.
export function is_at(site, call) {
	const line = call.place.replace(/ \(.*$/, "");
	return site.call === call.call && (site.place === line || site.place.startsWith(line + " "));
}

// The ends of the calls of a row that begin iterations. A loop may make such a call several times in each; null: not equally often.
function ends_in_row(timeline, calls, about) {
	const ends = [...calls.end.keys()].filter(i => is_at(timeline.sites[calls.site[i]], about)).map(i => calls.end[i]), step = ends.length / about.count;
	return Number.isInteger(step) && step > 0 ? ends.filter((_, i) => i % step === 0) : null;
}

// Of each row the ends, or null; null if single calls are not known. `about` is the iteration of a report.
export function iteration_ends(timeline, about) {
	if (!timeline || !timeline.complete || !about || about.count < 2)
		return null;
	const ends = unpack_calls(timeline).calls.map(calls => ends_in_row(timeline, calls, about));
	return ends.some(Boolean) ? ends : null;
}

// The part of the timeline with iterations from `first` on, numbered from 1: "from=1&to=2".
export function iteration_window(ends, first, count) {
	const known = ends.filter(Boolean), from = Math.min(...known.map(row => row[first - 1])), to = Math.max(...known.map(row => row[first - 1 + count]));
	return Number.isFinite(from) && Number.isFinite(to) ? `from=${from.toFixed(9)}&to=${to.toFixed(9)}` : null;
}

function iteration_at(ends, time) {
	let low = 0, high = ends.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ends[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// How long ranks waited in a call, by groups of iterations: [{first, count, wait_s}]. null: unknown, or there is only one.
export function waits_by_iteration(timeline, about, call) {
	const ends = iteration_ends(timeline, about);
	if (!ends)
		return null;
	const number = about.count - 1, size = Math.ceil(number / MOST);
	const groups = Array.from({length: Math.ceil(number / size)}, (_, i) => ({first: i * size + 1, count: Math.min(size, number - i * size), wait_s: 0}));
	timeline.calls.forEach((calls, row) => {
		for (let i = ends[row] ? first_behind(calls, ends[row][0]) : calls.start.length; i < calls.start.length; i++) {
			const at = iteration_at(ends[row], calls.end[i] - 1e-9);
			if (at > 0 && at <= number && calls.wait[i] > 0 && is_at(timeline.sites[calls.site[i]], call))
				groups[Math.floor((at - 1) / size)].wait_s += calls.wait[i];
		}
	});
	return groups.length > 1 && groups.some(group => group.wait_s > 0) ? {ends, groups} : null;
}
