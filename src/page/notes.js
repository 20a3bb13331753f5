// What the trace lacks, what was corrected, what the analysis left out.

import {element} from "./dom.js";
import {seconds} from "./format.js";

export function notes_view(report) {
	return [
		element("section", {}, element("h2", {}, "Notes"),
			report.notes.length ? element("ul", {}, report.notes.map(note => element("li", {}, note))) : element("p", {}, "None.")),
		report.open_calls && report.open_calls.length > 0 && element("section", {}, element("h2", {}, "Calls that did not end"),
			element("ul", {}, report.open_calls.map(call => element("li", {},
				`rank ${call.rank}: ${call.call}`, call.file ? ` ${call.file}:${call.line}` : "",
				call.seconds === undefined ? "" : `, for ${seconds(call.seconds)}`,
				call.waits_for && call.waits_for.length ? `, waits for rank ${call.waits_for.join(", ")}` : "")))),
	];
}
