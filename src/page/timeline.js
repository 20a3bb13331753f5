// Ranks over time on a canvas: calls by what they do, waits hatched, messages as lines, collective operations as bands.
//
// The page has a summary of the whole run in bins, and single calls as far as there is room for them. What is drawn depends on what
// one pixel stands for: bins where calls would be smaller than it, calls otherwise.

import {element} from "./dom.js";
import {bytes, percent, seconds} from "./format.js";
import {translated} from "./words.js";

const KINDS = ["p2p", "collective", "rma", "io", "other"];
const KIND_NAMES = {compute: "computing", p2p: "point to point", collective: "collective", rma: "one-sided", io: "files", other: "other calls", wait: "waiting"};
const ROW_OF_PARTS = 10; // pixels
const LEVELS = 35;
const NUMBERS = 5; // of a call: start behind the one before, duration, site, wait, collective operation

// Columns of numbers for each row, with absolute times in seconds.
function unpack_row(numbers) {
	const n = numbers.length / NUMBERS;
	const row = {start: new Float64Array(n), end: new Float64Array(n), site: new Int32Array(n), wait: new Float64Array(n), group: new Int32Array(n)};
	let at = 0;
	for (let i = 0; i < n; i++) {
		at += numbers[i * NUMBERS];
		row.start[i] = at / 1e9;
		row.end[i] = (at + numbers[i * NUMBERS + 1]) / 1e9;
		row.site[i] = numbers[i * NUMBERS + 2];
		row.wait[i] = numbers[i * NUMBERS + 3] / 1e9;
		row.group[i] = numbers[i * NUMBERS + 4];
	}
	return row;
}

function unpack_messages(numbers) {
	const messages = [];
	for (let i = 0; i < numbers.length; i += 5)
		messages.push({from: numbers[i], sent: numbers[i + 1] / 1e9, to: numbers[i + 2], received: numbers[i + 3] / 1e9, bytes: numbers[i + 4]});
	return messages.sort((a, b) => a.sent - b.sent);
}

// Fractions from 0 to 1: a letter for each kind of each bin.
function unpack_bins(bins) {
	return bins.rows.map(letters => Float32Array.from(letters, letter => parseInt(letter, 36) / LEVELS));
}

export function unpack_timeline(data) {
	const bins = {rows: unpack_bins(data.bins), count: data.bins.count, from: data.bins.from_s, to: data.bins.to_s};
	return {...data, bins, whole_bins: bins, calls: data.calls.map(unpack_row), messages: unpack_messages(data.messages)};
}

// The first call that ends behind a time. Calls of a row are in the order of their starts and do not overlap, but for threads of imports.
export function first_behind(row, time) {
	let low = 0, high = row.end.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (row.end[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

function colours() {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries([...KINDS, "compute", "wait", "ink", "faint", "grid", "ground", "accent"].map(name =>
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

// Calls `use(x, means)` for each pixel column that lies in the run, with the mean of the bins that it stands for: a part of each kind.
function each_column(view, row, use) {
	const {timeline} = view, kinds = KINDS.length + 1, means = new Float32Array(kinds);
	const fits = view.from >= timeline.bins.from && view.to <= timeline.bins.to, {rows, count, from: first, to: last} = fits ? timeline.bins : timeline.whole_bins;
	const bins = rows[row], per_bin = (last - first) / count;
	for (let x = view.left; x < view.width; x++) {
		const begin = view.time(x), end = view.time(x + 1);
		if (end <= 0 || begin >= timeline.length_s)
			continue;
		const from = Math.min(count - 1, Math.max(0, Math.floor((begin - first) / per_bin)));
		const to = Math.min(count, Math.max(from + 1, Math.ceil((end - first) / per_bin)));
		means.fill(0);
		for (let bin = from; bin < to; bin++)
			for (let kind = 0; kind < kinds; kind++)
				means[kind] += bins[bin * kinds + kind] / (to - from);
		use(x, means);
	}
}

// Parts of the row's height, waiting above.
function draw_bins(view, row, y, height) {
	const {paper, timeline, palette} = view;
	paper.fillStyle = palette.compute;
	paper.fillRect(view.x(0), y, view.x(timeline.length_s) - view.x(0), height);
	each_column(view, row, (x, means) => {
		let top = y;
		for (let kind = KINDS.length; kind >= 0; kind--) {
			const part = means[kind] * height;
			if (part < 0.05)
				continue;
			paper.fillStyle = kind === KINDS.length ? palette.wait : palette[KINDS[kind]];
			paper.fillRect(x, top, 1, part);
			top += part;
		}
	});
}

function rgb_of(colour) {
	const number = parseInt(colour.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3"), 16);
	return [number >> 16, number >> 8 & 255, number & 255];
}

// Rows that are too thin for parts: a pixel has the mixed colour of what it stands for. One picture of all rows, stretched.
function draw_thin_rows(view) {
	const {paper, timeline, palette} = view, width = view.width - view.left, rows = timeline.rows.length;
	const inks = [...KINDS, "wait", "compute"].map(kind => rgb_of(palette[kind])), computing = inks[inks.length - 1];
	const picture = new ImageData(Math.max(1, Math.floor(width)), Math.max(1, rows));
	for (let row = 0; row < rows; row++)
		each_column(view, row, (x, means) => {
			const at = (row * picture.width + Math.min(picture.width - 1, Math.floor(x - view.left))) * 4;
			for (let channel = 0; channel < 3; channel++) {
				let value = computing[channel];
				for (let kind = 0; kind < means.length; kind++)
					value += means[kind] * (inks[kind][channel] - computing[channel]);
				picture.data[at + channel] = value;
			}
			picture.data[at + 3] = 255;
		});
	const sheet = document.createElement("canvas");
	sheet.width = picture.width;
	sheet.height = picture.height;
	sheet.getContext("2d").putImageData(picture, 0, 0);
	paper.imageSmoothingEnabled = false;
	paper.drawImage(sheet, view.left, view.y(0), width, rows * view.row_height);
}

function is_chosen(view, site) {
	return !view.chosen || view.chosen[site];
}

function draw_calls(view, row, y, height) {
	const {paper, timeline, palette} = view, calls = timeline.calls[row];
	let drawn_to = -1;
	paper.fillStyle = palette.compute;
	paper.fillRect(view.x(0), y, view.x(timeline.length_s) - view.x(0), height);
	for (let i = first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++) {
		const x = view.x(calls.start[i]), end = Math.max(view.x(calls.end[i]), x + 1);
		if (end <= drawn_to)
			continue;
		drawn_to = end > x + 1 ? -1 : end;
		paper.globalAlpha = is_chosen(view, calls.site[i]) ? 1 : 0.15;
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

const MESSAGES_DRAWN = 4000;

function draw_messages(view) {
	const {paper, timeline, palette} = view;
	let drawn = 0;
	paper.strokeStyle = palette.ink;
	paper.globalAlpha = 0.55;
	paper.beginPath();
	for (const message of timeline.messages) {
		if (message.sent > view.to || drawn > MESSAGES_DRAWN)
			break;
		if (message.received < view.from)
			continue;
		const y = [message.from, message.to].map(row => view.y(row) + view.row_height / 2);
		if (Math.max(...y) < 0 || Math.min(...y) > view.height)
			continue;
		paper.moveTo(view.x(message.sent), y[0]);
		paper.lineTo(view.x(message.received), y[1]);
		drawn++;
	}
	paper.stroke();
	paper.globalAlpha = 1;
}

// One band for each collective operation, from member to member: over their starts, then back over their ends.
function draw_bands(view) {
	const {paper, timeline, palette} = view, bands = new Map();
	timeline.calls.forEach((calls, row) => {
		for (let i = first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++)
			if (calls.group[i])
				bands.set(calls.group[i], (bands.get(calls.group[i]) || []).concat([[row, i]]));
	});
	if (bands.size > MESSAGES_DRAWN)
		return;
	paper.fillStyle = palette.collective;
	paper.globalAlpha = 0.13;
	for (const members of bands.values()) {
		paper.beginPath();
		for (const [row, i] of members)
			paper.lineTo(view.x(timeline.calls[row].start[i]), view.y(row) + view.row_height / 2);
		for (const [row, i] of members.slice().reverse())
			paper.lineTo(view.x(timeline.calls[row].end[i]), view.y(row) + view.row_height / 2);
		paper.fill();
	}
	paper.globalAlpha = 1;
}

function draw_axis(view) {
	const {paper, palette} = view, span = view.to - view.from;
	const step = [1, 2, 5, 10].map(n => n * 10 ** Math.floor(Math.log10(span / 8))).find(n => span / n <= 10) || span;
	paper.fillStyle = palette.ground;
	paper.fillRect(0, view.height - 20, view.width, 20);
	paper.fillRect(0, 0, view.left, view.height);
	paper.fillStyle = palette.ink;
	paper.textAlign = "center";
	for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
		paper.fillRect(view.x(time), view.height - 20, 1, 4);
		paper.fillText(seconds(Math.abs(time) < step / 2 ? 0 : Number(time.toPrecision(9))), view.x(time), view.height - 5);
	}
	paper.textAlign = "right";
	const every = Math.max(1, Math.ceil(14 / view.row_height));
	for (let row = 0; row < view.timeline.rows.length; row += every) {
		const y = view.y(row) + view.row_height / 2 + 4;
		if (y > 4 && y < view.height - 20)
			paper.fillText(view.timeline.rows[row].name, view.left - 6, Math.max(10, y));
	}
}

// What a window of the trace has more than the summary: its calls, or finer bins.
export function add_window(timeline, data) {
	const {calls, messages, sites, spans, bins} = unpack_timeline(data);
	Object.assign(timeline, {calls, messages, sites, spans, bins});
}

// Whether single calls are known all over this time.
export function has_calls(timeline, from, to) {
	const first = Math.max(0, from), last = Math.min(timeline.length_s, to);
	return timeline.complete || timeline.spans.some(([start, end]) => start / 1e9 <= first + 1e-9 && last - 1e-9 <= end / 1e9);
}

export function draw(view) {
	const {paper, timeline} = view, detailed = has_calls(timeline, view.from, view.to);
	paper.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
	paper.clearRect(0, 0, view.width, view.height);
	paper.font = "12px system-ui, sans-serif";
	view.hatch = view.hatch || hatching(paper, view.palette.wait);
	paper.save();
	paper.beginPath();
	paper.rect(view.left, 0, view.width - view.left, view.height - 20);
	paper.clip();
	const thin = !detailed && view.row_height < ROW_OF_PARTS;
	if (thin)
		draw_thin_rows(view);
	timeline.rows.forEach((row, i) => {
		const y = view.y(i), height = Math.max(1, view.row_height - (view.row_height > 6 ? 2 : 0));
		if (thin || y > view.height || y + height < 0)
			return;
		if (detailed)
			draw_calls(view, i, y, height);
		else
			draw_bins(view, i, y, height);
	});
	if (detailed && view.shows_links) {
		draw_bands(view);
		draw_messages(view);
	}
	paper.restore();
	draw_axis(view);
}

function make_view(timeline, canvas) {
	const view = {
		timeline, canvas, paper: canvas.getContext("2d"), palette: colours(), from: 0, to: timeline.length_s, left: 74, scroll: 0, row_height: 18,
		width: 800, height: 400, shows_links: true, chosen: null,
		x: time => view.left + (time - view.from) / (view.to - view.from) * (view.width - view.left),
		time: x => view.from + (x - view.left) / (view.width - view.left) * (view.to - view.from),
		y: row => row * view.row_height - view.scroll,
	};
	return view;
}

function fit(view, height) {
	view.ratio = window.devicePixelRatio || 1;
	view.width = view.canvas.clientWidth || 800;
	view.height = height;
	view.canvas.width = view.width * view.ratio;
	view.canvas.height = height * view.ratio;
	view.canvas.style.height = height + "px";
}

// Calls `refresh` when the canvas has come to the page, and whenever the window or the colours change, as long as it is there.
function on_resize(canvas, refresh) {
	const watch = new AbortController();
	const changed = () => (canvas.isConnected ? refresh() : watch.abort());
	requestAnimationFrame(refresh);
	window.addEventListener("resize", changed, {signal: watch.signal});
	window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, {signal: watch.signal});
}

// The whole run, small and still: for the overview.
export function strip(timeline, height_most = 260) {
	const canvas = element("canvas", {class: "strip", role: "img", "aria-label": "What each rank did over time"});
	const view = make_view(timeline, canvas);
	view.shows_links = false;
	view.row_height = Math.max(1, Math.min(18, (height_most - 20) / timeline.rows.length));
	const refresh = () => {
		fit(view, Math.ceil(view.row_height * timeline.rows.length) + 22);
		view.palette = colours();
		view.hatch = null;
		draw({...view, timeline: {...timeline, complete: false, spans: []}, x: view.x, time: view.time, y: view.y});
	};
	on_resize(canvas, refresh);
	return element("figure", {class: "plot"}, canvas, legend());
}

function legend() {
	return element("ul", {class: "legend"}, ["compute", ...KINDS, "wait"].map(kind =>
		element("li", {}, element("span", {class: "swatch fill " + kind, "aria-hidden": "true"}), KIND_NAMES[kind])));
}

function describe(timeline, row, i) {
	const calls = timeline.calls[row], site = timeline.sites[calls.site[i]], length = calls.end[i] - calls.start[i];
	return [`${timeline.rows[row].name}: ${site.call}`, site.place, site.text, `${seconds(calls.start[i])}, for ${seconds(length)}`,
		calls.wait[i] > 0 ? `${seconds(calls.wait[i])} waiting (${percent(calls.wait[i] / length)})` : ""].filter(Boolean).join(" · ");
}

// The call under a point; null if there is none.
export function call_at(view, x, y) {
	const row = Math.floor((y + view.scroll) / view.row_height), time = view.time(x);
	if (row < 0 || row >= view.timeline.rows.length || !has_calls(view.timeline, view.from, view.to))
		return null;
	const calls = view.timeline.calls[row], slack = (view.to - view.from) / view.width * 2, i = first_behind(calls, time - slack);
	return i < calls.start.length && calls.start[i] <= time + slack ? {row, i} : null;
}

function fragment_of(view, find) {
	return `timeline/from=${view.from.toFixed(9)}&to=${view.to.toFixed(9)}` + (find ? "&find=" + encodeURIComponent(find) : "");
}

// Zoom, pan and choice; `changed` is called after each change, once for each frame.
function add_controls(view, changed) {
	const least = 1e-8, all = view.timeline.length_s, pointers = new Map();
	const clamp = () => {
		const span = Math.min(Math.max(view.to - view.from, least), all * 1.2);
		view.from = Math.min(Math.max(view.from, -all * 0.1), all * 1.1 - span);
		view.to = view.from + span;
		view.scroll = Math.min(Math.max(view.scroll, 0), Math.max(0, view.timeline.rows.length * view.row_height - view.height + 20));
		changed();
	};
	view.zoom = (factor, x) => {
		const at = view.time(x === undefined ? (view.left + view.width) / 2 : x);
		view.from = at - (at - view.from) * factor;
		view.to = at + (view.to - at) * factor;
		clamp();
	};
	view.pan = (pixels, down = 0) => {
		const by = pixels / (view.width - view.left) * (view.to - view.from);
		view.from += by;
		view.to += by;
		view.scroll += down;
		clamp();
	};
	view.show = (from, to) => {
		view.from = from;
		view.to = to;
		clamp();
	};
	view.canvas.addEventListener("wheel", event => {
		event.preventDefault();
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			view.pan(event.deltaX || event.deltaY);
		else if (event.altKey)
			view.pan(0, event.deltaY);
		else
			view.zoom(Math.exp(event.deltaY / 400), event.offsetX);
	}, {passive: false});
	view.canvas.addEventListener("pointerdown", event => {
		pointers.set(event.pointerId, event);
		view.canvas.setPointerCapture(event.pointerId);
	});
	view.canvas.addEventListener("pointermove", event => {
		const before = pointers.get(event.pointerId);
		if (!before)
			return;
		const others = [...pointers.values()].filter(one => one.pointerId !== event.pointerId);
		if (others.length) {
			const distance = one => Math.max(8, Math.abs(one.offsetX - others[0].offsetX));
			view.zoom(distance(before) / distance(event), (event.offsetX + others[0].offsetX) / 2);
		} else {
			view.pan(before.offsetX - event.offsetX, before.offsetY - event.offsetY);
		}
		pointers.set(event.pointerId, event);
	});
	for (const end of ["pointerup", "pointercancel"])
		view.canvas.addEventListener(end, event => pointers.delete(event.pointerId));
	const keys = {ArrowLeft: () => view.pan(-80), ArrowRight: () => view.pan(80), ArrowUp: () => view.pan(0, -40), ArrowDown: () => view.pan(0, 40),
		"+": () => view.zoom(0.7), "=": () => view.zoom(0.7), "-": () => view.zoom(1.4), Home: () => view.show(0, all)};
	view.canvas.addEventListener("keydown", event => {
		if (keys[event.key]) {
			event.preventDefault();
			keys[event.key]();
		}
	});
}

// Sites that have these words in call, place or arguments; null: all.
export function choose_sites(timeline, words) {
	const wanted = words.trim().toLowerCase();
	return wanted ? timeline.sites.map(site => [site.call, site.place, site.text].join(" ").toLowerCase().includes(wanted)) : null;
}

// The next call of the chosen sites behind the middle of what is shown, in any row.
export function next_chosen(view) {
	const after = (view.from + view.to) / 2;
	let best = null;
	view.timeline.calls.forEach((calls, row) => {
		for (let i = first_behind(calls, after); i < calls.start.length; i++) {
			if (!view.chosen[calls.site[i]] || calls.start[i] <= after)
				continue;
			if (!best || calls.start[i] < best.start)
				best = {row, i, start: calls.start[i]};
			break;
		}
	});
	return best;
}

const QUIET_MS = 120;

// `ask` fetches the data of a window from whoever serves the page; null where nobody does.
export function timeline_view(timeline, options, ask = null) {
	const canvas = element("canvas", {class: "timeline", tabindex: 0, role: "application",
		"aria-label": "Ranks over time. Arrow keys move, + and - zoom, Home shows all."});
	const words = element("p", {class: "hover", "aria-live": "polite"}, "\u00a0");
	const view = make_view(timeline, canvas);
	let waiting = false, quiet = 0, find = options.find || "";
	// Some more than is shown, so that a small move needs no question.
	const refine = () => {
		const span = view.to - view.from, from = Math.max(0, view.from - span / 2), to = Math.min(timeline.length_s, view.to + span / 2);
		const {bins} = timeline;
		if (has_calls(timeline, view.from, view.to) || bins.from === from && bins.to === to)
			return;
		ask(from, to).then(data => {
			add_window(timeline, data);
			view.chosen = choose_sites(timeline, find);
			changed();
		}).catch(() => {
			status.textContent = "'tarry view' has ended: start it again to see single calls.";
		});
	};
	const changed = () => {
		clearTimeout(quiet);
		if (ask)
			quiet = setTimeout(refine, QUIET_MS);
		if (waiting)
			return;
		waiting = true;
		requestAnimationFrame(() => {
			waiting = false;
			draw(view);
			history.replaceState(null, "", "#" + fragment_of(view, find));
			status.textContent = has_calls(timeline, view.from, view.to) ? "" : ask ? "Zoom in to see single calls." :
				"This part is shown as a summary: zoom in near a finding, or open the trace with 'tarry view' to see single calls.";
		});
	};
	const status = element("p", {class: "faint", role: "status"}, "");
	const search = text => {
		find = text;
		view.chosen = choose_sites(timeline, text);
		changed();
	};
	const step = () => {
		const found = view.chosen && next_chosen(view), span = view.to - view.from;
		if (found) {
			view.show(found.start - span / 2 + 1e-12, found.start + span / 2 + 1e-12);
			words.textContent = describe(timeline, found.row, found.i);
		}
	};
	add_controls(view, changed);
	canvas.addEventListener("mousemove", event => {
		const at = call_at(view, event.offsetX, event.offsetY);
		words.textContent = at ? describe(timeline, at.row, at.i) : "\u00a0";
	});
	on_resize(canvas, () => {
		view.row_height = Math.max(4, Math.min(28, 520 / timeline.rows.length));
		fit(view, Math.min(560, Math.max(120, Math.ceil(view.row_height * timeline.rows.length) + 24)));
		view.palette = colours();
		view.hatch = null;
		changed();
	});
	if (options.to)
		view.show(Number(options.from) || 0, Number(options.to));
	search(find);
	return [element("section", {class: "timeline-view"},
		element("h2", {}, translated("Timeline")),
		element("div", {class: "tools"},
			element("button", {onclick: () => view.zoom(0.5)}, "Zoom in"), element("button", {onclick: () => view.zoom(2)}, "Zoom out"),
			element("button", {onclick: () => view.show(0, timeline.length_s)}, "Whole run"),
			element("label", {}, "Find ", element("input", {type: "search", value: find, placeholder: "MPI_Recv, halo.c:42, to 3",
				oninput: event => search(event.target.value), onkeydown: event => event.key === "Enter" && step()})),
			element("button", {onclick: step}, "Next"),
			element("label", {}, element("input", {type: "checkbox", checked: true, onchange: event => {
				view.shows_links = event.target.checked;
				changed();
			}}), " messages and bands")),
		canvas, words, status, legend())];
}
