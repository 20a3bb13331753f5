// Draws the timeline on a canvas: regions above each rank, calls by kind with their waits, messages as arrows, collective operations as bands, the critical path,
// marks of findings, and what the reader selected.
//
// Single calls are drawn as long as there are not too many, otherwise the time shares of each column of pixels (timeline_columns.js).

import {first_behind, has_calls} from "./timeline_data.js";
import {is_left, is_message_left} from "./timeline_filter.js";
import {draw_path} from "./timeline_path.js";
import {AXIS, draw_axis} from "./timeline_axis.js";
import {bar_height, dimmed, draw_columns, gap_shares, parts_of_call} from "./timeline_columns.js";
import {hatching, ink_of, text_on} from "./timeline_palette.js";
import {draw_bar_names, draw_lanes, lanes_height, width_of} from "./timeline_lanes.js";
import {draw_marks} from "./timeline_marks.js";
import {draw_selection} from "./timeline_select.js";

const CALLS_DRAWN = 12000;
const LINKS_DRAWN = 4000;
const HEADS_DRAWN = 400; // arrow heads
const NAMED_ROW = 12; // pixels: lower bars have no names
const HEAD = 5; // pixels of an arrow head
export const FONT = "12px system-ui, sans-serif";

// Single calls

// The whole name if it fits, else the name without its prefix.
function draw_call_name(view, name, colour, [x, end, y, height]) {
	const from = Math.max(x, view.left), room = Math.min(end, view.width) - from - 6;
	if (room < 12)
		return;
	const words = [name, name.replace(/^P?MPI_/, "")].find(one => width_of(view, one) <= room);
	if (!words)
		return;
	// In high bars at the top, where no line crosses it.
	view.bar_names.push({words, colour, x: from + 3, y: y + (has_name_at_top(height) ? NAMED_ROW : height / 2 + 4)});
}

// The position of time without a CPU is unknown: it is a part of the height.
function draw_without_cpu(view, calls, i, [x, waited, end, y, height]) {
	const {running, waiting} = parts_of_call(calls, i), {paper} = view;
	const band = (from, to, share, above = 0) => share > 0 && to > from && paper.fillRect(from, y + height * (1 - share - above), to - from, height * share);
	paper.fillStyle = ink_of(view, "no_cpu");
	band(x, waited, 1 - running * waiting);
	band(waited, end, 1 - running);
	if (i === 0)
		return;
	const {no_cpu, blocked} = gap_shares(calls, i), since = view.x(calls.end[i - 1]);
	band(since, x, no_cpu);
	paper.fillStyle = ink_of(view, "blocked");
	band(since, x, blocked, no_cpu);
}

const NAME_MIDDLE = 8; // pixels from the top of a high bar to the middle of its name
const has_name_at_top = height => height > 2 * NAMED_ROW;

// The colour at the height of a name. Time without a CPU is at the bottom.
export function colour_under(view, calls, i, is_wait, colour, height) {
	if (!calls.before)
		return colour;
	const {running, waiting} = parts_of_call(calls, i), share = 1 - running * (is_wait ? waiting : 1), above = has_name_at_top(height) ? NAME_MIDDLE / height : 0.5;
	return share > 1 - above ? ink_of(view, "no_cpu") : colour;
}

function draw_call(view, calls, i, [x, end, y, height]) {
	const {paper, timeline} = view, site = timeline.sites[calls.site[i]], colour = ink_of(view, site.kind);
	const waited = calls.wait[i] > 0 ? Math.max(x + 1, view.x(calls.start[i] + calls.wait[i])) : x;
	paper.globalAlpha = dimmed(view, calls.site[i]);
	paper.fillStyle = colour;
	paper.fillRect(waited, y, end - waited, height);
	if (waited > x) {
		paper.fillStyle = ink_of(view, "wait");
		paper.fillRect(x, y, Math.min(waited, end) - x, height);
	}
	if (calls.before)
		draw_without_cpu(view, calls, i, [x, Math.min(waited, end), end, y, height]);
	if (height >= NAMED_ROW) {
		const is_wide = end - waited > waited - x;
		draw_call_name(view, site.call, colour_under(view, calls, i, !is_wide, is_wide ? colour : ink_of(view, "wait"), height), is_wide ? [waited, end, y, height] : [x, Math.min(waited, end), y, height]);
	}
}

function draw_states(view, row, y, height) {
	const {paper, timeline} = view;
	for (const {from, to, part} of view.filter ? [] : timeline.states[row] || []) {
		const name = view.part_names[part], x = view.x(from);
		if (to < view.from || from > view.to)
			continue;
		paper.fillStyle = name === "unrecorded" && !view.hidden.has(name) ? view.hatch : ink_of(view, name);
		paper.fillRect(x, y, view.x(to) - x, height);
	}
}

function draw_calls(view, row, y, height) {
	const {paper, timeline, palette} = view, calls = timeline.calls[row];
	let drawn_to = -1;
	paper.fillStyle = view.filter ? palette.panel : ink_of(view, "compute");
	paper.fillRect(view.x(0), y, view.x(timeline.length_s) - view.x(0), height);
	draw_states(view, row, y, height);
	for (let i = first_behind(calls, view.from); i < calls.start.length && calls.start[i] < view.to; i++) {
		const x = view.x(calls.start[i]), end = Math.max(view.x(calls.end[i]), x + 1);
		if (end <= drawn_to || !is_left(view.filter, calls, i))
			continue;
		drawn_to = end > x + 1 ? -1 : end;
		draw_call(view, calls, i, [x, end, y, height]);
	}
	paper.globalAlpha = 1;
}

// The receiver waited for it.
const is_late = (timeline, message) => message.call >= 0 && timeline.calls[message.to].wait[message.call] > 0 && message.sent > timeline.calls[message.to].start[message.call];

function draw_head(paper, [x0, y0], [x, y]) {
	const angle = Math.atan2(y - y0, x - x0);
	for (const side of [-0.5, 0.5]) {
		paper.moveTo(x, y);
		paper.lineTo(x - HEAD * Math.cos(angle + side), y - HEAD * Math.sin(angle + side));
	}
}

function draw_arrows(view, messages, colour, alpha) {
	const {paper} = view;
	paper.strokeStyle = colour;
	paper.globalAlpha = alpha;
	paper.beginPath();
	for (const message of messages) {
		const ends = [[view.x(message.sent), view.middle(view.places[message.from])], [view.x(message.received), view.middle(view.places[message.to])]];
		paper.moveTo(...ends[0]);
		paper.lineTo(...ends[1]);
		if (messages.length <= HEADS_DRAWN)
			draw_head(paper, ...ends);
	}
	paper.stroke();
	paper.globalAlpha = 1;
}

// On the row of the sender: the time by which the message was late.
function mark_late(view, messages) {
	const {paper, timeline} = view;
	paper.strokeStyle = view.palette.wait;
	paper.setLineDash([3, 3]);
	paper.beginPath();
	for (const message of messages) {
		const y = view.middle(view.places[message.from]), start = view.x(timeline.calls[message.to].start[message.call]), sent = view.x(message.sent);
		if (sent - start < 2)
			continue;
		paper.moveTo(start, y);
		paper.lineTo(sent, y);
	}
	paper.stroke();
	paper.setLineDash([]);
}

function draw_messages(view) {
	const {timeline, palette} = view, timely = [], late = [];
	for (const message of timeline.messages) {
		if (message.sent > view.to || timely.length + late.length > LINKS_DRAWN)
			break;
		const from = view.places[message.from], to = view.places[message.to];
		if (message.received < view.from || from < 0 || to < 0 || from === to && message.from !== message.to || !is_message_left(view.filter, timeline, message))
			continue;
		const y = [view.middle(from), view.middle(to)];
		if (Math.max(...y) >= 0 && Math.min(...y) <= view.height)
			(is_late(timeline, message) ? late : timely).push(message);
	}
	draw_arrows(view, timely, palette.ink, 0.55);
	draw_arrows(view, late, palette.wait, 0.9);
	if (late.length <= HEADS_DRAWN)
		mark_late(view, late);
	view.messages_drawn = timely.length + late.length;
	view.late_drawn = late.length;
}

// One band per collective operation, from member to member: along their starts, then back along their ends. It covers the bars of the first and the last one.
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
		const [first, first_start, first_end] = members[0], [last, last_start, last_end] = members[members.length - 1];
		const top = view.y(first) + lanes_height(view, first), bottom = view.y(last) + lanes_height(view, last) + bar_height(view, last);
		paper.beginPath();
		paper.lineTo(view.x(first_start), top);
		for (const [place, start] of members)
			paper.lineTo(view.x(start), view.middle(place));
		paper.lineTo(view.x(last_start), bottom);
		paper.lineTo(view.x(last_end), bottom);
		for (const [place, , end] of members.reverse())
			paper.lineTo(view.x(end), view.middle(place));
		paper.lineTo(view.x(first_end), top);
		paper.fill();
	}
	paper.globalAlpha = 1;
}

const NAME_HEIGHT = 14;

// As many names of rows as fit.
function draw_names(view) {
	const {paper, palette} = view;
	let last = -Infinity;
	paper.fillStyle = palette.ground;
	paper.fillRect(0, 0, view.left, view.height - AXIS);
	paper.textAlign = "right";
	view.rows.forEach((row, place) => {
		const y = Math.max(10, view.middle(place) + 4);
		if (view.y(place + 1) <= 0 || y > view.height - AXIS || y - last < NAME_HEIGHT)
			return;
		last = y;
		paper.fillStyle = row.is_folded || row.is_marked ? palette.accent : palette.ink;
		paper.fillText(row.name, view.left - 6, y, view.left - 8);
	});
}

// In all rows, up to one more than are drawn.
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

function draw_rows(view, is_single) {
	view.rows.forEach((row, place) => {
		const y = view.y(place), height = bar_height(view, place), lanes = lanes_height(view, place);
		if (row.is_folded || y > view.height || y + view.row_height < 0)
			return;
		if (lanes)
			draw_lanes(view, row.members[0], y);
		if (is_single)
			draw_calls(view, row.members[0], y + lanes, height);
	});
}

const SCROLL_WIDTH = 5, SCROLL_MIN = 16; // pixels

// At the right, which of all rows are shown.
function draw_scroll_position(view) {
	const {paper, palette} = view, room = view.height - AXIS, all = view.rows.length * view.row_height;
	if (all < room + 1)
		return;
	const length = Math.max(SCROLL_MIN, room * room / all);
	paper.fillStyle = palette.ink;
	paper.globalAlpha = 0.6;
	paper.fillRect(view.width - SCROLL_WIDTH, (room - length) * Math.min(1, view.scroll / (all - room)), SCROLL_WIDTH, length);
	paper.globalAlpha = 1;
}

export function draw(view) {
	const {paper} = view, known = !view.is_summary && has_calls(view.timeline, view.from, view.to), single = known && count_calls(view) <= CALLS_DRAWN;
	paper.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
	paper.clearRect(0, 0, view.width, view.height);
	paper.font = FONT;
	view.hatch = view.hatch || hatching(view);
	Object.assign(view, {messages_drawn: 0, late_drawn: 0, bar_names: []});
	paper.save();
	paper.beginPath();
	paper.rect(view.left, 0, view.width - view.left, view.height - AXIS);
	paper.clip();
	if (!single || view.rows.some(row => row.is_folded))
		draw_columns(view, row => !single || row.is_folded, known);
	draw_rows(view, single);
	if (single && view.shows_links) {
		draw_bands(view);
		draw_messages(view);
	}
	draw_bar_names(view, view.messages_drawn > 0);
	view.names_drawn = view.bar_names.length;
	draw_path(view);
	draw_marks(view);
	draw_selection(view);
	paper.restore();
	draw_names(view);
	draw_axis(view);
	if (!view.is_summary)
		draw_scroll_position(view);
}
