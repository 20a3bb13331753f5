// Axes of charts: range, ticks and tick labels.
//
//	const axis = make_axis("seconds", [1.3e-6, 2.5e-3]);
//	const x = left + axis_share(axis, 1e-5) * width;

import {bytes, percent, seconds, significant} from "./format.js";

const MUCH = 8; // times, rates and counts that differ by this factor get a logarithmic axis
const ROOM = 0.04; // margin at both ends
const ZERO_BYTES = 0.5; // the position of 0 on an axis of powers of two
const LARGEST = 1e30; // larger values are drawn at the end of the axis

export const SECONDS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const RATES = [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]];
const SIZES = [[2 ** 60, "EiB"], [2 ** 50, "PiB"], [2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];

const prefixed = (prefixes, value, typical = value) => {
	const [factor, name] = choose_prefix(prefixes, typical);
	return significant(value / factor) + "\u00a0" + name;
};

// `log`: base of a logarithmic axis, and whether the axis is always logarithmic. `zero`: a linear axis begins at 0.
const UNITS = {
	bytes: {log: 2, always: true, write: bytes},
	memory: {log: 2, zero: true, write: bytes},
	count: {log: 2, write: significant},
	seconds: {log: 10, zero: true, write: seconds, prefixes: SECONDS},
	rate: {log: 10, zero: true, write: value => prefixed(RATES, value), prefixes: RATES},
	percent: {zero: true, write: percent},
	ratio: {write: significant},
	number: {write: significant},
};

function choose_prefix(prefixes, typical) {
	return prefixes.find(([factor]) => Math.abs(typical) >= factor * (1 - 1e-9)) || prefixes[prefixes.length - 1];
}

// Text for people: "1.23 µs", "64 KiB", "93 %", "1.2 GB/s".
export function written(unit, value) {
	return Number.isFinite(value) ? UNITS[unit].write(value) : "—";
}

// Minimum and maximum of the finite values; [1, 1] without any.
function ends_of(values) {
	let low = Infinity, high = -Infinity;
	for (const value of values)
		if (Number.isFinite(value)) {
			low = Math.min(low, Math.max(value, -LARGEST));
			high = Math.max(high, Math.min(value, LARGEST));
		}
	return low <= high ? [low, high] : [1, 1];
}

function logarithmic(axis, low, high) {
	low = Math.max(low, 1 / LARGEST);
	high = Math.max(high, low);
	const room = Math.log(high / low) * ROOM, factor = Math.exp(room > 0.02 ? room : 0.5);
	return {...axis, log: UNITS[axis.unit].log, low: low / factor, high: high * factor};
}

function linear(axis, low, high) {
	if (UNITS[axis.unit].zero)
		return {...axis, low: 0, high: (axis.unit === "percent" ? Math.max(high, 1) : high > 1 / LARGEST ? high : 1) * (1 + 2 * ROOM)};
	const room = (high - low) * ROOM || Math.abs(low) / 2 || 1;
	return {...axis, low: low - room, high: high + room};
}

// Logarithmic if the unit always is, or if values differ much. Linear axes of times, rates and sizes begin at 0.
export function make_axis(unit, values, title = "") {
	const axis = {unit, title, log: 0}, [low, high] = ends_of(values);
	if (UNITS[unit].always)
		return logarithmic(axis, Math.max(low, ZERO_BYTES), Math.max(high, ZERO_BYTES));
	return UNITS[unit].log && low > 0 && high / low > MUCH ? logarithmic(axis, low, high) : linear(axis, low, high);
}

// True if the value has a position on the axis: NaN has none, and 0 has none on a logarithmic axis.
export function axis_has(axis, value) {
	return Number.isFinite(value) && (value > 0 || !axis.log || axis.unit === "bytes");
}

// 0 at the low end, 1 at the high end, clamped. 0 bytes come before the smallest size.
export function axis_share(axis, value) {
	const place = axis.log ? Math.log : number => number;
	const at = place(axis.unit === "bytes" ? Math.max(value, ZERO_BYTES) : value), low = place(axis.low), high = place(axis.high);
	return Math.min(Math.max((at - low) / (high - low), 0), 1);
}

// 1, 2 or 5 times a power of ten, at least as large as this.
export function round_up(value) {
	const power = 10 ** Math.floor(Math.log10(value));
	return [1, 2, 5, 10].find(step => value <= step * power * (1 + 1e-9)) * power;
}

function linear_ticks(axis, labels) {
	const unit = axis.unit === "memory" ? choose_prefix(SIZES, axis.high)[0] : 1, ticks = [];
	let step = round_up((axis.high - axis.low) / labels / unit) * unit;
	if (axis.unit === "count")
		step = Math.max(step, 1);
	for (let n = Math.ceil(axis.low / step); n * step <= axis.high && ticks.length < 100; n++)
		ticks.push({value: n * step + 0, labelled: true});
	return ticks;
}

// Powers, with a label at each, or each second, fifth, tenth, …, so that 1, 1K, 1M have labels.
function power_ticks(axis, labels) {
	const log = value => Math.log(value) / Math.log(axis.log), ticks = [];
	const from = Math.ceil(log(axis.low) - 1e-9), to = Math.floor(log(axis.high) + 1e-9), powers = to - from + 1;
	const step = [1, 2, 5, 10, 20, 50, 100].find(one => powers <= one * labels) || 200;
	for (let n = from; n <= to; n++) {
		const labelled = n % step === 0 || (axis.unit === "bytes" && n === -1);
		if (labelled || powers < 96)
			ticks.push({value: axis.log ** n, labelled});
	}
	return ticks;
}

// 2 to 9 times each power of ten, with labels at 2 and 5 if there are few powers.
function decimal_ticks(axis, decades) {
	const ticks = [];
	for (let n = Math.floor(Math.log10(axis.low)); n <= Math.ceil(Math.log10(axis.high)); n++)
		for (let i = 1; i < 10; i++)
			if (i * 10 ** n >= axis.low && i * 10 ** n <= axis.high)
				ticks.push({value: i * 10 ** n, labelled: i === 1 || (decades < 2.5 && (i === 2 || i === 5))});
	return ticks;
}

// About `labels` ticks have a label.
export function axis_ticks(axis, labels) {
	const decades = axis.log ? Math.log10(axis.high / axis.low) : 0;
	if (!axis.log)
		return linear_ticks(axis, labels);
	return axis.log === 2 || decades > labels ? power_ticks(axis, labels) : decimal_ticks(axis, decades);
}

// All labels of an axis have the same unit; sizes are short: "64K".
export function axis_label(axis, value) {
	if (axis.unit === "bytes" || axis.unit === "memory")
		return prefixed(SIZES, value <= ZERO_BYTES ? 0 : value).replace(/\u00a0(.?)i?B$/, "$1");
	const {prefixes} = UNITS[axis.unit];
	return prefixes ? prefixed(prefixes, value, axis.log ? value : axis.high) : written(axis.unit, value);
}
