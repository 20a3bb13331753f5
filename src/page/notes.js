// Gaps in the trace, corrections, and limits of the analysis.

import {element} from "./dom.js";
import {ranks_in_words, seconds} from "./format.js";
import {moment_fragment, place_link} from "./places.js";
import {PART_NAMES} from "./timeline_data.js";
import {filled, translated} from "./words.js";

// From the start of an open call to the end of the run.
function open_fragment(call, timeline) {
	const row = timeline.rows.findIndex(one => one.rank === call.rank && (one.thread || 0) === call.thread), blocked = row >= 0 && (timeline.states[row] || []).find(one => PART_NAMES[one.part] === "blocked");
	return blocked ? moment_fragment({rank: call.rank, start_s: blocked.from, end_s: blocked.to}) : "timeline/rank=" + call.rank;
}

export function notes_view(report, timeline) {
	return [
		element("section", {}, element("h2", {}, translated("Notes")),
			report.notes.length ? element("ul", {}, report.notes.map(note => element("li", {}, note))) : element("p", {}, translated("None."))),
		report.open_calls && report.open_calls.length > 0 && element("section", {}, element("h2", {}, translated("Calls that did not end")),
			element("ul", {}, report.open_calls.map(call => element("li", {},
				place_link(timeline && call.rank !== null && open_fragment(call, timeline), `${filled("rank $1", call.rank)}: ${call.call}`, call.file ? ` ${call.file}:${call.line}` : ""),
				call.seconds === undefined ? "" : ", " + filled("for $1", seconds(call.seconds)),
				call.waits_for && call.waits_for.length ? ", " + filled("page|waits for $1", ranks_in_words(call.waits_for)) : "")))),
	];
}
