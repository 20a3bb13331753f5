// What views look like. Rules hold on every machine: no text is cut off or collides with another one. Pictures are coarse grids of mean colours, compared with those in
// pictures.json; they depend on fonts, so they are compared only where the fonts are those of the reference.

import {readFileSync, writeFileSync} from "node:fs";

const FILE = new URL("pictures.json", import.meta.url);
const COLUMNS = 12, ROWS = 24, STEPS = 15; // of a picture; steps of a colour
const CELL_DIFFERENCE = 2, CELLS_MOST = 0.03, HEIGHT_MOST = 0.02; // tolerance: in steps, parts of all cells and of the height
const WIDTHS = [900, 1280, 1800], SCHEMES = ["light", "dark"];

// In the page: sentences about texts that cannot be read.
export function unreadable_texts() {
	const found = [], short = text => text.trim().slice(0, 40);
	const scrolls = element => element.closest(".scroll, pre, .folds, .unseen, details:not([open])");
	for (const picture of document.querySelectorAll("main svg")) {
		const texts = [...picture.querySelectorAll("text")].map(text => ({words: text.textContent, box: text.getBoundingClientRect()})).filter(({box}) => box.width > 0).sort((a, b) => a.box.left - b.box.left);
		texts.forEach(({words, box}, i) => {
			for (const other of texts.slice(i + 1)) {
				if (other.box.left > box.right - 2)
					break;
				if (Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 4)
					found.push(`'${short(words)}' and '${short(other.words)}' collide`);
			}
			const frame = picture.getBoundingClientRect();
			if (box.left < frame.left - 2 || box.right > frame.right + 2)
				found.push(`'${short(words)}' is cut off`);
		});
	}
	for (const text of document.querySelectorAll(".instance text:not(.on-bar)")) {
		const box = text.getBoundingClientRect(), crosses = bar => bar.left < box.right - 1 && bar.right > box.left + 1 && bar.top < box.bottom && bar.bottom > box.top;
		if ([...text.ownerSVGElement.querySelectorAll("rect")].some(bar => crosses(bar.getBoundingClientRect())))
			found.push(`a bar crosses '${short(text.textContent)}'`);
	}
	const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		if (!node.data.trim() || !node.parentElement.checkVisibility() || node.parentElement.closest("svg, option, select") || scrolls(node.parentElement))
			continue;
		range.selectNodeContents(node);
		const box = range.getBoundingClientRect(), owner = node.parentElement;
		if (box.right > innerWidth + 1 || box.left < -1)
			found.push(`'${short(node.data)}' sticks out`);
		for (let outer = owner; outer.id !== "main"; outer = outer.parentElement)
			if (getComputedStyle(outer).overflowX === "hidden" && box.right > outer.getBoundingClientRect().right + 1)
				found.push(`'${short(node.data)}' is cut off`);
	}
	return found;
}

// In an empty page: the mean colours of a picture as letters, three for each cell.
function colours_of_picture([address, columns, rows, steps]) {
	return new Promise(resolve => {
		const image = new Image();
		image.onload = () => {
			const canvas = Object.assign(document.createElement("canvas"), {width: columns, height: rows}), pen = canvas.getContext("2d");
			// Halved again and again: a browser's own scaling would skip pixels.
			let from = image, width = image.width, height = image.height;
			while (width > 2 * columns || height > 2 * rows) {
				const half = Object.assign(document.createElement("canvas"), {width: Math.max(columns, width >> 1), height: Math.max(rows, height >> 1)});
				half.getContext("2d").drawImage(from, 0, 0, width, height, 0, 0, half.width, half.height);
				[from, width, height] = [half, half.width, half.height];
			}
			pen.drawImage(from, 0, 0, width, height, 0, 0, columns, rows);
			const {data} = pen.getImageData(0, 0, columns, rows);
			resolve({cells: [...data].filter((_, i) => i % 4 < 3).map(value => Math.round(value / 255 * steps).toString(16)).join(""), height: image.height});
		};
		image.src = address;
	});
}

const fonts_here = page => page.evaluate(() => ["system-ui", "monospace", "sans-serif"].map(family => {
	const pen = document.createElement("canvas").getContext("2d");
	pen.font = `100px ${family}`;
	return Math.round(pen.measureText("Handgloves 0123456789").width);
}).join());

function difference(seen, known) {
	if (!known)
		return "has no reference";
	if (Math.abs(seen.height / known.height - 1) > HEIGHT_MOST)
		return `is ${seen.height} pixels high, not ${known.height}`;
	let cells = 0;
	for (let i = 0; i < seen.cells.length; i += 3)
		cells += [0, 1, 2].some(k => Math.abs(parseInt(seen.cells[i + k], 16) - parseInt(known.cells[i + k], 16)) >= CELL_DIFFERENCE);
	return cells / (COLUMNS * ROWS) > CELLS_MOST ? `differs in ${cells} of ${COLUMNS * ROWS} parts` : "";
}

// `views` are those of each page by name. With `writes`, the reference is written again.
export async function compare_pictures(browser, pages, views, writes, {open, go, expect}) {
	const scale = await browser.newPage(), fonts = await fonts_here(scale), known = writes ? {} : JSON.parse(readFileSync(FILE, "utf-8")), seen = {};
	if (!writes && known.fonts !== fonts) {
		console.log("pictures are not compared: the fonts are others than those of the reference");
		return scale.close();
	}
	for (const [name, list] of Object.entries(views).filter(([name]) => pages[name]))
		for (const scheme of SCHEMES) {
			const page = await open(browser, pages[name], "overview", WIDTHS[0], scheme);
			for (const width of WIDTHS) {
				await page.setViewportSize({width, height: 900});
				for (const view of list) {
					await go(page, view);
					// A folder's runs are analysed one after the other.
					await page.waitForFunction(() => !document.querySelector(".runs") || !document.querySelector("[role=status]").textContent);
					await page.waitForTimeout(300);
					const picture = await page.screenshot({fullPage: true}), key = `${name} ${view} ${width} ${scheme}`;
					seen[key] = await scale.evaluate(colours_of_picture, ["data:image/png;base64," + picture.toString("base64"), COLUMNS, ROWS, STEPS]);
					if (!writes)
						expect(!difference(seen[key], known.pictures[key]), `${key}: the picture ${difference(seen[key], known.pictures[key])}`);
				}
			}
			await page.close();
		}
	if (writes)
		writeFileSync(FILE, `{"fonts": ${JSON.stringify(fonts)}, "pictures": {\n${Object.entries(seen).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`).join(",\n")}\n}}\n`);
	return scale.close();
}
