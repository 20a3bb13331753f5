// The description of a call of the timeline: its arguments, place and time.

import {bytes, counted, percent, seconds} from "./format.js";
import {messages_of, PART_NAMES} from "./timeline_data.js";
import {filled, translated} from "./words.js";

export const KIND_NAMES = {compute: "computing", p2p: "point to point", collective: "collective", rma: "one-sided", io: "files", other: "other calls", wait: "waiting",
	no_cpu: "ready without a CPU", blocked: "blocked in the kernel, or in a call that never returned", unrecorded: "not recorded"};
// Arguments of a few calls, by their names in traces.
const OTHER_NAMES = {offset: "offset $1", region: "region $1", level: "level $1", color: "color $1", key: "key $1", port: "port $1", program: "program $1", partition: "partition $1",
	param: "argument $1", value: "value $1", text: "text $1", real: "value $1"};
const SPECIAL_RANKS = {any: "any rank", null: "MPI_PROC_NULL", root: "MPI_ROOT"};

const rank_words = rank => (typeof rank === "number" ? filled("rank $1", rank) : translated(SPECIAL_RANKS[rank] || rank));

// Names need not be unique: equal names are distinguished by their identities.
export function comm_words(comms, number) {
	const {id, name, size} = comms[number];
	const is_only = name && comms.filter(other => other.name === name).length === 1;
	return is_only ? name : `${name || counted(size, "rank")} (${id})`;
}

function other_words(others) {
	return Array.from({length: (others || []).length / 2}, (_, i) => filled(OTHER_NAMES[others[2 * i]] || "$1", others[2 * i + 1])).join(", ");
}

export function argument_words(site, comms) {
	return [
		site.to !== undefined && filled("to $1", rank_words(site.to)),
		site.from !== undefined && filled("from $1", rank_words(site.from)),
		site.target !== undefined && filled("target $1", rank_words(site.target)),
		site.root !== undefined && filled("root $1", rank_words(site.root)),
		site.sent !== undefined && (site.received === undefined ? bytes(site.sent) : filled("$1 sent", bytes(site.sent))),
		site.received !== undefined && (site.sent === undefined ? bytes(site.received) : filled("$1 received", bytes(site.received))),
		site.tag !== undefined && filled("tag $1", site.tag),
		site.comm !== undefined && filled("communicator $1", comm_words(comms, site.comm)),
		site.done && filled("$1 completed", counted(site.done, "request")),
		other_words(site.others),
	].filter(Boolean).join(", ");
}

const MESSAGES_NAMED = 4;

// For MPI_Wait and similar calls, whose arguments do not say it.
function received_words(timeline, row, i) {
	const site = timeline.sites[timeline.calls[row].site[i]];
	const messages = site.from === undefined ? messages_of(timeline, row, i) : [];
	const named = messages.slice(0, MESSAGES_NAMED).map(message => {
		const sent = timeline.sites[message.site];
		return [filled("$1 from $2", bytes(message.bytes), timeline.rows[message.from].name), sent.tag !== undefined && filled("tag $1", sent.tag),
			sent.comm !== undefined && filled("communicator $1", comm_words(timeline.comms, sent.comm))].filter(Boolean).join(", ");
	});
	const more = messages.length > named.length ? filled("; and $1 more", counted(messages.length - named.length, "message")) : "";
	return named.length ? filled("received $1", named.join("; ") + more) : "";
}

export function describe_call(timeline, row, i) {
	const calls = timeline.calls[row], site = timeline.sites[calls.site[i]], length = calls.end[i] - calls.start[i];
	return [`${timeline.rows[row].name}: ${site.call}`, site.place, argument_words(site, timeline.comms), received_words(timeline, row, i),
		filled("at $1 for $2", seconds(calls.start[i]), seconds(length)),
		calls.wait[i] > 0 ? filled("$1 waiting ($2)", seconds(calls.wait[i]), percent(calls.wait[i] / length)) : "",
		calls.inside && calls.inside[i] > 0 ? filled("$1 of it without a CPU", seconds(Math.min(calls.inside[i], length))) : "",
		calls.other && calls.other[i] > 0 ? filled("$1 of the wait for a rank without a CPU", seconds(calls.other[i])) : "",
		calls.before && calls.before[i] > 0 ? filled("before it $1 without a CPU", seconds(calls.before[i])) : "",
		calls.before && calls.blocked[i] > 0 ? filled("before it $1 blocked in the kernel", seconds(calls.blocked[i])) : ""].filter(Boolean).join(" · ");
}

// Shares of the whole run: computing first, then each part of a bin.
export function shares_of(timeline, row) {
	const shares = PART_NAMES.map((_, part) => row.members.reduce((sum, member) => sum + (timeline.rows[member].shares[part] || 0) / 1000 / row.members.length, 0));
	return [["compute", Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0))], ...PART_NAMES.map((name, part) => [name, shares[part]])];
}

// A row of several ranks has no single calls but shares of its time.
export function describe_shares(timeline, row) {
	const named = shares_of(timeline, row).filter(([name, share]) => name === "compute" || share >= 0.001);
	return filled("$1, whole run: $2", row.title, named.map(([name, share]) => `${translated(KIND_NAMES[name])} ${percent(share)}`).join(", "));
}
