// The legend of the timeline's colours. On the timeline itself, a click on an entry hides that part of the time.

import {element} from "./dom.js";
import {filled, translated} from "./words.js";
import {PART_NAMES} from "./timeline_data.js";
import {KIND_NAMES} from "./timeline_words.js";

const swatch = part => element("span", {class: "swatch fill " + part, "aria-hidden": "true"});

// Parts that occur in the run, computing first.
const parts_in = timeline => ["compute", ...PART_NAMES.filter((_, part) => timeline.whole_bins.rows.some(sums => sums[sums.length - PART_NAMES.length + part] > 0))];

export function legend(timeline) {
	return element("ul", {class: "legend"}, parts_in(timeline).map(part => element("li", {}, swatch(part), translated(KIND_NAMES[part]))));
}

// `hidden` has the names of hidden parts; `toggle` is called with one of them.
export function legend_with_buttons(timeline, hidden, toggle) {
	return element("ul", {class: "legend"}, parts_in(timeline).map(part => element("li", {}, element("button", {class: "legend-key", "aria-pressed": String(!hidden.has(part)),
		title: filled(hidden.has(part) ? "show: $1" : "hide: $1", translated(KIND_NAMES[part])), onclick: () => toggle(part)}, swatch(part), translated(KIND_NAMES[part])))));
}
