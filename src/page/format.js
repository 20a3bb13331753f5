// Numbers as people read them: three significant digits at the most.

import {filled, is_russian, plural, translated} from "./words.js";

const NO_BREAK = "\u00a0";

export function significant(value) {
	if (!Number.isFinite(value))
		return "—";
	if (Math.abs(value) >= 1e15)
		return value.toPrecision(3);
	if (value === 0 || Math.abs(value) >= 999.5)
		return String(Math.round(value));
	const digits = String(Number(value.toPrecision(3)));
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

// "1 234 567", with spaces that do not break.
export function count(value) {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, NO_BREAK);
}

// "1 error", "2 errors".
export function counted(number, one) {
	return count(number) + NO_BREAK + plural(number, one);
}

export function percent(part) {
	if (!Number.isFinite(part))
		return "—";
	return (part > 0 && part < 0.001 ? "< " + significant(0.1) : significant(part * 100)) + NO_BREAK + "%";
}

// "0–2, 7" of ascending numbers or [first, last], null at the end if there are more of them; runs beyond `most` are left out.
export function number_runs(numbers, most = 6) {
	const runs = [];
	for (const item of numbers) {
		const [from, to] = Array.isArray(item) ? item : [item, item], last = runs[runs.length - 1];
		if (last && from !== null && from === last[1] + 1)
			last[1] = to;
		else
			runs.push([from, to]);
	}
	const shown = runs.slice(0, most).map(([from, to]) => (from === null ? "…" : from === to ? from : from + "–" + to)).join(", ");
	return runs.length > most ? shown + ", …" : shown;
}

// "rank 3", "ranks 0–2, 7"
export function ranks_in_words(numbers) {
	const runs = number_runs(numbers);
	return filled(/^\d+$/.test(runs) ? "rank $1" : "ranks $1", runs);
}

// Who pays for a finding: "almost only rank 0". Of very many ranks the others are not known here.
export function payers_in_words(finding) {
	const size = numbers => numbers.reduce((sum, item) => sum + (item === null ? NaN : Array.isArray(item) ? item[1] - item[0] + 1 : 1), 0);
	const others = size(finding.processes) - size(finding.concerned);
	return others > 0 ? filled("almost only $1", ranks_in_words(finding.concerned)) : ranks_in_words(finding.concerned);
}

// "halo.c:42", or what else is known of a call's place.
export function place_of(call) {
	return call.file ? call.file.replace(/^.*\//, "") + ":" + call.line : call.place || call.call || "";
}
