// Zoom and pan of the timeline with mouse, touch and keyboard.

const LEAST_S = 1e-8;

function add_moves(view, changed) {
	const all = view.timeline.length_s;
	view.clamp = () => {
		const span = Math.min(Math.max(view.to - view.from, LEAST_S), all * 1.2);
		view.from = Math.min(Math.max(view.from, -all * 0.1), all * 1.1 - span);
		view.to = view.from + span;
		view.scroll = Math.min(Math.max(view.scroll, 0), Math.max(0, view.rows.length * view.row_height - view.height + 20));
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

// One pointer pans, two zoom. `tapped` is called with the place of a pointer that came and went without a move.
function add_pointers(view, tapped) {
	const pointers = new Map(), slack = 4;
	let moved = 0;
	view.canvas.addEventListener("pointerdown", event => {
		moved = pointers.size ? Infinity : 0;
		pointers.set(event.pointerId, event);
		view.canvas.setPointerCapture(event.pointerId);
	});
	view.canvas.addEventListener("pointermove", event => {
		const before = pointers.get(event.pointerId);
		if (!before)
			return;
		const others = [...pointers.values()].filter(one => one.pointerId !== event.pointerId);
		moved += Math.abs(before.offsetX - event.offsetX) + Math.abs(before.offsetY - event.offsetY);
		if (others.length) {
			const distance = one => Math.max(8, Math.abs(one.offsetX - others[0].offsetX));
			view.zoom(distance(before) / distance(event), (event.offsetX + others[0].offsetX) / 2);
		} else {
			view.pan(before.offsetX - event.offsetX, before.offsetY - event.offsetY);
		}
		pointers.set(event.pointerId, event);
	});
	view.canvas.addEventListener("pointerup", event => {
		if (pointers.delete(event.pointerId) && moved < slack)
			tapped(event.offsetX, event.offsetY);
	});
	view.canvas.addEventListener("pointercancel", event => pointers.delete(event.pointerId));
}

function add_keys(view) {
	const keys = {ArrowLeft: () => view.pan(-80), ArrowRight: () => view.pan(80), ArrowUp: () => view.pan(0, -40), ArrowDown: () => view.pan(0, 40),
		"+": () => view.zoom(0.7), "=": () => view.zoom(0.7), "-": () => view.zoom(1.4), Home: () => view.show(0, view.timeline.length_s)};
	view.canvas.addEventListener("keydown", event => {
		if (keys[event.key] && !event.ctrlKey && !event.metaKey) {
			event.preventDefault();
			keys[event.key]();
		}
	});
}

// `changed` is called after each change.
export function add_controls(view, changed, tapped) {
	add_moves(view, changed);
	add_wheel(view);
	add_pointers(view, tapped);
	add_keys(view);
}
