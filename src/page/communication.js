// Traffic and waiting between ranks, in the whole run and in each region, by distance and by message size; and collective operations by communicator.

import {element, table} from "./dom.js";
import {bin_label, bytes, count, counted, percent, region_words, seconds} from "./format.js";
import {place_link} from "./places.js";
import {bar, columns, matrix} from "./plots.js";
import {sortable_table} from "./tables.js";
import {filled, translated} from "./words.js";

// Positions of the numbers of a cell after its row and column.
const CELL = {messages: 2, bytes: 3, collective_bytes: 4, wait_ns: 5, numbers: 6};

const QUANTITIES = [
	{name: "Bytes", of: (cells, i) => cells[i + CELL.bytes] + cells[i + CELL.collective_bytes], unit: bytes,
		words: "Rows send, columns receive. Bytes of collective operations are their logical flow, not the library's algorithm."},
	{name: "Messages", of: (cells, i) => cells[i + CELL.messages], unit: count, words: "Rows send, columns receive."},
	{name: "Wait", of: (cells, i) => cells[i + CELL.wait_ns] / 1e9, unit: seconds, kind: "wait", rows: "is late", columns: "waits", words: "Ranks in columns wait, ranks in rows are late."},
];

// [[row, column, value], …] without zeros.
export function matrix_cells(cells, quantity) {
	const found = [];
	for (let i = 0; i < cells.length; i += CELL.numbers)
		if (quantity.of(cells, i) > 0)
			found.push([cells[i], cells[i + 1], quantity.of(cells, i)]);
	return found;
}

// The rank of each process, from runs [first, length].
export function unpack_ranks(runs) {
	return runs.flatMap(([first, length]) => Array.from({length}, (_, i) => (first === null ? "?" : first + i)));
}

// The rows: ranks or nodes; several ranks may share one. `part` is the whole run or a region.
function groupings(communication, part) {
	const ranks = unpack_ranks(communication.ranks);
	const between = (data, row, name) => {
		const first = row * data.block, last = Math.min(first + data.block, data.groups) - 1;
		return first === last ? name(first) : name(first) + " – " + name(last);
	};
	const rank_name = i => filled("rank $1", ranks[i]), number = i => String(ranks[i]), node_name = i => communication.nodes[i] || filled("node $1", i);
	return [
		{name: "Ranks", data: part.by_rank, label: row => between(part.by_rank, row, rank_name), short_label: row => between(part.by_rank, row, number)},
		part.by_node && {name: "Nodes", data: part.by_node, label: row => between(part.by_node, row, node_name)},
	].filter(Boolean);
}

function matrix_of(grouping, quantity) {
	const cells = matrix_cells(grouping.data.cells, quantity), {block} = grouping.data;
	if (!cells.length)
		return [element("p", {}, translated("Nothing to show."))];
	return [
		matrix(translated("Who sends to whom") + ": " + translated(quantity.name), grouping.data.side, cells, {
			label: grouping.label, short_label: grouping.short_label, total: translated("total"), unit: quantity.unit, kind: quantity.kind || "p2p", rows_name: translated(quantity.rows || "sends"), columns_name: translated(quantity.columns || "receives"),
			describe: (row, column, cell) => `${grouping.label(row)} → ${grouping.label(column)}: ${cell ? quantity.unit(cell[2]) : translated("nothing")}`}),
		element("p", {class: "faint"}, translated(quantity.words),
			block > 1 && " " + filled("There are too many pairs to draw each of them: a cell is the sum of $1 × $2 pairs.", block, block))];
}

function chooser(label, choices, choose, chosen = 0) {
	return element("label", {}, translated(label) + " ", element("select", {onchange: event => choose(choices[event.target.value])},
		choices.map((choice, i) => element("option", {value: i, selected: i === chosen}, choice.written || translated(choice.name)))));
}

const RANKS_BY_NODE = 64;

const quantities_in = part => QUANTITIES.filter((quantity, i) => !i || matrix_cells(part.by_rank.cells, quantity).length);

// The matrix and the distances of the whole run or of a region.
function matrix_section(communication) {
	const holder = element("div", {}), distances = element("div", {}), tools = element("div", {class: "tools"});
	const parts = [{name: "the whole run", ...communication}, ...(communication.regions || []).map(region => ({...region, written: region_words(region.region)}))];
	// Many ranks are hard to read one by one: their nodes come first.
	const is_large = communication.processes >= RANKS_BY_NODE && communication.by_node;
	const chosen = {part: parts[0], quantity: QUANTITIES[0], grouping: is_large ? "Nodes" : "Ranks"};
	const show = choice => {
		const {part, quantity, grouping} = Object.assign(chosen, choice), grouped = groupings(communication, part), quantities = quantities_in(part);
		const shown = quantities.includes(quantity) ? quantity : quantities[0], rows = grouped.find(one => one.name === grouping) || grouped[0];
		tools.replaceChildren(...[chooser("Show", quantities, one => show({quantity: one}), quantities.indexOf(shown)),
			grouped.length > 1 && chooser("by", grouped, one => show({grouping: one.name}), grouped.indexOf(rows)),
			parts.length > 1 && chooser("during", parts, one => show({part: one}), parts.indexOf(part))].filter(Boolean));
		holder.replaceChildren(...matrix_of(rows, shown));
		distances.replaceChildren(...[distance_table(communication, part)].flat().filter(Boolean));
	};
	show({});
	return [element("section", {}, element("h2", {}, translated("Who sends to whom")), tools, holder,
		!communication.has_collectives && element("p", {class: "faint"}, translated("Collective operations are omitted: there are too many processes.")),
		communication.wait_left_out_s > 0 && element("p", {class: "faint"},
			filled("$1 of waiting between other pairs is omitted.", seconds(communication.wait_left_out_s)))),
	element("section", {}, element("h2", {}, translated("By distance on the machine")), distances)];
}

const DISTANCES = {core: "Within a core", numa: "Within a NUMA node", socket: "Within a socket", node: "Within a node", network: "Between nodes"};

const has_distances = communication => communication.distances.some(row => row.distance !== "node");

function distance_table(communication, part) {
	const all = row => row.bytes + row.collective_bytes, rows = part.distances;
	const sum = of => rows.reduce((total, row) => total + of(row), 0);
	const share = (row, of, kind) => (of(row) > 0 ? [bar(of(row) / sum(of), kind), " ", percent(of(row) / sum(of))] : "");
	if (!has_distances(communication))
		return element("p", {}, translated("All processes ran on one node. The trace does not say on which of its sockets."));
	return [table(translated("By distance on the machine"), [{title: "", words: true}, {title: translated("Pairs")}, {title: translated("Messages")},
		{title: translated("Bytes")}, {title: translated("Share")}, {title: translated("Wait")}, {title: translated("Share")}],
	rows.map(row => [translated(DISTANCES[row.distance]), count(row.pairs), count(row.messages), bytes(all(row)),
		share(row, all, "p2p"), seconds(row.wait_s), share(row, one => one.wait_s, "wait")])),
	rows.some(row => row.distance === "node") && element("p", {class: "faint"}, translated("“Within a node”: on several sockets, or the trace does not say on which."))];
}

// Both ranks alone on the timeline.
const pair_fragment = (from, to) => `timeline/ranks=${from},${to}`;

function pairs_table(title, pairs, has_distance, has_timeline) {
	const rank = value => (value === null ? "?" : value);
	const first = ({from, to}) => (has_timeline && from !== null && to !== null ? element("a", {href: "#" + pair_fragment(from, to), "aria-label": filled("ranks $1 and $2 on the timeline", from, to)}, from) : rank(from));
	return pairs.length > 0 && element("div", {}, element("h3", {}, translated(title)),
		table(translated(title), [{title: translated("From rank")}, {title: translated("To rank")}, {title: translated("Messages")}, {title: translated("Bytes")},
			{title: translated("Wait")}, has_distance && {title: translated("Distance"), words: true}].filter(Boolean),
		pairs.map(pair => [first(pair), rank(pair.to), count(pair.messages), bytes(pair.bytes + pair.collective_bytes), seconds(pair.wait_s),
			has_distance && translated(DISTANCES[pair.distance])].filter(cell => cell !== false))));
}

function pairs_section(communication, has_timeline) {
	const waits = communication.most_waits.filter(pair => pair.wait_s > 0), several = has_distances(communication);
	return element("section", {}, element("h2", {}, translated("Pairs")), element("div", {class: "side-by-side wide"},
		pairs_table("The most data", communication.most_bytes.filter(pair => pair.bytes + pair.collective_bytes > 0), several, has_timeline),
		pairs_table("The longest waits", waits, several, has_timeline)));
}

function sizes_section(summary) {
	return element("section", {}, element("h2", {}, translated("Message sizes")),
		columns(translated("messages by size"), summary.message_sizes.map(bin => ({label: bin_label(bin.from_bytes, bin.to_bytes && bin.to_bytes + 1, bytes), value: bin.messages,
			title: filled("$1 to $2: $3, $4", bytes(bin.from_bytes), bytes(bin.to_bytes), counted(bin.messages, "message"), bytes(bin.bytes))})),
		{unit: count, kind: "p2p"}));
}

// The ranks of a communicator, or of several of one kind.
const comm_of_row = row => [row.comm || translated("without a name"), " ", element("span", {class: "faint"}, row.comms > 1 ? filled("$1 of $2 each", count(row.comms), counted(row.size, "rank")) : counted(row.size, "rank"))];

// The calls of a communicator, if its name is that of no other one.
function collective_fragment(timeline, row) {
	const comms = row.comms === 1 ? timeline.comms.filter(comm => comm.name === row.comm) : [];
	return "timeline/call=" + encodeURIComponent(row.call) + (comms.length === 1 ? "&comm=" + comms[0].id : "");
}

function collectives_section(summary, rows, timeline) {
	const by_comm = rows && rows.length > 0;
	return element("section", {}, element("h2", {}, translated("Collective operations")),
		by_comm ? sortable_table(translated("Collective operations"), [
			{title: translated("Function"), words: true, ascending: true, value: row => row.call, show: row => place_link(timeline && collective_fragment(timeline, row), row.call)},
			{title: translated("Communicator"), words: true, ascending: true, value: row => row.comm, show: comm_of_row},
			{title: translated("Times"), value: row => row.calls, show: row => count(row.calls)},
			{title: translated("Bytes"), value: row => row.bytes, show: row => bytes(row.bytes)},
			{title: translated("Time"), value: row => row.total_s, show: row => seconds(row.total_s)}], rows, 4) :
			table(translated("Collective operations"), [{title: translated("Function"), words: true}, {title: translated("Times")}, {title: translated("Bytes")}],
				summary.collective_sizes.map(row => [row.call, count(row.calls), bytes(row.bytes)])));
}

export function communication_view(summary, communication, timeline = null) {
	if (!summary || !communication)
		return [element("p", {}, translated("This report has no profile."))];
	const exchanged = communication.by_rank.cells.length > 0;
	return [
		...(exchanged ? matrix_section(communication) : [element("p", {}, translated("The processes exchanged no messages."))]),
		exchanged && pairs_section(communication, Boolean(timeline)),
		summary.message_sizes.length > 0 && sizes_section(summary),
		(summary.collective_sizes.length > 0 || (communication.collectives || []).length > 0) && collectives_section(summary, communication.collectives, timeline),
	];
}
