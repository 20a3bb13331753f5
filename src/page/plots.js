// Plots used by all pages.

import {round_up} from "./axis.js";
import {drawn, element} from "./dom.js";
import {count, percent, seconds} from "./format.js";

// A bar in a list; its width is a part from 0 to 1.
export function bar(part, kind = "wait") {
	return element("span", {class: "bar", "aria-hidden": "true"},
		element("span", {class: "fill " + kind, style: "width:" + Math.max(0, Math.min(1, part)) * 100 + "%"}));
}

// A part from 0 to 1 as a meter with its name and meaning.
export function meter(name, part, sentence) {
	const grade = part >= 0.8 ? "good" : part >= 0.6 ? "fair" : "poor";
	return element("div", {class: "meter"},
		element("div", {class: "meter-head"}, element("span", {}, name), element("strong", {class: grade}, percent(part))),
		element("div", {class: "bar", role: "img", "aria-label": name + ": " + percent(part)},
			element("span", {class: "fill " + grade, style: "width:" + part * 100 + "%"})),
		element("p", {class: "faint"}, sentence));
}

// A line of values from 0, as high as a line of text; its ends are the ends of a run.
export function sparkline(name, values, kind = "wait") {
	const WIDTH = 120, HEIGHT = 22, max = Math.max(...values, 0) || 1, step = WIDTH / values.length;
	return drawn("svg", {class: "sparkline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": name}, drawn("title", {}, name),
		values.map((value, i) => value > 0 && drawn("rect", {class: "fill " + kind, x: i * step, width: step * 0.9, y: HEIGHT - 1 - (HEIGHT - 2) * value / max, height: Math.max(1, (HEIGHT - 2) * value / max)})),
		drawn("line", {class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - 0.5, y2: HEIGHT - 0.5}));
}

const AXIS_LEFT = 62, AXIS_LETTER = 7, STEP_MAX = 40, LABEL_ROOM = 90, ENDS_ROOM = 130, FEW = 4, FEW_STEP = 78; // pixels, and the number of columns that all have labels

const TICKS_OF_COLUMNS = 3;

// From 0 to the first round value that is not below the highest column.
function column_ticks(max, unit) {
	const step = unit === count ? Math.max(1, round_up(max / TICKS_OF_COLUMNS)) : round_up(max / TICKS_OF_COLUMNS);
	return Array.from({length: Math.ceil(max / step - 1e-9) + 1}, (_, i) => i * step);
}

// The places of about as many labels as fit: the first, the last and some between.
function label_places(items, width) {
	const max = Math.max(2, Math.floor(width / LABEL_ROOM)), step = Math.max(1, Math.ceil((items.length - 1) / (max - 1)));
	const places = items.map((_, i) => i).filter(i => i % step === 0 && items.length - 1 - i >= step);
	return items.length > 1 ? [...places, items.length - 1] : [0];
}

// Columns of stacked parts: [{label, title, href, parts: [{kind, value}]}], with an axis from 0 to the highest column. The name of the axis below is `over`.
export function stacked_columns(name, items, {height = 130, unit = seconds, max_width = 900, over = ""} = {}) {
	const sum = item => item.parts.reduce((total, part) => total + part.value, 0), ticks = column_ticks(Math.max(...items.map(sum)) || 1, unit), max = ticks[ticks.length - 1];
	const left = Math.max(AXIS_LEFT, 12 + AXIS_LETTER * Math.max(...ticks.map(value => unit(value).length)));
	const room = Math.min(max_width, Math.max(320, innerWidth - 40)), is_few = items.length <= FEW, step = Math.min(is_few ? FEW_STEP : STEP_MAX, (room - left) / items.length);
	const width = Math.min(room, left + Math.max(items.length * step, ENDS_ROOM)), y = value => 8 + height * (1 - value / max);
	const column = (item, i) => {
		let top = 0;
		const drawing = [drawn("title", {}, item.title), item.parts.map(part => {
			top += part.value;
			return drawn("rect", {class: "fill " + part.kind, x: left + i * step + step * 0.08, width: step * 0.84, y: y(top), height: Math.max(0, height * part.value / max)});
		})];
		return item.href ? drawn("a", {href: "#" + item.href, "aria-label": item.title}, drawing) : drawn("g", {}, drawing);
	};
	const end = left + items.length * step, last = items.length - 1, places = is_few ? items.map((_, i) => i) : label_places(items, end - left);
	const label_x = i => left + (is_few || i > 0 && i < last ? (i + 0.5) * step : i ? Math.max(items.length * step, ENDS_ROOM) : 0);
	return element("figure", {class: "plot", style: `max-width:${width}px`},
		drawn("svg", {viewBox: `0 0 ${width} ${height + 30}`, role: items.some(item => item.href) ? "group" : "img", "aria-label": name},
			ticks.map(value => [drawn("line", {class: "axis", x1: left, x2: end, y1: y(value), y2: y(value)}),
				drawn("text", {class: "end", x: left - 6, y: y(value) + 4}, unit(value))]),
			items.map(column),
			places.map(i => drawn("text", {class: is_few || i > 0 && i < last ? "middle" : i ? "end" : null, x: label_x(i), y: height + 25}, items[i].label))),
		over && element("figcaption", {}, over));
}

// Columns of one kind: [{label, value, title}].
export function columns(name, items, {kind = "wait", unit = seconds} = {}) {
	return stacked_columns(name, items.map(item => ({label: item.label, title: item.title || item.label + ": " + unit(item.value), href: item.href, parts: [{kind, value: item.value}]})),
		{height: 110, unit, max_width: 400, over: name});
}

// Entries of a legend: [[kind, words], …].
export function kind_legend(entries) {
	return element("ul", {class: "legend"}, entries.map(([kind, words]) => element("li", {}, element("span", {class: "swatch fill " + kind, "aria-hidden": "true"}), words)));
}

const SHADES = 12;

const CELLS_WRITTEN = 16, TICKS = 5;

// A small matrix, whose cells have room for their values.
function written_matrix(name, size, find, max, {label, short_label = label, describe, unit, kind, rows_name, columns_name, total}) {
	const numbers = [...Array(size).keys()], values = [...find.values()];
	const sum = part => values.filter(part).reduce((all, found) => all + found[2], 0), head = i => ({scope: "col", title: label(i), "aria-label": label(i)});
	const cell = (row, column) => {
		const found = find.get(row * size + column), part = found ? Math.max(0.06, Math.sqrt(found[2] / max) * 0.45) * 100 : 0;
		return element("td", {title: describe(row, column, found), style: `background:color-mix(in srgb, var(--${kind}) ${part.toFixed(0)}%, var(--ground))`}, found ? unit(found[2]) : "·");
	};
	return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": name}, element("table", {class: "matrix-table"},
		element("caption", {class: "unseen"}, name),
		element("thead", {}, element("tr", {}, element("th", {scope: "col"}, `${rows_name} ↓ ${columns_name} →`), numbers.map(column => element("th", head(column), short_label(column))), element("th", {scope: "col"}, total))),
		element("tbody", {}, numbers.map(row => element("tr", {}, element("th", {...head(row), scope: "row"}, short_label(row)), numbers.map(column => cell(row, column)), element("td", {class: "total"}, unit(sum(found => found[0] === row)))))),
		element("tfoot", {}, element("tr", {}, element("th", {scope: "row"}, total), numbers.map(column => element("td", {class: "total"}, unit(sum(found => found[1] === column)))), element("td", {class: "total"}, unit(sum(() => true)))))));
}

// Some labels along a side of a matrix.
function matrix_ticks(size, label, class_name) {
	const ticks = [...new Set(Array.from({length: TICKS}, (_, i) => Math.round(i * (size - 1) / (TICKS - 1))))];
	return element("div", {class: class_name, "aria-hidden": "true"}, ticks.map(at => element("span", {}, label(at))));
}

// A matrix of values by row and column: a table if its cells have room for values, otherwise drawn on a canvas because it may be large. `cells` are [row, column, value]; `label` names a row or a column, `short_label` in little space, `total` the sums,
// `describe` describes a cell, and `kind` selects its colour.
export function matrix(name, size, cells, words_of) {
	const {label, short_label = label, describe, unit, rows_name, columns_name, kind = "p2p"} = words_of;
	const pixels = Math.max(1, Math.floor(512 / size)), side = Math.min(size * pixels, 1024), scale = side / size;
	const canvas = element("canvas", {width: side, height: side, role: "img", "aria-label": name, class: "matrix"});
	const words = element("p", {class: "faint", "aria-live": "polite"}, "\u00a0");
	const max = cells.reduce((greatest, cell) => Math.max(greatest, cell[2]), 0) || 1;
	const find = new Map(cells.map(cell => [cell[0] * size + cell[1], cell]));
	if (size <= CELLS_WRITTEN)
		return written_matrix(name, size, find, max, {...words_of, kind});
	const paper = canvas.getContext("2d");
	paper.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--" + kind);
	for (const [row, column, value] of cells) {
		paper.globalAlpha = Math.max(1, Math.ceil(Math.sqrt(value / max) * SHADES)) / SHADES;
		paper.fillRect(column * scale, row * scale, Math.max(1, scale), Math.max(1, scale));
	}
	canvas.addEventListener("mousemove", event => {
		const box = canvas.getBoundingClientRect();
		const at = [event.clientY - box.top, event.clientX - box.left].map((offset, i) =>
			Math.min(size - 1, Math.max(0, Math.floor(offset / (i ? box.width : box.height) * size))));
		words.textContent = describe(at[0], at[1], find.get(at[0] * size + at[1]));
	});
	return element("figure", {class: "plot"},
		element("p", {class: "faint"}, `${rows_name} ↓ ${columns_name} →`),
		element("div", {class: "matrix-grid"}, element("span"), matrix_ticks(size, short_label, "matrix-top faint"), matrix_ticks(size, short_label, "matrix-side faint"), canvas, element("span"),
			element("div", {class: "matrix-frame faint"}, element("span", {}, "0"), element("span", {class: "scale " + kind, "aria-hidden": "true"}), element("span", {}, unit(max)))),
		words);
}

const cut_words = (words, letters) => (words.length > letters ? words.slice(0, letters - 1) + "…" : words);

// A tree of {name, value, children} from the root down; widths are proportional to values. `choose` is called with the clicked node.
export function flame(name, root, choose) {
	// Text is never scaled down.
	const WIDTH = Math.min(1000, Math.max(320, innerWidth - 40)), ROW = 22, boxes = [];
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
		width > 40 && drawn("text", {x: x + 4, y: level * ROW + 15}, cut_words(node.name, Math.floor((width - 6) / 7)))));
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
