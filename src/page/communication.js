// Who exchanged how much with whom, in which sizes, and what collective operations moved.

import {element, table} from "./dom.js";
import {bytes, count} from "./format.js";
import {columns, matrix} from "./plots.js";
import {translated} from "./words.js";

const QUANTITIES = [
	{name: "Bytes", of: pair => pair.bytes + (pair.collective_bytes || 0), unit: bytes},
	{name: "Messages", of: pair => pair.messages, unit: count},
];

function matrix_of(summary, ranks, quantity) {
	const index = new Map(ranks.map((rank, i) => [rank, i]));
	return matrix(translated("Who sends to whom"), ranks.length,
		summary.matrix.filter(pair => quantity.of(pair) > 0).map(pair => [index.get(pair.from), index.get(pair.to), quantity.of(pair)]),
		(row, column, cell) => row === null ? `rank ${ranks[column]}` : `rank ${ranks[row]} → rank ${ranks[column]}: ${cell ? quantity.unit(cell[2]) : "nothing"}`);
}

function matrix_section(summary) {
	const ranks = [...new Set(summary.ranks.map(row => row.rank))];
	const holder = element("div", {});
	const show = quantity => holder.replaceChildren(matrix_of(summary, ranks, quantity));
	show(QUANTITIES[0]);
	return element("section", {}, element("h2", {}, translated("Who sends to whom")),
		element("label", {}, "Show ", element("select", {onchange: event => show(QUANTITIES[event.target.value])},
			QUANTITIES.map((quantity, i) => element("option", {value: i}, translated(quantity.name))))),
		holder,
		element("p", {class: "faint"}, "Rows send, columns receive. Bytes of collective operations are their logical flow, not the library's algorithm.",
			summary.matrix_has_collectives ? "" : " Collective operations are left out: there are too many processes."));
}

export function communication_view(report) {
	const summary = report.summary;
	if (!summary)
		return [element("p", {}, "This report has no profile.")];
	return [
		summary.matrix.length ? matrix_section(summary) : element("p", {}, "The processes exchanged no messages."),
		summary.message_sizes.length > 0 && element("section", {}, element("h2", {}, translated("Message sizes")),
			columns("messages by size", summary.message_sizes.map(bin => ({label: bytes(bin.from_bytes), value: bin.messages,
				title: `${bytes(bin.from_bytes)} to ${bytes(bin.to_bytes)}: ${count(bin.messages)} messages, ${bytes(bin.bytes)}`})),
			{unit: count, kind: "p2p"})),
		summary.collective_sizes.length > 0 && element("section", {}, element("h2", {}, translated("Collective operations")),
			table(translated("Collective operations"), [{title: translated("Function"), words: true}, {title: translated("Times")}, {title: translated("Bytes")}],
				summary.collective_sizes.map(row => [row.call, count(row.calls), bytes(row.bytes)]))),
	];
}
