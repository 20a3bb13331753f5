// The critical path on the timeline: one line through the ranks that determined how long the run took.

import {counted, percent} from "./format.js";
import {filled, translated} from "./words.js";

const RANKS_NAMED = 3;
const LINE = 2.5, EDGE = 5; // pixels: the line, and its outline
const STEP_WIDTH = 8; // pixels per step, on average, below which the line is thin

// Steps are pairs of a row and the nanoseconds since the previous step.
export function unpack_path(path) {
	if (!path)
		return null;
	const n = path.steps.length / 2, unpacked = {row: new Int32Array(n), from: new Float64Array(n + 1), exact: path.exact, count: n};
	let at = 0;
	for (let i = 0; i < n; i++) {
		unpacked.row[i] = path.steps[2 * i];
		at += path.steps[2 * i + 1];
		unpacked.from[i] = at / 1e9;
	}
	unpacked.from[n] = path.to / 1e9;
	return unpacked;
}

// The finer path, if it covers the shown window.
export function path_of(view) {
	const {timeline} = view, {path, whole_path} = timeline;
	return path && view.from >= timeline.bins.from && view.to <= timeline.bins.to ? path : whole_path;
}

// The first step that ends after a time.
function first_step(path, time) {
	let low = 0, high = path.count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (path.from[middle + 1] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

export function is_on_path(view, row, time) {
	const path = view.shows_path ? path_of(view) : null, i = path ? first_step(path, time) : 0;
	return path !== null && i < path.count && path.from[i] <= time && view.places[path.row[i]] === view.places[row];
}

// Of steps within one pixel, the highest and the lowest row are enough.
function trace_path(view, path) {
	const {paper} = view;
	let is_open = false, x = 0, top = 0, bottom = 0, end = 0;
	const flush = () => {
		if (is_open && top < bottom)
			[top, bottom, end].forEach(y => paper.lineTo(x, y));
	};
	paper.beginPath();
	for (let i = first_step(path, view.from); i < path.count && path.from[i] < view.to; i++) {
		const place = view.places[path.row[i]], y = view.middle(place), start = view.x(path.from[i]), stop = view.x(path.from[i + 1]);
		if (place < 0) {
			flush();
			is_open = false;
			continue;
		}
		if (!is_open || start - x >= 1) {
			flush();
			(is_open ? paper.lineTo : paper.moveTo).call(paper, start, y);
			[x, top, bottom] = [start, y, y];
		}
		[top, bottom, end, is_open] = [Math.min(top, y), Math.max(bottom, y), y, true];
		if (stop - start >= 1) {
			flush();
			paper.lineTo(start, y);
			paper.lineTo(stop, y);
			[x, top, bottom] = [stop, y, y];
		}
	}
	flush();
}

export function draw_path(view) {
	const {paper, palette} = view, path = view.shows_path ? path_of(view) : null;
	if (!path)
		return;
	// A line that moves every few pixels must not hide everything else.
	const is_dense = first_step(path, view.to) - first_step(path, view.from) > (view.width - view.left) / STEP_WIDTH;
	paper.lineJoin = "round";
	paper.globalAlpha = is_dense ? 0.4 : 1;
	for (const [colour, width] of is_dense ? [[palette.ink, 1]] : [[palette.ground, EDGE], [palette.ink, LINE]]) {
		paper.strokeStyle = colour;
		paper.lineWidth = width;
		trace_path(view, path);
		paper.stroke();
	}
	paper.lineWidth = paper.globalAlpha = 1;
}

// The path as text, for screen readers: "Critical path in what is shown: rank 3 78 %, rank 0 22 %; 1 move."
export function path_words(view) {
	const path = view.shows_path ? path_of(view) : null, times = new Map();
	let all = 0, moves = 0;
	for (let i = path ? first_step(path, view.from) : 0; path && i < path.count && path.from[i] < view.to; i++) {
		const time = Math.min(view.to, path.from[i + 1]) - Math.max(view.from, path.from[i]);
		times.set(path.row[i], (times.get(path.row[i]) || 0) + time);
		all += time;
		moves++;
	}
	if (!all)
		return "";
	const sorted = [...times].sort((a, b) => b[1] - a[1]), named = sorted.slice(0, RANKS_NAMED).map(([row, time]) => `${view.timeline.rows[row].name} ${percent(time / all)}`);
	const others = sorted.length > RANKS_NAMED ? ", " + filled("$1 more", counted(sorted.length - RANKS_NAMED, "rank")) : "";
	return filled("Critical path in this view: $1; $2.", named.join(", ") + others, counted(moves - 1, "move")) +
		(path.exact ? "" : " " + translated("The path changes ranks too often to show all of it here: zoom in to see more."));
}
