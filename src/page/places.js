// Places and moments of a report lead into the timeline.

import {element, link} from "./dom.js";
import {place_of} from "./format.js";

// A call or a computation of a rank, with half of its length before and after it; from an earlier time on if something began before it.
export function moment_fragment({rank, start_s, end_s}, from_s = start_s) {
	const length = Math.max(end_s - start_s, 1e-6);
	return `timeline/from=${Math.max(0, from_s - length / 2).toFixed(9)}&to=${(end_s + length / 2).toFixed(9)}` + (rank === null || rank === undefined ? "" : `&rank=${rank}`);
}

// All calls of a place stand out. Inlined functions are written in parentheses only in reports.
export const found_fragment = words => "timeline/find=" + encodeURIComponent(words.replace(/ \(.*$/, ""));
export const calls_fragment = call => found_fragment(`${call.call} ${place_of(call)}`);

// Words that lead to a part of the timeline, or only the words if `fragment` is false.
export function place_link(fragment, ...words) {
	return fragment ? link(fragment, ...words) : words;
}

export function place_code(fragment, words) {
	return place_link(fragment, element("code", {}, words));
}
