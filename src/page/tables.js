// Tables that people sort by clicking a heading.

import {element} from "./dom.js";
import {translated} from "./words.js";

// Values far from the median: more than three times as far as most values, and by more than a tenth of the median and `least`. Returns a function: -1 low, 1 high, 0 usual.
export function outlier_test(values, least = 0) {
	const middle = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
	if (values.length < 4)
		return () => 0;
	const median = middle(values), usual = middle(values.map(value => Math.abs(value - median))) * 1.4826;
	const far = Math.max(3 * usual, Math.abs(median) / 10, least);
	return value => (Math.abs(value - median) <= far ? 0 : value > median ? 1 : -1);
}

function compare_cells(a, b) {
	return typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b), undefined, {numeric: true}) : a - b;
}

const words_class = column => (column.words === true ? "words" : column.words || null);

// Columns are {title, value, show, words, ascending}: `value` of an item sorts, `show` is what a cell contains. `order`: the column that sorts first.
// `words` are left-aligned; a text is their class. redraw() of the table shows items that have changed.
export function sortable_table(caption, columns, items, order = 0) {
	const body = element("tbody", {}), heads = [];
	let sorted = columns[order], rises = Boolean(sorted.ascending);
	const draw = () => {
		const rows = [...items].sort((a, b) => (rises ? 1 : -1) * compare_cells(sorted.value(a), sorted.value(b)));
		body.replaceChildren(...rows.map(item => element("tr", {}, columns.map(one => element("td", {class: words_class(one)}, one.show(item))))));
		heads.forEach((head, i) => head.setAttribute("aria-sort", columns[i] !== sorted ? "none" : rises ? "ascending" : "descending"));
	};
	const sort_by = column => {
		rises = column === sorted ? !rises : Boolean(column.ascending);
		sorted = column;
		draw();
	};
	heads.push(...columns.map(column => element("th", {scope: "col", class: words_class(column)},
		element("button", {class: "sort", title: translated("Sort"), onclick: () => sort_by(column)}, column.title))));
	draw();
	return Object.assign(element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
		element("table", {class: "sortable"}, element("caption", {class: "unseen"}, caption), element("thead", {}, element("tr", {}, heads)), body)), {redraw: draw});
}
