// Lanes above the bar of a rank: its regions and phases, and where call stacks were recorded, the callers that consecutive calls have in common.

import {text_on} from "./timeline_palette.js";

export const LANE = 14; // pixels
const LANES_MAX = 4;
const BAR_MIN = 12; // pixels that lanes leave for the bar of a row
const INNER_MIN = 6; // pixels of a region in the lane of an outer one

// The function first: a lane often has no room for more.
const frame_words = frame => frame.replace(/^(\S+:\d+) (.+)$/, "$2 ($1)");

// Intervals of calls with the same caller at the same depth: {from, to, depth, words}. A function that returned between two of these calls looks as if it went on.
export function stack_intervals(timeline, row) {
	const calls = timeline.calls[row], open = [], intervals = [];
	for (let i = 0; i < calls.start.length; i++) {
		const path = timeline.sites[calls.site[i]].path || [];
		let depth = 0;
		while (depth < open.length && depth < path.length && open[depth].frame === path[depth])
			open[depth++].to = calls.end[i];
		intervals.push(...open.splice(depth));
		for (; depth < path.length; depth++)
			open.push({from: calls.start[i], to: calls.end[i], depth, frame: path[depth], words: frame_words(timeline.frames[path[depth]])});
	}
	return [...intervals, ...open].sort((a, b) => a.from - b.from || a.depth - b.depth);
}

export function width_of(view, words) {
	if (!view.word_widths.has(words))
		view.word_widths.set(words, view.paper.measureText(words).width);
	return view.word_widths.get(words);
}

const LETTERS_MIN = 4;

// The words, or their beginning; "" if there is no room.
function fitting_words(view, words, room) {
	const width = width_of(view, words), letters = Math.floor(room / width * words.length) - 2;
	return width <= room ? words : letters >= LETTERS_MIN ? words.slice(0, letters).trimEnd() + "…" : "";
}

const window_regions = view => {
	const {regions, whole_regions, bins} = view.timeline;
	return regions && view.from >= bins.from && view.to <= bins.to ? regions : whole_regions;
};

// Regions if there are any, otherwise call stacks.
function intervals_of(view, row) {
	const {timeline} = view, regions = window_regions(view);
	if (regions)
		return regions.rows[row].map(one => ({...one, words: regions.names[one.name]}));
	return timeline.frames && timeline.frames.length && timeline.calls ? stack_intervals(timeline, row) : [];
}

function cached_intervals(view, row) {
	const key = window_regions(view) || view.timeline.calls;
	if (view.lane_key !== key)
		[view.lane_key, view.lane_rows] = [key, new Map()];
	if (!view.lane_rows.has(row))
		view.lane_rows.set(row, intervals_of(view, row));
	return view.lane_rows.get(row);
}

const depth_of_all = view => {
	const regions = view.timeline.whole_regions;
	if (regions)
		return regions.rows.reduce((max, row) => row.reduce((sum, one) => Math.max(sum, one.depth + 1), max), 0);
	return (view.timeline.sites || []).reduce((max, site) => Math.max(max, (site.path || []).length), 0);
};

// How many lanes fit above the bars of rows with this height.
export function choose_lanes(view) {
	const fitting = Math.max(0, Math.floor((view.row_height - BAR_MIN) / LANE));
	return view.shows_lanes ? Math.min(depth_of_all(view), LANES_MAX, fitting) : 0;
}

// Rows without regions or call stacks, such as those of OpenMP threads, need no lanes.
export function row_has_lanes(timeline, {is_folded, members: [first]}) {
	const regions = timeline.whole_regions;
	return !is_folded && (regions ? regions.rows[first].length > 0 : !timeline.rows[first].thread);
}

// Pixels above the bar of a row.
export const lanes_height = (view, place) => (view.rows[place] && view.rows[place].has_lanes ? view.lanes * LANE : 0);

// The content of a row's lanes at a time, the outermost first.
export function lanes_at(view, row, time) {
	return view.shows_lanes ? cached_intervals(view, row).filter(one => one.from <= time && time < one.to).map(one => one.words) : [];
}

// If not all lanes fit, the last one also has the inner regions that are wide enough to be told apart.
export function draw_lanes(view, row, y) {
	const {paper, palette} = view, names = Array.from({length: view.lanes}, () => []);
	let drawn_to = Array(view.lanes).fill(-1);
	for (const {from, to, depth, words} of cached_intervals(view, row)) {
		if (from > view.to)
			break;
		const lane = Math.min(depth, view.lanes - 1), is_inner = depth > lane;
		const x = Math.max(view.x(from), view.left - 1), width = Math.max(1, Math.min(view.x(to), view.width + 1) - x);
		if (to < view.from || is_inner && width < INNER_MIN || !is_inner && x + width <= drawn_to[lane])
			continue;
		drawn_to[lane] = x + width;
		const colour = depth % 2 ? palette.grid : palette.lane, top = y + lane * LANE;
		paper.fillStyle = colour;
		paper.fillRect(x, top, Math.max(1, width - 1), LANE - 1);
		while (names[lane].length && names[lane][names[lane].length - 1].end > x)
			names[lane].pop();
		const fitting = fitting_words(view, words, width - 5);
		if (fitting)
			names[lane].push({words: fitting, colour, x: x + 3, y: top + LANE - 3, end: x + 3 + width_of(view, fitting)});
	}
	view.bar_names.push(...names.flat());
}

// Names of bars are drawn last. Where lines cross them, they have an outline in the colour of their bar.
export function draw_bar_names(view, is_crossed) {
	const {paper} = view;
	paper.textAlign = "left";
	paper.lineWidth = 3;
	paper.lineJoin = "round";
	for (const {words, colour, x, y} of view.bar_names) {
		paper.strokeStyle = colour;
		if (is_crossed)
			paper.strokeText(words, x, y);
		paper.fillStyle = text_on(colour);
		paper.fillText(words, x, y);
	}
	paper.lineWidth = 1;
}
