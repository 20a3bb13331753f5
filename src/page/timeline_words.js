// What is said of a call of the timeline: its arguments, its place and its time.

import {bytes, counted, percent, seconds} from "./format.js";
import {messages_of} from "./timeline_data.js";
import {filled, translated} from "./words.js";

export const KIND_NAMES = {compute: "computing", p2p: "point to point", collective: "collective", rma: "one-sided", io: "files", other: "other calls", wait: "waiting"};
const SPECIAL_RANKS = {any: "any rank", null: "MPI_PROC_NULL", root: "MPI_ROOT"};

const rank_words = rank => (typeof rank === "number" ? filled("rank $1", rank) : translated(SPECIAL_RANKS[rank] || rank));

// Names need not be unique: where two have the same, their identities tell them apart.
export function comm_words(comms, number) {
	const {id, name, size} = comms[number];
	const is_only = name && comms.filter(other => other.name === name).length === 1;
	return is_only ? name : `${name || counted(size, "rank")} (${id})`;
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
		site.others,
	].filter(Boolean).join(", ");
}

const MESSAGES_NAMED = 4;

// Of MPI_Wait and its like, whose arguments do not say it.
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
		calls.wait[i] > 0 ? filled("$1 waiting ($2)", seconds(calls.wait[i]), percent(calls.wait[i] / length)) : ""].filter(Boolean).join(" · ");
}

// A row of several ranks has no single calls: parts of its time.
export function describe_shares(timeline, row) {
	const shares = row.members.reduce((sums, member) => sums.map((sum, kind) => sum + timeline.rows[member].shares[kind] / 1000 / row.members.length), [0, 0, 0, 0, 0, 0]);
	const named = ["p2p", "collective", "rma", "io", "other", "wait"].map((kind, i) => [KIND_NAMES[kind], shares[i]]).filter(([, share]) => share >= 0.001);
	const computing = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
	return filled("$1, whole run: $2", row.title, [[KIND_NAMES.compute, computing], ...named].map(([name, share]) => `${translated(name)} ${percent(share)}`).join(", "));
}
