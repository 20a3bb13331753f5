// Draws the timeline on a canvas: calls by what they do, waits hatched, messages as lines, collective operations as bands, and the critical path as one line over all.
//
// What is drawn depends on what one pixel stands for: single calls as long as there are not too many of them, otherwise parts of the time of each column
// of pixels, from bins or from calls. Columns are painted as one picture, so a frame takes as long as it has pixels.

import {seconds} from "./format.js";
import {first_behind, has_calls, KINDS, PARTS, sum_classes} from "./timeline_data.js";
import {is_left, is_message_left} from "./timeline_filter.js";
import {draw_path} from "./timeline_path.js";

const ROW_OF_PARTS = 10; // pixels: rows below have a mixed colour
const CALLS_DRAWN = 12000;
const LINKS_DRAWN = 4000;
const AXIS = 20;
const ROW_OF_GAPS = 6, GAP = 2; // pixels: rows above have a gap below them
const DIMMED = 0.15; // what a search did not find

export function colours() {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries([...KINDS, "compute", "wait", "ink", "faint", "grid", "ground", "panel", "accent"].map(name =>
		[name, style.getPropertyValue("--" + name).trim()]));
}

function hatching(paper, colour) {
	const tile = document.createElement("canvas");
	tile.width = tile.height = 6;
	const pen = tile.getContext("2d");
	pen.strokeStyle = colour;
	pen.lineWidth = 1.6;
	pen.beginPath();
	pen.moveTo(-1, 7);
	pen.lineTo(7, -1);
	pen.moveTo(-4, 4);
	pen.lineTo(4, -4);
	pen.moveTo(2, 10);
	pen.lineTo(10, 2);
	pen.stroke();
	return paper.createPattern(tile, "repeat");
}

// Columns: for each kind, the part of the time of each pixel of the width.

// What a filter leaves of a row, from the classes of its calls.
function filtered_sums(row, classes, left) {
	if (row.left !== left) {
		const sums = new Float64Array((classes.count + 1) * PARTS);
		for (const member of row.members)
			sum_classes(classes, member, left).forEach((value, i) => {
				sums[i] += value / row.members.length;
			});
		Object.assign(row, {left, left_sums: sums});
	}
	return row.left_sums;
}

function sums_of(row, bins) {
	if (bins.left)
		return filtered_sums(row, bins, bins.left);
	if (row.members.length === 1)
		return bins.rows[row.members[0]];
	if (row.bins !== bins) {
		const sums = new Float64Array((bins.count + 1) * PARTS);
		for (const member of row.members)
			for (let i = 0; i < sums.length; i++)
				sums[i] += bins.rows[member][i] / row.members.length;
		Object.assign(row, {bins, sums});
	}
	return row.sums;
}

// Where the edges of columns lie among the bins: the same for all rows.
function edges_of(view, width) {
	const {timeline} = view, fits = view.from >= timeline.bins.from && view.to <= timeline.bins.to;
	const bins = view.left_bins ? fits ? view.left_bins.near : view.left_bins.whole : fits ? timeline.bins : timeline.whole_bins, base = new Int32Array(width + 1), part = new Float64Array(width + 1), inverse = new Float64Array(width + 1);
	let before = 0;
	for (let x = 0; x <= width; x++) {
		const edge = Math.min(bins.count, Math.max(0, (view.time(view.left + x) - bins.from) / (bins.to - bins.from) * bins.count));
		const bin = Math.min(bins.count - 1, Math.floor(edge));
		base[x] = bin * PARTS;
		part[x] = edge - bin;
		inverse[x] = edge > before ? 1 / (edge - before) : 0;
		before = edge;
	}
	return {bins, base, part, inverse};
}

// Most programs do not do everything: what never happens in a row is not looked at.
function columns_of_bins(view, row, {bins, base, part, inverse}, columns) {
	const sums = sums_of(row, bins), {width} = columns;
	for (let kind = 0; kind < PARTS; kind++) {
		columns.has[kind] = sums[bins.count * PARTS + kind] > 0;
		if (!columns.has[kind])
			continue;
		const parts = columns.parts[kind];
		let at = base[0] + kind, before = sums[at] + part[0] * (sums[at + PARTS] - sums[at]);
		for (let x = 1; x <= width; x++) {
			at = base[x] + kind;
			const value = sums[at] + part[x] * (sums[at + PARTS] - sums[at]);
			parts[x - 1] = (value - before) * inverse[x];
			before = value;
		}
	}
}

function add_stretch(parts, from, to, weight) {
	const first = from > 0 ? from : 0, last = to < parts.length ? to : parts.length, x = Math.floor(first);
	if (last <= x + 1) {
		if (last > first)
			parts[x] += (last - first) * weight;
		return;
	}
	parts[x] += (x + 1 - first) * weight;
	for (let i = x + 1; i < last; i++)
		parts[i] += last - i < 1 ? (last - i) * weight : weight;
}

function columns_of_calls(view, row, columns) {
	const {timeline} = view, scale = (view.width - view.left) / (view.to - view.from);
	columns.has.fill(true);
	columns.parts.forEach(parts => parts.fill(0));
	for (const member of row.members) {
		const calls = timeline.calls[member];
		for (let i = first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++) {
			if (!is_left(view.filter, calls, i))
				continue;
			const weight = (view.chosen && !view.chosen[calls.site[i]] ? DIMMED : 1) / row.members.length;
			const start = (calls.start[i] - view.from) * scale, waited = start + calls.wait[i] * scale;
			if (waited > start)
				add_stretch(columns.parts[PARTS - 1], start, waited, weight);
			add_stretch(columns.parts[view.kind_of_site[calls.site[i]]], waited, (calls.end[i] - view.from) * scale, weight);
		}
	}
}

// A picture of rows in columns

function rgb_of(colour) {
	const number = parseInt(colour.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3"), 16);
	return [number >> 16, number >> 8 & 255, number & 255];
}

const clamped = value => (value < 0 ? 0 : value > 255 ? 255 : value | 0);
const pixel_of = rgb => (255 << 24 | rgb[2] << 16 | rgb[1] << 8 | rgb[0]) >>> 0;

function picture_of(view, width, height) {
	if (!view.sheet || view.sheet.width !== width || view.sheet.height !== height) {
		view.sheet = document.createElement("canvas");
		view.sheet.width = width;
		view.sheet.height = height;
		view.picture = new ImageData(width, height);
		view.pixels = new Uint32Array(view.picture.data.buffer);
	}
	view.pixels.fill(0);
	return view.pixels;
}

// Too thin for parts: the mixed colour of what a column stands for.
function paint_mixed(pixels, columns, inks, area) {
	const {width, red, green, blue} = columns, base = inks[PARTS], first = area.top * width;
	red.fill(base[0]);
	green.fill(base[1]);
	blue.fill(base[2]);
	for (let kind = 0; kind < PARTS; kind++) {
		const parts = columns.parts[kind], more_red = inks[kind][0] - base[0], more_green = inks[kind][1] - base[1], more_blue = inks[kind][2] - base[2];
		for (let x = columns.has[kind] ? area.from : area.to; x < area.to; x++) {
			red[x] += parts[x] * more_red;
			green[x] += parts[x] * more_green;
			blue[x] += parts[x] * more_blue;
		}
	}
	for (let x = area.from; x < area.to; x++)
		pixels[first + x] = -16777216 | clamped(blue[x]) << 16 | clamped(green[x]) << 8 | clamped(red[x]);
}

// Parts of the row's height, waiting above.
function paint_stacked(pixels, columns, inks, area) {
	const {width} = columns, inked = inks.map(pixel_of), height = area.full_bottom - area.full_top;
	for (let x = area.from; x < area.to; x++) {
		let y = area.full_top, filled = area.full_top;
		for (let kind = PARTS - 1; kind >= -1; kind--) {
			const order = kind < 0 ? PARTS : kind; // computing last
			if (kind >= 0 && !columns.has[kind])
				continue;
			filled = order === PARTS ? area.full_bottom : filled + columns.parts[order][x] * height;
			for (const end = Math.min(area.full_bottom, Math.round(filled)); y < end; y++)
				if (y >= area.top && y < area.bottom)
					pixels[y * width + x] = inked[order];
		}
	}
}

// Room for the columns of one row.
function new_columns(width) {
	return {width, parts: Array.from({length: PARTS}, () => new Float64Array(width)), has: Array(PARTS).fill(false),
		red: new Float64Array(width), green: new Float64Array(width), blue: new Float64Array(width)};
}

// Rows of which no single calls are drawn. Thin ones have one line in the picture, which is stretched.
function draw_columns(view, is_in_columns, from_calls) {
	const {palette, timeline} = view, is_thin = view.row_height < ROW_OF_PARTS, width = Math.max(1, Math.floor(view.width - view.left));
	const first = Math.max(0, Math.floor(view.scroll / view.row_height)), last = Math.min(view.rows.length, Math.ceil((view.scroll + view.height - AXIS) / view.row_height));
	const height = Math.max(1, is_thin ? last - first : Math.ceil(view.height - AXIS)), pixels = picture_of(view, width, height);
	const inks = [...KINDS, "wait"].map(kind => rgb_of(palette[kind])).concat([rgb_of(view.filter ? palette.panel : palette.compute)]);
	const columns = new_columns(width), edges = from_calls ? null : edges_of(view, width);
	const from = Math.max(0, Math.round(view.x(0) - view.left)), to = Math.min(width, Math.round(view.x(timeline.length_s) - view.left));
	for (let place = first; place < last; place++) {
		const row = view.rows[place], full_top = is_thin ? place - first : Math.round(view.y(place)), full_bottom = is_thin ? full_top + 1 : Math.round(view.y(place + 1)) - GAP;
		if (!is_in_columns(row))
			continue;
		if (from_calls)
			columns_of_calls(view, row, columns);
		else
			columns_of_bins(view, row, edges, columns);
		(is_thin ? paint_mixed : paint_stacked)(pixels, columns, inks, {from, to, full_top, full_bottom, top: Math.max(0, full_top), bottom: Math.min(height, full_bottom)});
	}
	view.sheet.getContext("2d").putImageData(view.picture, 0, 0);
	show_picture(view, is_thin ? view.y(first) : 0, is_thin ? height * view.row_height : height);
	for (let place = first; is_thin && view.row_height > ROW_OF_GAPS && place < last; place++)
		view.paper.clearRect(view.left, Math.round(view.y(place + 1)) - GAP, width, GAP);
}

function show_picture(view, y, height) {
	view.paper.imageSmoothingEnabled = false;
	view.paper.drawImage(view.sheet, view.left, y, view.sheet.width, height);
}

// Single calls

function draw_calls(view, row, y, height) {
	const {paper, timeline, palette} = view, calls = timeline.calls[row];
	let drawn_to = -1;
	paper.fillStyle = view.filter ? palette.panel : palette.compute;
	paper.fillRect(view.x(0), y, view.x(timeline.length_s) - view.x(0), height);
	for (let i = first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++) {
		const x = view.x(calls.start[i]), end = Math.max(view.x(calls.end[i]), x + 1);
		if (end <= drawn_to || !is_left(view.filter, calls, i))
			continue;
		drawn_to = end > x + 1 ? -1 : end;
		paper.globalAlpha = !view.chosen || view.chosen[calls.site[i]] ? 1 : DIMMED;
		paper.fillStyle = palette[timeline.sites[calls.site[i]].kind] || palette.other;
		paper.fillRect(x, y, end - x, height);
		if (calls.wait[i] > 0) {
			const wait = Math.max(1, view.x(calls.start[i] + calls.wait[i]) - x);
			paper.fillStyle = wait > 4 ? view.hatch : palette.wait;
			paper.fillRect(x, y, wait, height);
		}
	}
	paper.globalAlpha = 1;
}

const middle_of = (view, place) => view.y(place) + view.row_height / 2;

function draw_messages(view) {
	const {paper, timeline, palette} = view;
	let drawn = 0;
	paper.strokeStyle = palette.ink;
	paper.globalAlpha = 0.55;
	paper.beginPath();
	for (const message of timeline.messages) {
		if (message.sent > view.to || drawn > LINKS_DRAWN)
			break;
		const from = view.places[message.from], to = view.places[message.to];
		if (message.received < view.from || from < 0 || to < 0 || from === to && message.from !== message.to || !is_message_left(view.filter, timeline, message))
			continue;
		const y = [middle_of(view, from), middle_of(view, to)];
		if (Math.max(...y) < 0 || Math.min(...y) > view.height)
			continue;
		paper.moveTo(view.x(message.sent), y[0]);
		paper.lineTo(view.x(message.received), y[1]);
		drawn++;
	}
	paper.stroke();
	paper.globalAlpha = 1;
	view.messages_drawn = drawn;
}

// One band for each collective operation, from member to member: over their starts, then back over their ends.
function draw_bands(view) {
	const {paper, timeline, palette} = view, bands = new Map();
	view.rows.forEach((row, place) => {
		const calls = timeline.calls[row.members[0]];
		for (let i = row.is_folded ? calls.start.length : first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++) {
			if (!calls.group[i] || !is_left(view.filter, calls, i))
				continue;
			if (!bands.has(calls.group[i]))
				bands.set(calls.group[i], []);
			bands.get(calls.group[i]).push([place, calls.start[i], calls.end[i]]);
		}
	});
	if (bands.size > LINKS_DRAWN)
		return;
	paper.fillStyle = palette.collective;
	paper.globalAlpha = 0.13;
	for (const members of bands.values()) {
		paper.beginPath();
		for (const [place, start] of members)
			paper.lineTo(view.x(start), middle_of(view, place));
		for (const [place, , end] of members.reverse())
			paper.lineTo(view.x(end), middle_of(view, place));
		paper.fill();
	}
	paper.globalAlpha = 1;
}

// Axes

const NAME_HEIGHT = 14;

// As many as there is room for.
function draw_names(view) {
	const {paper, palette} = view;
	let last = -Infinity;
	paper.textAlign = "right";
	view.rows.forEach((row, place) => {
		const y = Math.max(10, middle_of(view, place) + 4);
		if (view.y(place + 1) <= 0 || y > view.height - AXIS || y - last < NAME_HEIGHT)
			return;
		last = y;
		paper.fillStyle = row.is_folded || row.is_marked ? palette.accent : palette.ink;
		paper.fillText(row.name, view.left - 6, y, view.left - 8);
	});
}

function draw_axis(view) {
	const {paper, palette} = view, span = view.to - view.from;
	const step = [1, 2, 5, 10].map(n => n * 10 ** Math.floor(Math.log10(span / 8))).find(n => span / n <= 10) || span;
	paper.fillStyle = palette.ground;
	paper.fillRect(0, view.height - AXIS, view.width, AXIS);
	paper.fillRect(0, 0, view.left, view.height);
	paper.fillStyle = palette.ink;
	paper.textAlign = "center";
	for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
		paper.fillRect(view.x(time), view.height - AXIS, 1, 4);
		paper.fillText(seconds(Math.abs(time) < step / 2 ? 0 : Number(time.toPrecision(9))), view.x(time), view.height - 5);
	}
	draw_names(view);
}

// Of all rows together, up to one more than are drawn.
function count_calls(view) {
	let count = 0;
	for (const row of view.rows)
		for (const member of row.is_folded ? [] : row.members) {
			const calls = view.timeline.calls[member], first = first_behind(calls, view.from);
			let last = calls.start.length;
			for (let low = first; low < last;) {
				const middle = (low + last) >> 1;
				if (calls.start[middle] < view.to)
					low = middle + 1;
				else
					last = middle;
			}
			count += last - first;
			if (count > CALLS_DRAWN)
				return count;
		}
	return count;
}

export function draw(view) {
	const {paper} = view, known = !view.is_summary && has_calls(view.timeline, view.from, view.to), single = known && count_calls(view) <= CALLS_DRAWN;
	paper.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
	paper.clearRect(0, 0, view.width, view.height);
	paper.font = "12px system-ui, sans-serif";
	view.hatch = view.hatch || hatching(paper, view.palette.wait);
	paper.save();
	paper.beginPath();
	paper.rect(view.left, 0, view.width - view.left, view.height - AXIS);
	paper.clip();
	if (!single || view.rows.some(row => row.is_folded))
		draw_columns(view, row => !single || row.is_folded, known);
	view.rows.forEach((row, place) => {
		const y = view.y(place), height = Math.max(1, view.row_height - (view.row_height > ROW_OF_GAPS ? GAP : 0));
		if (single && !row.is_folded && y <= view.height && y + height >= 0)
			draw_calls(view, row.members[0], y, height);
	});
	view.messages_drawn = 0;
	if (single && view.shows_links) {
		draw_bands(view);
		draw_messages(view);
	}
	draw_path(view);
	paper.restore();
	draw_axis(view);
}
