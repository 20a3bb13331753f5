// The timeline: ranks over time with search, filters, folding, selection and statistics. Its whole state is in the address of the page.

import {element} from "./dom.js";
import {seconds} from "./format.js";
import {filled, translated} from "./words.js";
import {add_window, has_calls, unpack_calls, unpack_summary} from "./timeline_data.js";
import {describe_call, describe_shares, KIND_NAMES} from "./timeline_words.js";
import {filter_calls, next_chosen} from "./timeline_filter.js";
import {colours} from "./timeline_palette.js";
import {lanes_at} from "./timeline_lanes.js";
import {mark_at, marks_of} from "./timeline_marks.js";
import {MODES, write_area, write_ruler, zoom_to_box} from "./timeline_select.js";
import {area_panel, area_statistics, rows_in_area} from "./timeline_area.js";
import {draw} from "./timeline_draw.js";
import {legend_with_buttons} from "./timeline_legend.js";
import {call_at, make_view, on_resize, resize_view, row_at} from "./timeline_view.js";
import {apply_choice, fragment_of, open_groups, read_choice, status_words, words_of_list} from "./timeline_choice.js";
import {minimap} from "./timeline_minimap.js";
import {key_help} from "./timeline_help.js";
import {add_controls} from "./timeline_controls.js";
import {is_on_path, path_words} from "./timeline_path.js";
import {filter_fields, fold_list} from "./timeline_fields.js";

const QUIET_MS = 120;
const AROUND_CALL = 0.5; // of its length, on both sides, after a double click

// Calls `work` once after its calls have paused for a while.
function when_quiet(work) {
	let timer = 0;
	return () => {
		clearTimeout(timer);
		timer = setTimeout(work, QUIET_MS);
	};
}

// Busy until nothing is pending: no movement, no frame, no request.
function show_rest(picture) {
	picture.view.canvas.setAttribute("aria-busy", !picture.is_at_rest || picture.questions > 0);
}

// Requests data of a window. `use` gets it.
function ask_server(picture, from, to, use) {
	picture.questions++;
	show_rest(picture);
	picture.ask(from, to).then(use).catch(() => {
		picture.status.textContent = translated("'tarry view' has ended: start it again to see single calls.");
	}).finally(() => {
		picture.questions--;
		show_rest(picture);
	});
}

// Requests the calls of the shown window and some more around it, so that a small move needs no request.
function ask_for_window(picture) {
	const {view} = picture, {timeline} = view, span = view.to - view.from;
	const from = Math.max(0, view.from - span / 2), to = Math.min(timeline.length_s, view.to + span / 2);
	const question = [from, to].join();
	// The answer covers whole nanoseconds: an exact comparison would repeat the same request for ever.
	if (!view.canvas.isConnected || has_calls(timeline, view.from, view.to) || question === picture.question)
		return;
	picture.question = question;
	ask_server(picture, from, to, data => {
		add_window(timeline, data);
		choose_calls(picture, {});
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
		picture.map.follow();
		Object.assign(view.canvas.dataset, {left: view.left, rowHeight: view.row_height, rows: view.rows.length, lanes: view.lanes, messages: view.messages_drawn, late: view.late_drawn,
			names: view.names_drawn, marks: view.drawn_marks.length, fits: view.rows.length * view.row_height < view.height, base: view.axis.base, labels: view.axis.labels.join("|")});
		const words = status_words(view, choice, picture.ask !== null);
		if (status.textContent !== words)
			status.textContent = words;
	});
}

// The area

function area_words(picture, is_exact) {
	if (is_exact)
		return "";
	if (picture.view.timeline.rows[0].threads > 1)
		return translated("There are too many ranks for single calls: only times are known.");
	return translated(picture.ask ? "Too many calls to count here: times are from a summary. A smaller area has all figures." :
		"Single calls of this area are not in the page: times are from a summary. Open the trace with 'tarry view' for calls, bytes and waits.");
}

function show_area(picture) {
	const {view, choice} = picture, {area} = view, show = (found, why) =>
		picture.area.replaceChildren(area_panel(view, area, found, why, () => choose_calls(picture, {area: ""})));
	if (!area)
		return picture.area.replaceChildren();
	const rows = rows_in_area(view, area), found = area_statistics(view.timeline, rows, area, view.filter), question = choice.area + rows.join();
	if (found.is_exact || !picture.ask)
		return show(found, area_words(picture, found.is_exact));
	if (picture.area_question === question)
		return null;
	picture.area_question = question;
	show(found, translated("Asking 'tarry view' for the calls of this area …"));
	return ask_server(picture, area.from, area.to, data => {
		const part = unpack_calls(unpack_summary(data)), counted = area_statistics(part, rows, area, filter_calls(part, choice));
		if (view.area && choice.area + rows.join() === question)
			show(counted, area_words(picture, counted.is_exact));
	});
}

function use_selection(picture, box) {
	if (box.mode === "zoom") {
		zoom_to_box(picture.view, box);
		Object.assign(picture.choice, {rows: String(picture.view.row_zoom)});
	} else if (box.mode === "area") {
		choose_calls(picture, {area: write_area(box)});
	} else {
		choose_calls(picture, {ruler: write_ruler(box)});
	}
}

// Choices

function choose_calls(picture, change) {
	const {view, choice} = picture;
	Object.assign(choice, change);
	apply_choice(view, choice);
	picture.fields.refresh();
	picture.folds.replaceChildren(fold_list(view, group => toggle_group(picture, group)));
	picture.legend.replaceChildren(legend_with_buttons(view.timeline, view.hidden, part => toggle_part(picture, part)));
	resize_view(view);
	show_area(picture);
}

// Hides a part of the time, or shows it again.
function toggle_part(picture, part) {
	const hidden = words_of_list(picture.choice.hide), place = [...picture.legend.querySelectorAll("button")].indexOf(document.activeElement);
	if (!hidden.delete(part))
		hidden.add(part);
	choose_calls(picture, {hide: [...hidden].join()});
	picture.legend.querySelectorAll("button")[place]?.focus();
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

function show_whole_run(picture) {
	picture.choice.rows = "1";
	picture.view.row_zoom = 1;
	resize_view(picture.view);
	picture.view.show(0, picture.view.timeline.length_s);
}

// The part of the time under a point that is not a call.
function state_words(view, row, time) {
	const state = (view.timeline.states[row] || []).find(one => one.from <= time && time < one.to);
	return state ? `${view.timeline.rows[row].name}: ${translated(KIND_NAMES[view.part_names[state.part]])}, ${filled("at $1 for $2", seconds(state.from), seconds(state.to - state.from))}` : "";
}

// Describes the item under a point.
function words_at(view, x, y) {
	const mark = mark_at(view, x, y), at = call_at(view, x, y), row = row_at(view, y), time = view.time(x);
	if (mark)
		return filled("Finding $1: $2", mark.number, mark.name);
	if (!row || row.is_folded || x < view.left)
		return row && row.is_folded ? describe_shares(view.timeline, row) : "";
	const own = at ? describe_call(view.timeline, at.row, at.i) : state_words(view, row.members[0], time), lanes = view.lanes ? lanes_at(view, row.members[0], time) : [];
	const on_path = is_on_path(view, row.members[0], time) ? translated("on the critical path") : "";
	const words = [own, lanes.length ? filled("in $1", lanes.join(" › ")) : "", on_path].filter(Boolean).join(" · ");
	return words && !own ? `${row.title} · ${words}` : words;
}

function say_at({view, hover}, x, y) {
	hover.textContent = words_at(view, x, y) || "\u00a0";
}

function tap_at(picture, x, y) {
	const row = row_at(picture.view, y), mark = mark_at(picture.view, x, y);
	if (row && row.is_folded && x < picture.view.left)
		toggle_group(picture, row.group);
	else if (mark)
		location.hash = "finding-" + mark.number;
	else
		say_at(picture, x, y);
}

// Zooms to the call under the point, or in.
function zoom_at({view}, x, y) {
	const at = call_at(view, x, y);
	if (!at)
		return view.zoom(0.25, x);
	const calls = view.timeline.calls[at.row], length = Math.max(calls.end[at.i] - calls.start[at.i], 1e-7);
	return view.show(calls.start[at.i] - length * AROUND_CALL, calls.end[at.i] + length * AROUND_CALL);
}

// Moves to the next call that matches the search or the filters.
function step_to_next({view, hover}) {
	const found = (view.chosen || view.filter) && next_chosen(view), span = view.to - view.from;
	if (!found)
		return;
	view.scroll = Math.max(0, view.places[found.row] * view.row_height - view.height / 2);
	view.show(found.start - span / 2 + 1e-12, found.start + span / 2 + 1e-12);
	hover.textContent = describe_call(view.timeline, found.row, found.i);
}

// Tools

const MODE_NAMES = {move: "move", zoom: "zoom to box", area: "select area", ruler: "ruler"};

function choose_mode(picture, mode) {
	picture.view.mode = mode;
	picture.view.canvas.dataset.mode = mode;
	for (const button of picture.modes.children)
		button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
}

function mode_buttons(picture) {
	picture.modes = element("span", {class: "modes", role: "group", "aria-label": translated("Dragging")}, MODES.map(mode =>
		element("button", {"data-mode": mode, "aria-pressed": String(mode === "move"), onclick: () => choose_mode(picture, mode)}, translated(MODE_NAMES[mode]))));
	return picture.modes;
}

function switch_box(picture, name, words) {
	return element("label", {}, element("input", {type: "checkbox", checked: picture.choice[name] !== "off",
		onchange: event => choose_calls(picture, {[name]: event.target.checked ? "on" : "off"})}), " ", translated(words));
}

const has_lanes = timeline => Boolean(timeline.whole_regions) || (timeline.frames || []).length > 0;

function timeline_tools(picture) {
	const {view, choice} = picture;
	return element("div", {class: "tools"},
		element("button", {onclick: () => view.zoom(0.5)}, translated("Zoom in")), element("button", {onclick: () => view.zoom(2)}, translated("Zoom out")),
		element("button", {onclick: () => show_whole_run(picture)}, translated("Whole run")), mode_buttons(picture),
		element("label", {}, translated("Find"), " ", element("input", {type: "search", value: choice.find, placeholder: translated("halo.c:42, to rank 3"),
			oninput: event => choose_calls(picture, {find: event.target.value}), onkeydown: event => event.key === "Enter" && step_to_next(picture)})),
		element("button", {onclick: () => step_to_next(picture)}, translated("Next")),
		switch_box(picture, "links", "messages and bands"), view.timeline.whole_path && switch_box(picture, "path", "critical path"),
		has_lanes(view.timeline) && switch_box(picture, "lanes", "regions and call stacks"), view.marks.length > 0 && switch_box(picture, "marks", "findings"),
		element("button", {"aria-label": translated("Keys of the timeline"), onclick: () => picture.help.showModal()}, "?"));
}

function act_of(picture, changed) {
	return {changed, tapped: (x, y) => tap_at(picture, x, y), selected: box => use_selection(picture, box), double: (x, y) => zoom_at(picture, x, y), whole: () => show_whole_run(picture),
		keys: {m: () => choose_mode(picture, "move"), b: () => choose_mode(picture, "zoom"), x: () => choose_mode(picture, "area"), r: () => choose_mode(picture, "ruler"),
			n: () => step_to_next(picture), "?": () => picture.help.showModal(), Escape: () => choose_calls(picture, {area: "", ruler: ""})}};
}

function add_events(picture) {
	const {view, choice} = picture;
	// During panning the address would change too fast for a browser.
	const keep_address = when_quiet(() => {
		if (view.canvas.isConnected)
			history.replaceState(null, "", "#" + fragment_of(view, choice));
		picture.path.textContent = path_words(view);
		picture.is_at_rest = true;
		// After the frame that shows it.
		requestAnimationFrame(() => show_rest(picture));
	});
	const refine = picture.ask ? when_quiet(() => ask_for_window(picture)) : () => {};
	view.resize = () => resize_view(view);
	add_controls(view, act_of(picture, () => {
		picture.is_at_rest = false;
		show_rest(picture);
		refine();
		keep_address();
		refresh_picture(picture);
	}));
	view.canvas.addEventListener("mousemove", event => say_at(picture, event.offsetX, event.offsetY));
	on_resize(view.canvas, () => {
		view.palette = colours();
		view.hatch = null;
		resize_view(view);
		picture.map.repaint();
	});
}

// The first window: that of the address, and the requested rank in the middle.
function show_first(view, options) {
	if (options.to)
		view.show(Number(options.from) || 0, Number(options.to));
	view.scroll = options.top ? Number(options.top) * view.row_height || 0 : Math.max(0, view.rows.findIndex(row => row.is_marked) * view.row_height - view.height / 2);
	view.clamp();
	// Rows get their height when the canvas is in the page.
	if (options.top)
		requestAnimationFrame(() => requestAnimationFrame(() => {
			view.scroll = Number(options.top) * view.row_height || 0;
			view.clamp();
		}));
}

// `ask` fetches the data of a window from the server of the page; null without a server. `findings` are those of the report.
export function timeline_view(timeline, options, ask = null, findings = []) {
	const canvas = element("canvas", {class: "timeline", tabindex: 0, role: "application", "data-mode": "move", "aria-describedby": "path-words",
		"aria-label": translated("Ranks over time. Arrow keys move, + and - zoom, Home shows all, ? lists all keys.")});
	const picture = {view: make_view(unpack_calls(timeline), canvas), choice: read_choice(options, timeline), ask, questions: 0, question: [0, timeline.length_s].join(), is_waiting: false, is_at_rest: false,
		folds: element("div"), legend: element("div"), area: element("div"), help: key_help(),
		hover: element("p", {class: "hover", "aria-live": "polite"}, "\u00a0"), status: element("p", {class: "faint", role: "status"}, ""), path: element("p", {id: "path-words"})};
	const {view} = picture;
	view.marks = marks_of(timeline, findings);
	picture.map = minimap(view);
	picture.fields = filter_fields(timeline, picture.choice, change => choose_calls(picture, change));
	add_events(picture);
	choose_calls(picture, {});
	show_first(view, options);
	return [element("section", {class: "timeline-view"}, element("h2", {class: "unseen"}, translated("Timeline")),
		timeline_tools(picture), picture.fields.tools, picture.map.element, canvas, picture.hover, picture.legend, picture.status, picture.area, picture.path, picture.folds, picture.help)];
}
