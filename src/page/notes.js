// Gaps in the trace, corrections, and limits of the analysis.

import {element} from "./dom.js";
import {ranks_in_words, seconds} from "./format.js";
import {filled, translated} from "./words.js";

export function notes_view(report) {
	return [
		element("section", {}, element("h2", {}, translated("Notes")),
			report.notes.length ? element("ul", {}, report.notes.map(note => element("li", {}, note))) : element("p", {}, translated("None."))),
		report.open_calls && report.open_calls.length > 0 && element("section", {}, element("h2", {}, translated("Calls that did not end")),
			element("ul", {}, report.open_calls.map(call => element("li", {},
				`${filled("rank $1", call.rank)}: ${call.call}`, call.file ? ` ${call.file}:${call.line}` : "",
				call.seconds === undefined ? "" : ", " + filled("for $1", seconds(call.seconds)),
				call.waits_for && call.waits_for.length ? ", " + filled("page|waits for $1", ranks_in_words(call.waits_for)) : "")))),
	];
}
