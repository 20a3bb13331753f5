// Filters (which calls of the timeline are shown) and search (which calls are highlighted).

import {argument_words} from "./timeline_words.js";
import {first_behind} from "./timeline_data.js";

// A complete name matches exactly, any other text as a part of names.
function name_test(timeline, name) {
	const wanted = name.trim().toLowerCase();
	if (!wanted)
		return null;
	const classes = timeline.classes ? timeline.classes.names : [];
	return [...timeline.sites, ...classes].some(site => site.call.toLowerCase() === wanted) ? site => site.call.toLowerCase() === wanted :
		site => site.call.toLowerCase().includes(wanted);
}

// The calls that pass a filter, by site and by communicator (-1: all). null: all calls pass. `choice` has `kind`, `call` and `comm` (an identity).
export function filter_calls(timeline, choice) {
	const by_name = name_test(timeline, choice.call), comm = choice.comm ? timeline.comms.findIndex(one => one.id === choice.comm) : -1;
	if (!choice.kind && !by_name && !choice.comm)
		return null;
	return {sites: timeline.sites.map(site => (!choice.kind || site.kind === choice.kind) && (!by_name || by_name(site))), comm, is_nobody: Boolean(choice.comm) && comm < 0};
}

// The classes of a summary that pass. The first class contains all calls that the summary cannot distinguish.
export function classes_left(classes, timeline, choice) {
	const by_name = name_test(timeline, choice.call), comm = choice.comm ? timeline.comms.findIndex(one => one.id === choice.comm) : -1;
	return classes.names.map(one => Boolean(one.call) && (!choice.kind || one.kind === choice.kind) && (!by_name || by_name(one)) && (!choice.comm || comm >= 0 && one.comm === comm));
}

export function is_left(filter, calls, i) {
	return !filter || filter.sites[calls.site[i]] && !filter.is_nobody && (filter.comm < 0 || calls.comm[i] === filter.comm);
}

// A message is shown with the sending and with the receiving call.
export function is_message_left(filter, timeline, message) {
	if (!filter || message.call >= 0 && is_left(filter, timeline.calls[message.to], message.call))
		return true;
	return filter.sites[message.site] && !filter.is_nobody && (filter.comm < 0 || timeline.sites[message.site].comm === filter.comm);
}

// Sites that contain these words in call, place, arguments or callers; null: all.
export function choose_sites(timeline, words) {
	const wanted = words.trim().toLowerCase(), callers = site => (site.path || []).map(frame => timeline.frames[frame]);
	return wanted ? timeline.sites.map(site => [site.call, site.place, argument_words(site, timeline.comms).replaceAll("\u00a0", " "), ...callers(site)].join(" ").toLowerCase().includes(wanted)) : null;
}

// True if functions with this name are among the classes of the summary.
export function is_found_in_summary(timeline, words) {
	const wanted = words.trim().toLowerCase();
	return Boolean(timeline.whole_classes) && timeline.whole_classes.names.some(one => one.call.toLowerCase().includes(wanted));
}

// The next call of the chosen sites after the middle of the window, in any visible row.
export function next_chosen(view) {
	const after = (view.from + view.to) / 2;
	let best = null;
	view.timeline.calls.forEach((calls, row) => {
		for (let i = view.places[row] < 0 ? calls.start.length : first_behind(calls, after); i < calls.start.length; i++) {
			if (view.chosen && !view.chosen[calls.site[i]] || !is_left(view.filter, calls, i) || calls.start[i] <= after)
				continue;
			if (!best || calls.start[i] < best.start)
				best = {row, i, start: calls.start[i]};
			break;
		}
	});
	return best;
}
