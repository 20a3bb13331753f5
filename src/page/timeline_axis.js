// The axis of the timeline: labels are offsets from a base that is written once, with as many digits as neighbouring labels need to differ.

import {round_up, SECONDS} from "./axis.js";
import {is_russian, translated} from "./words.js";

const DIGITS_MAX = 1000; // steps from 0 from which on labels are offsets
export const AXIS = 20;

const exponent_of = value => Math.floor(Math.log10(value) + 1e-9);

// With the digits down to 10 ** exponent.
function exact_time(value, [factor, unit], exponent) {
	const digits = (value / factor).toFixed(Math.max(0, -(exponent - exponent_of(factor))));
	return (is_russian() ? digits.replace(".", ",") : digits) + "\u00a0" + translated(unit);
}

const unit_for = value => SECONDS.find(([factor]) => value >= factor * (1 - 1e-9)) || SECONDS[SECONDS.length - 1];

// Ticks in an interval with about this many labels: {base, ticks: [{time, words}]}, where `base` is words or "".
export function time_axis(from, to, max) {
	const span = to - from, step = round_up(span / max);
	const first = Math.ceil(from / step - 1e-6), last = Math.floor(to / step + 1e-6);
	const round = 10 ** (exponent_of(span) + 1), base = first > DIGITS_MAX ? Math.floor(from / round + 1e-9) * round : 0;
	const skipped = Math.round(base / step), unit = unit_for((last - skipped) * step), ticks = [];
	for (let n = first; n <= last; n++)
		ticks.push({time: n * step, words: n === skipped && !base ? "0" : (base ? "+" : "") + exact_time((n - skipped) * step, unit, exponent_of(step))});
	return {base: base ? exact_time(base, unit_for(base), exponent_of(round)) : "", ticks};
}

export function draw_axis(view) {
	const {paper, palette, zero} = view, axis = time_axis(view.from - zero, view.to - zero, Math.max(2, (view.width - view.left) / 110));
	let free = view.left;
	paper.fillStyle = palette.ground;
	paper.fillRect(0, view.height - AXIS, view.width, AXIS);
	paper.fillStyle = palette.ink;
	paper.textAlign = "center";
	for (const {time, words} of axis.ticks) {
		const half = paper.measureText(words).width / 2, x = view.x(time + zero), at = Math.min(Math.max(x, view.left + half), view.width - half - 1);
		paper.fillRect(Math.min(x, view.width - 1), view.height - AXIS, 1, 4);
		if (at - half < free)
			continue;
		paper.fillText(words, at, view.height - 5);
		free = at + half + 6;
	}
	paper.textAlign = "right";
	paper.fillStyle = palette.faint;
	paper.fillText(axis.base, view.left - 6, view.height - 5, view.left - 8);
	view.axis = {base: axis.base, labels: axis.ticks.map(tick => tick.words)};
}
