// A view of the timeline: which rows and times a canvas shows, and where.

import {element} from "./dom.js";
import {translated} from "./words.js";
import {first_behind, has_calls, PART_NAMES} from "./timeline_data.js";
import {few_rows, places_of} from "./timeline_rows.js";
import {is_left} from "./timeline_filter.js";
import {AXIS} from "./timeline_axis.js";
import {colours} from "./timeline_palette.js";
import {choose_lanes, draw_bar_names, draw_lanes, LANE, lanes_height, row_has_lanes} from "./timeline_lanes.js";
import {draw, FONT} from "./timeline_draw.js";
import {legend} from "./timeline_legend.js";

const ROW_MIN = 4, ROW_MAX = 320; // pixels
const BELOW = 120; // pixels of the window that remain for the texts below
const HEIGHT_MIN = 280, HEIGHT_MAX = 1200;

export function make_view(timeline, canvas) {
	const view = {
		timeline, canvas, paper: canvas.getContext("2d"), palette: colours(), from: 0, to: timeline.length_s, left: 84, scroll: 0, row_height: 18, row_zoom: 1, foot: AXIS, lanes: 0,
		width: 800, height: 400, zero: 0, shows_links: true, shows_lanes: true, shows_marks: true, marks: [], chosen: null, filter: null, hidden: new Set(), rows: [], places: null, mode: "move",
		area: null, ruler: null, drag: null, word_widths: new Map(), part_names: PART_NAMES,
		x: time => view.left + (time - view.from) / (view.to - view.from) * (view.width - view.left),
		time: x => view.from + (x - view.left) / (view.width - view.left) * (view.to - view.from),
		y: place => place * view.row_height - view.scroll,
		middle: place => view.y(place) + (view.row_height + lanes_height(view, place)) / 2,
	};
	return view;
}

export function set_rows(view, rows) {
	view.rows = rows.map(row => ({...row, has_lanes: row_has_lanes(view.timeline, row)}));
	view.places = places_of(view.timeline, rows);
}

const NAMES_MIN = 84, NAMES_MIN_NARROW = 58, NARROW = 500, NAMES_PART = 0.3; // pixels; of the width

// Pixels on the left for the names of rows.
function room_of_names(view, width) {
	view.paper.font = FONT;
	const longest = view.rows.reduce((longest, {name}) => (name.length > longest.length ? name : longest), "");
	return Math.max(width < NARROW ? NAMES_MIN_NARROW : NAMES_MIN, Math.min(view.paper.measureText(longest).width + 12, width * NAMES_PART));
}

function fit(view, height) {
	const ratio = window.devicePixelRatio || 1, width = view.canvas.clientWidth || 800;
	Object.assign(view, {ratio, width, height, left: room_of_names(view, width)});
	view.canvas.width = width * ratio;
	view.canvas.height = height * ratio;
	view.canvas.style.height = height + "px";
}

// Rows fill the window below the controls, unless they would become too low or too high.
export function resize_view(view) {
	const top = view.canvas.isConnected ? view.canvas.getBoundingClientRect().top + window.scrollY : 0;
	const room = Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, window.innerHeight - top - BELOW)), rows = Math.max(1, view.rows.length), scrolled = view.scroll / view.row_height;
	view.row_height = Math.max(ROW_MIN, Math.min(ROW_MAX, (room - AXIS) / rows)) * view.row_zoom;
	view.scroll = scrolled * view.row_height;
	view.lanes = choose_lanes(view);
	fit(view, Math.min(room, Math.max(120, Math.ceil(view.row_height * rows) + AXIS + 4)));
	view.clamp();
}

// Calls `refresh` when the canvas is added to the page, and whenever the window or the colours change, until it is removed.
export function on_resize(canvas, refresh) {
	const watch = new AbortController();
	const changed = () => (canvas.isConnected ? refresh() : watch.abort());
	requestAnimationFrame(refresh);
	window.addEventListener("resize", changed, {signal: watch.signal});
	window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, {signal: watch.signal});
}

const STRIP_LANES = 3;

// The regions of one rank, above all rows.
function draw_strip_regions(view, row) {
	const {paper} = view;
	paper.save();
	paper.beginPath();
	paper.rect(view.left, 0, view.width - view.left, view.lanes * LANE);
	paper.clip();
	draw_lanes(view, row, 0);
	draw_bar_names(view, false);
	paper.restore();
	paper.textAlign = "right";
	paper.fillStyle = view.palette.faint;
	paper.fillText(translated("regions"), view.left - 6, LANE - 3, view.left - 8);
}

const MUCH_SHORTER = 0.9;

// The run, without starting and ending MPI if these take long.
export function run_window({run_from_s: from, run_to_s: to, length_s}) {
	return to - from < MUCH_SHORTER * length_s ? {from, to, zero: 0} : {from: 0, to: length_s, zero: 0};
}

// The run, small and static. `zero` is the time that the axis calls 0; nothing is drawn after `end`.
export function strip(timeline, {from, to, zero, end = to} = run_window(timeline), max_height = 260) {
	const canvas = element("canvas", {class: "strip", role: "img", "aria-label": translated("What each rank did over time")});
	const view = make_view(timeline, canvas);
	Object.assign(view, {is_summary: true, shows_lanes: false, from, to, zero});
	set_rows(view, few_rows(timeline, max_height - 20));
	view.row_height = Math.max(1, Math.min(18, (max_height - 20) / view.rows.length));
	const regions = timeline.whole_regions, row = regions ? regions.rows.findIndex(one => one.length > 0) : -1;
	const lanes = row < 0 ? 0 : Math.min(STRIP_LANES, Math.max(...regions.rows[row].map(one => one.depth)) + 1);
	on_resize(canvas, () => {
		view.scroll = -lanes * LANE;
		fit(view, Math.ceil(view.row_height * view.rows.length) + lanes * LANE + 22);
		view.palette = colours();
		view.hatch = null;
		draw(view);
		if (lanes)
			draw_strip_regions({...view, lanes, bar_names: []}, row);
		view.paper.clearRect(view.x(end) + 1, 0, end < to ? view.width : 0, view.height - AXIS);
		Object.assign(canvas.dataset, {from, to, left: view.left, top: lanes * LANE, rowHeight: view.row_height, lanes});
	});
	return element("figure", {class: "plot"}, canvas, legend(timeline));
}

export function row_at(view, y) {
	return view.rows[Math.floor((y + view.scroll) / view.row_height)] || null;
}

// The call under a point; null if there is none.
export function call_at(view, x, y) {
	const shown = row_at(view, y), time = view.time(x);
	if (!shown || shown.is_folded || x < view.left || !has_calls(view.timeline, view.from, view.to))
		return null;
	const row = shown.members[0], calls = view.timeline.calls[row], slack = (view.to - view.from) / view.width * 2;
	for (let i = first_behind(calls, time - slack); i < calls.start.length && calls.start[i] <= time + slack; i++)
		if (is_left(view.filter, calls, i))
			return {row, i};
	return null;
}
