// The first view, one sheet: what to do and what it saves, the findings, how efficient the run was, what happened over time, iterations, regions and ranks.

import {check_verdict} from "./check.js";
import {element, link, table} from "./dom.js";
import {timeline_fragment} from "./finding.js";
import {bytes, count, counted, doubt_of, payers_in_words, percent, place_of, price, ranks_in_words, region_words, regions_of_path, seconds, significant} from "./format.js";
import {iteration_window} from "./iterations.js";
import {calls_fragment, moment_fragment, place_code, place_link} from "./places.js";
import {bar, kind_legend, meter, stacked_columns} from "./plots.js";
import {outlier_test, sortable_table} from "./tables.js";
import {strip} from "./timeline_view.js";
import {trust_notes} from "./trust.js";
import {filled, filled_parts, translated} from "./words.js";

// The run does not include MPI_Init and MPI_Finalize, the timeline does.
function length_words(run) {
	return [seconds(run.length_s), run.elapsed_s > run.length_s * 1.2 && element("small", {class: "faint"}, " " + filled("of $1 including MPI's start and end", seconds(run.elapsed_s)))];
}

function facts(report) {
	const run = report.run;
	return element("dl", {class: "facts"}, [
		["Program", run.program], ["Library", run.library], ["Processes", count(run.processes)], ["Nodes", count(run.nodes)], ["Length", length_words(run)], ["Calls recorded", count(run.calls)],
	].filter(([, value]) => value).map(([name, value]) => element("div", {}, element("dt", {}, translated(name)), element("dd", {}, value))));
}

// Ranks that never returned from a call; null: there are none.
function hang_words(report) {
	const stuck = (report.open_calls || []).filter(call => call.stuck), [call] = stuck;
	if (report.deadlock)
		return filled("Deadlock: $1 wait for each other and never return.", ranks_in_words([...report.deadlock].sort((a, b) => a - b)));
	if (!call)
		return null;
	return stuck.length > 1 ? filled("$1 never returned from their calls: $2 waits in $3 at $4.", counted(stuck.length, "rank"), filled("rank $1", call.rank), call.call, place_of(call)) :
		filled("Rank $1 never returned from $2 at $3.", call.rank, call.call, place_of(call));
}

const SAVING_MIN = 0.0005; // is written as 0 %

// The most valuable fixes and their savings.
export function lead_words(report) {
	const [first] = report.findings;
	if (report.trust.verdict === "none")
		return translated("This trace is too unreliable for advice: do not rely on the figures below.");
	if (hang_words(report))
		return hang_words(report);
	if (!first)
		return translated("No significant wait states found.");
	const {share, time_s} = price(first), name = first.name || first.pattern, place = place_of(first);
	if (first.predictable && share < SAVING_MIN)
		return filled("No single fix would shorten the run. Look at $1 at $2 first: ranks lose $3.", name, place, seconds(first.lost_s));
	if (first.predictable)
		return filled("Fix $1 at $2 first: the run would save $3, $4 of its time.", name, place, seconds(time_s), percent(share));
	return filled("Look at $1 at $2 first: ranks lose $3, $4 of their time.", name, place, seconds(time_s), percent(share));
}

function lead(report) {
	if (report.trust.verdict === "none")
		return element("p", {class: "lead"}, lead_words(report));
	return element("p", {class: "lead"}, hang_words(report) ? link("notes", lead_words(report)) : report.findings.length ? link("finding-1", lead_words(report)) : lead_words(report));
}

function efficiency(report) {
	const figures = report.summary && report.summary.efficiency, hybrid = report.summary && report.summary.hybrid, counters = report.summary && report.summary.counters, parts = report.summary && report.summary.communication;
	if (!figures)
		return null;
	const computing = percent(figures.parallel), longest = percent(1 - figures.load_balance);
	return element("section", {}, element("h2", {}, translated("Efficiency")), element("div", {class: "meters"},
		hybrid && meter(translated("Parallel efficiency"), hybrid.parallel, translated("MPI efficiency × OpenMP efficiency")),
		hybrid && meter(translated("OpenMP efficiency"), hybrid.openmp,
			filled("While a process computes, $1 of the time of its threads is useful.", percent(hybrid.openmp))),
		meter(translated(hybrid ? "MPI efficiency" : "Parallel efficiency"), figures.parallel, filled("On average, processes computed for $1 of the run.", computing)),
		meter(translated("Load balance"), figures.load_balance,
			figures.load_balance > 0.95 ? translated("All processes have about the same work.") :
				filled("On average, processes have $1 less work than the busiest one.", longest)),
		meter(translated("Communication efficiency"), figures.communication,
			filled("The busiest process spent $1 of the run in calls.", percent(1 - figures.communication))),
		parts && meter(translated("Serialisation"), parts.serialisation,
			filled("Even if messages took no time, ranks would wait for each other for $1 of that run.", percent(1 - parts.serialisation))),
		parts && meter(translated("Transfer"), parts.transfer, filled("On an ideal network, the run would take $1 less time.", percent(1 - parts.transfer)))),
		counters && counters.instructions_per_cycle !== null && counters.cycles_per_s !== null && element("p", {},
			filled("Computing: $1 instructions per cycle at $2 GHz", significant(counters.instructions_per_cycle), significant(counters.cycles_per_s / 1e9))));
}

function finding_card(finding, number, max, {has_timeline, is_twin}) {
	const first = price(finding), doubt = doubt_of(finding);
	return element("li", {class: "finding " + finding.severity + (finding.explained_by ? " below" : "")},
		element("a", {class: "finding-link", href: "#finding-" + number}, element("span", {class: "finding-name"}, number + ". " + (finding.name || finding.pattern),
			doubt && [" ", element("span", {class: "mark"}, doubt)]),
		element("span", {class: "finding-cost"}, percent(first.share)),
		bar(first.share / max, finding.severity)),
		element("p", {class: "finding-where"}, place_code(has_timeline && timeline_fragment(finding), finding.call + " " + place_of(finding)), " · " + payers_in_words(finding),
			is_twin && finding.path && finding.path.length > 0 && element("span", {class: "faint"}, " · " + filled("called at $1", finding.path.map(place_of).join(" ← ")))),
		element("p", {class: "faint"}, filled(first.in_short, seconds(first.time_s)) + " · " + filled("ranks lose $1", seconds(finding.lost_s))),
		finding.advice && element("p", {class: "advice short"}, finding.advice));
}

// They differ only in their call paths.
const are_twins = (one, other) => one !== other && one.pattern === other.pattern && one.call === other.call && place_of(one) === place_of(other);

const CARD_BAR_MIN = 0.1; // of the run: a bar of less is not full, so that small findings look small

export function findings_list(report, has_timeline = false) {
	const max = Math.max(...report.findings.map(finding => price(finding).share), CARD_BAR_MIN);
	return element("section", {class: "findings-section"}, element("h2", {}, translated("Findings")),
		report.findings.length ? element("ol", {class: "findings"},
			report.findings.map((finding, i) => finding_card(finding, i + 1, max, {has_timeline, is_twin: report.findings.some(other => are_twins(finding, other))}))) :
			element("p", {}, translated(report.trust.verdict === "none" ? "None." : "No significant wait states found.")),
		report.left_out && report.left_out.findings > 0 &&
			element("p", {class: "faint"}, filled("Not listed: $1, $2 in all.", counted(report.left_out.findings, "smaller finding"), seconds(report.left_out.total_s))));
}

function correctness(check) {
	return check && element("p", {class: check.errors ? "care none" : check.warnings ? "care" : ""}, translated("Correctness") + ": ", link("correctness", check_verdict(check)));
}

const ITERATION_KINDS = [["kind-computing", "computing"], ["kind-mpi", "inside calls"], ["kind-waiting", "waiting"]];

// How long iterations took: mean times of a rank in groups of neighbours.
function iterations_section(report, timeline) {
	const groups = report.summary && report.summary.iterations, about = report.summary && report.summary.iteration;
	if (!groups || !groups.length || !about)
		return null;
	const label_of = group => String(group.count > 1 ? group.first + "–" + (group.first + group.count - 1) : group.first), name_of = group => filled("iteration $1", label_of(group));
	const items = groups.map((group, i) => ({label: label_of(group), href: iteration_window(timeline, i) && "timeline/" + iteration_window(timeline, i),
		title: `${name_of(group)}: ${seconds(group.length_s)}, ${translated("computing")} ${seconds(Math.max(0, group.length_s - group.communication_s))}, ${translated("waiting")} ${seconds(group.waiting_s)}`,
		parts: [{kind: "kind-computing", value: Math.max(0, group.length_s - group.communication_s)}, {kind: "kind-mpi", value: Math.max(0, group.communication_s - group.waiting_s)},
			{kind: "kind-waiting", value: Math.min(group.waiting_s, group.communication_s)}]}));
	return element("section", {class: "iterations"}, element("h2", {}, translated("Iterations")),
		element("p", {class: "faint"}, filled_parts("$1 of $2 on average, each from $3 at $4.", counted(about.count, "iteration"), seconds(about.mean_s), about.call,
			place_link(timeline && calls_fragment(about), about.place))),
		stacked_columns(translated("Iterations"), items, {max_width: 1200, over: translated("number of the iteration; the end of the last one is not recorded")}),
		kind_legend(ITERATION_KINDS.filter(([kind]) => items.some(item => item.parts.some(part => part.kind === kind && part.value > 0))).map(([kind, words]) => [kind, translated(words)])),
		about.outliers.length > 0 && element("ul", {class: "plain"}, about.outliers.map(one => element("li", {}, one.excess_s > 0 && one.rank !== null ?
			filled("Iteration $1 takes $2: rank $3 computes $4 longer than usual.", one.number, seconds(one.length_s), one.rank, seconds(one.excess_s)) :
			filled("Iteration $1 takes $2.", one.number, seconds(one.length_s))))));
}

// Where the longest instance of a region is on the timeline; null: not known.
function longest_fragment(timeline, {name, path}) {
	const regions = timeline && timeline.whole_regions, depth = regions_of_path(path).length - 1, length = one => one.to - one.from;
	let longest = null;
	(regions ? regions.rows : []).forEach((row, number) => row.forEach(one => {
		if (one.depth === depth && regions.names[one.name] === name && (!longest || length(one) > length(longest)))
			longest = {...one, rank: timeline.rows[number].rank};
	}));
	return longest && `timeline/from=${longest.from.toFixed(9)}&to=${longest.to.toFixed(9)}&rank=${longest.rank}`;
}

// Regions and phases of the user.
export function regions_section(report, timeline) {
	const phases = report.summary && report.summary.phases;
	if (!phases || !phases.length)
		return null;
	const share = phase => phase.time_s / report.run.time_s;
	return element("section", {class: "regions"}, element("h2", {}, translated("Regions")),
		sortable_table(translated("Regions"), [
			{title: translated("Region"), words: true, ascending: true, value: phase => phase.path, show: phase => place_link(longest_fragment(timeline, phase), region_words(phase.path))},
			{title: translated("Times"), value: phase => phase.times, show: phase => count(phase.times)},
			{title: translated("Share of the run"), value: share, show: phase => [bar(share(phase), "compute"), percent(share(phase))]},
			{title: translated("Computing"), value: phase => phase.computing_s, show: phase => seconds(phase.computing_s)},
			{title: translated("Communication"), value: phase => phase.communication_s, show: phase => seconds(phase.communication_s)},
			{title: translated("Parallel efficiency"), value: phase => (phase.efficiency ? phase.efficiency.parallel : -1), show: phase => (phase.efficiency ? percent(phase.efficiency.parallel) : "—")},
		], phases, 2));
}

const FAR_MIN = 0.005; // of the length of the run
const WAIT_COLUMN = 3; // if only the ranks that waited longest are listed, the longest wait comes first

// Numbers far from those of most ranks are marked.
export function ranks_section(report, has_timeline) {
	const rows = report.summary ? report.summary.ranks : [];
	if (!rows.length)
		return null;
	let is_marked = false;
	const column = (title, value, write) => {
		const is_far = outlier_test(rows.map(value), write === seconds ? report.run.length_s * FAR_MIN : 0);
		is_marked = is_marked || rows.some(row => is_far(value(row)));
		const show = row => (is_far(value(row)) ? element("strong", {class: "outlier", title: translated(is_far(value(row)) > 0 ? "more than most ranks" : "less than most ranks")},
			is_far(value(row)) > 0 ? "▲ " : "▼ ", write(value(row))) : write(value(row)));
		return {title: translated(title), value, show};
	};
	const rank = row => (row.rank === null ? "?" : row.rank);
	const columns = [
		{title: translated("Rank"), ascending: true, value: row => (row.rank === null ? -1 : row.rank), show: row => (has_timeline && row.rank !== null ? link("timeline/rank=" + row.rank, rank(row)) : rank(row))},
		column("Computing", row => row.computing_s, seconds), column("Communication", row => row.communication_s, seconds), column("Wait", row => row.waiting_s || 0, seconds),
		column("Without a CPU", row => row.without_processor_s || 0, seconds), column("Blocked", row => row.blocked_s || 0, seconds), column("Calls", row => row.calls, count),
		column("Sent", row => row.sent_bytes, bytes), column("Received", row => row.received_bytes, bytes)];
	return element("section", {class: "ranks"}, element("h2", {}, translated("Ranks")), sortable_table(translated("Ranks"), columns, rows, rows.length < report.run.processes ? WAIT_COLUMN : 0),
		element("p", {class: "faint"}, is_marked && translated("▲ and ▼ mark values far from those of most ranks.") + " ", translated("Communication includes waiting. Computing includes time blocked in the kernel: sleep, input and output, page faults."),
			rows.length < report.run.processes && " " + filled("The $1 of $2 ranks that waited longest.", count(rows.length), count(report.run.processes))));
}

const PLACES_SHOWN = 6, RANKS_SHOWN = 8;
const PATH_KINDS = {computing: "compute", noise: "no_cpu"}, NOISE_MIN = 0.001; // of the path

// Computation and calls on the critical path, where the run could be shortened.
function critical_path(report, has_timeline) {
	const path = report.critical_path;
	if (!path || report.run.processes < 2)
		return null;
	const length = path.to_s - path.from_s;
	return element("section", {class: "critical-path"}, element("h2", {}, has_timeline ? link("timeline", translated("Critical path")) : translated("Critical path")),
		element("p", {}, translated("The run takes as long as its critical path. Shortening work elsewhere does not shorten the run."), " ",
			filled("$1 of it is computing, $2 is inside calls without waiting.", percent(path.computing_s / length), percent(path.communication_s / length)),
			path.noise_s / length >= NOISE_MIN && " " + filled("For $1 of it, ranks are without a CPU.", percent(path.noise_s / length)),
			path.cut && " " + filled("The path is known from $1 on.", seconds(path.from_s))),
		table(translated("Critical path"), [{title: translated("What"), long: true}, {title: translated("Time")}, {title: translated("Share")}, {title: translated("More than the mean")}],
			path.places.slice(0, PLACES_SHOWN).map(place => [place_link(has_timeline && place.longest && moment_fragment(place.longest), place.text), seconds(place.total_s), [bar(place.share, PATH_KINDS[place.kind] || "p2p"), percent(place.share)],
				place.excess_s > 0 ? seconds(place.excess_s) : ""])),
		element("p", {class: "faint"}, translated("Ranks"), ": ",
			path.ranks.slice(0, RANKS_SHOWN).map(({rank, share}, i) => [i ? ", " : "", rank === null || !has_timeline ? filled("rank $1", rank === null ? "?" : rank) : link("timeline/rank=" + rank, filled("rank $1", rank)), " " + percent(share)]),
			path.ranks.length > RANKS_SHOWN && ", …"));
}

export function overview(report, timeline, check) {
	const has_timeline = Boolean(timeline);
	return [
		element("section", {class: "sheet-head"}, lead(report), trust_notes(report.trust), correctness(check), facts(report)),
		findings_list(report, has_timeline),
		efficiency(report),
		timeline && element("section", {}, element("h2", {}, link("timeline", translated("Timeline"))), strip(timeline)),
		iterations_section(report, timeline),
		regions_section(report, timeline),
		ranks_section(report, has_timeline),
		critical_path(report, has_timeline),
	];
}
