// The overview, findings and comparisons as sheets: order, marks, links, sorting, mute figures, print.

const FOLD = 900;
const clean = text => text.replaceAll("\u00a0", " ");

// The advice and the first findings are visible without scrolling; each finding leads to its place on the timeline.
async function see_overview(browser, path, {open, expect}) {
	const page = await open(browser, path, "overview", 1400);
	const report = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent)), [first] = report.findings;
	expect((await page.textContent(".lead")).includes(first.name), "the overview does not begin with the first finding");
	expect((await page.locator(".finding").first().boundingBox()).y < FOLD / 2, "findings are below the fold");
	const marked = await page.locator(".finding", {has: page.locator(".mark")}).count();
	expect(marked === report.findings.filter(finding => finding.confidence !== "certain").length && marked > 0, "a likely finding has no mark, or a certain one has");
	expect(await page.locator(".iterations svg a[href^='#timeline/from=']").count() === report.summary.iterations.length, "iterations are not drawn, or do not lead to the timeline");
	await page.locator(".finding a[href^='#timeline/']").first().click();
	await page.waitForSelector("canvas.timeline");
	await page.close();
}

const shown_window = page => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split("/")[1] || "")));

// Every place leads into the timeline: in cards, iterations, the critical path, findings, calls and collective operations. Each link shows a moment, or calls that exist.
async function follow_places(browser, path, {open, go, expect}) {
	const page = await open(browser, path, "overview"), report = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
	const links = async selector => page.locator(selector).evaluateAll(all => all.map(one => one.getAttribute("href")));
	const count = await page.locator(".critical-path tbody tr").count();
	expect(count > 0 && (await links(".critical-path tbody a[href^='#timeline/from=']")).length === count, "not every place of the critical path leads to the timeline");
	const [place] = report.critical_path.places;
	await page.locator(".critical-path tbody a").first().click();
	await page.waitForSelector("canvas.timeline");
	const at = await shown_window(page);
	expect(Number(at.rank) === place.longest.rank && Number(at.from) <= place.longest.start_s && place.longest.end_s <= Number(at.to), `the critical path leads to ${JSON.stringify(at)}, not to ${JSON.stringify(place.longest)}`);
	const wait = "finding-" + (1 + report.findings.findIndex(one => one.causes.length)), selectors = {overview: [".finding-where a", ".iterations p a"], [wait]: [".panel h4 a", ".causes a", "svg[aria-label='time lost over the run'] a"], "finding-3": ["svg[aria-label='time by rank'] a"],
		communication: ["table a[href^='#timeline/call=']"], calls: ["tbody a[href^='#timeline/find=']"]};
	const found = [];
	for (const [view, several] of Object.entries(selectors)) {
		await go(page, view);
		for (const selector of several) {
			const addresses = await links(selector);
			expect(addresses.length > 0 && addresses.every(address => address.startsWith("#timeline/")), `${view}: places (${selector}) lead to ${addresses}`);
			found.push(...addresses.filter(address => address.includes("find=")).slice(0, 3));
		}
	}
	for (const address of new Set(found)) {
		await go(page, address.slice(1));
		await page.waitForSelector("canvas.timeline[aria-busy=false]");
		expect((await page.textContent("[role=status]")) === "", `${address}: ${await page.textContent("[role=status]")}`);
	}
	await page.close();
}

// A call that never returned leads to its part of the timeline.
async function follow_open_call(browser, path, {open, expect}) {
	const page = await open(browser, path, "notes");
	await page.locator("main li a").first().click();
	await page.waitForSelector("canvas.timeline");
	const at = await shown_window(page);
	expect(at.rank === "3" && Number(at.from) < 0.0711 && Number(at.to) > 0.09, `a call that never returned leads to ${JSON.stringify(at)}`);
	await page.close();
}

// A click on a heading sorts; another one reverses the order. The rank that computes twice as long is marked.
async function sort_ranks(browser, path, {open, expect}) {
	const page = await open(browser, path, "overview"), ranks = page.locator(".ranks tbody tr td:first-child");
	expect((await ranks.allInnerTexts()).join() === "0,1,2,3", "ranks are not in order");
	const heading = page.locator(".ranks").getByRole("button", {name: "Computing"});
	await heading.click();
	expect((await ranks.allInnerTexts())[0] === "1", "the rank that computes longest is not the first");
	expect((await page.locator(".ranks th[aria-sort=descending]").innerText()).startsWith("Computing"), "the order is not stated");
	await heading.click();
	expect((await ranks.allInnerTexts())[3] === "1", "a second click does not reverse the order");
	expect((await page.locator(".ranks tbody tr").nth(3).locator(".outlier").first().innerText()).startsWith("▲"), "the busiest rank is not marked");
	await page.locator(".ranks tbody a").first().click();
	await page.waitForSelector("canvas.timeline");
	await page.close();
}

const meter_names = page => page.locator(".meter-head span").allInnerTexts();

// The efficiency of a hybrid run is that of MPI times that of OpenMP. The wait of a thread is a card, and its longest instance has a line for each thread.
async function see_hybrid(browser, pages, {open, go, expect}) {
	const page = await open(browser, pages.hybrid, "overview"), values = (await page.locator(".meter-head strong").allInnerTexts()).map(parseFloat);
	expect((await meter_names(page)).join() === "Parallel efficiency,OpenMP efficiency,MPI efficiency,Load balance,Communication efficiency,Serialisation,Transfer" && Math.abs(values[0] - values[1] * values[2] / 100) <= 1 && values[1] < 60,
		`efficiencies of a hybrid run: ${await meter_names(page)}: ${values}`);
	const card = page.locator(".finding", {hasText: "Wait at OpenMP Barrier"});
	expect((await card.locator(".finding-where").innerText()).startsWith("omp_barrier hybrid.c:20 · ranks 0–1"), `the card of a wait of threads says '${await card.innerText()}'`);
	await card.locator(".finding-where a").click();
	await page.waitForSelector("canvas.timeline");
	await page.goBack();
	await card.locator(".finding-link").click();
	await page.waitForSelector(".instance");
	expect((await page.locator(".instance text").allTextContents()).slice(0, 2).join() === "rank 0, thread 0,rank 0, thread 1", `the longest instance has the lines ${await page.locator(".instance text").allTextContents()}`);
	expect(clean(await page.textContent(".instance figcaption")).startsWith("In the longest instance, thread 0 of rank 0 waits 18 ms for thread 1. The rank loses 8.99 ms"), `the longest instance: ${await page.textContent(".instance figcaption")}`);
	expect(await page.locator(".instance .fill.wait").count() === 1 && await page.locator(".instance .fill.compute").count() === 1, "the longest instance does not show who waits and who computes");
	// Two calls of one line, whose source is shown once.
	await go(page, "finding-2");
	const titles = (await page.locator(".panel h4").allInnerTexts()).map(clean);
	expect(await page.locator(".panel").count() === 1 && titles.join() === "omp_join hybrid.c:20 in solve,omp_fork hybrid.c:20 in solve", `a finding about two calls of one line has the sources ${titles}`);
	await page.close();
	const plain = await open(browser, pages.small, "overview");
	expect((await meter_names(plain)).join() === "Parallel efficiency,Load balance,Communication efficiency", `efficiencies of a run without OpenMP: ${await meter_names(plain)}`);
	await plain.close();
}

const colour = locator => locator.evaluate(node => getComputedStyle(node).color);

// Without trust no figure is coloured as good or bad, and no advice is given.
async function mute_figures(browser, pages, {open, expect}) {
	const page = await open(browser, pages.unreliable, "overview");
	expect((await page.textContent(".lead")).includes("too unreliable"), "an unreliable report gives advice");
	const faint = await page.evaluate(() => {
		const probe = document.body.appendChild(document.createElement("span"));
		probe.className = "faint";
		return getComputedStyle(probe).color;
	});
	for (const figure of await page.locator(".meter strong").all())
		expect(await colour(figure) === faint, "an unreliable efficiency is not muted");
	await page.close();
	const diff = await open(browser, pages["diff unreliable"], "overview");
	expect((await diff.textContent(".big")).includes("cannot be compared") && await diff.locator(".waterfall").count() === 0, "an unreliable run is compared");
	expect((await diff.textContent(".care")).startsWith("After: "), "a comparison does not say which side is unreliable");
	await diff.close();
}

const UNITS = {s: 1e3, ms: 1, "µs": 1e-3, ns: 1e-6};

function ms(text) {
	const [, number, unit] = /(-?[\d.]+) ([^ ]*)/.exec(clean(text).replace("−", "-"));
	return Number(number) * UNITS[unit];
}

// The written steps lead from the first length to the second.
async function see_steps(browser, path, {open, expect}) {
	const page = await open(browser, path, "overview");
	const values = (await page.locator(".step-value").allInnerTexts()).map(ms), [before, after] = [values[0], values[values.length - 1]];
	expect(values.length > 3 && Math.abs(values.reduce((sum, value) => sum + value, 0) - 2 * after) < after / 50, `the steps do not add up: ${values}`);
	expect(after > before, "the second run is not slower");
	await page.waitForFunction(() => document.querySelectorAll("canvas.strip[data-to]").length === 2);
	const spans = await page.locator("canvas.strip").evaluateAll(all => all.map(one => one.dataset.to - one.dataset.from)), lengths = await page.evaluate(() => ["before", "after"].map(side => JSON.parse(document.getElementById("timeline-" + side).textContent)).map(one => one.length_s));
	expect(Math.abs(spans[0] - spans[1]) < 1e-9 && spans[0] > 0.9 * Math.max(...lengths), `two timelines show ${spans} s of runs of ${lengths} s`);
	await page.close();
}

const GRADES = {gone: "good", less: "good", new: "poor", more: "poor", same: "faint"};

// What happened to each finding: gone, new, changed or the same, with both times, their difference and the place, as in the data. `fates` is the first rows' by name.
async function see_changes(browser, path, fates, {open, expect}) {
	const page = await open(browser, path, "overview"), section = page.locator("section", {has: page.getByRole("heading", {name: "Findings", exact: true})});
	const {findings, compares_savings} = await page.evaluate(() => JSON.parse(document.getElementById("diff").textContent)), key = compares_savings ? "saves_s" : "process_s";
	const rows = await section.locator("tbody tr").evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText.replaceAll("\u00a0", " "))));
	const value = text => (text === "—" ? 0 : ms(text.replace("−", "-").replace(/^\+/, "")) / 1000);
	expect(rows.length === findings.length && fates.every(([fate, name], i) => rows[i][0] === fate && rows[i][1] === name), `findings of two runs: ${rows.map(row => row[0] + " " + row[1]).join(", ")}`);
	findings.forEach((finding, i) => {
		const [fate, name, before, after, change, place] = rows[i], near = (text, seconds) => Math.abs(value(text) - seconds) <= Math.abs(seconds) / 100 + 1e-9;
		const [first, second] = [finding.before, finding.after].map(side => (side ? side[key] : 0));
		expect(fate === finding.change && name === finding.name && near(before, first) && near(after, second) && near(change, second - first), `a finding with ${JSON.stringify(finding)} is listed as ${rows[i].join(" | ")}`);
		expect((finding.before === null) === (before === "—") && (finding.after === null) === (after === "—") && place.includes((finding.after || finding.before).place), `a finding is listed as ${rows[i].join(" | ")}`);
	});
	for (const fate of await section.locator("tbody strong").all())
		expect((await fate.getAttribute("class")) === GRADES[await fate.innerText()], `'${await fate.innerText()}' has the colour of '${await fate.getAttribute("class")}'`);
	await page.close();
}

// Nothing is drawn after the end of the shorter run, and equal legends are shown once.
async function align_runs(browser, path, {open, expect}) {
	const page = await open(browser, path, "overview");
	await page.waitForFunction(() => [...document.querySelectorAll("canvas.strip")].every(strip => strip.dataset.left));
	const filled = await page.locator("canvas.strip").evaluateAll(strips => strips.map(strip => {
		const ratio = strip.width / strip.clientWidth, row = Math.round(10 * ratio), pixels = strip.getContext("2d").getImageData(Math.ceil(strip.dataset.left * ratio), row, strip.width - Math.ceil(strip.dataset.left * ratio), 1).data;
		return pixels.filter((value, i) => i % 4 === 3 && value > 0).length / (pixels.length / 4);
	}));
	const {before, after} = await page.evaluate(() => JSON.parse(document.getElementById("diff").textContent)), wanted = Math.min(1, before.length_s / after.length_s);
	expect(filled.length === 2 && Math.abs(filled[0] - wanted) < 0.02 && filled[1] > 0.99, `runs of ${before.length_s} and ${after.length_s} s fill ${filled} of the width`);
	expect(await page.locator(".two-timelines .legend").count() === 1, "both runs have the same legend");
	await page.close();
}

// The overview fits a sheet of paper.
async function print_overview(browser, path, {open, expect}) {
	const page = await open(browser, path, "overview"), printed = await page.pdf({format: "A4", preferCSSPageSize: true});
	const sheets = printed.toString("latin1").match(/\/Type\s*\/Page\b/g);
	expect(sheets && sheets.length === 1, `the overview takes ${sheets && sheets.length} sheets of paper`);
	await page.emulateMedia({media: "print"});
	const [seen, drawn] = await page.locator("canvas.strip").evaluate(strip => {
		strip.parentElement.style.width = "400px";
		const {width, height} = strip.getBoundingClientRect();
		strip.parentElement.style.width = "";
		return [width / height, strip.width / strip.height];
	});
	expect(Math.abs(seen / drawn - 1) < 0.02, `the strip of ranks is ${drawn} times as wide as high, on paper ${seen} times`);
	await page.emulateMedia({media: null});
	await page.close();
}

// Shares of one call are the same in every table, and no call with a time has a share of 0.
async function compare_shares(browser, path, {open, expect}) {
	const page = await open(browser, path, "calls");
	const shares = await page.evaluate(() => [...document.querySelectorAll("main section:nth-of-type(2) tbody tr")].map(row => [row.cells[0].innerText, row.cells[2].innerText, row.cells[3].innerText].map(text => text.replaceAll("\u00a0", " "))));
	expect(shares.length > 2 && shares.every(([, time, share]) => share !== "0 %" || time === "0 s"), `a call takes time but 0 %: ${shares}`);
	await page.close();
}

// Each fact has one value and is said once: what a finding costs here and with its consequences, where findings of one place differ, round labels of columns, and titles.
async function see_facts_once(browser, pages, {open, go, expect}) {
	const page = await open(browser, pages.small, "overview"), labels = (await page.locator(".iterations svg text.end").allTextContents()).map(clean);
	expect(labels.slice(0, 4).join() === "0 s,20 ms,40 ms,60 ms", `columns of 41 ms have the labels ${labels}`);
	await go(page, "finding-1");
	const words = clean(await page.textContent(".finding-view"));
	expect(words.includes("Ranks lose 239 ms in all, because of rank 1."), `the cost of a cause: ${words.slice(0, 300)}`);
	expect((await page.locator(".steps a").allInnerTexts()).join() === "2. Late Sender (standard send) →", `the next finding is called ${await page.locator(".steps a").allInnerTexts()}`);
	await page.close();
	const nodes = await open(browser, pages.nodes, "overview"), places = (await nodes.locator(".finding-where").allInnerTexts()).map(text => text.split("called at ")[1]);
	expect(places.join() === "nodes.c:50 ← main.c:30,nodes.c:52 ← main.c:30", `findings of one place are called at ${places}`);
	await nodes.close();
	const history = await open(browser, pages.history, "overview");
	expect((await history.locator(".chart-title").allInnerTexts()).join() === "Time of each run", `a chart of a history has the title ${await history.locator(".chart-title").allInnerTexts()}`);
	await history.close();
}

export async function look_at_sheets(browser, pages, tools) {
	const {in_turn} = tools;

	await in_turn(see_facts_once, browser, pages, tools);
	await in_turn(see_overview, browser, pages.small, tools);
	await in_turn(follow_places, browser, pages.small, tools);
	await in_turn(follow_open_call, browser, pages.states, tools);
	await in_turn(sort_ranks, browser, pages.small, tools);
	await in_turn(see_hybrid, browser, pages, tools);
	await in_turn(mute_figures, browser, pages, tools);
	await in_turn(see_steps, browser, pages["diff slower"], tools);
	await in_turn(see_changes, browser, pages["diff fixed"], [["gone", "Late Sender (standard send)"], ["gone", "Load Imbalance"], ["same", "Redundant Barrier"]], tools);
	await in_turn(see_changes, browser, pages["diff slower"], [], tools);
	await in_turn(align_runs, browser, pages["diff slower"], tools);
	for (const name of ["small", "teams", "large", "hybrid"])
		await in_turn(print_overview, browser, pages[name], tools);
	await in_turn(compare_shares, browser, pages.small, tools);
}
