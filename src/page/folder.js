// The runs of a folder: a table that fills while traces are analysed, one after the other, and leads to reports, comparisons, scaling and history.

import {element, link, table} from "./dom.js";
import {count, percent, place_of, price, seconds} from "./format.js";
import {commit_name, scaling_table} from "./history.js";
import {overview} from "./overview.js";
import {bar, sparkline} from "./plots.js";
import {sortable_table} from "./tables.js";
import {filled, translated} from "./words.js";

const SPARKS = 48;

// The server's answers about some files: {said, result}.
function ask(question, numbers) {
	return fetch(`${question}?files=${numbers.join()}`).then(answer => answer.json());
}

function is_report(value) {
	return Boolean(value && value.run && value.trust && Array.isArray(value.findings));
}

// A report that was written before is a text, because it may be damaged.
export function answered_report(answer) {
	if (typeof answer.text !== "string")
		return is_report(answer.result) ? {report: answer.result, said: answer.said} : {said: answer.said || translated("There is no report.")};
	try {
		const report = JSON.parse(answer.text);
		return is_report(report) ? {report, said: null} : {said: translated("This is not a report of Tarry.")};
	} catch {
		return {said: answer.said || translated("This report is damaged.")};
	}
}

// Time lost by all findings in equal parts of the run.
export function lost_over_time(report, parts = SPARKS) {
	const lost = new Array(parts).fill(0), length = report.run.elapsed_s || 0;
	for (const {over_time} of report.findings)
		(over_time ? over_time.total_s : []).forEach((value, i) => {
			const part = Math.floor((i + 0.5) * over_time.bin_s / length * parts);
			if (part >= 0 && part < parts)
				lost[part] += value;
		});
	return lost;
}

// The commit of a trace, from histories in the folder. Traces of one name differ in length.
export function commit_of(report, trends) {
	const name = report.trace.replace(/^.*\//, ""), same = run => run.trace.replace(/^.*\//, "") === name && Math.abs(run.length_s - report.run.length_s) <= 1e-6 + 1e-6 * report.run.length_s;
	for (const {series} of trends)
		for (const run of series.flatMap(one => one.runs))
			if (same(run))
				return run.commit;
	return null;
}

// Traces of one program with different numbers of ranks: [{program, rows}]. The newest of each size, the smallest first.
export function scaling_groups(rows) {
	const programs = new Map();
	for (const row of [...rows].sort((a, b) => a.modified_s - b.modified_s))
		if (row.report && row.kind === "trace" && !row.said && row.report.trust.verdict !== "none" && row.report.run.program) {
			const sizes = programs.get(row.report.run.program) || new Map();
			programs.set(row.report.run.program, sizes.set(row.report.run.processes, row));
		}
	return [...programs].map(([program, sizes]) => ({program, rows: [...sizes.values()].sort((a, b) => a.report.run.processes - b.report.run.processes)})).filter(group => group.rows.length > 1);
}

const parallel_of = row => row.report && row.report.summary && row.report.summary.efficiency ? row.report.summary.efficiency.parallel : null;
const top_of = row => (row.report && row.report.trust.verdict !== "none" ? row.report.findings[0] : null);

function name_cell(row, choose) {
	const doubt = row.report && row.report.trust.verdict !== "full" && row.report.trust.reasons[0];
	const chosen = row.kind === "trace" && row.report && element("input", {type: "checkbox", checked: row.is_chosen, "aria-label": filled("choose $1", row.name), onchange: event => choose(row, event.target.checked)});
	return [chosen, chosen && " ", row.report ? element("a", {href: row.kind === "report" ? "#report-" + row.number : "report?files=" + row.number}, row.name) : element("span", {}, row.name),
		row.state === "waits" && element("p", {class: "faint"}, translated("not analysed yet")), row.state === "asked" && element("p", {class: "faint"}, translated("being analysed …")),
		row.said && element("p", {class: row.report ? "faint" : "poor"}, row.said), doubt && element("p", {class: row.report.trust.verdict === "none" ? "poor" : "fair"}, doubt.text)];
}

function finding_cell(row) {
	const first = top_of(row);
	if (!row.report)
		return "";
	if (!first)
		return row.report.trust.verdict === "none" ? "—" : translated("No significant wait states found.");
	return [element("strong", {class: first.severity}, first.name || first.pattern), " ", element("code", {}, place_of(first))];
}

function savings_cell(row) {
	const first = top_of(row);
	return first ? (first.predictable ? `${seconds(first.saves_s)}, ${percent(first.saves_share)}` : filled("ranks lose $1", seconds(first.lost_s))) : "";
}

function efficiency_cell(row) {
	const part = parallel_of(row), is_muted = row.report && row.report.trust.verdict === "none";
	return part === null ? "" : [bar(part, is_muted ? "other" : part >= 0.8 ? "good" : part >= 0.6 ? "fair" : "poor"), percent(part)];
}

// The year only if it is another one.
function date_words(time_s) {
	const date = new Date(time_s * 1000), is_old = date.getFullYear() !== new Date().getFullYear();
	return time_s ? date.toLocaleString(document.documentElement.lang || "en", {month: "short", day: "numeric", ...is_old ? {year: "numeric"} : {hour: "2-digit", minute: "2-digit", hourCycle: "h23"}}) : "—";
}

const COMMIT_LETTERS = 24;

function commit_cell(commit) {
	const name = commit_name(commit);
	return name ? element("span", {title: commit}, name.length > COMMIT_LETTERS ? name.slice(0, COMMIT_LETTERS) + "…" : name) : "—";
}

function columns_of(choose, trends) {
	const number = value => row => (row.report ? value(row.report) : -1), shown = (value, write) => row => (row.report ? write(value(row.report)) : "");
	const commit = row => (row.report && commit_of(row.report, trends)) || "";
	return [
		{title: translated("Run"), words: true, ascending: true, value: row => row.name, show: row => name_cell(row, choose)},
		{title: translated("Ranks"), value: number(report => report.run.processes), show: shown(report => report.run.processes, count)},
		{title: translated("Length"), value: number(report => report.run.length_s), show: shown(report => report.run.length_s, seconds)},
		{title: translated("Time lost"), words: "left", value: number(report => report.findings.reduce((sum, finding) => sum + finding.total_s, 0)),
			show: row => row.report && sparkline(filled("time lost over the run of $1", row.name), lost_over_time(row.report))},
		{title: translated("Efficiency"), words: "left", value: row => parallel_of(row) ?? -1, show: efficiency_cell},
		{title: translated("First finding"), words: true, ascending: true, value: row => (top_of(row) ? top_of(row).name : ""), show: finding_cell},
		{title: translated("Saves"), words: "narrow", value: row => (top_of(row) ? price(top_of(row)).time_s : -1), show: savings_cell},
		{title: translated("Changed"), words: "narrow", value: row => row.modified_s, show: row => date_words(row.modified_s)},
		trends.length > 0 && {title: translated("Commit"), words: "words short", ascending: true, value: commit, show: row => commit_cell(commit(row))},
	].filter(Boolean);
}

// Rows are kept when another view is shown.
export function folder_rows(folder) {
	return folder.files.map((file, number) => ({...file, number, state: "waits", report: null, trends: null, said: null, is_chosen: false}));
}

async function fill_row(row) {
	row.state = "asked";
	try {
		if (row.kind === "history") {
			const answer = await ask("trends", [row.number]);
			Object.assign(row, {trends: answer.result, said: answer.result ? null : answer.said});
		} else {
			Object.assign(row, answered_report(await ask("run", [row.number])));
		}
	} catch {
		row.said = translated("Tarry does not answer: start 'tarry view' again.");
	}
	row.state = "known";
}

// Histories are read first, because they know commits. Whoever comes back meanwhile has another view of the same rows: the last one learns of changes.
export async function fill_rows(folder, rows, changed) {
	const is_filling = Boolean(folder.changed);
	folder.changed = changed;
	if (is_filling)
		return;
	for (const row of [...rows.filter(one => one.kind === "history"), ...rows.filter(one => one.kind !== "history")])
		if (row.state === "waits") {
			const filled_row = fill_row(row);
			folder.changed();
			await filled_row;
			folder.changed();
		}
}

function progress_words(rows) {
	const left = rows.filter(row => row.state !== "known").length;
	return left ? filled("$1 of $2 files are analysed.", count(rows.length - left), count(rows.length)) : "";
}

function histories_section(rows) {
	const found = rows.filter(row => row.kind === "history");
	return found.length > 0 && element("section", {}, element("h2", {}, translated("History")), element("ul", {class: "plain"}, found.map(row => element("li", {},
		row.trends ? element("a", {href: "history?files=" + row.number}, row.name) : row.name, " ",
		row.trends && element("span", {class: "faint"}, filled("runs: $1", count(row.trends.series.reduce((sum, one) => sum + one.runs.length, 0)))),
		row.said && element("span", {class: "poor"}, row.said)))));
}

function scaling_links(rows) {
	const groups = scaling_groups(rows);
	return groups.length > 0 && element("section", {}, element("h2", {}, translated("Scaling")), element("ul", {class: "plain"}, groups.map(group => element("li", {},
		link("scaling/files=" + group.rows.map(row => row.number).join(), filled("Scaling of $1", group.program)), " ",
		element("span", {class: "faint"}, filled("ranks: $1", group.rows.map(row => count(row.report.run.processes)).join(", ")))))));
}

function chosen_tools(rows) {
	const chosen = rows.filter(row => row.is_chosen), numbers = chosen.map(row => row.number).join();
	return [element("button", {disabled: chosen.length !== 2, onclick: () => location.assign("diff?files=" + numbers)}, translated("Compare two runs")), " ",
		element("button", {disabled: chosen.length < 2, onclick: () => { location.hash = "scaling/files=" + numbers; }}, translated("Scaling of chosen runs"))];
}

export function folder_view(folder, rows) {
	const tools = element("div", {class: "tools"}), status = element("p", {class: "faint", role: "status"}), holder = element("div", {class: "runs"}), more = element("div", {});
	let known_trends = -1, runs = null;
	const show_tools = () => tools.replaceChildren(...chosen_tools(rows));
	const choose = (row, is_chosen) => {
		row.is_chosen = is_chosen;
		show_tools();
	};
	const changed = () => {
		const trends = rows.filter(row => row.trends).map(row => row.trends);
		status.textContent = progress_words(rows);
		more.replaceChildren(...[scaling_links(rows), histories_section(rows)].filter(Boolean));
		if (trends.length !== known_trends) {
			known_trends = trends.length;
			runs = sortable_table(translated("Runs"), columns_of(choose, trends), rows.filter(row => row.kind !== "history"));
			holder.replaceChildren(runs);
		} else {
			runs.redraw();
		}
	};
	show_tools();
	changed();
	fill_rows(folder, rows, changed);
	return [element("section", {}, element("h2", {}, translated("Runs")), status, holder, tools,
		folder.left_out > 0 && element("p", {class: "faint"}, filled("$1 files are not listed: there are too many.", count(folder.left_out)))), more];
}

// The report of a file, without source and timeline.
export function report_view(row) {
	return row && row.report ? [element("p", {}, link("overview", "← " + translated("Runs"))), ...overview(row.report, null, null)] : [element("p", {}, translated("There is no report."))];
}

export function scaling_view(numbers) {
	const holder = element("section", {}, element("p", {role: "status"}, translated("being analysed …")));
	ask("scaling", numbers).then(({said, result}) => holder.replaceChildren(result ? scaling_table(filled("Scaling of $1", result.program || translated("Program")), result) : element("p", {class: "poor"}, said)))
		.catch(() => holder.replaceChildren(element("p", {class: "poor"}, translated("Tarry does not answer: start 'tarry view' again."))));
	return [element("p", {}, link("overview", "← " + translated("Runs"))), holder];
}
