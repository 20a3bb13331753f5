// Trends of runs, commits that changed them, and how programs scale. In English, as 'tarry history' is.

import {line_chart} from "./charts.js";
import {element, table} from "./dom.js";
import {count, counted, percent, seconds, significant} from "./format.js";

const HASH = /^[0-9a-f]{40}/;
export const commit_name = commit => (HASH.test(commit) ? commit.slice(0, 10) : commit);
const change_of = part => `${percent(Math.abs(part))} ${part > 0 ? "slower" : "faster"}`;
const range_of = (write, {low, high}) => `${write(low)} … ${write(high)}`;

function newest_verdict(series) {
	const newest = commit_name(series.runs[series.runs.length - 1].commit);
	if (series.level_s === null)
		return element("p", {}, `${newest} is the first commit.`);
	if (!series.slowdown)
		return element("p", {}, `${newest}, the newest commit, is as fast as before.`);
	return element("p", {}, `${newest}, the newest commit: `, element("strong", {class: series.slowdown > 0 ? "poor" : "good"}, change_of(series.slowdown)));
}

function trend_chart(series) {
	const spots = series.runs.map((run, i) => ({x: i + 1, y: run.length_s, words: `${commit_name(run.commit)}: ${seconds(run.length_s)}`}));
	const first = new Set(series.changes.map(change => change.run));
	return line_chart("Time of each run", {x: {title: "run", unit: "number"}, y: {title: "time", unit: "seconds"}, series: [
		{name: "time", spots},
		first.size && {name: "new level", spots: spots.filter((_, i) => first.has(i))}].filter(Boolean)});
}

function changes_table(series) {
	return series.changes.length ? table("Changes", [{title: "From commit", words: true}, {title: "Change"}, {title: "New time / old time (95 % interval)"}],
		series.changes.map(change => [commit_name(change.commit), change_of(change.ratio - 1), change.high === null ? "—" : range_of(significant, change)])) : null;
}

const size_of = ({ranks, threads}) => counted(ranks, "rank") + (threads > ranks ? `, ${counted(threads, "thread")}` : "");

function series_section(series) {
	const title = `${series.program || "program"} on ${series.machine}, ${size_of(series)}`, {parallel, openmp} = series.runs[series.runs.length - 1];
	return element("section", {}, element("h2", {}, title), newest_verdict(series), changes_table(series), series.runs.length > 1 && trend_chart(series),
		parallel !== null && element("p", {class: "faint"}, `Parallel efficiency of the newest run: ${percent(parallel)}${openmp === null ? "" : ` (OpenMP ${percent(openmp)})`}`));
}

const EFFICIENCIES = {global: "Global efficiency", parallel: "Parallel efficiency", load_balance: "Load balance", serialisation: "Serialisation", transfer: "Transfer", openmp: "OpenMP",
	computation_scaling: "Computation scaling", instruction_scaling: "Instructions", ipc_scaling: "Instructions per cycle", frequency_scaling: "Clock frequency"};
// Only of some programs, or of runs with counters.
const OPTIONAL = ["openmp", "instruction_scaling", "ipc_scaling", "frequency_scaling"];

function scaling_section({commit, machine, scaling}) {
	return scaling_table(`Scaling of ${scaling.program || "program"} on ${machine}, commit ${commit_name(commit)}`, scaling);
}

export function scaling_table(title, scaling) {
	const has = name => scaling.runs.some(run => run[name] !== null), is_hybrid = has("openmp"), names = Object.keys(EFFICIENCIES).filter(name => !OPTIONAL.includes(name) || has(name));
	const sizes = ({ranks, threads}, note) => [count(ranks) + note, ...(is_hybrid ? [count(threads)] : [])];
	const measured = run => [...sizes(run, ""), seconds(run.length_s), significant(run.speed_up), ...names.map(name => (run[name] === null ? "—" : percent(run[name])))];
	const extrapolated = more => [...sizes(more, " (extrapolated)"), range_of(seconds, more.length_s), "", ...names.map(name => (more[name] ? range_of(percent, more[name]) : "—"))];
	return element("section", {class: "scaling"}, element("h2", {}, title), table(title, ["Ranks", ...(is_hybrid ? ["Threads"] : []), "Time", "Speed-up", ...names.map(name => EFFICIENCIES[name])].map(head => ({title: head})),
		[...scaling.runs.map(measured), ...scaling.predictions.map(extrapolated)]));
}

export function history_view(history) {
	return [...history.series.map(series_section), ...history.scaling.map(scaling_section)];
}
