// The plots that all pages are made of.

import {drawn, element} from "./dom.js";
import {percent, seconds} from "./format.js";

// One bar of a list, as wide as its part from 0 to 1.
export function bar(part, kind = "wait") {
	return element("span", {class: "bar", "aria-hidden": "true"},
		element("span", {class: "fill " + kind, style: "width:" + Math.max(0, Math.min(1, part)) * 100 + "%"}));
}

// A part from 0 to 1 as a meter with its name and what it means.
export function meter(name, part, sentence) {
	const grade = part >= 0.8 ? "good" : part >= 0.6 ? "fair" : "poor";
	return element("div", {class: "meter"},
		element("div", {class: "meter-head"}, element("span", {}, name), element("strong", {class: grade}, percent(part))),
		element("div", {class: "bar", role: "img", "aria-label": name + ": " + percent(part)},
			element("span", {class: "fill " + grade, style: "width:" + part * 100 + "%"})),
		element("p", {class: "faint"}, sentence));
}

// Columns over labels: [{label, value, title}]. Heights are linear from 0.
export function columns(name, items, {height = 120, kind = "wait", unit = seconds} = {}) {
	const most = Math.max(...items.map(item => item.value), 0) || 1;
	const width = Math.max(items.length * 12, 60), step = Math.min(width / items.length, 20), left = (width - step * items.length) / 2;
	return element("figure", {class: "plot", style: `max-width:${Math.max(240, Math.min(900, items.length * 90))}px`},
		drawn("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": name, style: `height:${height}px`},
			items.map((item, i) => drawn("rect", {
				class: "fill " + kind, x: left + i * step + step * 0.1, width: step * 0.8,
				y: height * (1 - item.value / most), height: height * item.value / most,
			}, drawn("title", {}, item.title || item.label + ": " + unit(item.value))))),
		element("figcaption", {},
			element("span", {}, items.length ? items[0].label : ""),
			element("span", {class: "faint"}, name + " (≤ " + unit(most) + ")"),
			element("span", {}, items.length > 1 ? items[items.length - 1].label : "")));
}

const SHADES = 12;

// A matrix of values by row and column, drawn on a canvas: there may be many of each. `cells` are [row, column, value]; `label` names a row
// or a column, `describe` has words for a cell, and `kind` is that of its colour.
export function matrix(name, size, cells, {label, describe, unit, kind = "p2p"}) {
	const pixels = Math.max(1, Math.floor(512 / size)), side = Math.min(size * pixels, 1024), scale = side / size;
	const canvas = element("canvas", {width: side, height: side, role: "img", "aria-label": name, class: "matrix"});
	const words = element("p", {class: "faint", "aria-live": "polite"}, "\u00a0");
	const most = cells.reduce((greatest, cell) => Math.max(greatest, cell[2]), 0) || 1;
	const find = new Map(cells.map(cell => [cell[0] * size + cell[1], cell]));
	const paper = canvas.getContext("2d");
	paper.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--" + kind);
	for (const [row, column, value] of cells) {
		paper.globalAlpha = Math.max(1, Math.ceil(Math.sqrt(value / most) * SHADES)) / SHADES;
		paper.fillRect(column * scale, row * scale, Math.max(1, scale), Math.max(1, scale));
	}
	canvas.addEventListener("mousemove", event => {
		const box = canvas.getBoundingClientRect();
		const at = [event.clientY - box.top, event.clientX - box.left].map((offset, i) =>
			Math.min(size - 1, Math.max(0, Math.floor(offset / (i ? box.width : box.height) * size))));
		words.textContent = describe(at[0], at[1], find.get(at[0] * size + at[1]));
	});
	return element("figure", {class: "plot"},
		element("div", {class: "matrix-frame"}, element("span", {class: "faint"}, label(0)), size > 1 && element("span", {class: "faint"}, label(size - 1))),
		canvas,
		element("div", {class: "matrix-frame faint"}, element("span", {}, "0"), element("span", {class: "scale " + kind, "aria-hidden": "true"}), element("span", {}, unit(most))),
		words);
}

// A tree of {name, value, children} from the root downwards, each as wide as its value. `choose` is called with the node that is clicked.
export function flame(name, root, choose) {
	const WIDTH = 1000, ROW = 22, boxes = [];
	let depth = 0;
	function add(node, x, width, level) {
		if (width < 0.5)
			return;
		depth = Math.max(depth, level + 1);
		const title = node.name + " — " + seconds(node.value) + ", " + percent(node.value / root.value);
		boxes.push(drawn("g", {class: "flame-box", tabindex: 0, role: "button", "aria-label": title,
			onclick: () => choose(node), onkeydown: event => event.key === "Enter" && choose(node)},
		drawn("rect", {class: "fill " + (node.kind || "compute"), x, y: level * ROW, width: Math.max(width - 0.5, 0.5), height: ROW - 1}),
		drawn("title", {}, title),
		width > 40 && drawn("text", {x: x + 4, y: level * ROW + 15}, node.name.slice(0, Math.floor((width - 6) / 7)))));
		for (const child of node.children) {
			const part = width * child.value / node.value;
			add(child, x, part, level + 1);
			x += part;
		}
	}
	add(root, 0, WIDTH, 0);
	return element("figure", {class: "plot"},
		drawn("svg", {viewBox: `0 0 ${WIDTH} ${depth * ROW}`, role: "group", "aria-label": name, class: "flame"}, boxes));
}
