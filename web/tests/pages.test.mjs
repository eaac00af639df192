// Every page, as seen by the role that uses it most: light and dark in English, and
// on a narrow screen in another language. Each is loaded once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, call, day, hindrances, open, settled, visit } from './browser.mjs';

after(() => browser.close());

const pagesOf = {
	dispatcher: [
		`day/${day}`,
		`day/${day}?view=list`,
		`day/${day}?view=map`,
		'orders',
		'orders?status=cancelled',
		'orders?columns=number,status,reference,type',
		'search?q=o',
		'search?q=nothing+is+called+that',
		'orders/ORDER',
		'orders/ORDER/edit',
		'orders/new',
		'orders/import',
		'drafts',
		'drafts/DRAFT',
		'places',
		'recurring',
		'recurring/new',
		'recurring/TEMPLATE',
		'exports',
		'drivers',
		'drivers/1',
		'drivers/new',
		'data',
		'data/customers/1',
		'freights',
		'freights/1',
		'freights?number=none',
		'barcode?code=106141412345678908',
		'barcode?code=NOTHING',
		'load-carriers',
		'load-carriers/1',
		'load-carriers?location=1',
		'data/price-lists/try',
		'data/price-lists/try?type=1&from=NO+0668&to=NO+0555&goods=1x240x120x80x100',
		'data/price-lists/try?type=1&from=SE+11120&to=SE+11120&goods=1x240xxx',
		'data/zones/map',
		'data/zones/map?zone=1'
	],
	support: ['messages', 'messages?channel=sms', 'messages/suppressions', 'messages/suppressions?address=none'],
	admin: [
		'settings/organization',
		'settings/people',
		'settings/people/1',
		'settings/roles',
		'settings/roles/new',
		'settings/keys',
		'settings/webhooks',
		'settings/webhooks/1',
		'settings/alerts',
		'settings/rules',
		'settings/rules/new',
		'settings/messaging',
		'settings/service',
		'settings/carriers',
		'settings/privacy',
		'settings/providers',
		'settings/providers/new',
		'settings/map',
		'settings/security',
		'settings/flags',
		'data/vehicles',
		'data/vehicles/1',
		'data/price-lists/1',
		'data/custom-fields/new',
		'data/order-types/1',
		'load-carriers/kinds',
		'activity',
		'account'
	]
};

/** Changes the page's language without reloading. */
async function speak(page, language) {
	const menu = page.locator('#person-menu');
	await menu.evaluate((it) => it.showPopover()); // its choices are loaded when it opens
	await page.locator('#language').evaluate((select, tag) => {
		select.value = tag;
		select.dispatchEvent(new Event('change', { bubbles: true }));
	}, language);
	await menu.evaluate((it) => it.hidePopover());
	await page.locator(`html[lang=${language}]`).waitFor();
	await settled(page);
}

async function idsOf(context) {
	const orders = await call(context, 'POST', '/v1/orders/paginated', { order_status_ids: [2], limit: 1, sort_by: 'order_id' });
	const templates = await call(context, 'GET', '/v1/recurring_orders');
	const { drafts } = await call(context, 'GET', '/v2/drafts');
	return { DRAFT: drafts[0].orderDraftId, ORDER: orders.items[0].order_id, TEMPLATE: templates.recurringOrders[0].recurringOrderId };
}

/** The defects of a page loaded in English, in each view, and on a narrow screen in another language. */
async function faultsOf(page, language) {
	const found = {};
	const note = (what, faults) => faults.length && (found[what] = faults);
	note('en', await hindrances(page));
	await page.emulateMedia({ colorScheme: 'dark' });
	note('dark', await hindrances(page, 'colors'));
	await page.emulateMedia({ colorScheme: 'light' });
	await page.setViewportSize({ width: 320, height: 700 });
	await speak(page, language);
	const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	if (over > 0) found['320 pixels'] = `${over} pixels too wide`;
	note(`${language}, 320 pixels`, await hindrances(page, 'not colors'));
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.evaluate(() => localStorage.removeItem('waybill-language'));
	return found;
}

for (const [role, paths] of Object.entries(pagesOf)) {
	test(`the pages of the ${role} are accessible and fit a small screen`, async () => {
		const { page, context, close } = await open(role);
		const ids = await idsOf(context);
		const faults = {};
		for (const [i, path] of paths.entries()) {
			await visit(page, path.replace(/ORDER|TEMPLATE|DRAFT/, (name) => ids[name]));
			const found = await faultsOf(page, ['nb', 'da'][i % 2]);
			if (Object.keys(found).length) faults[path] = found;
		}
		assert.deepEqual(faults, {});
		await close();
	});
}
