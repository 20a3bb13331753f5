// How long pages take to load, and how fast their timelines move: frames.mjs BROWSER CASES.json, where the file has cases with `name`, `address` and
// `span`, the part of the run that is shown while one pans. Prints the figures of each as a line of JSON.

import {createRequire} from "node:module";
import {readFileSync} from "node:fs";

const {chromium} = createRequire(process.cwd() + "/")("playwright-core");
const LOADS = 5;
const FRAMES = 150;
const WIDTH = 1280, HEIGHT = 900;

const median = values => values.slice().sort((a, b) => a - b)[values.length >> 1];

// Processor time of the page's thread so far, in ms.
async function busy_of(metrics) {
	return (await metrics.send("Performance.getMetrics")).metrics.find(one => one.name === "TaskDuration").value * 1000;
}

// From the start of navigation to the second frame behind the load event: then the page has been drawn.
async function load(browser, address) {
	const page = await browser.newPage({viewport: {width: WIDTH, height: HEIGHT}}), metrics = await page.context().newCDPSession(page);
	await metrics.send("Performance.enable", {timeDomain: "threadTicks"});
	await page.addInitScript(() => addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
		window.loaded_ms = performance.now();
	}))));
	await page.goto(address);
	await page.waitForFunction(() => window.loaded_ms);
	return {page, metrics, load_ms: await page.evaluate(() => window.loaded_ms), load_busy_ms: await busy_of(metrics)};
}

// One small move for each frame, there and back: times between frames.
async function pan(page, metrics) {
	const before = await busy_of(metrics);
	const times = await page.evaluate(frames => new Promise(done => {
		const canvas = document.querySelector("canvas.timeline"), times = [];
		const move = now => {
			times.push(now);
			if (times.length > frames)
				return done(times);
			canvas.dispatchEvent(new WheelEvent("wheel", {deltaX: times.length % 100 < 50 ? 6 : -6, cancelable: true}));
			requestAnimationFrame(move);
		};
		requestAnimationFrame(move);
	}), FRAMES);
	const steps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
	return {frames_per_s: FRAMES / (times[FRAMES] - times[0]) * 1000, frame_ms: median(steps), slow_frame_ms: steps[Math.floor(steps.length * 0.95)],
		frame_busy_ms: (await busy_of(metrics) - before) / FRAMES};
}

async function measure(browser, {name, address, span}) {
	const loads = [];
	for (let i = 0; i < LOADS; i++) {
		loads.push(await load(browser, address + "#overview"));
		await loads[i].page.close();
	}
	const {page, metrics} = await load(browser, address + "#overview");
	const length = await page.evaluate(() => JSON.parse(document.getElementById("timeline").textContent).length_s);
	await page.evaluate(fragment => {
		location.hash = fragment;
	}, `timeline/from=${length * 0.4}&to=${length * (0.4 + span)}`);
	await page.waitForSelector("canvas.timeline[aria-busy=false]");
	await page.waitForLoadState("networkidle");
	const moved = await pan(page, metrics);
	await page.close();
	return {name, load_ms: median(loads.map(one => one.load_ms)), load_busy_ms: median(loads.map(one => one.load_busy_ms)), ...moved};
}

const [browser_path, list] = process.argv.slice(2);
const browser = await chromium.launch({executablePath: browser_path, args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]});
for (const one of JSON.parse(readFileSync(list, "utf-8")))
	console.log(JSON.stringify(await measure(browser, one)));
await browser.close();
