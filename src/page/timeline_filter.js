// Which calls of the timeline are shown (filters) and which stand out (search).

import {argument_words} from "./timeline_words.js";
import {first_behind} from "./timeline_data.js";

// A name that is one is meant exactly; otherwise it is a part of names.
function name_test(timeline, name) {
	const wanted = name.trim().toLowerCase();
	if (!wanted)
		return null;
	const classes = timeline.classes ? timeline.classes.names : [];
	return [...timeline.sites, ...classes].some(site => site.call.toLowerCase() === wanted) ? site => site.call.toLowerCase() === wanted :
		site => site.call.toLowerCase().includes(wanted);
}

// Which calls a filter leaves: by site, and by communicator, -1 being all of them. null: it leaves all. `choice` has `kind`, `call` and `comm`, the latter an identity.
export function filter_calls(timeline, choice) {
	const by_name = name_test(timeline, choice.call), comm = choice.comm ? timeline.comms.findIndex(one => one.id === choice.comm) : -1;
	if (!choice.kind && !by_name && !choice.comm)
		return null;
	return {sites: timeline.sites.map(site => (!choice.kind || site.kind === choice.kind) && (!by_name || by_name(site))), comm, is_nobody: Boolean(choice.comm) && comm < 0};
}

// The classes of calls of a summary that are left. The first one is of all calls that it cannot tell apart.
export function classes_left(classes, timeline, choice) {
	const by_name = name_test(timeline, choice.call), comm = choice.comm ? timeline.comms.findIndex(one => one.id === choice.comm) : -1;
	return classes.names.map(one => Boolean(one.call) && (!choice.kind || one.kind === choice.kind) && (!by_name || by_name(one)) && (!choice.comm || comm >= 0 && one.comm === comm));
}

export function is_left(filter, calls, i) {
	return !filter || filter.sites[calls.site[i]] && !filter.is_nobody && (filter.comm < 0 || calls.comm[i] === filter.comm);
}

// A message is shown with the call that sent it and with that which received it.
export function is_message_left(filter, timeline, message) {
	if (!filter || message.call >= 0 && is_left(filter, timeline.calls[message.to], message.call))
		return true;
	return filter.sites[message.site] && !filter.is_nobody && (filter.comm < 0 || timeline.sites[message.site].comm === filter.comm);
}

// Sites that have these words in call, place or arguments; null: all.
export function choose_sites(timeline, words) {
	const wanted = words.trim().toLowerCase();
	return wanted ? timeline.sites.map(site => [site.call, site.place, argument_words(site, timeline.comms).replaceAll("\u00a0", " ")].join(" ").toLowerCase().includes(wanted)) : null;
}

// The next call of the chosen sites behind the middle of what is shown, in any row that is shown.
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
