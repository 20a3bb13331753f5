// Marks of the reader on the timeline: an area (a time and some rows), a ruler between two times, and the box while it is drawn.

import {seconds} from "./format.js";

export const MODES = ["move", "zoom", "area", "ruler"];
const DRAG_MIN = 4; // pixels: shorter drags mark nothing

// The ends of a drag, in the order of the axes.
function box_of(view, [x0, y0], [x1, y1]) {
	const time = x => Math.min(Math.max(view.time(Math.max(x, view.left)), 0), view.timeline.length_s);
	const place = y => Math.min(Math.max(Math.floor((y + view.scroll) / view.row_height), 0), Math.max(0, view.rows.length - 1));
	return {from: time(Math.min(x0, x1)), to: time(Math.max(x0, x1)), first: place(Math.min(y0, y1)), last: place(Math.max(y0, y1))};
}

// Shows the box while it is drawn.
export function drag_selection(view, mode, start, now) {
	view.drag = {mode, ...box_of(view, start, now)};
}

// Ends the drag; returns {mode, from, to, first, last}, or null if it was too short.
export function end_selection(view, mode, start, now) {
	view.drag = null;
	return Math.abs(start[0] - now[0]) < DRAG_MIN ? null : {mode, ...box_of(view, start, now)};
}

// Shows the times and rows of a box.
export function zoom_to_box(view, box) {
	const shown = (view.height - view.foot) / view.row_height, wanted = box.last - box.first + 1;
	view.row_zoom = Number(Math.min(64, Math.max(1, view.row_zoom * shown / Math.max(wanted, 1))).toFixed(3)); // as in the address
	view.resize();
	view.scroll = box.first * view.row_height;
	view.show(box.from, box.to);
}

// In the address: numbers with commas.
export const write_area = area => (area ? [area.from.toFixed(9), area.to.toFixed(9), area.first, area.last].join() : "");
export const write_ruler = ruler => (ruler ? [ruler.from.toFixed(9), ruler.to.toFixed(9)].join() : "");

function numbers_in(text, count) {
	const numbers = text.split(",").map(Number);
	return text && numbers.length === count && numbers.every(Number.isFinite) && numbers[0] < numbers[1] ? numbers : null;
}

export function read_area(text, rows) {
	const found = numbers_in(text, 4);
	if (!found || !(found[2] >= 0 && found[2] <= found[3]) || found[2] >= rows)
		return null;
	return {from: found[0], to: found[1], first: Math.floor(found[2]), last: Math.min(rows - 1, Math.floor(found[3]))};
}

export function read_ruler(text) {
	const found = numbers_in(text, 2);
	return found ? {from: found[0], to: found[1]} : null;
}

function draw_frame(view, box, colour) {
	const {paper} = view, x = view.x(box.from), y = view.y(box.first), width = view.x(box.to) - x, height = view.y(box.last + 1) - y;
	paper.fillStyle = paper.strokeStyle = colour;
	paper.globalAlpha = 0.14;
	paper.fillRect(x, y, width, height);
	paper.globalAlpha = 1;
	paper.lineWidth = 1.5;
	paper.strokeRect(x, y, width, height);
	paper.lineWidth = 1;
}

function draw_ruler(view, ruler) {
	const {paper, palette} = view, from = view.x(ruler.from), to = view.x(ruler.to), y = Math.max(14, (view.height - view.foot) / 2), words = seconds(ruler.to - ruler.from);
	const width = paper.measureText(words).width + 10, middle = Math.min(Math.max((Math.max(from, view.left) + Math.min(to, view.width)) / 2, view.left + width / 2), view.width - width / 2);
	paper.fillStyle = palette.accent;
	paper.fillRect(from, 0, 1.5, view.height);
	paper.fillRect(to, 0, 1.5, view.height);
	paper.fillRect(from, y, to - from, 1.5);
	paper.fillRect(middle - width / 2, y - 10, width, 20);
	paper.fillStyle = palette.ground;
	paper.textAlign = "center";
	paper.fillText(words, middle, y + 4);
}

export function draw_selection(view) {
	const {palette} = view;
	if (view.area)
		draw_frame(view, view.area, palette.accent);
	if (view.ruler)
		draw_ruler(view, view.ruler);
	if (view.drag && view.drag.mode === "ruler")
		draw_ruler(view, view.drag);
	else if (view.drag)
		draw_frame(view, view.drag, view.drag.mode === "area" ? palette.accent : palette.ink);
}
