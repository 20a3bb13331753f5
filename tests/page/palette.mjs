// The palette of pages: colours of activity kinds differ for every kind of colour vision, and from the ground, in light and dark; terminals have the same. Sizes of texts and
// distances are those of one scale. palette.mjs PAGE.CSS TERMINAL.C

import {readFileSync} from "node:fs";

const KINDS = ["computing", "waiting", "mpi", "no-cpu", "blocked", "unrecorded"];
// Differences in OKLab below this are hard to see in small areas.
const DIFFERENCE_LEAST = 0.12, GROUND_DIFFERENCE_LEAST = 0.08;
// Linear RGB as seen without one of the three kinds of cones (Machado, Oliveira and Fernandes 2009).
const VISIONS = {
	normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const OKLAB_CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const OKLAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];

const times = (matrix, vector) => matrix.map(row => row.reduce((sum, factor, i) => sum + factor * vector[i], 0));
const linear = colour => [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16) / 255).map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
const seen = (colour, vision) => times(OKLAB, times(OKLAB_CONES, times(VISIONS[vision], linear(colour)).map(part => Math.max(0, part))).map(Math.cbrt));

function colours_of(text, scheme) {
	const value = name => {
		const found = new RegExp(`--${name}: (#[0-9a-f]{3,6});`).exec(text);
		if (!found)
			throw Error(`${scheme}: --${name} is not a colour`);
		return found[1].length === 4 ? "#" + [...found[1].slice(1)].map(digit => digit + digit).join("") : found[1];
	};
	return Object.fromEntries(["ground", ...KINDS.map(kind => "kind-" + kind)].map(name => [name, value(name)]));
}

const sheet = readFileSync(process.argv[2], "utf-8"), dark = sheet.indexOf("prefers-color-scheme: dark"), wrong = [];
for (const [scheme, text] of [["light", sheet.slice(0, dark)], ["dark", sheet.slice(dark)]]) {
	const colours = colours_of(text, scheme), names = Object.keys(colours);
	for (const vision of Object.keys(VISIONS))
		names.forEach((one, i) => names.slice(i + 1).forEach(other => {
			const difference = Math.hypot(...seen(colours[one], vision).map((part, axis) => part - seen(colours[other], vision)[axis]));
			if (difference < (one === "ground" ? GROUND_DIFFERENCE_LEAST : DIFFERENCE_LEAST))
				wrong.push(`${scheme}, ${vision}: ${one} and ${other} look alike (${difference.toFixed(3)})`);
		}));
}
// In a terminal, a kind has a colour of the 256 that resembles its own colours on pages more than those of other kinds, in hue; unrecorded time is grey.
const NAMES = {COMPUTING: "computing", WAITING: "waiting", MPI: "mpi", BLOCKED: "blocked", UNRECORDED: "unrecorded"}, GREY_MOST = 0.04;
const hue = colour => Math.atan2(...seen(colour, "normal").slice(1).reverse()), apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
const hex = parts => "#" + parts.map(part => part.toString(16).padStart(2, "0")).join("");
const of_terminal = number => (number >= 232 ? hex(Array(3).fill(8 + 10 * (number - 232))) : hex([36, 6, 1].map(size => Math.floor((number - 16) / size) % 6).map(step => (step ? 55 + 40 * step : 0))));
const terminal = readFileSync(process.argv[3], "utf-8"), pages = [sheet.slice(0, dark), sheet.slice(dark)].map(text => colours_of(text, "page"));
for (const [name, kind] of Object.entries(NAMES)) {
	const colour = of_terminal(Number(new RegExp(`COLOUR_${name}\\] = \\{"[^"]*", "\\\\033\\[38;5;(\\d+)m"`).exec(terminal)[1]));
	const distance = other => Math.min(...pages.map(page => apart(hue(colour), hue(page["kind-" + other]))));
	if (kind === "unrecorded" ? Math.hypot(...seen(colour, "normal").slice(1)) > GREY_MOST : KINDS.some(other => !["unrecorded", kind].includes(other) && distance(other) <= distance(kind)))
		wrong.push(`terminal: ${colour} does not resemble ${kind}`);
}
// On screens; paper has a scale of its own. A distance that depends on the width of the window is none of the scale.
const rules = sheet.slice(sheet.indexOf("body {"), sheet.indexOf("@media print"));
for (const [rule, value] of rules.matchAll(/(?<![\w-])(?:margin|padding|gap|row-gap|column-gap|font|font-size)(?:-[a-z]+)?: ([^;{}]*);/g))
	if (/\d(?:rem|pt)/.test(value) && !value.includes("clamp"))
		wrong.push(`'${rule}' is not of the scale`);
for (const sentence of wrong)
	console.log(sentence);
process.exit(wrong.length ? 1 : 0);
