// The timeline: ranks over time with search, filters and folding, all of it kept in the address of the page.

import {element} from "./dom.js";
import {translated} from "./words.js";
import {add_window, first_behind, has_calls, KINDS, unpack_calls} from "./timeline_data.js";
import {describe_call, describe_shares, KIND_NAMES} from "./timeline_words.js";
import {choose_rows, few_rows, parse_ranks, places_of} from "./timeline_rows.js";
import {choose_sites, classes_left, filter_calls, is_left, next_chosen} from "./timeline_filter.js";
import {colours, draw} from "./timeline_draw.js";
import {add_controls} from "./timeline_controls.js";
import {is_on_path, path_words} from "./timeline_path.js";
import {filter_fields, fold_list} from "./timeline_fields.js";

const ROWS_UNFOLDED = 256; // with more, similar ranks are folded as long as nobody wants it otherwise

function make_view(timeline, canvas) {
	const view = {
		timeline, canvas, paper: canvas.getContext("2d"), palette: colours(), from: 0, to: timeline.length_s, left: 84, scroll: 0, row_height: 18,
		width: 800, height: 400, shows_links: true, chosen: null, filter: null, rows: [], places: null,
		x: time => view.left + (time - view.from) / (view.to - view.from) * (view.width - view.left),
		time: x => view.from + (x - view.left) / (view.width - view.left) * (view.to - view.from),
		y: place => place * view.row_height - view.scroll,
	};
	return view;
}

function set_rows(view, rows) {
	view.rows = rows;
	view.places = places_of(view.timeline, rows);
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

function legend() {
	return element("ul", {class: "legend"}, ["compute", ...KINDS, "wait"].map(kind =>
		element("li", {}, element("span", {class: "swatch fill " + kind, "aria-hidden": "true"}), translated(KIND_NAMES[kind]))));
}

// The whole run, small and still: for the overview.
export function strip(timeline, height_most = 260) {
	const canvas = element("canvas", {class: "strip", role: "img", "aria-label": translated("What each rank did over time")});
	const view = make_view(timeline, canvas);
	view.is_summary = true;
	set_rows(view, few_rows(timeline, height_most - 20));
	view.row_height = Math.max(1, Math.min(18, (height_most - 20) / view.rows.length));
	on_resize(canvas, () => {
		fit(view, Math.ceil(view.row_height * view.rows.length) + 22);
		view.palette = colours();
		view.hatch = null;
		draw(view);
	});
	return element("figure", {class: "plot"}, canvas, legend());
}

function row_at(view, y) {
	return view.rows[Math.floor((y + view.scroll) / view.row_height)] || null;
}

// The call under a point; null if there is none.
export function call_at(view, x, y) {
	const shown = row_at(view, y), time = view.time(x);
	if (!shown || shown.is_folded || x < view.left || !has_calls(view.timeline, view.from, view.to))
		return null;
	const row = shown.members[0], calls = view.timeline.calls[row], slack = (view.to - view.from) / view.width * 2;
	for (let i = first_behind(calls, time - slack); i < calls.start.length && calls.start[i] <= time + slack; i++)
		if (is_left(view.filter, calls, i))
			return {row, i};
	return null;
}

// What can be chosen, and its names in the address.
const CHOICES = ["find", "kind", "call", "ranks", "comm", "fold", "open", "rank", "path"];

// Without being asked for: similar ranks are folded where there are many of them and none is asked for.
const usual_choice = (name, timeline, rank) => (name === "path" ? "on" : name !== "fold" ? "" : !rank && timeline.rows.length > ROWS_UNFOLDED ? "behaviour" : "none");

export function read_choice(options, timeline) {
	return Object.fromEntries(CHOICES.map(name => [name, options[name] || usual_choice(name, timeline, options.rank)]));
}

export function fragment_of(view, choice) {
	const wanted = CHOICES.filter(name => choice[name] !== usual_choice(name, view.timeline, choice.rank));
	const top = view.scroll > 0 ? "&top=" + (view.scroll / view.row_height).toFixed(2) : "";
	return `timeline/from=${view.from.toFixed(9)}&to=${view.to.toFixed(9)}` + top + wanted.map(name => `&${name}=${encodeURIComponent(choice[name])}`).join("");
}

const open_groups = choice => new Set(choice.open.split(",").filter(Boolean).map(Number));

// Applies what was chosen to the view.
function apply_choice(view, choice) {
	const {timeline} = view, ranks = parse_ranks(choice.ranks), marked = choice.rank === "" ? -1 : Number(choice.rank);
	set_rows(view, choose_rows(timeline, {ranks: ranks || [], fold: choice.fold, open: open_groups(choice)}));
	for (const row of view.rows)
		row.is_marked = !row.is_folded && timeline.rows[row.members[0]].rank === marked;
	view.filter = filter_calls(timeline, choice);
	view.chosen = choose_sites(timeline, choice.find);
	view.shows_path = choice.path !== "off";
	view.kind_of_site = timeline.sites.map(site => Math.max(0, KINDS.indexOf(site.kind)));
	const of_left = classes => ({...classes, left: classes_left(classes, timeline, choice)});
	view.left_bins = view.filter && timeline.classes ? {near: of_left(timeline.classes), whole: of_left(timeline.whole_classes)} : null;
}

function status_words(view, choice, is_served) {
	if (parse_ranks(choice.ranks) === null)
		return translated("Ranks are numbers and ranges, such as 0-7,12.");
	if (!view.rows.length)
		return translated("No rank is chosen.");
	if (has_calls(view.timeline, view.from, view.to))
		return "";
	const where = translated(view.timeline.rows[0].threads > 1 ? "There are too many ranks for single calls: each row stands for several of them." : is_served ? "Zoom in to see single calls." :
		"This part is shown as a summary: zoom in near a finding, or open the trace with 'tarry view' to see single calls.");
	const is_mixed = view.left_bins && view.timeline.whole_classes.rows.some(row => row.some(([number]) => number === 0));
	return [where, is_mixed && translated("There are too many kinds of calls to list all of them here; the filters omit the rest.")].filter(Boolean).join(" ");
}

const QUIET_MS = 120;

// Calls `work` once when calls of it have stopped for a while.
function when_quiet(work) {
	let timer = 0;
	return () => {
		clearTimeout(timer);
		timer = setTimeout(work, QUIET_MS);
	};
}

// Busy until nothing is under way any more: no movement, no frame, no question.
function show_rest(picture) {
	picture.view.canvas.setAttribute("aria-busy", !picture.is_at_rest || picture.questions > 0);
}

// Asks for the calls of what is shown, and some more, so that a small move needs no question.
function ask_for_window(picture) {
	const {view, ask} = picture, {timeline} = view, span = view.to - view.from;
	const from = Math.max(0, view.from - span / 2), to = Math.min(timeline.length_s, view.to + span / 2);
	const question = [from, to].join();
	// The answer is about whole nanoseconds: compared with that, the same question would be asked again for ever.
	if (!view.canvas.isConnected || has_calls(timeline, view.from, view.to) || question === picture.question)
		return;
	picture.question = question;
	picture.questions++;
	ask(from, to).then(data => {
		add_window(timeline, data);
		choose_calls(picture, {});
	}).catch(() => {
		picture.status.textContent = translated("'tarry view' has ended: start it again to see single calls.");
	}).finally(() => {
		picture.questions--;
		show_rest(picture);
	});
}

// Draws with the next frame, once.
function refresh_picture(picture) {
	const {view, status, choice} = picture;
	if (picture.is_waiting)
		return;
	picture.is_waiting = true;
	requestAnimationFrame(() => {
		picture.is_waiting = false;
		draw(view);
		Object.assign(view.canvas.dataset, {left: view.left, rowHeight: view.row_height, rows: view.rows.length, messages: view.messages_drawn});
		const words = status_words(view, choice, picture.ask !== null);
		if (status.textContent !== words)
			status.textContent = words;
	});
}

function resize_view(view) {
	view.row_height = Math.max(4, Math.min(28, 520 / Math.max(1, view.rows.length)));
	fit(view, Math.min(560, Math.max(120, Math.ceil(view.row_height * view.rows.length) + 24)));
	view.clamp();
}

function choose_calls(picture, change) {
	const {view, choice} = picture;
	Object.assign(choice, change);
	apply_choice(view, choice);
	picture.fields.refresh();
	picture.folds.replaceChildren(fold_list(view, group => toggle_group(picture, group)));
	resize_view(view);
}

// Unfolds a group of ranks, or folds it again.
function toggle_group(picture, group) {
	const open = open_groups(picture.choice), focused = document.activeElement && document.activeElement.dataset.group;
	if (!open.delete(group))
		open.add(group);
	choose_calls(picture, {open: [...open].join(",")});
	if (focused)
		picture.folds.querySelector(`[data-group="${Number(focused)}"]`)?.focus();
}

function say_at({view, hover}, x, y) {
	const at = call_at(view, x, y), row = row_at(view, y);
	const on_path = row && x >= view.left && is_on_path(view, row.members[0], view.time(x)) ? " · " + translated("on the critical path") : "";
	hover.textContent = at ? describe_call(view.timeline, at.row, at.i) + on_path : row && row.is_folded ? describe_shares(view.timeline, row) : on_path ? row.name + on_path : "\u00a0";
}

function tap_at(picture, x, y) {
	const row = row_at(picture.view, y);
	if (row && row.is_folded && x < picture.view.left)
		toggle_group(picture, row.group);
	else
		say_at(picture, x, y);
}

// To the next call of those that are searched for, or that the filters leave.
function step_to_next({view, hover}) {
	const found = (view.chosen || view.filter) && next_chosen(view), span = view.to - view.from;
	if (!found)
		return;
	view.scroll = Math.max(0, view.places[found.row] * view.row_height - view.height / 2);
	view.show(found.start - span / 2 + 1e-12, found.start + span / 2 + 1e-12);
	hover.textContent = describe_call(view.timeline, found.row, found.i);
}

function timeline_tools(picture) {
	const {view, choice} = picture;
	return element("div", {class: "tools"},
		element("button", {onclick: () => view.zoom(0.5)}, translated("Zoom in")), element("button", {onclick: () => view.zoom(2)}, translated("Zoom out")),
		element("button", {onclick: () => view.show(0, view.timeline.length_s)}, translated("Whole run")),
		element("label", {}, translated("Find"), " ", element("input", {type: "search", value: choice.find, placeholder: translated("halo.c:42, to rank 3"),
			oninput: event => choose_calls(picture, {find: event.target.value}), onkeydown: event => event.key === "Enter" && step_to_next(picture)})),
		element("button", {onclick: () => step_to_next(picture)}, translated("Next")),
		element("label", {}, element("input", {type: "checkbox", checked: true, onchange: event => {
			view.shows_links = event.target.checked;
			refresh_picture(picture);
		}}), " ", translated("messages and bands")),
		view.timeline.whole_path && element("label", {}, element("input", {type: "checkbox", checked: choice.path !== "off",
			onchange: event => choose_calls(picture, {path: event.target.checked ? "on" : "off"})}), " ", translated("critical path")));
}

function add_events(picture) {
	const {view, choice} = picture;
	// While one pans, addresses would come too fast for a browser.
	const keep_address = when_quiet(() => {
		if (view.canvas.isConnected)
			history.replaceState(null, "", "#" + fragment_of(view, choice));
		picture.path.textContent = path_words(view);
		picture.is_at_rest = true;
		// Behind the frame that shows it.
		requestAnimationFrame(() => show_rest(picture));
	});
	const refine = picture.ask ? when_quiet(() => ask_for_window(picture)) : () => {};
	add_controls(view, () => {
		picture.is_at_rest = false;
		show_rest(picture);
		refine();
		keep_address();
		refresh_picture(picture);
	}, (x, y) => tap_at(picture, x, y));
	view.canvas.addEventListener("mousemove", event => say_at(picture, event.offsetX, event.offsetY));
	on_resize(view.canvas, () => {
		view.palette = colours();
		view.hatch = null;
		resize_view(view);
	});
}

// `ask` fetches the data of a window from whoever serves the page; null where nobody does.
export function timeline_view(timeline, options, ask = null) {
	const canvas = element("canvas", {class: "timeline", tabindex: 0, role: "application", "aria-describedby": "path-words",
		"aria-label": translated("Ranks over time. Arrow keys move, + and - zoom, Home shows all.")});
	const picture = {view: make_view(unpack_calls(timeline), canvas), choice: read_choice(options, timeline), ask, questions: 0, question: [0, timeline.length_s].join(), is_waiting: false, is_at_rest: false, folds: element("div"),
		hover: element("p", {class: "hover", "aria-live": "polite"}, "\u00a0"), status: element("p", {class: "faint", role: "status"}, ""), path: element("p", {id: "path-words"})};
	const {view} = picture;
	picture.fields = filter_fields(timeline, picture.choice, change => choose_calls(picture, change));
	add_events(picture);
	choose_calls(picture, {});
	if (options.to)
		view.show(Number(options.from) || 0, Number(options.to));
	view.scroll = options.top ? Number(options.top) * view.row_height || 0 : Math.max(0, view.rows.findIndex(row => row.is_marked) * view.row_height - view.height / 2);
	view.clamp();
	return [element("section", {class: "timeline-view"}, element("h2", {}, translated("Timeline")),
		timeline_tools(picture), picture.fields.tools, canvas, picture.hover, picture.path, picture.status, picture.folds, legend())];
}
