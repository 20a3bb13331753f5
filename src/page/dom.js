// Elements of a page. Data from a trace becomes text or attributes, never markup: nothing here parses HTML.
//
//	element("p", {class: "faint"}, "Rank ", strong("3"), " waits")

function add_children(parent, children) {
	for (const child of children.flat(Infinity))
		if (child !== null && child !== undefined && child !== false)
			parent.append(child instanceof Node ? child : String(child));
	return parent;
}

function make(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else
			node.setAttribute(name, value === true ? "" : value);
	}
	return add_children(node, children);
}

export function element(tag, attributes, ...children) {
	return make(document.createElement(tag), attributes, children);
}

export function drawn(tag, attributes, ...children) {
	return make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function link(fragment, ...children) {
	return element("a", {href: "#" + fragment}, ...children);
}

// Rows are arrays of cells; a cell is any child that element() accepts. `columns` have a title and may be `words` (left-aligned) or `long` (not narrowed).
export function table(caption, columns, rows) {
	const kind = i => (columns[i].long ? "words long" : columns[i].words ? "words" : null);
	return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
		element("table", {},
			element("caption", {class: "unseen"}, caption),
			element("thead", {}, element("tr", {}, columns.map((column, i) =>
				element("th", {scope: "col", class: kind(i)}, column.title)))),
			element("tbody", {}, rows.map(row => element("tr", {}, row.map((cell, i) =>
				element("td", {class: kind(i)}, cell)))))));
}

// A JSON island of the page; null if it does not exist.
export function page_part(id) {
	const island = document.getElementById(id);
	return island ? JSON.parse(island.textContent) : null;
}
