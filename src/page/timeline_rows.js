// The rows of the timeline: the chosen ranks, single or folded by node or by behaviour.
//
// A shown row has `members`, the numbers of one or more folded rows of the data. Ranks are alike if their time shares of every kind of call, of waiting and of
// computation differ by at most ALIKE from those of the first rank of the group. The allowed difference is doubled until there are at most GROUPS_MAX groups,
// so the cost is ranks times groups.

import {counted, number_runs} from "./format.js";
import {WAIT} from "./timeline_data.js";

const ALIKE = 50; // thousandths of the time
const GROUPS_MAX = 64;
const RANK_MAX = 1e9;

// "0-7,12" as ranges; [] for an empty text, null if it is invalid.
export function parse_ranks(text) {
	const ranges = [];
	for (const word of text.split(",").map(one => one.trim()).filter(Boolean)) {
		const found = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(word);
		const from = found && Number(found[1]), to = found && (found[2] === undefined ? from : Number(found[2]));
		if (!found || to < from || to > RANK_MAX)
			return null;
		ranges.push([from, to]);
	}
	return ranges;
}

// A row of the data may already contain several neighbouring ranks.
function is_chosen_rank(row, ranges) {
	const last = row.last_rank ?? row.rank;
	return !ranges.length || ranges.some(([from, to]) => from <= last && row.rank <= to);
}

function differ(shares, others) {
	let max = 0, computing = 0;
	for (let kind = 0; kind < shares.length; kind++) {
		max = Math.max(max, Math.abs(shares[kind] - others[kind]));
		computing += others[kind] - shares[kind];
	}
	return Math.max(max, Math.abs(computing));
}

// Groups with at most this difference; null: too many groups.
function group_alike(rows, numbers, allowed) {
	const groups = [];
	for (const number of numbers) {
		let group = groups.find(one => differ(rows[one[0]].shares, rows[number].shares) <= allowed);
		if (!group) {
			if (groups.length === GROUPS_MAX)
				return null;
			groups.push(group = []);
		}
		group.push(number);
	}
	return groups;
}

export function fold_by_behaviour(rows, numbers) {
	for (let allowed = ALIKE;; allowed *= 2) {
		const groups = group_alike(rows, numbers, allowed);
		if (groups)
			return groups;
	}
}

export function fold_by_node(rows, numbers) {
	const groups = new Map();
	for (const number of numbers) {
		if (!groups.has(rows[number].node))
			groups.set(rows[number].node, []);
		groups.get(rows[number].node).push(number);
	}
	return [...groups.values()];
}

const FOLDS = {node: fold_by_node, behaviour: fold_by_behaviour};

// "2 ranks" counts ranks, not rows of the data.
function count_ranks(timeline, members) {
	return members.reduce((sum, member) => sum + (timeline.rows[member].threads || 1), 0);
}

function single_row(timeline, number, group) {
	const row = timeline.rows[number];
	return {name: row.name, title: row.name, members: [number], group};
}

// "0–6, 9, …"
function rank_words_of(timeline, members) {
	const ranks = members.flatMap(member => {
		const {rank, last_rank = rank} = timeline.rows[member];
		return Array.from({length: last_rank - rank + 1}, (_, i) => rank + i);
	});
	return number_runs([...new Set(ranks)].sort((a, b) => a - b)).replace(/ \(\d+\)$/, "");
}

function folded_row(timeline, members, fold, group, is_open) {
	const node = fold === "node" ? (timeline.nodes || [])[timeline.rows[members[0]].node] : "";
	const who = counted(count_ranks(timeline, members), members.some(member => timeline.rows[member].thread) ? "thread" : "rank");
	return {name: `${is_open ? "▾" : "▸"} ${node || who}`, title: (node ? node + ": " : "") + `${who} (${rank_words_of(timeline, members)})`,
		members, group, is_folded: true, is_open};
}

// Each row after the one that it resembles most, among those that are left.
function by_similarity(rows, numbers) {
	const left = [...numbers], sorted = left.splice(0, 1);
	while (left.length) {
		const last = rows[sorted[sorted.length - 1]].shares;
		let best = 0, min = Infinity;
		left.forEach((number, i) => {
			const difference = differ(rows[number].shares, last);
			if (difference < min)
				[best, min] = [i, difference];
		});
		sorted.push(...left.splice(best, 1));
	}
	return sorted;
}

const stable = (numbers, value) => [...numbers].sort((a, b) => value(a) - value(b) || a - b);
const SORTS = {
	wait: (rows, numbers) => stable(numbers, number => -rows[number].shares[WAIT]),
	node: (rows, numbers) => stable(numbers, number => rows[number].node),
	similar: by_similarity,
};

// `choice` has `ranks` (ranges), `fold` ("", "node", "behaviour"), `open`, a set with the first rank of each unfolded group, and `sort` ("rank", "wait", "node",
// "similar"). Groups are in the order of their first rows.
export function choose_rows(timeline, choice) {
	const chosen = timeline.rows.map((_, i) => i).filter(i => is_chosen_rank(timeline.rows[i], choice.ranks));
	const numbers = SORTS[choice.sort] ? SORTS[choice.sort](timeline.rows, chosen) : chosen;
	if (!FOLDS[choice.fold])
		return numbers.map(number => single_row(timeline, number, null));
	return FOLDS[choice.fold](timeline.rows, numbers).flatMap(members => {
		const group = Math.min(...members), is_open = choice.open.has(group);
		if (members.length === 1)
			return [single_row(timeline, group, null)];
		return [folded_row(timeline, members, choice.fold, group, is_open), ...(is_open ? members.map(number => single_row(timeline, number, group)) : [])];
	});
}

// As many rows as fit; neighbours are folded.
export function few_rows(timeline, max) {
	const step = Math.ceil(timeline.rows.length / max), shown = [];
	for (let i = 0; i < timeline.rows.length; i += step)
		shown.push({...single_row(timeline, i, null), members: timeline.rows.slice(i, i + step).map((_, j) => i + j)});
	return shown;
}

// The position of a row of the data: its own, or its group's. -1: not shown.
export function places_of(timeline, shown) {
	const places = new Int32Array(timeline.rows.length).fill(-1);
	shown.forEach((row, place) => row.members.forEach(member => {
		places[member] = place;
	}));
	return places;
}
