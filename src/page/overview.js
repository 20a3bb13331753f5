// The first view: what ran, how efficient it was, what happened over time, and the findings by their cost.

import {check_verdict} from "./check.js";
import {element, link, table} from "./dom.js";
import {count, counted, payers_in_words, percent, place_of, seconds} from "./format.js";
import {bar, meter} from "./plots.js";
import {filled, translated} from "./words.js";

function facts(report) {
	const run = report.run;
	return element("dl", {class: "facts"}, [
		["Program", run.program], ["Library", run.library], ["Processes", count(run.processes)], ["Nodes", count(run.nodes)], ["Length", seconds(run.length_s)], ["Calls recorded", count(run.calls)],
	].filter(([, value]) => value).map(([name, value]) => element("div", {}, element("dt", {}, translated(name)), element("dd", {}, value))));
}

export function trust(report) {
	if (report.trust.verdict === "full")
		return null;
	return element("div", {class: "care " + report.trust.verdict, role: "note"},
		report.trust.reasons.map(reason => element("p", {}, element("strong", {}, reason.text + ". "), reason.detail)));
}

function efficiency(report) {
	const figures = report.summary && report.summary.efficiency;
	if (!figures)
		return null;
	const computing = percent(figures.parallel), longest = percent(1 - figures.load_balance);
	return element("section", {}, element("h2", {}, translated("Efficiency")), element("div", {class: "meters"},
		meter(translated("Parallel efficiency"), figures.parallel, filled("On average, processes computed for $1 of the run.", computing)),
		meter(translated("Load balance"), figures.load_balance,
			figures.load_balance > 0.95 ? translated("All processes have about the same work.") :
				filled("The mean process has $1 less work than the busiest one.", longest)),
		meter(translated("Communication efficiency"), figures.communication,
			filled("The busiest process spent $1 of the run in calls.", percent(1 - figures.communication)))));
}

function finding_row(finding, number, most) {
	return element("li", {class: "finding " + finding.severity + (finding.explained_by ? " below" : "")},
		link("finding-" + number, element("span", {class: "finding-name"}, number + ". " + (finding.name || finding.pattern)),
			element("span", {class: "finding-cost"}, percent(finding.share)),
			bar(finding.total_s / most, finding.severity),
			element("span", {class: "finding-where"}, finding.call + " " + place_of(finding),
				element("span", {class: "faint"}, " · " + payers_in_words(finding) + " · " + seconds(finding.total_s)))),
		finding.advice && element("p", {class: "advice"}, finding.advice));
}

export function findings_list(report) {
	const most = Math.max(...report.findings.map(finding => finding.total_s), 0) || 1;
	return element("section", {}, element("h2", {}, translated("Findings")),
		report.findings.length ? element("ol", {class: "findings"},
			report.findings.map((finding, i) => finding_row(finding, i + 1, most))) :
			element("p", {}, translated("No significant wait states found.")),
		report.left_out && report.left_out.findings > 0 &&
			element("p", {class: "faint"}, filled("Not listed: $1, $2 in all.", counted(report.left_out.findings, "smaller finding"), seconds(report.left_out.total_s))));
}

function correctness(check) {
	return check && element("p", {class: check.errors ? "care none" : check.warnings ? "care" : ""}, translated("Correctness") + ": ", link("correctness", check_verdict(check)));
}

const PLACES_SHOWN = 6, RANKS_SHOWN = 8;

// Where the run could be made shorter: computing and calls that determined its length.
function critical_path(report, has_timeline) {
	const path = report.critical_path;
	if (!path || report.run.processes < 2)
		return null;
	const length = path.to_s - path.from_s;
	return element("section", {class: "critical-path"}, element("h2", {}, has_timeline ? link("timeline", translated("Critical path")) : translated("Critical path")),
		element("p", {}, translated("The run takes as long as its critical path. Shortening work elsewhere does not shorten the run."), " ",
			filled("$1 of it is computing, $2 is inside calls without waiting.", percent(path.computing_s / length), percent(path.communication_s / length)),
			path.cut && " " + filled("It is known from $1 on.", seconds(path.from_s))),
		table(translated("Critical path"), [{title: translated("What"), long: true}, {title: translated("Time")}, {title: translated("Share")}, {title: translated("More than the mean")}],
			path.places.slice(0, PLACES_SHOWN).map(place => [place.text, seconds(place.total_s), [bar(place.share, place.kind === "computing" ? "compute" : "p2p"), percent(place.share)],
				place.excess_s > 0 ? seconds(place.excess_s) : ""])),
		element("p", {class: "faint"}, translated("Ranks"), ": ",
			path.ranks.slice(0, RANKS_SHOWN).map(({rank, share}) => `${filled("rank $1", rank === null ? "?" : rank)} ${percent(share)}`).join(", "), path.ranks.length > RANKS_SHOWN && ", …"));
}

export function overview(report, strip, check) {
	return [
		element("section", {}, facts(report), trust(report), correctness(check)),
		efficiency(report),
		strip && element("section", {}, element("h2", {}, link("timeline", translated("Timeline"))), strip),
		critical_path(report, Boolean(strip)),
		findings_list(report),
	];
}
