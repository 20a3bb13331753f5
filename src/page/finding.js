// One finding: what happened, in which lines, who waited for whom, how often, when and how long, and what to do.

import {element, link} from "./dom.js";
import {count, counted, payers_in_words, percent, place_of, ranks_in_words, seconds} from "./format.js";
import {bar, columns} from "./plots.js";
import {bars_before, bars_over_time, before_and_after, is_imbalance, is_wait} from "./sketch.js";
import {code_around} from "./source.js";
import {filled, translated} from "./words.js";

function section(title, ...children) {
	return element("section", {}, element("h3", {}, translated(title)), ...children);
}

function source_of(sources, call) {
	return call && call.file && sources && sources.find(one => one.file === call.file && one.line === call.line);
}

function in_function(place) {
	return place_of(place) + (place.function ? " " + filled("in $1", place.function) : "");
}

// The call itself may stand in a layer around MPI, which is called at the place of the finding.
function layer_of(call) {
	return call.through && element("p", {class: "faint"}, translated("Called through a layer around MPI:"), " ", element("code", {}, in_function(call.through)));
}

function code_panel(title, call, sources) {
	const excerpt = source_of(sources, call);
	return element("div", {class: "panel"},
		element("h4", {}, title, " ", element("code", {}, call.call + " "), element("span", {class: "faint"}, in_function(call))),
		layer_of(call),
		excerpt ? code_around(excerpt, call.file, call.line) :
			element("p", {class: "faint"}, translated(call.file ? "The source file is not readable here." : "No source line is known: compile with -g.")));
}

function is_same_place(a, b) {
	return a.file === b.file && a.line === b.line && a.call === b.call && a.place === b.place;
}

// From the outermost caller to the call.
function call_path(finding) {
	if (!finding.path || !finding.path.length)
		return null;
	return element("p", {}, translated("Call path") + ": ", [...finding.path].reverse().map(caller => [element("code", {}, in_function(caller)), " → "]),
		element("code", {}, finding.call));
}

function where(finding, sources) {
	return section("Where",
		element("div", {class: "side-by-side"},
			code_panel(is_wait(finding) ? translated("waits") + ":" : "", finding, sources),
			finding.partner && !is_same_place(finding, finding.partner) && code_panel(is_wait(finding) ? translated("late") + ":" : "", finding.partner, sources)),
		call_path(finding),
		finding.phases && finding.phases.length > 0 && element("p", {}, translated("Phases") + ": ",
			finding.phases.map(phase => `${phase.path} (${percent(phase.part)})`).join(", ")));
}

// The calls of the longest instance, each on the line of its rank, in real proportions.
function instance_picture(finding, has_timeline) {
	const {at} = finding.worst, bars = bars_before(finding);
	const words = filled(is_wait(finding) ? "Rank $1 waits $2 in the longest instance." : "Rank $1 loses $2 in the longest instance.", at.rank, seconds(finding.worst.duration_s));
	return element("figure", {class: "plot instance"},
		bars_over_time(words, bars, {from: Math.min(...bars.map(one => one.start_s)), to: Math.max(...bars.map(one => one.end_s))}),
		element("figcaption", {}, words, has_timeline && link(timeline_fragment(finding), translated("Show on the timeline"))));
}

// An imbalance is a sum over the run: it has no single instance that could be drawn.
function instance(finding, has_timeline) {
	if (is_imbalance(finding))
		return has_timeline && element("p", {}, link(timeline_fragment(finding), translated("Show on the timeline")));
	return section(is_wait(finding) ? "Who waits for whom" : "The longest instance", instance_picture(finding, has_timeline));
}

// The longest instance with as much around it.
export function timeline_fragment(finding) {
	const at = finding.worst.at, length = Math.max(at.end_s - at.start_s, 1e-6);
	const start = Math.min(at.start_s, ...finding.worst.actions.map(call => call.start_s));
	return `timeline/from=${Math.max(0, start - length / 2).toFixed(9)}&to=${(at.end_s + length / 2).toFixed(9)}&rank=${at.rank}`;
}

function causes(finding) {
	if (!is_wait(finding))
		return null;
	return section("Causes", element("ul", {class: "causes"}, finding.causes.map(cause =>
		element("li", {}, bar(cause.total_s / finding.total_s), percent(cause.total_s / finding.total_s), " ", cause.text))));
}

// Of many ranks, neighbours are one.
function ranks_of(amount) {
	return amount.last_rank === undefined ? String(amount.rank) : amount.rank + "–" + amount.last_rank;
}

// Stretches of the run up to its end: [{label, value, title}]. null if it is not known for most of the time.
export function time_columns(finding, run_s) {
	const {bin_s, total_s} = finding.over_time;
	if (total_s.reduce((sum, one) => sum + one, 0) < finding.total_s / 2)
		return null;
	const number = Math.max(total_s.length, Math.min(64, Math.ceil(run_s / bin_s)));
	return Array.from({length: number}, (_, i) => ({label: seconds(i * bin_s), value: total_s[i] || 0,
		title: filled("$1 to $2: $3", seconds(i * bin_s), seconds((i + 1) * bin_s), seconds(total_s[i] || 0))}));
}

function distribution(finding, run) {
	const over_time = time_columns(finding, run.elapsed_s);
	return section("How long",
		element("p", {}, filled("$1, $2 in all, $3 on average, at most $4.", counted(finding.occurrences, "time"), seconds(finding.total_s),
			seconds(finding.mean_s), seconds(finding.max_s))),
		element("div", {class: "plots"},
			over_time && columns(translated("time lost over the run"), over_time),
			columns(translated("occurrences by duration"), finding.histogram.map(bin => ({
				label: seconds(bin.from_s), value: bin.occurrences,
				title: filled("$1 to $2: $3", seconds(bin.from_s), seconds(bin.to_s), counted(bin.occurrences, "time"))})), {unit: count}),
			finding.by_rank.length > 1 && columns(translated("time by rank"), finding.by_rank.map(one => ({label: ranks_of(one), value: one.total_s,
				title: filled("rank $1", ranks_of(one)) + ": " + seconds(one.total_s)})))));
}

// A word of a shell as it is typed.
export function shell_word(word) {
	return /^[\w./+:@%=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

function verify(report, finding) {
	const name = shell_word(report.trace.replace(/^.*\//, ""));
	return section("Check the change",
		element("p", {}, translated("Record the changed program under another name and compare both runs:")),
		element("pre", {class: "command", tabindex: 0, role: "region", "aria-label": translated("Check the change")},
			`tarry run -o after.tarry -- mpirun …\ntarry diff ${name} after.tarry`),
		element("p", {}, filled("If the change helped, the comparison lists “$1” at $2 as gone or less. It costs $3 now.",
			finding.name || finding.pattern, place_of(finding), seconds(finding.total_s))));
}

function to_do(report, finding) {
	const sketch = before_and_after(finding, report.summary && report.summary.ranks);
	return (finding.advice || sketch) && section("What to do", finding.advice && element("p", {class: "advice"}, finding.advice), sketch);
}

function summary_line(finding) {
	const partners = finding.partner ? finding.partner.ranks : [];
	return element("p", {class: "big"}, element("strong", {class: finding.severity}, percent(finding.share)), " ",
		filled("of the run: $1", seconds(finding.total_s)), ", ", payers_in_words(finding),
		partners.length > 0 && is_wait(finding) ? " ← " + ranks_in_words(partners) : null);
}

export function finding_view(report, number, sources, has_timeline) {
	const finding = report.findings[number - 1];
	if (!finding)
		return [element("p", {}, filled("There is no finding $1.", number))];
	const explains = finding.explained_by && report.findings[finding.explained_by - 1];
	return [element("article", {class: "finding-view"},
		element("p", {class: "steps"}, number > 1 && link("finding-" + (number - 1), "← " + (number - 1)), " ",
			number < report.findings.length && link("finding-" + (number + 1), (number + 1) + " →")),
		element("h2", {}, number + ". " + (finding.name || finding.pattern)),
		summary_line(finding),
		section("What happened", element("p", {}, finding.description),
			explains && element("p", {}, translated("Explained by") + " ", link("finding-" + finding.explained_by, explains.name), ".")),
		to_do(report, finding),
		where(finding, sources),
		instance(finding, has_timeline),
		causes(finding), distribution(finding, report.run), verify(report, finding))];
}
