// Time by function, by call path (as a tree and as a flame graph) and by rank.

import {element, table} from "./dom.js";
import {bytes, count, percent, place_of, seconds} from "./format.js";
import {regions_section} from "./overview.js";
import {found_fragment, place_link} from "./places.js";
import {flame} from "./plots.js";
import {filled, translated} from "./words.js";

function child_of(node, {name, find = name}, kind) {
	let child = node.children.find(one => one.name === name);
	if (!child) {
		child = {name, find, kind, value: 0, calls: 0, children: []};
		node.children.push(child);
	}
	return child;
}

// "main (heat.c:140)"; a search finds the place.
const caller_part = caller => ({name: caller.function ? `${caller.function} (${place_of(caller)})` : place_of(caller), find: place_of(caller)});

// A tree of callers, with computation as a sibling: {name, find, value, calls, children}; `find` are the words of a search.
export function call_tree(summary) {
	const root = {name: translated("run"), kind: "path", value: 0, calls: 0, children: []};
	const add = (parts, row) => {
		let node = root;
		root.value += row.total_s;
		parts.forEach((part, i) => {
			node = child_of(node, part, i === parts.length - 1 ? "call" : "path");
			node.value += row.total_s;
			node.calls += row.calls;
		});
	};
	for (const row of summary.call_paths)
		if (!row.local)
			add([...row.path.map(caller_part).reverse(), {name: row.call + " " + place_of(row)}], row);
	add([{name: translated("computing")}], {total_s: summary.computing_s, calls: 0});
	child_of(root, {name: translated("computing")}).kind = "compute";
	const sort = node => {
		node.children.sort((a, b) => b.value - a.value);
		node.children.forEach(sort);
	};
	sort(root);
	return root;
}

// Calls lead to the timeline, where they stand out.
const found_link = (has_timeline, words, find = words) => place_link(has_timeline && found_fragment(find), words);

function tree_rows(node, total, has_timeline, depth = 0, rows = []) {
	for (const child of node.children) {
		const inner = child.children.reduce((sum, one) => sum + one.value, 0);
		rows.push([element("span", {class: "in-tree", style: `padding-left:${depth * 1.2}em`}, found_link(has_timeline && child.kind !== "compute", child.name, child.find)), child.calls ? count(child.calls) : "",
			seconds(child.value), seconds(child.value - inner), percent(child.value / total)]);
		tree_rows(child, total, has_timeline, depth + 1, rows);
	}
	return rows;
}

export function profile_view(report, timeline) {
	const summary = report.summary;
	if (!summary)
		return [element("p", {}, translated("This report has no profile."))];
	const tree = call_tree(summary), holder = element("div", {});
	if (!tree.value)
		return [element("p", {}, translated("No time was recorded."))];
	const show = node => holder.replaceChildren(flame(translated("Call path"), node, chosen => show(chosen === node ? tree : chosen)));
	show(tree);
	return [
		element("section", {}, element("h2", {}, translated("Call paths")), holder,
			table(translated("Call path"), [{title: translated("Call path"), words: true}, {title: translated("Times")}, {title: translated("Inclusive")}, {title: translated("Exclusive")},
				{title: translated("Share of all time")}], tree_rows(tree, tree.value, Boolean(timeline)))),
		element("section", {}, element("h2", {}, translated("Functions")),
			table(translated("Function"), [{title: translated("Function"), words: true}, {title: translated("Times")}, {title: translated("Time")}, {title: translated("Share of all time")},
				{title: translated("Bytes")}],
			summary.functions.map(row => [found_link(Boolean(timeline), row.call), count(row.calls), seconds(row.total_s), row.local ? translated("counts as computing") : percent(row.total_s / tree.value), row.bytes ? bytes(row.bytes) : ""])),
			element("p", {class: "faint"}, translated("Shares refer to the time of all ranks, including MPI_Init and MPI_Finalize."))),
		regions_section(report, timeline),
	];
}
