// How far a report can be relied on.

import {element} from "./dom.js";
import {translated} from "./words.js";

// The reasons why a report, or one of two compared runs, cannot be relied on in full; null if it can.
export function trust_notes(trust, run = null) {
	if (!trust || trust.verdict === "full")
		return null;
	return element("div", {class: "care " + trust.verdict, role: "note"},
		trust.reasons.map(reason => element("p", {}, element("strong", {}, run && translated(run) + ": ", reason.text + ". "), reason.detail)));
}
