// The reader's choices on the timeline, by their names in the address, and their effect on the view.

import {count} from "./format.js";
import {filled, translated} from "./words.js";
import {has_calls, has_rank, KINDS, PART_NAMES} from "./timeline_data.js";
import {choose_rows, parse_ranks} from "./timeline_rows.js";
import {choose_sites, classes_left, filter_calls, is_found_in_summary} from "./timeline_filter.js";
import {read_area, read_ruler} from "./timeline_select.js";
import {set_rows} from "./timeline_view.js";

const ROWS_UNFOLDED = 256; // with more rows, similar ranks are folded by default
const CHOICES = ["find", "kind", "call", "ranks", "comm", "fold", "open", "rank", "path", "sort", "hide", "links", "lanes", "marks", "area", "ruler", "rows"];
const DEFAULTS = {path: "on", links: "on", lanes: "on", marks: "on", sort: "rank", rows: "1"};

// Defaults: similar ranks are folded if there are many and no rank was requested.
const usual_choice = (name, timeline, rank) => (name in DEFAULTS ? DEFAULTS[name] : name !== "fold" ? "" : !rank && timeline.rows.length > ROWS_UNFOLDED ? "behaviour" : "none");

export function read_choice(options, timeline) {
	return Object.fromEntries(CHOICES.map(name => [name, options[name] || usual_choice(name, timeline, options.rank)]));
}

export function fragment_of(view, choice) {
	const wanted = CHOICES.filter(name => choice[name] !== usual_choice(name, view.timeline, choice.rank));
	const top = view.scroll > 0 ? "&top=" + (view.scroll / view.row_height).toFixed(4) : "";
	return `timeline/from=${view.from.toFixed(9)}&to=${view.to.toFixed(9)}` + top + wanted.map(name => `&${name}=${encodeURIComponent(choice[name])}`).join("");
}

export const words_of_list = text => new Set(text.split(",").filter(Boolean));
export const open_groups = choice => new Set([...words_of_list(choice.open)].map(Number));

// Applies the choices to the view.
export function apply_choice(view, choice) {
	const {timeline} = view, ranks = parse_ranks(choice.ranks), marked = choice.rank === "" ? -1 : Number(choice.rank);
	set_rows(view, choose_rows(timeline, {ranks: ranks || [], fold: choice.fold, open: open_groups(choice), sort: choice.sort}));
	for (const row of view.rows)
		row.is_marked = !row.is_folded && has_rank(timeline.rows[row.members[0]], marked);
	view.filter = filter_calls(timeline, choice);
	view.found = choose_sites(timeline, choice.find);
	// Without a match nothing is dimmed.
	view.chosen = view.found && view.found.includes(true) ? view.found : null;
	view.hidden = new Set([...words_of_list(choice.hide)].filter(part => part === "compute" || PART_NAMES.includes(part)));
	Object.assign(view, {shows_path: choice.path !== "off", shows_links: choice.links !== "off", shows_lanes: choice.lanes !== "off", shows_marks: choice.marks !== "off",
		area: read_area(choice.area, view.rows.length), ruler: read_ruler(choice.ruler), row_zoom: Math.min(64, Math.max(1, Number(choice.rows) || 1))});
	view.kind_of_site = timeline.sites.map(site => Math.max(0, KINDS.indexOf(site.kind)));
	const of_left = classes => ({...classes, left: classes_left(classes, timeline, choice)});
	view.left_bins = view.filter && timeline.classes ? {near: of_left(timeline.classes), whole: of_left(timeline.whole_classes)} : null;
}

// Why a search has no match.
function search_words(view, choice, is_served) {
	if (!choice.find.trim() || view.chosen)
		return "";
	if (view.timeline.complete)
		return filled("No call matches '$1'.", choice.find);
	if (is_found_in_summary(view.timeline, choice.find))
		return filled(is_served ? "'$1' occurs in the run, but not in this part: zoom in elsewhere." :
			"'$1' occurs in the run, but not among the single calls in this page: open the trace with 'tarry view' to find it.", choice.find);
	return filled(is_served ? "No call of this part matches '$1'; other parts are not loaded." :
		"None of the single calls in this page matches '$1'; 'tarry view' has all calls.", choice.find);
}

// Which rows are shown, if there are others.
function rows_words(view) {
	const {scroll, row_height, rows} = view, first = Math.floor(scroll / row_height + 0.5), last = Math.floor((scroll + view.height - view.foot) / row_height + 0.5);
	return last - first < rows.length ? filled("Rows $1 to $2 of $3: drag up and down, or press ↑ and ↓, to see the others.", count(first + 1), count(Math.min(last, rows.length)), count(rows.length)) : "";
}

export function status_words(view, choice, is_served) {
	if (parse_ranks(choice.ranks) === null)
		return translated("Enter ranks as numbers and ranges, such as 0-7,12.");
	if (!view.rows.length)
		return translated("No rank is chosen.");
	const search = search_words(view, choice, is_served), rows = rows_words(view);
	if (has_calls(view.timeline, view.from, view.to))
		return [search, rows].filter(Boolean).join(" ");
	const where = translated(view.timeline.rows[0].threads > 1 ? "There are too many ranks for single calls: each row stands for several of them." : is_served ? "Zoom in to see single calls." :
		"This part is shown as a summary: zoom in near a finding, or open the trace with 'tarry view' to see single calls.");
	const is_mixed = view.left_bins && view.timeline.whole_classes.rows.some(row => row.some(([number]) => number === 0));
	return [search, rows, where, is_mixed && translated("There are too many kinds of calls to list all of them here; the filters omit the rest.")].filter(Boolean).join(" ");
}
