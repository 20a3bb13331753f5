// Findings of tarry check with their source lines, and deadlocks as graphs.

import {drawn, element, link} from "./dom.js";
import {counted, ranks_in_words} from "./format.js";
import {found_fragment, place_link} from "./places.js";
import {code_around} from "./source.js";
import {filled, translated} from "./words.js";

const GRAPH = {box_width: 210, box_height: 62, gap: 90, row_gap: 46, margin: 12};
const WHY = {message: "needs a message of", receive: "needs a receive of", collective: "needs a collective call of", match: "needs a matching call of",
	exposure: "needs MPI_Win_post of", access: "needs MPI_Win_complete of", lock: "needs the lock of"};
// The role of a call in a finding, in the words of tarry check.
const ROLES = {here: "", created: "created", freed: "freed", sent: "message|sent", received: "message|received", other: "other", earlier: "earlier", waits: "waits",
	behind: "not part of the deadlock, waits for it", ended: "has finished", late: "others wait for it; last call", runs: "outside MPI; last call", began: "began", read: "read", written: "written"};
// The meaning of the boxes of a graph. In a hang no cycle is known.
const WAIT_PARTS = {waits: "part of the deadlock", hang: "waits", behind: "not part of the deadlock, waits for it", ended: "has finished", late: "others wait for it", runs: "outside MPI"};

function call_place(call) {
	const frame = (call.stack || [])[0];
	const place = call.file ? call.file.replace(/^.*\//, "") + ":" + call.line : "";
	return place + (place && frame && frame.function ? ` (${frame.function})` : "");
}

function rank_name(rank) {
	return rank === null ? translated("before MPI_Init") : filled("rank $1", rank);
}

function ranks_name(ranks) {
	const known = [...new Set(ranks.filter(rank => rank !== null))].sort((a, b) => a - b);
	return known.length ? ranks_in_words(known) : rank_name(null);
}

// Positions of boxes: two side by side, more on a circle that is large enough for all of them, the first at the top.
export function box_centres(n) {
	if (n < 3)
		return [...Array(n).keys()].map(i => [(2 * i - n + 1) * (GRAPH.box_width + GRAPH.gap) / 2, 0]);
	const radius = Math.max(150, n * (GRAPH.box_width + GRAPH.gap) / (2 * Math.PI));
	return [...Array(n).keys()].map(i => [radius * Math.sin(2 * Math.PI * i / n) * 1.25, -radius * Math.cos(2 * Math.PI * i / n)]);
}

// The point on the edge of one box towards another.
function edge_point([x, y], [to_x, to_y]) {
	const dx = to_x - x, dy = to_y - y, part = Math.min(GRAPH.box_width / 2 / Math.abs(dx || 1e-9), GRAPH.box_height / 2 / Math.abs(dy || 1e-9), 0.5);
	return [x + dx * part, y + dy * part];
}

const BOXES_MAX = 40, BYSTANDERS_MAX = 4;

// Boxes of processes in the deadlock, then one for each place where other processes wait for them. `calls` are positions in the finding.
export function graph_boxes(finding) {
	const part_of = role => (finding.states && role === "waits" ? "hang" : WAIT_PARTS[role] ? role : "waits");
	const used = [...new Set(finding.waits.flatMap(wait => [wait.from, wait.to]))].filter(i => finding.calls[i]);
	const boxes = used.filter(i => finding.calls[i].role !== "behind").slice(0, BOXES_MAX).map(i => ({part: part_of(finding.calls[i].role), ranks: [finding.calls[i].rank], call: finding.calls[i], calls: [i]}));
	const is_there = (group, call) => call.role === "behind" && group.ranks.includes(call.rank) && group.function === call.function && group.line === call.line;
	return boxes.concat((finding.behind || []).slice(0, BYSTANDERS_MAX).map(group => ({part: "behind", ranks: group.ranks, call: group,
		calls: [...finding.calls.keys()].filter(i => is_there(group, finding.calls[i]))})));
}

// Each arrow once: several processes of a box may wait for the same process.
export function graph_arrows(finding, boxes) {
	const arrows = new Map(), box_of = call => boxes.find(box => box.calls.includes(call));
	for (const wait of finding.waits) {
		const from = box_of(wait.from), to = box_of(wait.to);
		if (from && to && from !== to)
			arrows.set([boxes.indexOf(from), boxes.indexOf(to), from.part === "behind" ? "" : wait.why].join(), {from, to, wait});
	}
	return [...arrows.values()];
}

// The deadlock on a circle, all other boxes in a row below it.
function place_boxes(boxes) {
	const inner = boxes.filter(box => box.part !== "behind"), outer = boxes.filter(box => box.part === "behind"), centres = box_centres(inner.length);
	inner.forEach((box, i) => box.centre = centres[i]);
	const bottom = Math.max(0, ...centres.map(([, y]) => y)) + GRAPH.box_height + GRAPH.row_gap;
	outer.forEach((box, i) => box.centre = [(i - (outer.length - 1) / 2) * (GRAPH.box_width + GRAPH.gap / 3), bottom]);
}

function graph_box(box) {
	const [x, y] = box.centre;
	return drawn("g", {class: "part-" + box.part},
		drawn("rect", {class: "graph-box", x: x - GRAPH.box_width / 2, y: y - GRAPH.box_height / 2, width: GRAPH.box_width, height: GRAPH.box_height, rx: 6}),
		[[ranks_name(box.ranks), "strong"], [box.call.function, ""], [call_place(box.call), ""]].map(([text, kind], line) =>
			drawn("text", {class: "middle " + kind, x, y: y - GRAPH.box_height / 2 + 18 + line * 17}, text.slice(0, 30))));
}

function graph_arrow({from, to, wait}) {
	const begin = edge_point(from.centre, to.centre), end = edge_point(to.centre, from.centre);
	return drawn("line", {class: `arrow part-${from.part}` + (wait.one_of ? " any" : ""), x1: begin[0], y1: begin[1], x2: end[0], y2: end[1], "marker-end": from.part === "behind" ? "url(#faint-arrow)" : "url(#arrow)"},
		drawn("title", {}, translated(WHY[wait.why])));
}

function graph_legend(boxes) {
	const parts = Object.keys(WAIT_PARTS).filter(part => boxes.some(box => box.part === part));
	return element("ul", {class: "legend"}, parts.map(part => element("li", {}, element("span", {class: "swatch part-" + part}), translated(WAIT_PARTS[part]))));
}

function wait_graph(finding) {
	const boxes = graph_boxes(finding);
	if (!boxes.length)
		return null;
	place_boxes(boxes);
	const xs = boxes.map(box => box.centre[0]), ys = boxes.map(box => box.centre[1]);
	const left = Math.min(...xs) - GRAPH.box_width / 2 - GRAPH.margin, top = Math.min(...ys) - GRAPH.box_height / 2 - GRAPH.margin;
	const width = Math.max(...xs) - left + GRAPH.box_width / 2 + GRAPH.margin, height = Math.max(...ys) - top + GRAPH.box_height / 2 + GRAPH.margin;
	const words = finding.waits.map(wait => `${rank_name(finding.calls[wait.from].rank)} ${translated(WHY[wait.why])} ${rank_name(finding.calls[wait.to].rank)}`).join("; ");
	return element("figure", {class: "plot graph", style: `max-width:${Math.ceil(width)}px`},
		drawn("svg", {viewBox: [left, top, width, height].join(" "), role: "img", "aria-label": words},
			drawn("defs", {}, ["arrow", "faint-arrow"].map(id => drawn("marker", {id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto-start-reverse"},
				drawn("path", {d: "M0 0L10 5L0 10z", class: id + "-head"})))),
			graph_arrows(finding, boxes).map(graph_arrow), boxes.map(graph_box)),
		graph_legend(boxes),
		element("figcaption", {}, translated(finding.waits.some(wait => wait.one_of) ? "An arrow points from a process to the one it waits for. Any one of the dashed arrows would be enough." :
			"An arrow points from a process to the one it waits for.")));
}

function stack_list(call) {
	return element("ol", {}, call.stack.map(frame => element("li", {}, (frame.function || "?") + (frame.file ? ` ${frame.file}:${frame.line}` : ""))));
}

// Calls of the same function at the same line, for all ranks and call paths.
export function calls_by_line(calls) {
	const lines = new Map();
	for (const call of calls) {
		const key = JSON.stringify([call.role, call.function, call.file, call.line, call.file ? null : call.stack[0]]);
		lines.set(key, [...(lines.get(key) || []), call]);
	}
	return [...lines.values()];
}

function each_once(calls, key) {
	return [...new Map(calls.map(call => [JSON.stringify(key(call)), call])).values()];
}

const ARGUMENTS_MAX = 8;

// A communicator or datatype without a name is identified by the call that created it.
export function arguments_in_words(call) {
	return call.arguments.replace(/= made by (\w+)/g, "= $1(…)");
}

// Once if it is the same for all ranks, otherwise for each rank.
function argument_list(calls) {
	const given = each_once(calls.filter(call => call.arguments), call => call.arguments);
	if (given.length < 2)
		return given.map(call => element("p", {}, element("code", {}, arguments_in_words(call))));
	const lines = each_once(calls, call => [call.rank, call.world, call.arguments]).map(call => element("li", {}, element("code", {}, `${rank_name(call.rank)}: ${arguments_in_words(call)}`)));
	return [element("ul", {class: "plain"}, lines.slice(0, ARGUMENTS_MAX)), lines.length > ARGUMENTS_MAX && element("details", {},
		element("summary", {}, filled("and $1", counted(lines.length - ARGUMENTS_MAX, "other call"))), element("ul", {class: "plain"}, lines.slice(ARGUMENTS_MAX)))];
}

function call_item(calls, {sources, has_timeline}, is_deadlock) {
	const [call] = calls, role = is_deadlock && call.role === "waits" ? WAIT_PARTS.waits : ROLES[call.role] || "", paths = each_once(calls, one => one.stack);
	const excerpt = call.file && sources.find(one => one.file === call.file && one.line === call.line);
	return element("li", {},
		element("p", {}, role && element("span", {class: "role"}, translated(role) + ": "), call.function && element("code", {class: "code-call"}, call.function), call.function ? ", " : "",
			ranks_name(calls.map(one => one.rank)), element("span", {class: "faint"}, call_place(call) && [", ", place_link(has_timeline && call.function && found_fragment(`${call.function} ${call_place(call)}`), call_place(call))])),
		argument_list(calls),
		excerpt && code_around(excerpt, call.file, call.line),
		call.stack.length > 0 && element("details", {}, element("summary", {}, translated("stack")), stack_list(call)),
		paths.length > 1 && element("details", {}, element("summary", {}, filled("and $1", counted(paths.length - 1, "other call path"))), paths.slice(1).map(stack_list)));
}

// Ranks that are not drawn.
function bystanders(finding) {
	const ranks = finding.values.behind;
	return ranks && element("p", {}, filled("Not part of the deadlock, but waiting for it: $1.", filled(/^\d+$/.test(ranks) ? "rank $1" : "ranks $1", ranks.replaceAll("-", "–"))));
}

// Checks of deadlocks also find those of OpenSHMEM. Their sections are of MPI.
function section_of(finding) {
	if (finding.class === "shmem")
		return filled("OpenSHMEM 1.4, section $1", finding.standard);
	return finding.calls[0]?.function.startsWith("shmem_") ? "" : filled("MPI 4.0, section $1", finding.standard);
}

// `about` has the sources, and whether there is a timeline.
function finding_article(finding, title, id, about) {
	return element("article", {class: "check-finding", id},
		element("h2", {}, element("strong", {class: {error: "high", warning: "medium"}[finding.severity] || "low"}, translated(finding.severity)), title),
		element("p", {class: "faint"}, [finding.id, ranks_name(finding.ranks), counted(finding.times, "time"), section_of(finding)].filter(Boolean).join(" · ")),
		element("p", {}, finding.why),
		finding.fix && element("p", {class: "advice"}, finding.fix),
		finding.waits.length > 0 && wait_graph(finding),
		bystanders(finding),
		element("ul", {class: "check-calls"}, calls_by_line(finding.calls).map(calls => call_item(calls, about, finding.waits.length && !finding.states))));
}

// Merges notes of one kind, as in the text.
export function entries_of(findings) {
	const entries = [];
	for (const finding of findings) {
		const last = entries[entries.length - 1];
		if (last && finding.severity === "note" && last[0].id === finding.id)
			last.push(finding);
		else
			entries.push([finding]);
	}
	return entries;
}

function entry_article([finding, ...others], number, prefix, about) {
	const article = finding_article(finding, ` ${number}: ${finding.name}`, prefix + number, about);
	if (others.length)
		article.append(element("details", {class: "alike"}, element("summary", {}, filled("and $1 of this kind", counted(others.length, "other note"))),
			others.map(other => finding_article(other, `: ${other.name}`, null, about))));
	return article;
}

// "ranks 0–2, halo.c:9"
function where_in_words(finding) {
	return [ranks_name(finding.ranks), finding.calls.length > 0 && call_place(finding.calls[0])].filter(Boolean).join(", ");
}

// "2 errors, 1 warning and 3 notes"
function counts_in_words(check) {
	const parts = [[check.errors, "error"], [check.warnings, "warning"], [check.returned_errors, "note"]].filter(([number]) => number).map(([number, word]) => counted(number, word));
	return parts.slice(0, -1).join(", ") + (parts.length > 1 ? translated("list| and ") : "") + parts.slice(-1).join("");
}

export function check_verdict(check) {
	const counts = counts_in_words(check), is_fine = !(check.errors + check.warnings);
	return (is_fine ? translated("No errors found.") + (counts ? " " : "") : translated("Found ")) + (counts && counts + ".");
}

// The addresses of findings begin with `prefix`.
export function check_view(check, prefix = "finding-", has_timeline = false) {
	const entries = entries_of(check.findings), about = {sources: check.sources || [], has_timeline};
	return [
		element("section", {},
			element("p", {class: "big"}, check_verdict(check)),
			check.trust.reasons.length > 0 && element("div", {class: "care", role: "note"}, check.trust.reasons.map(reason => element("p", {}, translated("Check incomplete: ") + reason))),
			check.suppressed > 0 && element("p", {class: "faint"}, filled("Suppressed: $1.", counted(check.suppressed, "finding"))),
			entries.length > 1 && element("ol", {}, entries.map(([finding, ...others], i) => element("li", {},
				link(prefix + (i + 1), `${finding.name} (${others.length ? counted(others.length + 1, "note") : translated(finding.severity)})`), " ", element("span", {class: "faint"}, where_in_words(finding)))))),
		...entries.map((entry, i) => entry_article(entry, i + 1, prefix, about)),
		check.notes.length > 0 && element("section", {}, element("h2", {}, translated("Notes")), element("ul", {}, check.notes.map(note => element("li", {}, note)))),
	];
}
