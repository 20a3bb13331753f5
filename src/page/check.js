// Errors in the use of MPI: what tarry check found, deadlocks as a graph.

import {drawn, element, link} from "./dom.js";
import {counted, ranks_in_words} from "./format.js";
import {filled, translated} from "./words.js";

const GRAPH = {box_width: 210, box_height: 62, gap: 90};
const WHY = {message: "needs a message of", receive: "needs a receive of", collective: "needs a collective call of", exposure: "needs MPI_Win_post of",
	access: "needs MPI_Win_complete of", lock: "needs the lock of"};

function call_place(call) {
	return call.file ? call.file.replace(/^.*\//, "") + ":" + call.line : "";
}

function rank_name(rank) {
	return rank === null ? translated("before MPI_Init") : filled("rank $1", rank);
}

// Where boxes stand: on a circle that is large enough for all of them, the first above.
export function box_centres(n) {
	if (n === 1)
		return [[0, 0]];
	const radius = Math.max(150, n * (GRAPH.box_width + GRAPH.gap) / (2 * Math.PI));
	return [...Array(n).keys()].map(i => [radius * Math.sin(2 * Math.PI * i / n) * 1.25, -radius * Math.cos(2 * Math.PI * i / n)]);
}

// From the edge of one box towards another.
function edge_point([x, y], [to_x, to_y]) {
	const dx = to_x - x, dy = to_y - y, part = Math.min(GRAPH.box_width / 2 / Math.abs(dx || 1e-9), GRAPH.box_height / 2 / Math.abs(dy || 1e-9), 0.5);
	return [x + dx * part, y + dy * part];
}

const BOXES_MOST = 40;

function wait_graph(finding) {
	const used = [...new Set(finding.waits.flatMap(wait => [wait.from, wait.to]))].filter(i => finding.calls[i]).slice(0, BOXES_MOST);
	if (!used.length)
		return null;
	const centre = new Map(used.map((call, i) => [call, box_centres(used.length)[i]]));
	const xs = [...centre.values()].map(([x]) => x), ys = [...centre.values()].map(([, y]) => y), margin = 12;
	const left = Math.min(...xs) - GRAPH.box_width / 2 - margin, top = Math.min(...ys) - GRAPH.box_height / 2 - margin;
	const width = Math.max(...xs) - left + GRAPH.box_width / 2 + margin, height = Math.max(...ys) - top + GRAPH.box_height / 2 + margin;
	const words = finding.waits.map(wait => `${rank_name(finding.calls[wait.from].rank)} ${translated(WHY[wait.why])} ${rank_name(finding.calls[wait.to].rank)}`).join("; ");
	return element("figure", {class: "plot graph", style: `max-width:${Math.ceil(width)}px`},
		drawn("svg", {viewBox: [left, top, width, height].join(" "), role: "img", "aria-label": words},
			drawn("defs", {}, drawn("marker", {id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto-start-reverse"},
				drawn("path", {d: "M0 0L10 5L0 10z", class: "arrow-head"}))),
			finding.waits.filter(wait => centre.has(wait.from) && centre.has(wait.to) && wait.from !== wait.to).map(wait => {
				const [from, to] = [centre.get(wait.from), centre.get(wait.to)], begin = edge_point(from, to), end = edge_point(to, from);
				return drawn("line", {class: wait.one_of ? "arrow any" : "arrow", x1: begin[0], y1: begin[1], x2: end[0], y2: end[1], "marker-end": "url(#arrow)"},
					drawn("title", {}, translated(WHY[wait.why])));
			}),
			used.map(i => {
				const call = finding.calls[i], [x, y] = centre.get(i);
				return drawn("g", {}, drawn("rect", {class: "graph-box", x: x - GRAPH.box_width / 2, y: y - GRAPH.box_height / 2, width: GRAPH.box_width, height: GRAPH.box_height, rx: 6}),
					[[rank_name(call.rank), "strong"], [call.function, ""], [call_place(call), ""]].map(([text, kind], line) =>
						drawn("text", {class: "middle " + kind, x, y: y - GRAPH.box_height / 2 + 18 + line * 17}, text.slice(0, 30))));
			})),
		element("figcaption", {}, translated(finding.waits.some(wait => wait.one_of) ? "An arrow points from a process to the one it waits for. Any one of the dashed arrows would be enough." :
			"An arrow points from a process to the one it waits for.")));
}

function stack_list(call) {
	return element("ol", {}, call.stack.map(frame => element("li", {}, (frame.function || "?") + (frame.file ? ` ${frame.file}:${frame.line}` : ""))));
}

// Calls at one line that differ only in their callers, in one list for each.
export function calls_by_line(calls) {
	const lines = new Map();
	for (const call of calls) {
		const key = JSON.stringify([call.rank, call.world, call.role, call.function, call.arguments, call.file, call.line]);
		lines.set(key, [...(lines.get(key) || []), call]);
	}
	return [...lines.values()].map(same => [...new Map(same.map(call => [JSON.stringify(call.stack), call])).values()]);
}

function call_item([call, ...others]) {
	return element("li", {}, element("code", {}, `${rank_name(call.rank)}: ${call.function}(${call.arguments})`),
		element("span", {class: "faint"}, " " + call_place(call)),
		call.stack.length > 0 && element("details", {}, element("summary", {}, translated("stack")), stack_list(call)),
		others.length > 0 && element("details", {}, element("summary", {}, filled("and $1", counted(others.length, "other call path"))), others.map(stack_list)));
}

function finding_article(finding, number, prefix) {
	return element("article", {class: "check-finding", id: prefix + number},
		element("h2", {}, element("strong", {class: {error: "high", warning: "medium"}[finding.severity] || "low"}, translated(finding.severity)), ` ${number}: ${finding.name}`),
		element("p", {class: "faint"}, [finding.id, ranks_in_words(finding.ranks.filter(rank => rank !== null)), counted(finding.times, "time"),
			filled("MPI 4.0, section $1", finding.standard)].join(" · ")),
		element("p", {}, finding.why),
		finding.fix && element("p", {class: "advice"}, finding.fix),
		finding.waits.length > 0 && wait_graph(finding),
		element("ul", {class: "check-calls"}, calls_by_line(finding.calls).map(call_item)),
		(finding.states || []).length > 0 && element("ul", {}, finding.states.map(state => element("li", {},
			`${ranks_in_words(state.ranks)}: ${state.role} ${state.function} ${call_place(state)}`))));
}

// "2 errors and 1 warning"
export function check_verdict(check) {
	return check.errors + check.warnings ? filled("Found $1 and $2.", counted(check.errors, "error"), counted(check.warnings, "warning")) :
		translated("No errors were found.");
}

// Addresses of its findings begin with `prefix`.
export function check_view(check, prefix = "finding-") {
	return [
		element("section", {},
			element("p", {class: "big"}, check_verdict(check)),
			check.trust.reasons.length > 0 && element("div", {class: "care", role: "note"}, check.trust.reasons.map(reason => element("p", {}, reason))),
			check.suppressed > 0 && element("p", {class: "faint"}, filled("Suppressed: $1.", counted(check.suppressed, "finding"))),
			check.findings.length > 1 && element("ol", {}, check.findings.map((finding, i) => element("li", {},
				link(prefix + (i + 1), `${finding.name} (${translated(finding.severity)})`))))),
		...check.findings.map((finding, i) => finding_article(finding, i + 1, prefix)),
		check.notes.length > 0 && element("section", {}, element("h2", {}, translated("Notes")), element("ul", {}, check.notes.map(note => element("li", {}, note)))),
	];
}
