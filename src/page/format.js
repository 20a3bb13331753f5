// Numbers for people: at most three significant digits.

import {filled, is_russian, plural, translated} from "./words.js";

const NO_BREAK = "\u00a0";

export function significant(value) {
	if (!Number.isFinite(value))
		return "—";
	if (Math.abs(value) >= 1e15)
		return value.toPrecision(3);
	if (value === 0 || Math.abs(value) >= 999.5)
		return String(Math.round(value));
	const digits = String(Number(value.toPrecision(3))).replace("-", "−");
	return is_russian() ? digits.replace(".", ",") : digits;
}

function scaled(value, steps) {
	for (const [limit, factor, unit] of steps)
		if (Math.abs(value) < limit)
			return significant(value * factor) + NO_BREAK + translated(unit);
	return "";
}

export function seconds(value) {
	if (value === null || value === undefined)
		return "—";
	return value === 0 ? "0" + NO_BREAK + translated("s") : scaled(value, [
		[0.9995e-6, 1e9, "ns"], [0.9995e-3, 1e6, "µs"], [0.9995, 1e3, "ms"], [119.95, 1, "s"], [7197, 1 / 60, "min"],
		[Infinity, 1 / 3600, "h"]]);
}

export function bytes(value) {
	return scaled(value, [[1023.5, 1, "B"], [1023.5 * 1024, 1 / 1024, "KiB"], [1023.5 * 1048576, 1 / 1048576, "MiB"],
		[Infinity, 1 / 1073741824, "GiB"]]);
}

// An interval of a histogram up to but not including `end`: "≥ 4 ms", or "< 64 B" if it begins with 0. It has only 0 if `end` is 0.
export function bin_label(from, end, unit) {
	return from > 0 ? `≥${NO_BREAK}${unit(from)}` : end > 0 ? `<${NO_BREAK}${unit(end)}` : unit(0);
}

// "1 234 567", with non-breaking spaces.
export function count(value) {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, NO_BREAK);
}

// "1 error", "2 errors".
export function counted(number, one) {
	return count(number) + NO_BREAK + plural(number, one);
}

// As in the terminal: one decimal below 10 %.
export function percent(part) {
	if (!Number.isFinite(part))
		return "—";
	const value = part * 100;
	return (part > 0 && part < 0.001 ? "< " + significant(0.1) : significant(Number(value.toFixed(Math.abs(value) < 9.95 ? 1 : 0)))) + NO_BREAK + "%";
}

// The first figure of a finding: what the run would save, or if that is not predictable, the time that all ranks lose.
export function price(finding) {
	return finding.predictable ? {share: finding.saves_share, time_s: finding.saves_s, words: "of the run would be saved: $1", in_short: "the run saves $1"} :
		{share: finding.lost_share, time_s: finding.lost_s, words: "of the time of all ranks lost: $1", in_short: "not predictable"};
}

const CONFIDENCES = {likely: "likely", suspicion: "suspected"};

// "likely" if it is not certain that the trace shows this problem; otherwise null.
export function doubt_of(finding) {
	return CONFIDENCES[finding.confidence] ? translated(CONFIDENCES[finding.confidence]) : null;
}

// "0–2, 7" of ascending numbers or [first, last], null at the end if there are more of them; runs beyond `max` are left out.
export function number_runs(numbers, max = 6) {
	const runs = [];
	for (const item of numbers) {
		const [from, to] = Array.isArray(item) ? item : [item, item], last = runs[runs.length - 1];
		if (last && from !== null && from === last[1] + 1)
			last[1] = to;
		else
			runs.push([from, to]);
	}
	const shown = runs.slice(0, max).map(([from, to]) => (from === null ? "…" : from === to ? from : from + "–" + to)).join(", ");
	return runs.length > max ? shown + ", …" : shown;
}

// "rank 3", "ranks 0–2, 7"
export function ranks_in_words(numbers) {
	const runs = number_runs(numbers);
	return filled(/^\d+$/.test(runs) ? "rank $1" : "ranks $1", runs);
}

// The ranks that pay for a finding: "almost only rank 0". With very many ranks the others are unknown here.
export function payers_in_words(finding) {
	const size = numbers => numbers.reduce((sum, item) => sum + (item === null ? NaN : Array.isArray(item) ? item[1] - item[0] + 1 : 1), 0);
	const others = size(finding.processes) - size(finding.concerned);
	return others > 0 ? filled("almost only $1", ranks_in_words(finding.concerned)) : ranks_in_words(finding.concerned);
}

const REGION_SEPARATOR = " > "; // in reports

// "time step › exchange" for a region in another one; a part of the path for each.
export const regions_of_path = path => path.split(REGION_SEPARATOR);
export const region_words = path => regions_of_path(path).join(" › ");

// "halo.c:42", or whatever is known about the place of a call.
export function place_of(call) {
	return call.file ? call.file.replace(/^.*\//, "") + ":" + call.line : call.place || call.call || "";
}
