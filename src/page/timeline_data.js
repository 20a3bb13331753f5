// The data of the timeline: a summary of the whole run in bins, and as many single calls as fit. Written by src/output/timeline.

import {unpack_path} from "./timeline_path.js";
import {filled} from "./words.js";

export const KINDS = ["p2p", "collective", "rma", "io", "other"];
// States of a thread outside of the work of a call. Without a CPU it is ready to run; it is blocked in the kernel, or in a call that never returned.
export const STATES = ["wait", "no_cpu", "blocked", "unrecorded"];
// Parts of a bin, in the order of the file. The rest is computation.
export const PART_NAMES = [...KINDS, ...STATES];
export const PARTS = PART_NAMES.length;
export const WAIT = KINDS.length, NO_CPU = WAIT + 1, BLOCKED = WAIT + 2;
const LEVELS = 35;
const NUMBERS = 5; // of a call: start after the previous one, duration, site, wait, collective operation
const NUMBERS_OF_MESSAGE = 6;
const NUMBERS_OF_DELAY = 5; // calls since the previous one, and microseconds without a CPU: before the call, inside it, and as a part of its wait; blocked before it
const NUMBERS_OF_STATE = 3; // start after the previous one, duration, part
const NUMBERS_OF_REGION = 4; // start after the previous one, duration, name, depth

// Columns of numbers for each row, with absolute times in seconds.
function unpack_row(numbers) {
	const n = numbers.length / NUMBERS;
	const row = {start: new Float64Array(n), end: new Float64Array(n), site: new Int32Array(n), wait: new Float64Array(n), group: new Int32Array(n)};
	let at = 0;
	for (let i = 0; i < n; i++) {
		at += numbers[i * NUMBERS];
		row.start[i] = at / 1e9;
		row.end[i] = (at + numbers[i * NUMBERS + 1]) / 1e9;
		row.site[i] = numbers[i * NUMBERS + 2];
		row.wait[i] = numbers[i * NUMBERS + 3] / 1e9;
		row.group[i] = numbers[i * NUMBERS + 4];
	}
	return row;
}

const DELAYS = ["before", "inside", "other", "blocked"];

// Seconds without a CPU for each call, if a row has any.
function add_delays(row, numbers) {
	if (!numbers || !numbers.length)
		return;
	for (const name of DELAYS)
		row[name] = new Float64Array(row.start.length);
	for (let i = 0, call = 0; i < numbers.length; i += NUMBERS_OF_DELAY) {
		call += numbers[i];
		DELAYS.forEach((name, k) => {
			row[name][call] = numbers[i + 1 + k] / 1e6;
		});
	}
}

// Intervals of a row: their start and end in seconds, and further numbers under these names.
function unpack_intervals(numbers, size, names) {
	const intervals = [];
	let at = 0;
	for (let i = 0; i < numbers.length; i += size) {
		at += numbers[i];
		intervals.push({from: at / 1e9, to: (at + numbers[i + 1]) / 1e9, ...Object.fromEntries(names.map((name, k) => [name, numbers[i + 2 + k]]))});
	}
	return intervals;
}

function unpack_regions(regions) {
	return regions ? {least_s: regions.least_s, names: regions.names, rows: regions.rows.map(row => unpack_intervals(row, NUMBERS_OF_REGION, ["name", "depth"]))} : null;
}

function unpack_messages(numbers) {
	const messages = [];
	for (let i = 0; i < numbers.length; i += NUMBERS_OF_MESSAGE)
		messages.push({from: numbers[i], sent: numbers[i + 1] / 1e9, to: numbers[i + 2], received: numbers[i + 3] / 1e9, bytes: numbers[i + 4], site: numbers[i + 5]});
	return messages.sort((a, b) => a.sent - b.sent);
}

// Prefix sums of bins, so that any interval is a difference of two. One letter for each part of each bin, in 35ths.
function sum_bins(letters, count) {
	const sums = new Float64Array((count + 1) * PARTS);
	for (let i = 0; i < count * PARTS; i++) {
		const code = letters.charCodeAt(i);
		sums[i + PARTS] = sums[i] + part_of_letter(code);
	}
	return sums;
}

// Classes of the calls of each row: [class, letters]. Per bin, one letter for the time inside and one for the wait.
function unpack_classes(classes) {
	return classes ? {names: classes.names.map(([call, kind, comm]) => ({call, kind, comm})), count: classes.count, from: classes.from_s, to: classes.to_s,
		rows: classes.rows.map(row => Array.from({length: row.length / 2}, (_, i) => [row[2 * i], row[2 * i + 1]]))} : null;
}

const part_of_letter = code => (code < 58 ? code - 48 : code - 87) / LEVELS;

// Like sum_bins(), for the classes of a row that pass the filter; `left` is by class.
export function sum_classes(classes, row, left) {
	const sums = new Float64Array((classes.count + 1) * PARTS);
	for (const [number, letters] of classes.rows[row]) {
		const kind = KINDS.indexOf(classes.names[number].kind);
		for (let bin = 0; left[number] && bin < classes.count; bin++) {
			sums[(bin + 1) * PARTS + kind] += part_of_letter(letters.charCodeAt(2 * bin));
			sums[(bin + 1) * PARTS + WAIT] += part_of_letter(letters.charCodeAt(2 * bin + 1));
		}
	}
	for (let i = PARTS; i < sums.length; i++)
		sums[i] += sums[i - PARTS];
	return sums;
}

function unpack_bins(bins) {
	return {rows: bins.rows.map(letters => sum_bins(letters, bins.count)), count: bins.count, from: bins.from_s, to: bins.to_s};
}

// The first call that ends after a time. Calls of a row are sorted by start and do not overlap, except threads of imported traces.
export function first_behind(row, time) {
	let low = 0, high = row.end.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (row.end[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

// The call of a row that received a message; -1: unknown.
function receiving_call(row, received) {
	const i = row ? first_behind(row, received - 1e-9) : 0;
	return row && i < row.end.length && Math.abs(row.end[i] - received) < 1e-9 ? i : -1;
}

// Calls without their own communicator, such as MPI_Wait, get that of the message that they received.
function add_communicators(timeline) {
	for (const calls of timeline.calls)
		calls.comm = Int32Array.from(calls.site, site => timeline.sites[site].comm ?? -1);
	for (const message of timeline.messages) {
		const calls = timeline.calls[message.to], i = receiving_call(calls, message.received);
		message.call = i;
		if (i >= 0 && calls.comm[i] < 0)
			calls.comm[i] = timeline.sites[message.site].comm ?? -1;
	}
}

// A row has a rank, or a process whose rank is unknown, or several neighbouring ranks.
function row_name({rank, last_rank, process, thread}) {
	if (last_rank !== undefined)
		return filled("ranks $1", `${rank}–${last_rank}`);
	const name = process === undefined ? filled("rank $1", rank) : filled("process $1", process);
	return thread ? name + ", " + filled("thread $1", thread) : name;
}

// A row may have several neighbouring ranks.
export const has_rank = (row, rank) => row.rank <= rank && rank <= (row.last_rank ?? row.rank);

// Rows and bins for an overview. Calls stay packed until they are needed.
export function unpack_summary(data) {
	const bins = unpack_bins(data.bins), path = unpack_path(data.path), classes = unpack_classes(data.classes);
	const regions = unpack_regions(data.regions), states = (data.states || []).map(row => unpack_intervals(row, NUMBERS_OF_STATE, ["part"]));
	return {...data, rows: data.rows.map(row => ({...row, name: row_name(row)})), bins, whole_bins: bins, path, whole_path: path, classes, whole_classes: classes, regions, whole_regions: regions, states, packed: data};
}

// Adds the calls to a summary, once.
export function unpack_calls(timeline) {
	if (!timeline.packed)
		return timeline;
	const {calls, delays, messages} = timeline.packed;
	Object.assign(timeline, {calls: calls.map(unpack_row), messages: unpack_messages(messages), packed: null});
	timeline.calls.forEach((row, i) => add_delays(row, delays && delays[i]));
	add_communicators(timeline);
	return timeline;
}

// The number of a communicator in another list; adds it if it is new.
function comm_again(comms, others, number) {
	if (number < 0)
		return number;
	const found = others.findIndex(one => one.id === comms[number].id);
	return found >= 0 ? found : others.push(comms[number]) - 1;
}

// Adds the data of a window to the summary: its calls, or finer bins.
export function add_window(timeline, data) {
	const {calls, messages, sites, comms, frames, spans, bins, path, classes, regions, states} = unpack_calls(unpack_summary(data));
	// The filter counts communicators in the order of the window.
	const whole_classes = timeline.whole_classes && {...timeline.whole_classes, names: timeline.whole_classes.names.map(one => ({...one, comm: comm_again(timeline.comms, comms, one.comm)}))};
	Object.assign(timeline, {calls, messages, sites, comms, frames, spans, bins, path, classes, whole_classes, regions, states});
}

// True if single calls are known for the whole interval.
export function has_calls(timeline, from, to) {
	const first = Math.max(0, from), last = Math.min(timeline.length_s, to);
	return timeline.complete || timeline.spans.some(([start, end]) => start / 1e9 <= first + 1e-9 && last - 1e-9 <= end / 1e9);
}

// The messages that a call received.
export function messages_of(timeline, row, i) {
	return timeline.messages.filter(message => message.to === row && message.call === i);
}
