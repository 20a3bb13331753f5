// Traffic and waiting between ranks, by distance and by message size, and the traffic of collective operations.

import {element, table} from "./dom.js";
import {bytes, count, counted, percent, seconds} from "./format.js";
import {bar, columns, matrix} from "./plots.js";
import {filled, translated} from "./words.js";

// Positions of the numbers of a cell after its row and column.
const CELL = {messages: 2, bytes: 3, collective_bytes: 4, wait_ns: 5, numbers: 6};

const QUANTITIES = [
	{name: "Bytes", of: (cells, i) => cells[i + CELL.bytes] + cells[i + CELL.collective_bytes], unit: bytes,
		words: "Rows send, columns receive. Bytes of collective operations are their logical flow, not the library's algorithm."},
	{name: "Messages", of: (cells, i) => cells[i + CELL.messages], unit: count, words: "Rows send, columns receive."},
	{name: "Wait", of: (cells, i) => cells[i + CELL.wait_ns] / 1e9, unit: seconds, kind: "wait", rows: "is late", columns: "waits", words: "Columns wait, rows are late."},
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

// The rows: ranks or nodes; several ranks may share one.
function groupings(communication) {
	const ranks = unpack_ranks(communication.ranks);
	const between = (data, row, name) => {
		const first = row * data.block, last = Math.min(first + data.block, data.groups) - 1;
		return first === last ? name(first) : name(first) + " – " + name(last);
	};
	const rank_name = i => filled("rank $1", ranks[i]), node_name = i => communication.nodes[i] || filled("node $1", i);
	return [
		{name: "Ranks", data: communication.by_rank, label: row => between(communication.by_rank, row, rank_name)},
		communication.by_node && {name: "Nodes", data: communication.by_node, label: row => between(communication.by_node, row, node_name)},
	].filter(Boolean);
}

function matrix_of(grouping, quantity) {
	const cells = matrix_cells(grouping.data.cells, quantity), {block} = grouping.data;
	if (!cells.length)
		return [element("p", {}, translated("Nothing to show."))];
	return [
		matrix(translated("Who sends to whom") + ": " + translated(quantity.name), grouping.data.side, cells, {
			label: grouping.label, unit: quantity.unit, kind: quantity.kind || "p2p", rows_name: translated(quantity.rows || "sends"), columns_name: translated(quantity.columns || "receives"),
			describe: (row, column, cell) => `${grouping.label(row)} → ${grouping.label(column)}: ${cell ? quantity.unit(cell[2]) : translated("nothing")}`}),
		element("p", {class: "faint"}, translated(quantity.words),
			block > 1 && " " + filled("Each cell is the sum of $1 × $2 pairs: there are too many for one each.", block, block))];
}

function chooser(label, choices, choose, chosen = 0) {
	return element("label", {}, translated(label) + " ", element("select", {onchange: event => choose(choices[event.target.value])},
		choices.map((choice, i) => element("option", {value: i, selected: i === chosen}, translated(choice.name)))));
}

const RANKS_BY_NODE = 64;

function matrix_section(communication) {
	const holder = element("div", {}), grouped = groupings(communication);
	const quantities = QUANTITIES.filter((quantity, i) => !i || matrix_cells(communication.by_rank.cells, quantity).length);
	// Many ranks are hard to read one by one: their nodes come first.
	const is_large = communication.processes >= RANKS_BY_NODE && grouped.length > 1;
	const chosen = {quantity: quantities[0], grouping: grouped[is_large ? 1 : 0]};
	const show = choice => holder.replaceChildren(...matrix_of(Object.assign(chosen, choice).grouping, chosen.quantity));
	show({});
	return element("section", {}, element("h2", {}, translated("Who sends to whom")),
		element("div", {class: "tools"}, chooser("Show", quantities, quantity => show({quantity})),
			grouped.length > 1 && chooser("by", grouped, grouping => show({grouping}), grouped.indexOf(chosen.grouping))),
		holder,
		!communication.has_collectives && element("p", {class: "faint"}, translated("Collective operations are omitted: there are too many processes.")),
		communication.wait_left_out_s > 0 && element("p", {class: "faint"},
			filled("$1 of waiting between other pairs is omitted.", seconds(communication.wait_left_out_s))));
}

const DISTANCES = {node: "Within a node", network: "Between nodes"};

function distance_section(communication) {
	const all = row => row.bytes + row.collective_bytes;
	const sum = of => communication.distances.reduce((total, row) => total + of(row), 0);
	const share = (row, of, kind) => (of(row) > 0 ? [bar(of(row) / sum(of), kind), " ", percent(of(row) / sum(of))] : "");
	return element("section", {}, element("h2", {}, translated("By distance on the machine")),
		communication.node_count < 2 ? element("p", {}, translated("According to the trace, all processes ran on one node.")) :
			table(translated("By distance on the machine"), [{title: "", words: true}, {title: translated("Pairs")}, {title: translated("Messages")},
				{title: translated("Bytes")}, {title: translated("Share")}, {title: translated("Wait")}, {title: translated("Share")}],
			communication.distances.map(row => [translated(DISTANCES[row.distance]), count(row.pairs), count(row.messages), bytes(all(row)),
				share(row, all, "p2p"), seconds(row.wait_s), share(row, one => one.wait_s, "wait")])));
}

function pairs_table(title, pairs, several_nodes) {
	const rank = value => (value === null ? "?" : value);
	return pairs.length > 0 && element("div", {}, element("h3", {}, translated(title)),
		table(translated(title), [{title: translated("From rank")}, {title: translated("To rank")}, {title: translated("Messages")}, {title: translated("Bytes")},
			{title: translated("Wait")}, several_nodes && {title: translated("Distance"), words: true}].filter(Boolean),
		pairs.map(pair => [rank(pair.from), rank(pair.to), count(pair.messages), bytes(pair.bytes + pair.collective_bytes), seconds(pair.wait_s),
			several_nodes && translated(DISTANCES[pair.distance])].filter(cell => cell !== false))));
}

function pairs_section(communication) {
	const waits = communication.most_waits.filter(pair => pair.wait_s > 0), several = communication.node_count > 1;
	return element("section", {}, element("h2", {}, translated("Pairs")), element("div", {class: "side-by-side wide"},
		pairs_table("The most data", communication.most_bytes.filter(pair => pair.bytes + pair.collective_bytes > 0), several),
		pairs_table("The longest waits", waits, several)));
}

function sizes_section(summary) {
	return element("section", {}, element("h2", {}, translated("Message sizes")),
		columns(translated("messages by size"), summary.message_sizes.map(bin => ({label: bytes(bin.from_bytes), value: bin.messages,
			title: filled("$1 to $2: $3, $4", bytes(bin.from_bytes), bytes(bin.to_bytes), counted(bin.messages, "message"), bytes(bin.bytes))})),
		{unit: count, kind: "p2p"}));
}

function collectives_section(summary) {
	return element("section", {}, element("h2", {}, translated("Collective operations")),
		table(translated("Collective operations"), [{title: translated("Function"), words: true}, {title: translated("Times")}, {title: translated("Bytes")}],
			summary.collective_sizes.map(row => [row.call, count(row.calls), bytes(row.bytes)])));
}

export function communication_view(summary, communication) {
	if (!summary || !communication)
		return [element("p", {}, translated("This report has no profile."))];
	const exchanged = communication.by_rank.cells.length > 0;
	return [
		exchanged ? matrix_section(communication) : element("p", {}, translated("The processes exchanged no messages.")),
		exchanged && distance_section(communication),
		exchanged && pairs_section(communication),
		summary.message_sizes.length > 0 && sizes_section(summary),
		summary.collective_sizes.length > 0 && collectives_section(summary),
	];
}
