// When iterations were, and how long ranks waited in each: from the data of the timeline, in the groups of the report.

// "halo.c:42 (exchange)" of reports is "halo.c:42 exchange (inlined)" of timelines.
export function is_at(site, call) {
	const line = call.place.replace(/ \(.*$/, "");
	return site.call === call.call && (site.place === line || site.place.startsWith(line + " "));
}

// The part of the timeline with a group of iterations, numbered from 0: "from=1&to=2". null: not known.
export function iteration_window(timeline, group) {
	const [from, to] = timeline && timeline.iterations ? timeline.iterations.groups.slice(2 * group, 2 * group + 2) : [];
	return from < to ? `from=${(from / 1e9).toFixed(9)}&to=${(to / 1e9).toFixed(9)}` : null;
}

// Seconds that all ranks waited in a call, by groups of iterations. null: unknown, or there is only one.
export function waits_by_iteration(timeline, call) {
	if (!timeline || !timeline.iterations || timeline.iterations.groups.length <= 2)
		return null;
	const waits = new Array(timeline.iterations.groups.length / 2).fill(0);
	for (const place of timeline.iterations.places.filter(one => is_at(one, call)))
		place.waits.forEach((wait, group) => {
			waits[group] += wait / 1e9;
		});
	return waits.some(wait => wait > 0) ? waits : null;
}
