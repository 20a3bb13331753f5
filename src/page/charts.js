// Plots with axes: series over sizes or ranks, the spread of runs, histograms, ratios. Elements have their values in data-… attributes. Each plot can be read
// with the mouse, with arrow keys and as a table, and saved as an SVG for a paper.

import {axis_has, axis_label, axis_share, axis_ticks, make_axis, written} from "./axis.js";
import {drawn, element, table} from "./dom.js";
import {counted, significant} from "./format.js";

// The width of a narrow window, so that text is never scaled down.
const WIDTH = 372, LEFT = 80, RIGHT = 12, TOP = 8, FIELD = 220, LETTER = 6.6, LEGEND_LINE = 17, LEGEND_SIGN = 26;
export const SERIES_MAX = 8; // more series cannot be told apart
const MARKED_MAX = 48; // series with more points are drawn as a line in a band

// Circle, square, triangle, diamond and rotated ones, distinguishable without colours.
const SIGNS = ["M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "M-3.2-3.2H3.2V3.2H-3.2z", "M0-4L4 3.2H-4z", "M0-4.6L4.6 0L0 4.6L-4.6 0z", "M0 4L4-3.2H-4z",
	"M-4-1.4H-1.4V-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4z", "M-4 0L3.2-4V4z", "M4 0L-3.2-4V4z"];
const VERDICT_SIGNS = {same: SIGNS[1], faster: SIGNS[4], slower: SIGNS[2], unsure: SIGNS[3]};

const digits = place => Number(place.toFixed(2));

function data_of(values) {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)).map(([name, value]) => ["data-" + name, value]));
}

function cut_text(text, letters) {
	const all = [...text];
	return all.length > letters ? all.slice(0, Math.max(letters - 1, 0)).join("") + "…" : text;
}

// Properties of the style sheet that a standalone SVG needs: many programs for papers do not support variables.
const PRESENTATION = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight",
	"text-anchor"];

// Properties that an element does not inherit. All but opacity are inherited.
function own_look(part) {
	const style = getComputedStyle(part), above = getComputedStyle(part.parentNode);
	return PRESENTATION.map(name => [name, style.getPropertyValue(name), name === "opacity" ? "1" : above.getPropertyValue(name)]).filter(([, own, outer]) => own !== outer);
}

// In the colours of the printed page.
export function standalone_svg(svg) {
	const copy = svg.cloneNode(true), holder = element("div", {class: "paper unseen", "aria-hidden": "true"}, copy), box = svg.viewBox.baseVal;
	document.body.append(holder);
	copy.querySelectorAll(".ring").forEach(part => part.remove());
	const looks = [...copy.querySelectorAll("*")].map(part => [part, own_look(part)]);
	holder.remove();
	for (const [part, look] of looks) {
		for (const name of ["class", "style", "tabindex", "role", "aria-pressed", "aria-label"])
			part.removeAttribute(name);
		for (const [name, value] of look)
			part.setAttribute(name, value);
	}
	for (const [name, value] of [["width", box.width], ["height", box.height], ["font-family", "sans-serif"]])
		copy.setAttribute(name, value);
	for (const name of ["class", "role"])
		copy.removeAttribute(name);
	copy.prepend(drawn("rect", {width: box.width, height: box.height, fill: "#fff"}));
	// XML does not allow control characters.
	return new XMLSerializer().serializeToString(copy).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}

function save_svg(svg, title) {
	const address = URL.createObjectURL(new Blob([standalone_svg(svg)], {type: "image/svg+xml"}));
	element("a", {href: address, download: title.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 100) + ".svg"}).click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Filled when it is opened, since most never are.
export function folded(summary, fill, attributes = {}) {
	const part = element("details", attributes, element("summary", {}, summary));
	let filled = false;
	const open = () => {
		if (part.open && !filled)
			part.append(...[fill()].flat());
		filled = filled || part.open;
	};
	part.addEventListener("toggle", open);
	open();
	return part;
}

// Filled when it is scrolled near the window, or printed: hundreds of plots take seconds.
export function filled_later(fill) {
	const holder = element("div", {class: "later"});
	const open = () => {
		observer.disconnect();
		holder.className = "";
		holder.replaceChildren(...[fill()].flat().filter(Boolean));
	};
	const observer = new IntersectionObserver(seen => seen.some(one => one.isIntersecting) && open(), {rootMargin: "1000px"});
	observer.observe(holder);
	holder.addEventListener("print", open, {once: true});
	return holder;
}

// The nearest stop; null if none is near.
function nearest_stop(stops, x, y) {
	let best = null, min = 40 ** 2;
	for (const stop of stops) {
		const away = (stop.x - x) ** 2 + (stop.y - y) ** 2;
		if (away < min && !stop.hidden()) {
			min = away;
			best = stop;
		}
	}
	return best;
}

// The next stop for a key: along the group, or in the next group at about the same position.
function stop_behind(stops, stop, key) {
	const seen = stops.filter(one => !one.hidden());
	const groups = [...new Set(seen.map(one => one.group))], step = ["ArrowLeft", "ArrowUp"].includes(key) ? -1 : 1;
	if (!stop || key === "Home")
		return seen[0];
	if (key === "End")
		return seen[seen.length - 1];
	if (groups.length > 1 && (key === "ArrowUp" || key === "ArrowDown")) {
		const next = seen.filter(one => one.group === groups[groups.indexOf(stop.group) + step]);
		return next.sort((a, b) => Math.abs(a.x - stop.x) - Math.abs(b.x - stop.x))[0] || stop;
	}
	const own = seen.filter(one => one.group === stop.group);
	return own[own.indexOf(stop) + step] || stop;
}

// `stops` are readable positions: {x, y, group, words, cells}. A ring marks the stop whose text is shown below the plot.
function make_readable(svg, field, stops, words) {
	const ring = drawn("circle", {class: "ring", r: 7, visibility: "hidden"});
	let here = null;
	const show = stop => {
		here = stop;
		words.textContent = stop ? stop.words : "\u00a0";
		ring.setAttribute("visibility", stop ? "visible" : "hidden");
		if (stop) {
			ring.setAttribute("cx", stop.x);
			ring.setAttribute("cy", stop.y);
		}
	};
	field.append(ring);
	svg.addEventListener("pointermove", event => {
		const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
		show(nearest_stop(stops, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale));
	});
	svg.addEventListener("pointerleave", () => show(null));
	field.addEventListener("keydown", event => {
		if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key))
			return;
		event.preventDefault();
		show(stop_behind(stops, here, event.key) || null);
	});
	field.addEventListener("blur", () => show(null));
}

// A figure with a drawing. `marks` are the contents of the field, `around` axes and legend.
function chart(title, {width = WIDTH, height, around, marks, stops, heads}) {
	const field = drawn("g", {class: "field", tabindex: 0, role: "img", "aria-label": title + "; arrow keys read its values"}, marks);
	const svg = drawn("svg", {class: "chart", viewBox: `0 0 ${width} ${digits(height)}`, role: "group", "aria-label": title}, around, field);
	const words = element("p", {class: "readout", "aria-live": "polite"}, "\u00a0");
	for (const stop of stops)
		stop.hidden = stop.hidden || (() => false);
	make_readable(svg, field, stops, words);
	return element("figure", {class: "chart-frame"}, element("figcaption", {class: "chart-title"}, title), svg, words,
		element("div", {class: "chart-tools"},
			folded("Values", () => table("Values of " + title, heads.map((head, i) => ({title: head, words: i === 0})), stops.map(stop => stop.cells))),
			element("button", {type: "button", onclick: () => save_svg(svg, title)}, "Save SVG")));
}

const straight = (look, x1, y1, x2, y2) => drawn("line", {class: look, x1: digits(x1), y1: digits(y1), x2: digits(x2), y2: digits(y2)});
const lettered = (look, x, y, words, more = {}) => drawn("text", {class: look, x: digits(x), y: digits(y), ...more}, words);

const place_x = (frame, value) => digits(frame.left + axis_share(frame.x, value) * frame.width);
const place_y = (frame, value) => digits(frame.top + (1 - axis_share(frame.y, value)) * frame.height);

function title_of_x(frame, words) {
	return lettered("x", frame.left + frame.width / 2, frame.top + frame.height + 33, words);
}

function draw_x_axis(frame) {
	const bottom = frame.top + frame.height;
	return [axis_ticks(frame.x, 8).map(({value, labelled}) => {
		const x = place_x(frame, value);
		return labelled ? [straight("grid", x, frame.top, x, bottom), lettered("x label", x, bottom + 15, axis_label(frame.x, value), {"data-value": value})] :
			straight("axis", x, bottom - 3, x, bottom);
	}), straight("axis", frame.left, bottom, frame.left + frame.width, bottom), title_of_x(frame, frame.x.title)];
}

function draw_y_axis(frame) {
	const right = frame.left + frame.width, bottom = frame.top + frame.height;
	return [axis_ticks(frame.y, 6).map(({value, labelled}) => {
		const y = place_y(frame, value);
		return labelled ? [straight("grid", frame.left, y, right, y), lettered("y label", frame.left - 5, y + 4, axis_label(frame.y, value), {"data-value": value})] :
			straight("axis", frame.left, y, frame.left + 3, y);
	}), straight("axis", frame.left, frame.top, frame.left, bottom),
	drawn("text", {class: "x", transform: `translate(11 ${frame.top + frame.height / 2}) rotate(-90)`}, frame.y.title)];
}

// The position of an interval's end that may be 0 or less.
const interval_end = (frame, value) => place_y(frame, axis_has(frame.y, value) ? value : frame.y.low);
const has_interval = spot => Number.isFinite(spot.low) && Number.isFinite(spot.high);

function draw_spot(frame, spot, look, hollow) {
	const x = place_x(frame, spot.x), y = place_y(frame, spot.y);
	return [has_interval(spot) && drawn("path", {class: "interval",
		d: `M${x} ${interval_end(frame, spot.low)}V${interval_end(frame, spot.high)}m-3 0h6M${x - 3} ${interval_end(frame, spot.low)}h6`}),
	drawn("path", {class: spot.doubtful || hollow ? "spot doubtful" : "spot", transform: `translate(${x} ${y})`, d: SIGNS[look],
		...data_of({x: spot.x, y: spot.y, low: spot.low, high: spot.high})})];
}

function curve_of(frame, spots) {
	return spots.map((spot, i) => `${i ? "L" : "M"}${place_x(frame, spot.x)} ${place_y(frame, spot.y)}`).join("");
}

function band_of(frame, spots) {
	const known = spots.filter(has_interval);
	const edge = (side, from) => from.map(spot => `${place_x(frame, spot.x)} ${interval_end(frame, spot[side])}`);
	return known.length ? "M" + [...edge("high", known), ...edge("low", [...known].reverse())].join("L") + "z" : "";
}

// A line is interrupted at a value without a position on the axes.
function pieces_of(frame, spots) {
	const pieces = [[]];
	for (const spot of spots)
		if (axis_has(frame.x, spot.x) && axis_has(frame.y, spot.y))
			pieces[pieces.length - 1].push(spot);
		else
			pieces.push([]);
	return pieces.filter(piece => piece.length);
}

// A `dashed` series has the style of the series that it belongs to.
function draw_series(frame, series, look) {
	const pieces = pieces_of(frame, series.spots), marked = series.spots.length <= MARKED_MAX;
	return drawn("g", {class: `series s${look}${series.dashed ? " dashed" : ""}`, "data-name": series.name}, pieces.map(piece => [
		!marked && drawn("path", {class: "band", d: band_of(frame, piece)}),
		drawn("path", {class: "curve", d: curve_of(frame, piece)}),
		marked && piece.map(spot => draw_spot(frame, spot, look, series.dashed))]));
}

// Names with their signs, in as many lines as needed; a click or a key hides a series. Also returns its height.
function draw_legend(series, groups, top) {
	let x = LEFT, line = 1;
	if (series.length < 2 && !(series.length && series[0].name))
		return {height: 0, keys: []};
	const keys = series.map((one, i) => {
		const width = Math.min(LEGEND_SIGN + LETTER * [...one.name].length + 12, WIDTH - LEFT);
		if (x > LEFT && x + width > WIDTH) {
			x = LEFT;
			line++;
		}
		const y = top + line * LEGEND_LINE, look = one.look ?? i;
		const key = drawn("g", {class: `key s${look}${one.dashed ? " dashed" : ""}`, tabindex: 0, role: "button", "aria-pressed": "true", "aria-label": one.name},
			drawn("path", {class: "curve", d: `M${digits(x)} ${y - 4}h20`}), drawn("path", {class: one.dashed ? "spot doubtful" : "spot",
				transform: `translate(${digits(x + 10)} ${y - 4})`, d: SIGNS[look]}),
			lettered("key-name", x + LEGEND_SIGN, y, cut_text(one.name, Math.floor((WIDTH - LEFT - LEGEND_SIGN) / LETTER))));
		const toggle = () => {
			const off = key.classList.toggle("off");
			groups[i].classList.toggle("off", off);
			key.setAttribute("aria-pressed", String(!off));
		};
		key.addEventListener("click", toggle);
		key.addEventListener("keydown", event => {
			if (event.key === "Enter" || event.key === " ") {
				event.preventDefault();
				toggle();
			}
		});
		x += width;
		return key;
	});
	return {height: line * LEGEND_LINE + 4, keys};
}

// Series over an axis: [{name, spots: [{x, y, low, high, doubtful, words}]}]. `x` and `y` have a title and a unit.
export function line_chart(title, {x, y, series}) {
	const all = series.flatMap(one => one.spots);
	// Ends of intervals at or below 0 must not determine the start of a logarithmic axis.
	const frame = {left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: FIELD, x: make_axis(x.unit, all.map(spot => spot.x), x.title),
		y: make_axis(y.unit, all.flatMap(spot => [spot.y, spot.low > 0 ? spot.low : NaN, spot.high]), y.title)};
	const groups = series.map((one, i) => draw_series(frame, one, one.look ?? i)), legend = draw_legend(series, groups, TOP + FIELD + 40);
	const stops = series.flatMap((one, i) => pieces_of(frame, one.spots).flat().map(spot => ({
		x: place_x(frame, spot.x), y: place_y(frame, spot.y), group: i, hidden: () => groups[i].classList.contains("off"),
		words: (one.name && one.name + ", ") + (spot.words || `${written(x.unit, spot.x)}: ${written(y.unit, spot.y)}`),
		cells: [one.name, written(x.unit, spot.x), written(y.unit, spot.y), has_interval(spot) ? `${written(y.unit, spot.low)} … ${written(y.unit, spot.high)}` : ""]})));
	return chart(title, {height: TOP + FIELD + 44 + legend.height, around: [draw_x_axis(frame), draw_y_axis(frame), legend.keys], marks: groups, stops,
		heads: ["Series", x.title, y.title, "Interval"]});
}

const DOTS_MAX = 200;

const has_median = column => Number.isFinite(column.median_s) && column.median_s > 0;
const in_medians = (column, time) => time / column.median_s;

// Very long single runs would compress all others, so they are marked at the upper end.
function spread_axis(columns_of_runs) {
	let low = 0.95, high = 1.05;
	for (const column of columns_of_runs.filter(has_median)) {
		const bottom = in_medians(column, column.min_s);
		const top = Math.min(in_medians(column, column.max_s), 1 + 5 * (in_medians(column, column.q75_s) - 1));
		if (Number.isFinite(bottom) && Number.isFinite(top)) {
			low = Math.max(Math.min(low, bottom), 0);
			high = Math.min(Math.max(high, top), 5);
		}
	}
	return make_axis("ratio", [low, high], "time / median");
}

// Always the same for the same run, and as far from its neighbours as possible.
const scattered = i => (i * 0.6180339887) % 1 - 0.5;

function draw_box(frame, column, middle, width) {
	const at = name => place_y(frame, in_medians(column, column[name]));
	const quartiles = ["q05_s", "q25_s", "q75_s", "q95_s"];
	if (!quartiles.every(name => Number.isFinite(in_medians(column, column[name]))))
		return null;
	const [bottom, low, high, top] = quartiles.map(at), left = digits(middle - width / 2);
	return [drawn("rect", {class: "box", x: left, y: high, width: digits(width), height: Math.max(digits(low - high), 0),
		...data_of({median: column.median_s, q25: column.q25_s, q75: column.q75_s})}),
	drawn("path", {class: "interval", d: `M${middle} ${high}V${top}M${middle} ${low}V${bottom}`}),
	straight("median", middle - width / 2, place_y(frame, 1), middle + width / 2, place_y(frame, 1))];
}

function draw_runs(frame, column, middle, width) {
	const step = Math.floor(column.times_s.length / DOTS_MAX) + 1, beyond = column.times_s.some(time => in_medians(column, time) > frame.y.high);
	const dots = column.times_s.map((time, i) => [in_medians(column, time), i]).filter(([ratio, i]) => i % step === 0 && Number.isFinite(ratio) && ratio <= frame.y.high);
	return [drawn("path", {class: "runs", d: dots.map(([ratio, i]) => `M${digits(middle + scattered(i) * width)} ${place_y(frame, ratio)}h0`).join("")}),
		beyond && drawn("path", {class: "beyond", d: `M${middle} ${frame.top}l4 7h-8z`})];
}

// Boxes and dots side by side, each relative to its median: points of results with a label.
export function spread_chart(title, x_title, columns_of_runs) {
	const left = 50, frame = {left, top: TOP, width: WIDTH - left - RIGHT, height: FIELD, y: spread_axis(columns_of_runs)};
	const step = frame.width / columns_of_runs.length, width = Math.min(step * 0.7, 40), bottom = TOP + FIELD;
	const longest = Math.min(Math.max(...columns_of_runs.map(column => column.label.length)), 14), every = Math.ceil(longest * 7.5 / step);
	const middle = i => digits(left + (i + 0.5) * step);
	const stops = columns_of_runs.map((column, i) => ({x: middle(i), y: place_y(frame, 1), group: 0,
		words: `${column.label}: median ${written("seconds", column.median_s)}, half of the runs from ${written("seconds", column.q25_s)} to ` +
			`${written("seconds", column.q75_s)}, longest ${written("seconds", column.max_s)}`,
		cells: [column.label, ...["q05_s", "q25_s", "median_s", "q75_s", "q95_s", "max_s"].map(name => written("seconds", column[name]))]}));
	return chart(title, {height: bottom + 40, stops, heads: [x_title, "5 %", "25 %", "Median", "75 %", "95 %", "Longest"],
		around: [draw_y_axis(frame), straight("axis", left, bottom, left + frame.width, bottom), title_of_x(frame, x_title),
			columns_of_runs.map((column, i) => i % every === 0 && lettered("x label", middle(i), bottom + 15, cut_text(column.label, 14)))],
		marks: drawn("g", {class: "s0"}, columns_of_runs.map((column, i) => has_median(column) &&
			[draw_box(frame, column, middle(i), width), draw_runs(frame, column, middle(i), width * 0.8)]))});
}

const BARS_MAX = 24;

// Bar widths by Freedman and Diaconis, which depend only on the middle half; values far above it are counted separately.
export function count_bars(times, {min_s, q25_s, q75_s}) {
	const spread = q75_s - q25_s, limit = q75_s + 6 * spread;
	const end = times.reduce((max, time) => (time > max && time <= limit ? time : max), q75_s), length = end - min_s;
	const wanted = Math.ceil(length / (2 * spread / Math.cbrt(times.length)));
	const used = wanted >= 1 ? Math.min(wanted, BARS_MAX) : 1, width = length / used > 0 ? length / used : Math.max(min_s * 0.01, 1e-12);
	const bars = Array(used).fill(0);
	let beyond = 0;
	for (const time of times) {
		const place = (time - min_s) / width;
		if (place >= 0 && place <= used * (1 + 1e-9))
			bars[Math.min(Math.floor(place), used - 1)]++;
		else
			beyond++;
	}
	return {low: min_s, width, bars, beyond};
}

function draw_mean(frame, point) {
	if (!Number.isFinite(point.mean_s))
		return null;
	const half = Number.isFinite(point.half_width_s) ? point.half_width_s : 0;
	const low = place_x(frame, point.mean_s - half), high = place_x(frame, point.mean_s + half), x = place_x(frame, point.mean_s);
	return drawn("g", {class: "s1"}, drawn("rect", {class: "band", x: low, y: frame.top, width: digits(Math.max(high - low, 0)), height: frame.height}),
		straight("curve", x, frame.top, x, frame.top + frame.height));
}

// The runs of one point, with mean and interval.
export function histogram(title, point) {
	const width = 230, height = 70, {low, width: wide, bars, beyond} = count_bars(point.times_s, point), max = Math.max(...bars, beyond, 1);
	const step = (width - 20) / (bars.length + (beyond ? 2 : 0)), bottom = TOP + height;
	const frame = {left: 10, top: TOP, width: step * bars.length, height, x: {unit: "seconds", log: 0, low, high: low + wide * bars.length}};
	const rows = bars.map((number, i) => ({number, place: i, words: "from " + written("seconds", low + wide * i)}));
	if (beyond)
		rows.push({number: beyond, place: bars.length + 1, words: "above " + written("seconds", frame.x.high), beyond: true});
	const bar_of = row => drawn("rect", {class: row.beyond ? "column beyond" : "column", x: digits(10 + row.place * step), y: digits(bottom - height * row.number / max),
		width: digits(Math.max(step - 1, 0.5)), height: digits(height * row.number / max), "data-count": row.number});
	return chart(title, {width, height: bottom + 20, heads: ["Time", "Runs"],
		stops: rows.map(row => ({x: digits(10 + (row.place + 0.5) * step), y: digits(bottom - height * row.number / max / 2), group: 0,
			words: `${counted(row.number, "run")} ${row.words}`, cells: [row.words, row.number]})),
		around: [straight("axis", 10, bottom, width - 10, bottom), lettered("label", 10, bottom + 14, written("seconds", low)),
			lettered("y label", frame.left + frame.width, bottom + 14, written("seconds", frame.x.high))],
		marks: [drawn("g", {class: "s0"}, rows.map(bar_of)), draw_mean(frame, point)]});
}

const FARTHEST = 32; // larger ratios are drawn at the end
const RATIO_TICKS = [1.05, 1.1, 1.25, 1.5, 2, 4, 8, 16, 32];
const RATIO_ROW = 18, NAMES = 124, RATIO_FIELD = 114;

const is_ratio = value => Number.isFinite(value) && value > 0;

// The same axis for all charts of a page: symmetric, wide enough for all intervals.
export function ratio_axis(rows, threshold) {
	const near = value => Math.min(Math.max(value, 1 / FARTHEST), FARTHEST);
	const ends = rows.flatMap(row => [row.ratio_low, row.ratio_high, row.ratio]).filter(is_ratio).map(value => Math.max(near(value), 1 / near(value)));
	const far = ends.reduce((max, end) => Math.max(max, end), Math.max(is_ratio(threshold) ? 1 + 2 * threshold : 1, 1.15)) * 1.04;
	return {unit: "ratio", title: "time of the second / time of the first", log: 2, low: 1 / far, high: far};
}

// Ticks at ratios and their reciprocals, as many as fit.
function draw_ratio_axis(frame, threshold) {
	const bottom = frame.top + frame.height, edge = 1 + threshold;
	const tick = value => [straight(value === 1 ? "even" : "grid", place_x(frame, value), frame.top, place_x(frame, value), bottom),
		lettered("x label", place_x(frame, value), bottom + 15, significant(value), {"data-value": value})];
	let last = place_x(frame, 1);
	const chosen = RATIO_TICKS.filter(value => {
		const fits = value <= frame.x.high && place_x(frame, value) - last >= 34;
		last = fits ? place_x(frame, value) : last;
		return fits;
	});
	return [is_ratio(edge) && drawn("rect", {class: "band same", x: place_x(frame, 1 / edge), y: frame.top, width: digits(place_x(frame, edge) - place_x(frame, 1 / edge)),
		height: frame.height}), [1, ...chosen, ...chosen.map(value => 1 / value)].map(tick), straight("axis", frame.left, bottom, frame.left + frame.width, bottom),
	title_of_x(frame, frame.x.title)];
}

// Three digits of equal width: "1.20".
export const ratio_words = ratio => (ratio > 0.001 && ratio < 999 ? ratio.toPrecision(3) : significant(ratio));
export const interval_words = row => (is_ratio(row.ratio_high) ? `(${ratio_words(row.ratio_low)}–${ratio_words(row.ratio_high)})` : "");
export const chance_words = p => (p < 0.001 ? "< 0.001" : significant(p));

function draw_ratio(frame, row, y) {
	const low = place_x(frame, row.ratio_low), high = place_x(frame, row.ratio_high);
	return drawn("g", {class: row.verdict, "data-verdict": row.verdict}, lettered("y", NAMES - 8, y + 4, cut_text(row.name, 18)),
		is_ratio(row.ratio) && [is_ratio(row.ratio_low) && is_ratio(row.ratio_high) && drawn("path", {class: "interval", d: `M${low} ${y}H${high}m0-3v6M${low} ${y - 3}v6`}),
			drawn("path", {class: row.verdict === "unsure" ? "spot doubtful" : "spot", transform: `translate(${place_x(frame, row.ratio)} ${y})`, d: VERDICT_SIGNS[row.verdict],
				...data_of({ratio: row.ratio, low: row.ratio_low, high: row.ratio_high})}),
			drawn("text", {x: NAMES + RATIO_FIELD + 6, y: y + 4}, drawn("tspan", {class: "strong"}, ratio_words(row.ratio)), " " + interval_words(row))]);
}

// One line per point of a comparison: the ratio with its interval, and the numbers. Rows are named points of differences.
export function forest(title, axis, threshold, rows) {
	const frame = {left: NAMES, top: TOP, width: RATIO_FIELD, height: rows.length * RATIO_ROW + 6, x: axis}, y = i => TOP + (i + 0.5) * RATIO_ROW + 3;
	const words = row => `${row.name}: ${row.verdict}, ${written("seconds", row.first_median_s)} became ${written("seconds", row.second_median_s)}` +
		(Number.isFinite(row.corrected_p) ? `, p ${row.corrected_p < 0.001 ? "" : "= "}${chance_words(row.corrected_p)}` : "");
	return chart(title, {height: TOP + frame.height + 40, around: draw_ratio_axis(frame, threshold), marks: rows.map((row, i) => draw_ratio(frame, row, y(i))),
		heads: ["Point", "First", "Second", "Ratio", "Interval", "p", "Second is"],
		stops: rows.map((row, i) => ({x: place_x(frame, is_ratio(row.ratio) ? row.ratio : 1), y: y(i), group: 0, words: words(row),
			cells: [row.name, written("seconds", row.first_median_s), written("seconds", row.second_median_s), ratio_words(row.ratio), interval_words(row),
				chance_words(row.corrected_p), row.verdict]}))});
}

// The legend of signs: [[look, parts of a drawing in a field of 28 by 16, meaning]].
export function sign_list(signs) {
	return element("ul", {class: "signs"}, signs.map(([look, parts, meaning]) =>
		element("li", {}, drawn("svg", {class: look, viewBox: "0 0 28 16", "aria-hidden": "true"}, parts), meaning)));
}

const sign_at = (d, look = "spot") => drawn("path", {class: look, transform: "translate(14 8)", d});

export function measured_signs() {
	return sign_list([
		["s0", [drawn("path", {class: "interval", d: "M14 1V15m-3 0h6M11 1h6"}), sign_at(SIGNS[0])], "mean with its confidence interval; of a process: mean with its shortest and longest time"],
		["s0", sign_at(SIGNS[0], "spot doubtful"), "to be treated with caution"],
		["s0", [drawn("rect", {class: "box", x: 8, y: 4, width: 12, height: 8}), drawn("path", {class: "interval", d: "M14 4V0M14 12V16"}), straight("median", 8, 8, 20, 8)],
			"median, the middle half of the runs, nine in ten runs"],
		["s0", drawn("path", {class: "beyond", d: "M14 4l4 7h-8z"}), "runs beyond the edge"]]);
}

export function verdict_signs() {
	return sign_list([...Object.keys(VERDICT_SIGNS).map(verdict =>
		[verdict, sign_at(VERDICT_SIGNS[verdict], verdict === "unsure" ? "spot doubtful" : "spot"), verdict]),
	["same", drawn("path", {class: "interval", d: "M4 8H24M4 5v6M24 5v6"}), "confidence interval"],
	["same", drawn("rect", {class: "band", x: 8, y: 0, width: 12, height: 16}), "too small to count"]]);
}
