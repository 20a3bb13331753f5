// The timeline without single calls: the time shares of each column of pixels, from bins or from calls. Columns are painted as one image, so the time of a
// frame depends on its pixels only.

import {BLOCKED, first_behind, NO_CPU, PART_NAMES, PARTS, sum_classes, WAIT} from "./timeline_data.js";
import {is_left} from "./timeline_filter.js";
import {AXIS} from "./timeline_axis.js";
import {HATCH, ink_of, rgb_of} from "./timeline_palette.js";
import {lanes_height} from "./timeline_lanes.js";

const ROW_OF_PARTS = 10; // pixels: lower rows have a mixed colour
const ROW_OF_GAPS = 6, GAP = 2; // pixels: higher rows have a gap below them
const DIMMED = 0.15; // opacity of calls that do not match a search
const UNRECORDED = PART_NAMES.indexOf("unrecorded");

// The height of a row's bar.
export const bar_height = (view, place) => Math.max(1, view.row_height - lanes_height(view, place) - (view.row_height > ROW_OF_GAPS ? GAP : 0));
export const dimmed = (view, site) => (!view.chosen || view.chosen[site] ? 1 : DIMMED);

// Columns: for each kind, its share of the time of each pixel column.

// The part of a row that passes the filter, from the classes of its calls.
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

// Positions of the column edges among the bins, the same for all rows.
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

// Most programs do not use every kind: kinds that never occur in a row are skipped.
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

const ALL_RUNNING = {running: 1, waiting: 1};

// The shares of a call with a CPU, and of its wait for a thread with a CPU.
export function parts_of_call(calls, i) {
	const length = calls.end[i] - calls.start[i];
	return {running: length > 0 ? Math.max(0, 1 - calls.inside[i] / length) : 1, waiting: calls.wait[i] > 0 ? Math.max(0, 1 - calls.other[i] / calls.wait[i]) : 1};
}

// The shares of the time between two calls: ready without a CPU, and blocked in the kernel.
export function gap_shares(calls, i) {
	const gap = calls.start[i] - calls.end[i - 1];
	if (gap <= 0)
		return {no_cpu: 0, blocked: 0};
	const no_cpu = Math.min(1, calls.before[i] / gap);
	return {no_cpu, blocked: Math.min(1 - no_cpu, calls.blocked[i] / gap)};
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
			const start = (calls.start[i] - view.from) * scale, waited = start + calls.wait[i] * scale, end = (calls.end[i] - view.from) * scale;
			const {running, waiting} = calls.before ? parts_of_call(calls, i) : ALL_RUNNING;
			if (waited > start)
				add_stretch(columns.parts[WAIT], start, waited, weight * running * waiting);
			add_stretch(columns.parts[view.kind_of_site[calls.site[i]]], waited, end, weight * running);
			if (!calls.before)
				continue;
			add_stretch(columns.parts[NO_CPU], start, waited, weight * (1 - running * waiting));
			add_stretch(columns.parts[NO_CPU], waited, end, weight * (1 - running));
			if (i > 0 && (calls.before[i] > 0 || calls.blocked[i] > 0)) {
				const {no_cpu, blocked} = gap_shares(calls, i), since = (calls.end[i - 1] - view.from) * scale;
				add_stretch(columns.parts[NO_CPU], since, start, weight * no_cpu);
				add_stretch(columns.parts[BLOCKED], since, start, weight * blocked);
			}
		}
		for (const {from, to, part} of view.filter ? [] : timeline.states[member] || [])
			add_stretch(columns.parts[part], (from - view.from) * scale, (to - view.from) * scale, 1 / row.members.length);
	}
}

// A picture of rows in columns

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

// For rows too thin for parts: the mixed colour of each column.
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

// Parts of the row's height, waiting at the top.
function paint_stacked(pixels, columns, inks, area) {
	const {width} = columns, inked = inks.map(pixel_of), height = area.full_bottom - area.full_top, hatched = pixel_of(inks.hatch);
	for (let x = area.from; x < area.to; x++) {
		let y = area.full_top, filled = area.full_top;
		for (let kind = PARTS - 1; kind >= -1; kind--) {
			const order = kind < 0 ? PARTS : kind; // computation last
			if (kind >= 0 && !columns.has[kind])
				continue;
			filled = order === PARTS ? area.full_bottom : filled + columns.parts[order][x] * height;
			for (const end = Math.min(area.full_bottom, Math.round(filled)); y < end; y++)
				if (y >= area.top && y < area.bottom)
					pixels[y * width + x] = order === UNRECORDED && (x + y) % HATCH < HATCH / 3 ? hatched : inked[order];
		}
	}
}

// Memory for the columns of one row.
function new_columns(width) {
	return {width, parts: Array.from({length: PARTS}, () => new Float64Array(width)), has: Array(PARTS).fill(false),
		red: new Float64Array(width), green: new Float64Array(width), blue: new Float64Array(width)};
}

// Rows without single calls. Thin rows are one line of the image, which is stretched.
export function draw_columns(view, is_in_columns, from_calls) {
	const {palette, timeline} = view, is_thin = view.row_height < ROW_OF_PARTS, width = Math.max(1, Math.floor(view.width - view.left));
	const first = Math.max(0, Math.floor(view.scroll / view.row_height)), last = Math.min(view.rows.length, Math.ceil((view.scroll + view.height - AXIS) / view.row_height));
	const height = Math.max(1, is_thin ? last - first : Math.ceil(view.height - AXIS)), pixels = picture_of(view, width, height);
	const inks = PART_NAMES.map(part => rgb_of(ink_of(view, part))).concat([rgb_of(view.filter ? palette.panel : ink_of(view, "compute"))]);
	inks.hatch = rgb_of(view.hidden.has("unrecorded") ? palette.panel : palette.hatch);
	const columns = new_columns(width), edges = from_calls ? null : edges_of(view, width);
	const from = Math.max(0, Math.round(view.x(0) - view.left)), to = Math.min(width, Math.round(view.x(timeline.length_s) - view.left));
	for (let place = first; place < last; place++) {
		const row = view.rows[place], full_top = is_thin ? place - first : Math.round(view.y(place) + lanes_height(view, place)), full_bottom = is_thin ? full_top + 1 : Math.round(view.y(place + 1)) - GAP;
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
