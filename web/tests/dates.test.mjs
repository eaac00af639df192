// Dates and times as people type them, and errors of fields in their language.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, settled, until, visit } from './browser.mjs';

after(() => browser.close());

const tomorrow = new Date(Date.parse(`${day}T00:00:00Z`)); // the planned day
const after1 = (days) => new Date(tomorrow.getTime() + days * 86_400_000);
const two = (number) => String(number).padStart(2, '0');
const dotted = (date, by) => [two(date.getUTCDate()), two(date.getUTCMonth() + 1), date.getUTCFullYear()].join(by);
const monthOf = (date, language) => new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);

const languages = {
	nb: { date: 'Dato', delivery: 'Levering', earliest: 'Tidligst', tomorrow: 'i morgen', by: '.', calendar: 'Velg i kalenderen', locale: 'nb' },
	da: { date: 'Dato', delivery: 'Levering', earliest: 'Tidligst', tomorrow: 'i morgen', by: '.', calendar: 'Vælg i kalenderen', locale: 'da' },
	en: { date: 'Date', delivery: 'Delivery', earliest: 'Not before', tomorrow: 'tomorrow', by: '/', calendar: 'Choose in the calendar', locale: 'en-GB' }
};

for (const [language, words] of Object.entries(languages)) {
	test(`a date is typed, stepped and chosen in ${language}`, async () => {
		const { page, close } = await open('dispatcher', { language, width: language === 'nb' ? 320 : 1440, theme: language === 'da' ? 'dark' : 'light' });
		await visit(page, 'orders/new');
		const date = page.getByLabel(words.date, { exact: true });
		const shows = (wanted) => until(`the field shows ${wanted}`, async () => (await date.inputValue()).endsWith(wanted));
		await date.fill(words.tomorrow);
		await date.blur();
		await shows(dotted(tomorrow, words.by));

		await date.press('ArrowUp');
		await shows(dotted(after1(1), words.by));
		await date.press('PageUp');
		await shows(dotted(after1(8), words.by));
		await date.press('ArrowDown');
		await shows(dotted(after1(7), words.by));

		await date.press('Alt+ArrowDown');
		const calendar = page.getByRole('dialog', { name: words.calendar });
		await calendar.getByRole('grid', { name: monthOf(after1(7), words.locale) }).waitFor();
		const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
		const named = (at) => new Intl.DateTimeFormat(words.locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
		await until('the calendar starts at the day', async () => (await focused()) === named(after1(7)));
		assert.deepEqual(await hindrances(page), []);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is as wide as its window');
		await page.keyboard.press('ArrowRight');
		await until('the next day has the focus', async () => (await focused()) === named(after1(8)));
		await page.keyboard.press('Enter');
		await shows(dotted(after1(8), words.by));
		await until('the field has the focus again', () => date.evaluate((field) => field === document.activeElement));

		await date.press('Alt+ArrowDown');
		await calendar.waitFor();
		await page.keyboard.press('Escape');
		await calendar.waitFor({ state: 'hidden' });

		// A time alone is on the day of the order.
		const earliest = page.getByRole('group', { name: words.delivery }).getByLabel(words.earliest, { exact: true });
		await earliest.fill('0730');
		await earliest.blur();
		assert.match(await earliest.inputValue(), new RegExp(`${dotted(after1(8), words.by).replaceAll('.', '\\.')} 07[:.]30$`));
		await earliest.press('End');
		await earliest.press('ArrowUp');
		assert.match(await earliest.inputValue(), / 07[:.]45$/);
		await close();
	});
}

test('a date that cannot be read is said at its field, and is not sent', async () => {
	const { page, close } = await open('dispatcher', { language: 'nb' });
	await visit(page, 'orders/new');
	const date = page.getByLabel('Dato', { exact: true });
	await date.fill('32.13');
	await date.blur();
	const wrong = page.getByText('Dette er ikke en dato. Skriv for eksempel 25.11 eller i morgen.');
	await wrong.waitFor();
	assert.equal(await date.getAttribute('aria-invalid'), 'true');
	assert.ok((await date.getAttribute('aria-describedby')).split(' ').includes(await wrong.getAttribute('id')));
	assert.deepEqual(await hindrances(page), []);
	await page.getByRole('button', { name: 'Kontroller' }).click();
	await page.getByRole('alert').getByText('Rett denne datoen').waitFor();
	const earliest = page.getByRole('group', { name: 'Levering' }).getByLabel('Tidligst', { exact: true });
	await earliest.fill('i morgen');
	await earliest.blur();
	await page.getByText('Skriv også klokkeslettet, for eksempel 10:40.').waitFor();
	await date.fill('fre');
	await date.blur();
	await wrong.waitFor({ state: 'detached' });
	assert.match(await date.inputValue(), /^fre/);
	await close();
});

test('a filter and the day take a date when it is finished', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'orders');
	const from = page.getByLabel('From', { exact: true });
	await from.fill('tomorrow');
	assert.ok(!page.url().includes('from='), 'nothing is asked for while somebody types');
	await from.press('Enter');
	await page.waitForURL((url) => url.searchParams.get('from') === day);
	await from.fill('');
	await from.press('Enter');
	await page.waitForURL((url) => !url.searchParams.has('from'));
	await visit(page, `day/${day}`);
	await page.getByLabel('Choose a day').fill(dotted(after1(1), '/'));
	await page.getByLabel('Choose a day').press('Enter');
	await page.waitForURL((url) => url.pathname.endsWith(after1(1).toISOString().slice(0, 10)));
	await close();
});

test('the browser’s own errors are in the language of the page', async () => {
	const { page, close } = await open('admin', { language: 'nb' });
	await visit(page, 'drivers/new');
	const name = page.getByLabel(/^Navn/).first();
	await page.getByRole('button', { name: 'Lagre', exact: true }).first().click();
	assert.equal(await name.evaluate((field) => field.validationMessage), 'Fyll ut dette feltet.');
	await name.fill('Nora');
	assert.equal(await name.evaluate((field) => field.validationMessage), '');
	await close();
});

test('the hours of a driver follow a weekly pattern', async () => {
	const { page, context, close } = await open('dispatcher', { width: 390 });
	const made = await call(context, 'POST', '/v1/drivers', { name: 'Weekly Vik' });
	await visit(page, `drivers/${made.driver_id ?? made.id}`);
	await page.getByRole('button', { name: 'Set weekly hours' }).click();
	const dialog = page.getByRole('dialog', { name: 'Set weekly hours' });
	await dialog.getByLabel('Tuesday', { exact: true }).uncheck();
	await dialog.getByLabel('Monday starts').fill('0630');
	await dialog.getByLabel('Monday ends').fill('14.30');
	await dialog.getByRole('button', { name: 'Same hours on all days' }).click();
	await dialog.getByLabel('From', { exact: true }).fill(day);
	await dialog.getByLabel('Until and including').fill(after1(27).toISOString().slice(0, 10));
	await dialog.getByText('16 working days').waitFor();
	await settled(page);
	assert.deepEqual(await hindrances(page), []);
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.waitFor({ state: 'hidden' });
	const path = `/v1/drivers/${made.driver_id ?? made.id}/workdays?start_date=${day}&end_date=${after1(60).toISOString().slice(0, 10)}`;
	const { workdays } = await call(context, 'GET', path);
	assert.equal(workdays.length, 16);
	for (const one of workdays) {
		assert.deepEqual([one.starts, one.ends], ['06:30', '14:30']);
		assert.ok([1, 3, 4, 5].includes(new Date(`${one.date}T00:00:00Z`).getUTCDay()), one.date);
		assert.deepEqual(one.break, { minutes: 30, earliest: '09:15', latest: '11:45' });
	}
	await close();
});

test('what only the operator of the service needs is apart from the settings of the day', async () => {
	const { page, close } = await open('dispatcher');
	await visit(page, 'settings');
	await page.getByRole('heading', { level: 1 }).waitFor();
	for (const name of ['Map', 'Carriers', 'Identity providers', 'Feature flags', 'For the operator']) {
		assert.equal(await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).count(), 0, name);
	}
	await close();
	const admin = await open('admin');
	await visit(admin.page, 'settings/service');
	await admin.page.getByRole('main').getByRole('link', { name: 'Map', exact: true }).click();
	await admin.page.getByRole('heading', { name: 'Map', level: 1 }).waitFor();
	assert.equal(await admin.page.getByRole('link', { name: 'For the operator' }).getAttribute('aria-current'), 'page');
	await admin.close();
});
