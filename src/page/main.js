// Selects the view by the part of the address after '#'.

import {element, link, page_part} from "./dom.js";
import {overview} from "./overview.js";
import {finding_view} from "./finding.js";
import {communication_view} from "./communication.js";
import {files_view} from "./files.js";
import {profile_view} from "./profile.js";
import {notes_view} from "./notes.js";
import {check_view} from "./check.js";
import {diff_verdict, diff_view} from "./diff.js";
import {bench_views} from "./bench.js";
import {compare_views} from "./compare.js";
import {history_view} from "./history.js";
import {folder_rows, folder_view, report_view, scaling_view} from "./folder.js";
import {timeline_view} from "./timeline.js";
import {unpack_summary} from "./timeline_data.js";
import {translated} from "./words.js";

// "timeline/from=1&to=2": the view and its parameters.
function read_fragment() {
	const [name, options] = decodeURI(location.hash.slice(1)).split("/", 2);
	return {name: name || "overview", options: Object.fromEntries(new URLSearchParams(options || ""))};
}

function report_views() {
	const report = page_part("report"), sources = page_part("sources"), communication = page_part("communication"), data = page_part("timeline");
	const timeline = data && data.rows.length ? unpack_summary(data) : null;
	// Served by 'tarry view', whose address contains the token.
	const ask = page_part("served") && ((from, to) => fetch(`window?from=${from.toFixed(9)}&to=${to.toFixed(9)}`).then(answer => answer.json()));
	const check = page_part("check"), show_check = () => check_view(check, "error-", Boolean(timeline));
	return {
		title: report.trace.replace(/^.*\//, ""),
		verdict: report.trust.verdict,
		tabs: [
			{name: "overview", title: "Overview", show: () => overview(report, timeline, check)},
			timeline && {name: "timeline", title: "Timeline", is_wide: true, show: options => timeline_view(timeline, options, ask, report.findings)},
			{name: "communication", title: "Communication", show: () => communication_view(report.summary, communication, timeline)},
			{name: "calls", title: "Calls", show: () => profile_view(report, timeline)},
			report.summary && report.summary.files && {name: "files", title: "Files", show: options => files_view(report.summary.files, options, Boolean(timeline))},
			check && {name: "correctness", title: "Correctness", show: show_check},
			{name: "notes", title: "Notes", show: () => notes_view(report, timeline)},
		].filter(Boolean),
		find: name => (/^finding-\d+$/.test(name) ? {show: () => finding_view(report, Number(name.slice(8)), sources, timeline)} :
			check && /^error-\d+$/.test(name) ? {show: show_check, scroll: name, tab: "correctness"} : null),
	};
}

function diff_views() {
	const diff = page_part("diff"), [before, after] = ["timeline-before", "timeline-after"].map(id => page_part(id)).map(data => (data && data.rows.length ? unpack_summary(data) : null));
	return {title: translated("diff"), verdict: diff_verdict(diff), tabs: [{name: "overview", title: "Overview", show: () => diff_view(diff, before, after)}], find: () => null};
}

function history_views() {
	const history = page_part("history");
	return {title: "history", tabs: [{name: "overview", title: "Overview", show: () => history_view(history)}], find: () => null};
}

// Findings are those of the report that was opened last.
function folder_views() {
	const folder = page_part("folder"), rows = folder_rows(folder);
	let opened = null;
	const open = number => report_view(opened = rows[number]);
	return {title: folder.path, tabs: [{name: "overview", title: "Runs", show: () => folder_view(folder, rows)}],
		find: name => (name === "scaling" ? {show: options => scaling_view(options.files.split(",")), tab: "overview"} :
			/^report-\d+$/.test(name) ? {show: () => open(Number(name.slice(7))), tab: "overview"} :
				/^finding-\d+$/.test(name) && opened && opened.report ? {show: () => finding_view(opened.report, Number(name.slice(8)), null, null), tab: "overview"} : null)};
}

// One view: a fragment scrolls to a finding.
function check_views() {
	const check = page_part("check");
	const show = () => check_view(check);
	return {title: translated("check"), tabs: [{name: "overview", title: "Correctness", show}], find: name => /^finding-\d+$/.test(name) && {show, scroll: name}};
}

const VIEWS = {report: report_views, diff: diff_views, history: history_views, folder: folder_views, check: check_views,
	bench: () => bench_views(page_part("results"), page_part("marks"), page_part("growth")),
	compare: () => compare_views(page_part("differences"), page_part("sides"))};

function start() {
	const page = document.getElementById("page"), views = VIEWS[document.body.dataset.view]();
	const main = element("main", {id: "main", tabindex: -1}), nav = element("nav", {"aria-label": translated("Views")});
	const show = () => {
		const {name, options} = read_fragment();
		const view = views.tabs.find(tab => tab.name === name) || views.find(name) || views.tabs[0];
		nav.replaceChildren(...views.tabs.map(tab => {
			const item = link(tab.name, translated(tab.title));
			if (tab === view || tab.name === view.tab)
				item.setAttribute("aria-current", "page");
			return item;
		}));
		page.classList.toggle("wide", Boolean(view.is_wide));
		main.replaceChildren(...view.show(options).filter(Boolean));
		if (view.scroll && document.getElementById(view.scroll))
			document.getElementById(view.scroll).scrollIntoView();
		else
			window.scrollTo(0, 0);
	};
	// Figures that cannot be relied on are muted (page.css).
	page.dataset.trust = views.verdict || "full";
	page.replaceChildren(
		element("a", {class: "skip", href: "#main", onclick: event => {
			event.preventDefault();
			main.focus();
		}}, translated("Skip to content")),
		element("header", {}, element("h1", {}, element("span", {class: "brand"}, "Tarry"), " ", views.title), nav), main);
	window.addEventListener("hashchange", show);
	show();
}

start();
