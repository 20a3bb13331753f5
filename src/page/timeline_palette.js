// The colours of the timeline: each part of the time has one colour, in rows, strip, minimap and legend.

import {KINDS} from "./timeline_data.js";

export const HATCH = 6; // pixels between the lines that mark unrecorded time
const VARIABLES = {compute: "kind-computing", wait: "kind-waiting", no_cpu: "kind-no-cpu", blocked: "kind-blocked", unrecorded: "kind-unrecorded", mpi: "kind-mpi"};

// In the form "#rrggbb", whatever the form in the style sheet.
function plain_colour(pen, colour) {
	pen.fillStyle = "#888888";
	pen.fillStyle = colour;
	return String(pen.fillStyle);
}

export function colours() {
	const style = getComputedStyle(document.documentElement), pen = document.createElement("canvas").getContext("2d");
	const palette = Object.fromEntries([...KINDS, ...Object.keys(VARIABLES), "ink", "faint", "grid", "lane", "ground", "panel", "accent"].map(name =>
		[name, plain_colour(pen, style.getPropertyValue("--" + (VARIABLES[name] || name)).trim())]));
	return {...palette, hatch: palette.faint};
}

// Parts that the reader switched off have the colour of the background.
export const ink_of = (view, part) => (view.hidden.has(part) ? view.palette.panel : view.palette[part] || view.palette.other);

export function rgb_of(colour) {
	const number = parseInt(colour.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3"), 16);
	return [number >> 16, number >> 8 & 255, number & 255];
}

// Black or white, whichever is easier to read on this colour.
export function text_on(colour) {
	const [red, green, blue] = rgb_of(colour).map(value => (value / 255) ** 2.2);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
}

export function hatching(view) {
	const tile = document.createElement("canvas"), pen = tile.getContext("2d");
	tile.width = tile.height = HATCH;
	pen.fillStyle = view.palette.unrecorded;
	pen.fillRect(0, 0, HATCH, HATCH);
	pen.strokeStyle = view.palette.hatch;
	pen.lineWidth = 1.4;
	pen.beginPath();
	for (const shift of [-HATCH, 0, HATCH]) {
		pen.moveTo(shift - 1, HATCH + 1);
		pen.lineTo(shift + HATCH + 1, -1);
	}
	pen.stroke();
	return view.paper.createPattern(tile, "repeat");
}
