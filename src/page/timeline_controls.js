// Zoom, pan and selection on the timeline with mouse, touch and keyboard.

import {drag_selection, end_selection} from "./timeline_select.js";

const SPAN_MIN_S = 1e-8;
const SLACK = 4; // pixels that a pointer may move in a click

function add_moves(view, changed) {
	const all = view.timeline.length_s;
	view.clamp = () => {
		const span = Math.min(Math.max(view.to - view.from, Math.min(SPAN_MIN_S, all)), all);
		view.from = Math.min(Math.max(view.from, 0), all - span);
		view.to = view.from + span;
		view.scroll = Math.min(Math.max(view.scroll, 0), Math.max(0, view.rows.length * view.row_height - view.height + view.foot));
		changed();
	};
	view.zoom = (factor, x) => {
		const at = view.time(x === undefined ? (view.left + view.width) / 2 : x);
		view.from = at - (at - view.from) * factor;
		view.to = at + (view.to - at) * factor;
		view.clamp();
	};
	view.pan = (pixels, down = 0) => {
		const by = pixels / (view.width - view.left) * (view.to - view.from);
		view.from += by;
		view.to += by;
		view.scroll += down;
		view.clamp();
	};
	view.show = (from, to) => {
		view.from = from;
		view.to = to;
		view.clamp();
	};
}

function add_wheel(view) {
	view.canvas.addEventListener("wheel", event => {
		event.preventDefault();
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			view.pan(event.deltaX || event.deltaY);
		else if (event.altKey)
			view.pan(0, event.deltaY);
		else
			view.zoom(Math.exp(event.deltaY / 400), event.offsetX);
	}, {passive: false});
}

const mode_of = (view, event) => (event.offsetX < view.left ? "move" : event.shiftKey ? "area" : event.ctrlKey || event.metaKey ? "zoom" : event.altKey ? "ruler" : view.mode);
const place_in = event => [event.offsetX, event.offsetY];

// One pointer pans or selects, two zoom.
function move_pointer(view, pointers, event, drag) {
	const before = pointers.get(event.pointerId), others = [...pointers.values()].filter(one => one.pointerId !== event.pointerId);
	drag.moved += Math.abs(before.offsetX - event.offsetX) + Math.abs(before.offsetY - event.offsetY);
	if (others.length) {
		const distance = one => Math.max(8, Math.abs(one.offsetX - others[0].offsetX));
		view.zoom(distance(before) / distance(event), (event.offsetX + others[0].offsetX) / 2);
	} else if (drag.mode === "move") {
		view.pan(before.offsetX - event.offsetX, before.offsetY - event.offsetY);
	} else {
		drag_selection(view, drag.mode, drag.start, place_in(event));
		view.clamp();
	}
	pointers.set(event.pointerId, event);
}

// `act.tapped` gets the position of a pointer that was released without moving, `act.selected` the drawn box or ruler.
function add_pointers(view, act) {
	const pointers = new Map();
	let drag = {mode: "move", moved: 0, start: [0, 0]};
	view.canvas.addEventListener("pointerdown", event => {
		drag = pointers.size ? {mode: "move", moved: Infinity, start: place_in(event)} : {mode: mode_of(view, event), moved: 0, start: place_in(event)};
		view.drag = null;
		pointers.set(event.pointerId, event);
		view.canvas.setPointerCapture(event.pointerId);
	});
	view.canvas.addEventListener("pointermove", event => pointers.has(event.pointerId) && move_pointer(view, pointers, event, drag));
	view.canvas.addEventListener("pointerup", event => {
		const is_known = pointers.delete(event.pointerId), is_drawn = view.drag !== null;
		const selected = is_drawn ? end_selection(view, drag.mode, drag.start, place_in(event)) : null;
		if (is_known && drag.moved < SLACK)
			act.tapped(event.offsetX, event.offsetY);
		else if (selected)
			act.selected(selected);
		else if (is_drawn)
			view.clamp();
	});
	view.canvas.addEventListener("pointercancel", event => {
		view.drag = null;
		pointers.delete(event.pointerId);
	});
	view.canvas.addEventListener("dblclick", event => act.double(event.offsetX, event.offsetY));
}

// `act.keys` has more of them, by name.
function add_keys(view, act) {
	const keys = {ArrowLeft: () => view.pan(-80), ArrowRight: () => view.pan(80), ArrowUp: () => view.pan(0, -40), ArrowDown: () => view.pan(0, 40),
		a: () => view.pan(-80), d: () => view.pan(80), w: () => view.zoom(0.7, view.pointer_x), s: () => view.zoom(1.4, view.pointer_x),
		"+": () => view.zoom(0.7), "=": () => view.zoom(0.7), "-": () => view.zoom(1.4), Home: () => act.whole(), ...act.keys};
	view.canvas.addEventListener("keydown", event => {
		const key = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
		if (key && !event.ctrlKey && !event.metaKey && !event.altKey) {
			event.preventDefault();
			key();
		}
	});
	view.canvas.addEventListener("mousemove", event => {
		view.pointer_x = event.offsetX >= view.left ? event.offsetX : undefined;
	});
	view.canvas.addEventListener("mouseleave", () => {
		view.pointer_x = undefined;
	});
}

// `act` has: changed (after each change), tapped, selected, double, whole, keys.
export function add_controls(view, act) {
	add_moves(view, act.changed);
	add_wheel(view);
	add_pointers(view, act);
	add_keys(view, act);
}
