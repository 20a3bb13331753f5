// The page of a folder: rows fill one after the other, lead to reports, comparisons, scaling and history, and broken files have a sentence.

const clean = text => text.replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim();
// As in pages.py: what each row says.
const SAID = {"gone.tarry": "cannot open 'gone.tarry': No such file or directory", "nothing.tarry": "'nothing.tarry' is empty", "cut.json": "This report is damaged."};

export async function look_at_folder(browser, address, {open, expect}) {
	const page = await open(browser, address, "overview");
	// Other views of the same rows while they are analysed, more than there are files: the last one learns of all.
	await page.route("**/run?*", route => setTimeout(() => route.continue(), 200));
	await page.reload();
	await page.waitForSelector("main > *");
	for (let i = 0; i < 12; i++)
		await page.evaluate(() => dispatchEvent(new HashChangeEvent("hashchange")));
	await page.waitForFunction(() => !document.querySelector("[role=status]").textContent, null, {timeout: 150000});
	await page.unroute("**/run?*");
	const row = name => page.locator(".runs tbody tr", {has: page.getByText(name, {exact: true})}), words = async name => clean(await row(name).innerText());
	for (const [name, sentence] of Object.entries(SAID)) {
		expect((await words(name)).includes(sentence), `${name}: '${await words(name)}'`);
		expect(await row(name).locator("a, input").count() === 0, `${name} leads to a report`);
	}
	const small = await words("small.tarry");
	expect(/ 4 \d+ ms .*% Load Imbalance halo.c:20 ranks lose 239 ms /.test(small), `the row of a run: '${small}'`);
	expect(await row("small.tarry").locator(".sparkline rect").count() > 4, "a run with waits has no line of lost time");
	expect((await words("small.tarry")).endsWith("</script><script>window.…"), "the commit of a run is not listed");
	expect((await words("slower.tarry")).endsWith("—"), "a run has the commit of another one");
	expect((await words("unreliable.tarry")).includes("MPI_COMM_WORLD") && await row("unreliable.tarry").locator(".fill.other").count() === 1, "an unreliable run is shown like others");
	await page.getByRole("button", {name: "Length"}).click();
	expect((await page.locator(".runs tbody tr").first().innerText()).trim().startsWith("slower.tarry"), "a click on a heading does not sort runs");
	const compare = page.getByRole("button", {name: "Compare two runs"});
	expect(await compare.isDisabled(), "a comparison of nothing is offered");
	await row("small.tarry").getByRole("checkbox").check();
	await row("slower.tarry").getByRole("checkbox").check();
	await compare.click();
	await page.waitForSelector(".waterfall");
	await page.goBack();
	await page.getByRole("link", {name: "small.tarry"}).click();
	await page.waitForSelector(".findings");
	await page.goBack();
	await page.getByRole("link", {name: "runs.db"}).click();
	await page.waitForSelector(".chart");
	await page.goBack();
	await page.getByRole("link", {name: "Scaling of halo"}).click();
	await page.waitForSelector("main table");
	expect((await page.locator("main tbody tr").count()) > 1, "scaling has no runs");
	await page.getByText("← Runs").click();
	await page.waitForSelector(".runs");
	await page.getByRole("link", {name: "old.json"}).click();
	await page.waitForSelector(".findings");
	await page.locator(".lead a").click();
	await page.waitForSelector(".finding-view");
	expect(await page.evaluate(() => window.hacked === undefined && !document.querySelector("main img")), "markup of a history was obeyed");
	await page.close();
}
