// The fields that filter calls and ranks of the timeline.

import {element} from "./dom.js";
import {translated} from "./words.js";
import {KINDS} from "./timeline_data.js";
import {comm_words, KIND_NAMES} from "./timeline_words.js";
import {parse_ranks} from "./timeline_rows.js";

function option_list(pairs, value) {
	return pairs.map(([key, words]) => element("option", {value: key, selected: key === value}, words));
}

const labelled = (words, ...fields) => element("label", {}, translated(words), " ", fields);

// `choose` is called with the changed choices. The data of a window has other calls and communicators; then call refresh().
export function filter_fields(timeline, choice, choose) {
	const on = (event, name) => ({["on" + event]: ({target}) => choose(name === "fold" ? {fold: target.value, open: ""} : {[name]: target.value})});
	const names = element("datalist", {id: "call-names"}), comms = element("select", on("change", "comm"));
	const ranks = element("input", {type: "text", size: 8, value: choice.ranks, placeholder: "0-7,12", ...on("input", "ranks")});
	const kinds = [["", translated("all")], ...KINDS.map(kind => [kind, translated(KIND_NAMES[kind])])];
	const folds = [["none", translated("every rank")], ["node", translated("folded by node")], ["behaviour", translated("similar ranks folded")]];
	const sorts = [["rank", translated("by rank")], ["wait", translated("by waiting")], ["node", translated("by node")], ["similar", translated("by similarity")]];
	const refresh = () => {
		const known = timeline.comms.map((comm, i) => [comm.id, comm_words(timeline.comms, i)]);
		if (choice.comm && !known.some(([id]) => id === choice.comm))
			known.push([choice.comm, choice.comm]);
		names.replaceChildren(...[...new Set([...timeline.sites, ...(timeline.whole_classes ? timeline.whole_classes.names : [])].map(site => site.call))].filter(Boolean).sort().map(name => element("option", {value: name})));
		comms.replaceChildren(...option_list([["", translated("all")], ...known], choice.comm));
		ranks.setAttribute("aria-invalid", parse_ranks(choice.ranks) === null);
	};
	return {refresh, tools: element("div", {class: "tools filters"},
		labelled("Kind", element("select", on("change", "kind"), option_list(kinds, choice.kind))),
		labelled("Call", element("input", {type: "text", size: 14, list: "call-names", value: choice.call, placeholder: "MPI_Recv", ...on("input", "call")}), names),
		labelled("Ranks", ranks),
		labelled("Communicator", comms),
		labelled("Rows", element("select", on("change", "fold"), option_list(folds, choice.fold))),
		labelled("Order", element("select", on("change", "sort"), option_list(sorts, choice.sort))))};
}

// Groups of ranks, to unfold them by keyboard.
export function fold_list(view, toggle) {
	const folded = view.rows.filter(row => row.is_folded);
	return folded.length ? element("ul", {class: "folds", "aria-label": translated("Groups of ranks")}, folded.map(row => element("li", {},
		element("button", {"aria-expanded": String(row.is_open), "data-group": row.group, onclick: () => toggle(row.group)}, row.title)))) : "";
}
