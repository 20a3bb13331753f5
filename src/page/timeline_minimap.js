// The whole run in a narrow strip above the timeline, with a frame around the visible part. The frame can be dragged; a click moves it.

import {element} from "./dom.js";
import {translated} from "./words.js";
import {PART_NAMES, PARTS} from "./timeline_data.js";
import {colours} from "./timeline_palette.js";

const HEIGHT = 34, SAMPLED_ROWS = 128;

// Mean shares of the time of each bin, over a sample of the rows.
function mean_shares({whole_bins: bins}) {
	const step = Math.ceil(bins.rows.length / SAMPLED_ROWS), sampled = bins.rows.filter((_, i) => i % step === 0), shares = new Float64Array(bins.count * PARTS);
	for (const sums of sampled)
		for (let i = 0; i < shares.length; i++)
			shares[i] += (sums[i + PARTS] - sums[i]) / sampled.length;
	return shares;
}

function paint(map, view) {
	const {canvas} = map, ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 800, {count} = view.timeline.whole_bins, pen = canvas.getContext("2d"), palette = colours();
	canvas.width = width * ratio;
	canvas.height = HEIGHT * ratio;
	pen.scale(ratio, ratio);
	pen.fillStyle = palette.compute;
	pen.fillRect(view.left, 0, width - view.left, HEIGHT);
	for (let x = view.left; x < width; x++) {
		const bin = Math.min(count - 1, Math.floor((x - view.left) / (width - view.left) * count));
		let y = 0;
		for (let part = PARTS - 1; part >= 0; part--) {
			const height = map.shares[bin * PARTS + part] * HEIGHT;
			if (height <= 0)
				continue;
			pen.fillStyle = palette[PART_NAMES[part]];
			pen.fillRect(x, y, 1, height);
			y += height;
		}
	}
}

function move_to(map, view, x) {
	const width = map.canvas.clientWidth, time = Math.min(Math.max((x - view.left) / (width - view.left), 0), 1) * view.timeline.length_s, span = view.to - view.from;
	view.show(time - span / 2, time + span / 2);
}

function add_drag(map, view) {
	map.element.addEventListener("pointerdown", event => {
		map.element.setPointerCapture(event.pointerId);
		map.is_dragged = true;
		move_to(map, view, event.clientX - map.canvas.getBoundingClientRect().left);
	});
	map.element.addEventListener("pointermove", event => map.is_dragged && move_to(map, view, event.clientX - map.canvas.getBoundingClientRect().left));
	for (const name of ["pointerup", "pointercancel"])
		map.element.addEventListener(name, () => {
			map.is_dragged = false;
		});
}

// {element, repaint, follow}: repaint() after a change of size or colours, follow() after each move of the view.
export function minimap(view) {
	const canvas = element("canvas", {class: "minimap-picture", role: "img", "aria-label": translated("The whole run. Drag the frame to move.")}), frame = element("div", {class: "minimap-frame", "aria-hidden": "true"});
	const map = {canvas, shares: mean_shares(view.timeline), element: element("div", {class: "minimap"}, canvas, frame), is_dragged: false};
	add_drag(map, view);
	return {
		element: map.element,
		repaint: () => paint(map, view),
		follow: () => {
			const width = (canvas.clientWidth || 800) - view.left, all = view.timeline.length_s, from = Math.min(view.from / all, 1) * width;
			frame.style.left = view.left + from + "px";
			frame.style.width = Math.max(3, (view.to - view.from) / all * width) + "px";
		},
	};
}
