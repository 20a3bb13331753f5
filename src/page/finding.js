// One finding: what happened, its source lines, its ranks, frequency, times and durations, and the advice.

import {element, link} from "./dom.js";
import {bin_label, count, counted, doubt_of, payers_in_words, percent, place_of, price, ranks_in_words, region_words, seconds} from "./format.js";
import {iteration_window, waits_by_iteration} from "./iterations.js";
import {calls_fragment, moment_fragment, place_link} from "./places.js";
import {bar, columns} from "./plots.js";
import {bars_before, bars_over_time, is_imbalance, is_team_wait, is_wait, team_wait_end} from "./sketch.js";
import {code_around, joined_excerpt} from "./source.js";
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

// The call itself may be in a wrapper around MPI that is called at the place of the finding.
function layer_of(call) {
	return call.through && element("p", {class: "faint"}, translated("Called through a layer around MPI:"), " ", element("code", {}, in_function(call.through)));
}

function missing_source(call) {
	return element("p", {class: "faint"}, translated(call.file ? "The source file is not readable here." : "No source line is known: compile with -g."));
}

// A call in the longest instance; calls that are not in it stand out all over the run.
function call_fragment(finding, call) {
	const at = [finding.worst.at, ...finding.worst.actions].find(one => is_same_place(one, call));
	return at ? moment_fragment(at) : calls_fragment(call);
}

const call_words = (finding, call, has_timeline) => place_link(has_timeline && call_fragment(finding, call), element("code", {}, call.call + " "), in_function(call));

// `others` are calls of the same line, with their titles.
function code_panel(title, finding, call, {sources, has_timeline}, others = []) {
	const excerpt = source_of(sources, call);
	return element("div", {class: "panel"},
		[...others, [title, call]].map(([own_title, one]) => element("h4", {}, own_title, " ", call_words(finding, one, has_timeline))),
		layer_of(call),
		excerpt ? code_around(excerpt, call.file, call.line) : missing_source(call));
}

// Work that several findings wait for: its place is that of the late call.
function is_origin(finding) {
	return finding.pattern.startsWith("run.");
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

// Work between two calls delays the others: its source is that of both calls.
function cause_panel(finding, {sources, has_timeline}) {
	const cause = finding.causes && finding.causes[0];
	if (!cause || !cause.to)
		return null;
	const ends = cause.from && !is_same_place(cause.from, cause.to) ? [cause.from, cause.to] : [cause.to];
	const thread = cause.late_thread, thread_excerpt = thread && source_of(sources, thread);
	const several = cause.ranks.length > 1 || cause.ranks.some(item => Array.isArray(item) && item[0] !== item[1]), verbs = several ? ["compute before", "compute between"] : ["computes before", "computes between"];
	const words = cause.kind !== "computing" ? "" : translated(verbs[ends.length - 1]);
	const shown = ends.map(call => ({call, excerpt: source_of(sources, call)})), known = shown.filter(({excerpt}) => excerpt);
	const joined = known.length > 1 && joined_excerpt(known[0].excerpt, known[1].excerpt);
	return element("div", {class: "panel cause-panel"}, element("h4", {}, translated("cause") + ": ", cause.ranks.length ? ranks_in_words(cause.ranks) : "", " ", words, " ",
		ends.map((call, i) => [i ? " " + translated("list| and ") + " " : "", call_words(finding, call, has_timeline)])),
	joined ? code_around(joined, ends[0].file, ends[0].line, [ends[1].line]) : known.map(({call, excerpt}, i) => [i > 0 && element("hr", {class: "between"}), code_around(excerpt, call.file, call.line)]),
	!known.length && missing_source(cause.to),
	thread && [element("h4", {class: "next"}, thread.thread === null ? translated("late threads:") : filled("late thread $1:", thread.thread), " ", call_words(finding, thread, has_timeline)),
		thread_excerpt && code_around(thread_excerpt, thread.file, thread.line)]);
}

// What the calls of a finding did: that of the partner, and its own.
function call_roles(finding) {
	const roles = is_wait(finding) ? ["late", "waits"] : is_team_wait(finding) ? ["released", "waits"] : ["", is_origin(finding) ? "late" : ""];
	return roles.map(role => role && translated(role) + ":");
}

// `about` has the sources, and whether there is a timeline.
function where(finding, about) {
	const cause = is_wait(finding) && cause_panel(finding, about), [first] = finding.causes || [];
	const is_shown = call => first && [first.from, first.to].some(one => one && is_same_place(one, call));
	const [of_partner, own] = call_roles(finding);
	const {partner} = finding, has_late = partner && !is_same_place(finding, partner) && !(cause && is_shown(partner)), is_same_line = has_late && partner.file && partner.file === finding.file && partner.line === finding.line;
	return section("Where",
		element("div", {class: "side-by-side"}, cause, has_late && !is_same_line && code_panel(of_partner, finding, partner, about), code_panel(own, finding, finding, about, is_same_line ? [[of_partner, partner]] : [])),
		call_path(finding),
		finding.phases && finding.phases.length > 0 && element("p", {}, translated("Phases") + ": ",
			finding.phases.map(phase => `${region_words(phase.path)} (${percent(phase.part)})`).join(", ")));
}

// By how much the last of the other ranks came later than the one that waits.
function late_words(finding) {
	const {at, actions} = finding.worst, others = is_wait(finding) ? actions.filter(call => call.rank !== at.rank) : [];
	const last = others.reduce((late, call) => (!late || call.start_s > late.start_s ? call : late), null);
	return last && last.start_s > at.start_s && filled("Rank $1 enters $2 $3 later.", last.rank, last.call, seconds(last.start_s - at.start_s));
}

function instance_words(finding) {
	const {at, partner, duration_s} = finding.worst;
	if (is_team_wait(finding))
		return filled("In the longest instance, thread $1 of rank $2 waits $3 for thread $4. The rank loses $5, the mean over its threads.", at.thread, at.rank,
			seconds(team_wait_end(finding.worst) - at.start_s), partner.thread, seconds(duration_s));
	return filled(is_wait(finding) ? "Rank $1 waits $2 in the longest instance." : "Rank $1 loses $2 in the longest instance.", at.rank, seconds(duration_s));
}

// The calls of the longest instance, one line per rank or thread, to scale.
function instance_picture(finding, has_timeline) {
	const bars = bars_before(finding), words = instance_words(finding);
	return element("figure", {class: "plot instance"},
		bars_over_time(words, bars, {from: Math.min(...bars.map(one => one.start_s)), to: Math.max(...bars.map(one => one.end_s))}),
		element("figcaption", {}, element("span", {}, words, " ", late_words(finding)), has_timeline && link(timeline_fragment(finding), translated("Show on the timeline"))));
}

// An imbalance is a total over the run, without a single instance to draw.
function instance(finding, has_timeline) {
	if (is_imbalance(finding))
		return has_timeline && element("p", {}, link(timeline_fragment(finding), translated("Show on the timeline")));
	return section(is_wait(finding) || is_team_wait(finding) ? "Who waits for whom" : "The longest instance", instance_picture(finding, has_timeline));
}

// The longest instance, with the same time before and after it.
export function timeline_fragment(finding) {
	const {at, actions} = finding.worst;
	return moment_fragment(at, Math.min(at.start_s, ...actions.map(call => call.start_s)));
}

function causes(finding, has_timeline) {
	if (!is_wait(finding))
		return null;
	return section("Causes", element("ul", {class: "causes"}, finding.causes.map(cause =>
		element("li", {}, bar(cause.total_s / finding.total_s), percent(cause.total_s / finding.total_s), " ", place_link(has_timeline && cause.to && call_fragment(finding, cause.to), cause.text)))));
}

// Merges neighbouring ranks if there are many.
function ranks_of(amount) {
	return amount.last_rank === undefined ? String(amount.rank) : amount.rank + "–" + amount.last_rank;
}

const TIME_COLUMNS = 64;

// Intervals of the whole run: [{label, value, title}]. The last label is that of its end. null if the times are unknown for most of the time.
export function time_columns(finding, run_s, has_timeline = false) {
	const {bin_s, total_s} = finding.over_time, sum = values => values.reduce((all, one) => all + one, 0);
	if (sum(total_s) < finding.total_s / 2)
		return null;
	const bins = Math.max(total_s.length, Math.ceil(run_s / bin_s)), merged = Math.ceil(bins / TIME_COLUMNS), number = Math.ceil(bins / merged), step_s = bin_s * merged;
	return Array.from({length: number}, (_, i) => {
		const value = sum(total_s.slice(i * merged, (i + 1) * merged)), from = i * step_s, to = i === number - 1 ? Math.max(run_s, from) : from + step_s;
		return {label: seconds(i > 0 && i === number - 1 ? to : from), value, href: has_timeline && value > 0 ? `timeline/from=${from.toFixed(9)}&to=${to.toFixed(9)}` : undefined,
			title: filled("$1 to $2: $3", seconds(from), seconds(to), seconds(value))};
	});
}

// How long ranks waited in the call in each iteration.
function iteration_columns(finding, report, timeline) {
	const waits = is_wait(finding) && report.summary && waits_by_iteration(timeline, finding), groups = waits && report.summary.iterations;
	return groups && groups.map(({first, count: size}, i) => {
		const label = size > 1 ? first + "–" + (first + size - 1) : String(first), place = iteration_window(timeline, i);
		return {label, value: waits[i], title: `${filled("iteration $1", label)}: ${seconds(waits[i])}`, href: place && "timeline/" + place};
	});
}

const IN_UNITS = {s: seconds, share: percent, count};

// The fields of findings that have a label where they are declared.
function figures(report, finding) {
	return element("dl", {class: "facts"}, (report.finding_figures || []).map(({name, unit, label}) =>
		element("div", {}, element("dt", {}, label), element("dd", {}, IN_UNITS[unit](finding[name])))));
}

function distribution(finding, report, timeline) {
	const over_time = time_columns(finding, report.run.elapsed_s, Boolean(timeline)), by_iteration = iteration_columns(finding, report, timeline);
	return section("How long",
		finding.occurrences > 1 && figures(report, finding),
		element("div", {class: "plots"},
			over_time && columns(translated("time lost over the run"), over_time),
			by_iteration && columns(translated("waiting in this call by iteration"), by_iteration),
			finding.occurrences > 1 && finding.histogram.length > 0 && columns(translated("occurrences by duration"), finding.histogram.map(bin => ({
				label: bin_label(bin.from_s, bin.to_s, seconds), value: bin.occurrences,
				title: filled("$1 to $2: $3", seconds(bin.from_s), seconds(bin.to_s), counted(bin.occurrences, "time"))})), {unit: count}),
			finding.by_rank.length > 1 && columns(translated("time by rank"), finding.by_rank.map(one => ({label: ranks_of(one), value: one.total_s, href: timeline && one.last_rank === undefined && one.rank !== null ? "timeline/rank=" + one.rank : undefined,
				title: filled("rank $1", ranks_of(one)) + ": " + seconds(one.total_s)})))));
}

// Quotes a word for a shell.
export function shell_word(word) {
	return /^[\w./+:@%=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

function verify(report, finding) {
	const name = shell_word(report.trace.replace(/^.*\//, ""));
	return section("Check the change",
		element("p", {}, translated("Record the changed program under another name and compare both runs:")),
		element("pre", {class: "command", tabindex: 0, role: "region", "aria-label": translated("Check the change")},
			`tarry run -o after.tarry -- mpirun …\ntarry diff ${name} after.tarry`),
		element("p", {}, filled("If the change helped, the comparison lists “$1” at $2 as gone or less.", finding.name || finding.pattern, place_of(finding))));
}

function to_do(finding) {
	return finding.advice && section("What to do", element("p", {class: "advice"}, finding.advice));
}

// The savings of a fix, and how reliable the number is.
function savings(report, finding) {
	const first = price(finding), doubt = doubt_of(finding);
	return [element("p", {class: "big"}, element("strong", {class: finding.severity}, percent(first.share)), " ", filled(first.words, seconds(first.time_s))),
		element("div", {class: "saving"}, bar(first.share, finding.severity)),
		element("p", {}, finding.predictable ? filled("Savings if fixed: $1.", finding.fix) : filled("Savings are not predictable: $1.", finding.reason),
			" ", finding.predictable && translated("This is the result of a replay of the run without the finding."),
			" ", doubt && element("span", {}, element("span", {class: "mark"}, doubt), " ", translated("This is the usual explanation, not the only one.")),
			" ", report.trust.verdict === "none" && translated("This trace is too unreliable for advice: do not rely on the figures below."))];
}

function summary_line(report, finding) {
	const partners = finding.partner ? finding.partner.ranks : [], is_cause = finding.lost_s > finding.total_s;
	const because = ranks => filled(", because of $1", ranks), of_partners = partners.length > 0 && is_wait(finding) ? because(ranks_in_words(partners)) : "";
	const words = filled("Ranks lose $1 in all", seconds(finding.lost_s)) + (is_cause ? because(payers_in_words(finding)) : ": " + payers_in_words(finding) + of_partners);
	return [...savings(report, finding), element("p", {}, words.endsWith("…") ? words : words + ".")];
}

function name_at(report, number) {
	const {name, pattern} = report.findings[number - 1];
	return name || pattern;
}

// `timeline` is null if there is none.
export function finding_view(report, number, sources, timeline) {
	const finding = report.findings[number - 1], has_timeline = Boolean(timeline);
	if (!finding)
		return [element("p", {}, filled("There is no finding $1.", number))];
	const explains = finding.explained_by && report.findings[finding.explained_by - 1];
	return [element("article", {class: "finding-view"},
		element("p", {class: "steps"}, number > 1 && link("finding-" + (number - 1), `← ${number - 1}. ${name_at(report, number - 1)}`), " ",
			number < report.findings.length && link("finding-" + (number + 1), `${number + 1}. ${name_at(report, number + 1)} →`)),
		element("h2", {}, number + ". " + (finding.name || finding.pattern)),
		summary_line(report, finding),
		section("What happened", element("p", {}, finding.description),
			explains && element("p", {}, translated("Explained by") + " ", link("finding-" + finding.explained_by, explains.name), ".")),
		to_do(finding),
		where(finding, {sources, has_timeline}),
		instance(finding, has_timeline),
		causes(finding, has_timeline), distribution(finding, report, timeline), verify(report, finding))];
}
