// The twenty tasks of a dispatcher's day, done as people do them, with the number of actions that docs/console.md
// publishes. An action is a click, a key or a text that is typed or chosen, from the page where one stands;
// looking is none. A task that takes more fails.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { ahead, browser, call, day, endTemplate, open, pick, settled, until, visit } from './browser.mjs';

after(() => browser.close());

// Days on which no test counts all orders.
const readPlan = (context, date) => call(context, 'GET', `/v2/plans/${date}?pageSize=200`);
const reason = 'The customer has agreed.';

/** A hand that counts what it does. */
function handOf(page) {
	let count = 0;
	const counted = (act) => async (...args) => {
		count++;
		await act(...args);
	};
	return {
		click: counted((it) => it.click()),
		type: counted((field, text) => field.fill(text)),
		choose: counted((field, label) => field.selectOption({ label })),
		key: counted((key) => page.keyboard.press(key)),
		write: counted((text) => page.keyboard.insertText(text)),
		pick: counted((field, text) => pick(field, text)),
		actions: () => count
	};
}

/** A task of one person, which takes so many actions at most. */
function task(name, most, role, act) {
	test(`${name}: ${most}`, async (t) => {
		const { page, context, close } = await open(role);
		const hand = handOf(page);
		await act({ page, context, hand, dialog: page.getByRole('dialog') });
		t.diagnostic(`${name}: ${hand.actions()} actions`);
		assert.ok(hand.actions() <= most, `${hand.actions()} actions`);
		await close();
	});
}

/** Imports orders from the terminal to streets of one postal code; returns their identifiers. */
async function importAll(context, prefix, date, count, edits = {}) {
	const orders = Array.from({ length: count }, (_, index) => ({
		externalId: `${prefix}-${index}`, date, customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
		pickup: { externalId: 'T-OSL', earliest: `${date}T01:00:00Z`, latest: `${date}T20:00:00Z` },
		delivery: {
			name: `${prefix} Larsen ${index}`, earliest: `${date}T06:00:00Z`, latest: `${date}T18:00:00Z`, ...edits.delivery,
			address: { ...(edits.streets?.[index] ?? { address1: `Mosseveien ${index + 1}`, postalCode: '0192' }), city: 'Oslo', country: 'NO' },
			contacts: [{ firstName: 'Oda', phoneNumber: edits.phone ?? '+4792100629' }]
		},
		products: [{ name: 'Box', quantity: 2, weight: 5 }]
	}));
	const { results } = await call(context, 'POST', '/v3/orders/import', { orders });
	return results.map((result) => result.orderCreated.OrderID);
}

const routeOf = ({ routes }, id) => routes.find(({ stops }) => stops.some(({ orderId }) => orderId === id));

async function planned(context, date, ids) {
	let plan;
	await until('they are planned', async () => {
		plan = await readPlan(context, date);
		return ids.every((id) => routeOf(plan, id));
	});
	return plan;
}

/** Windows that are over before any driver starts. */
const tooEarly = (date) => ({ delivery: { earliest: `${date}T01:30:00Z`, latest: `${date}T02:00:00Z` } });

async function unplanned(context, date, ids) {
	let plan;
	await until('they have no driver', async () => {
		plan = await readPlan(context, date);
		return ids.every((id) => plan.unplanned.some(({ orderId }) => orderId === id));
	});
	return plan;
}

for (const [what, said] of [['number', 'task17701'], ['name', 'sigrid tasknes'], ['phone', '47 31 77 01'], ['half an address', 'taskeveien 7']]) {
	let made = false;
	task(`find an order by ${what}, and say where it is`, 3, 'dispatcher', async ({ page, context, hand, dialog }) => {
		if (!made) {
			const order = {
				externalId: 'TASK1-7701', date: ahead(2), customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' },
				pickup: { externalId: 'T-OSL' },
				delivery: {
					name: 'Sigrid Tasknes', address: { address1: 'Taskeveien 77', postalCode: '0368', city: 'Oslo', country: 'NO' },
					contacts: [{ firstName: 'Sigrid', phoneNumber: '+4747317701' }]
				},
				products: [{ name: 'Box', quantity: 1, weight: 5 }]
			};
			await call(context, 'POST', '/v3/orders/import', { orders: [order] });
			made = true;
		}
		const { order_id: id } = await call(context, 'GET', '/v1/orders/internal/TASK1-7701');
		await until('it is planned', async () => (await call(context, 'GET', `/v2/orders/${id}/planning`)).state === 'PLANNED');
		await visit(page, 'drivers');
		await hand.key('/');
		await hand.write(said);
		await hand.key('Enter');
		await dialog.getByText(/ is planned to deliver it at/).waitFor();
		await dialog.getByRole('link', { name: /^Call customer/ }).waitFor();
	});
}

task('why an order has no driver', 1, 'dispatcher', async ({ page, context, hand }) => {
	const date = ahead(13);
	await unplanned(context, date, await importAll(context, 'WHY', date, 1, tooEarly(date)));
	await visit(page, `day/${date}`);
	await hand.click(page.getByRole('button', { name: /^No driver/ }));
	await page.getByRole('region', { name: /^No driver/ }).getByText('Delivery window is outside working hours').first().waitFor();
});

task('why an order is late, and what helps', 1, 'dispatcher', async ({ page, context, hand }) => {
	const date = ahead(9);
	const [id] = await importAll(context, 'TARDY', date, 1, tooEarly(date));
	const { plans, unplanned: left } = await unplanned(context, date, [id]);
	const { departmentId } = left.find(({ orderId }) => orderId === id);
	const { version } = plans.find((plan) => plan.departmentId === departmentId);
	const { drivers } = await call(context, 'GET', `/v2/plans/${date}/candidates/together?orderIds=${id}${departmentId ? `&departmentId=${departmentId}` : ''}`);
	await call(context, 'POST', `/v2/plans/${date}/moves`, { version, departmentId, reason, moves: [{ orderId: id, driverId: drivers[0].driverId }] });
	await visit(page, `day/${date}`);
	await hand.click(page.getByRole('button', { name: /^Late/ }));
	const line = page.getByRole('region', { name: /^Late/ }).getByRole('listitem').filter({ hasText: 'TARDY-0' }).first();
	await line.getByText(/\d+ min late/).waitFor();
	await line.getByText(`moved it to ${drivers[0].driverName}: ${reason}`).waitFor();
	await line.getByRole('button', { name: /^Extend the window to/ }).waitFor();
});

task('ten orders of a suburb to two drivers', 8, 'dispatcher', async ({ page, context, hand, dialog }) => {
	const date = ahead(4);
	// In a suburb in which no other test of this day has orders.
	const streets = Array.from({ length: 10 }, (_, index) => ({ address1: `Kirkeveien ${index + 1}`, postalCode: '0368' }));
	const ids = await importAll(context, 'TEN', date, 10, { ...tooEarly(date), streets });
	await unplanned(context, date, ids);
	await visit(page, `day/${date}`);
	const list = page.getByRole('region', { name: /^No driver/ });
	await hand.click(list.getByRole('checkbox', { name: /^Choose 10 orders: 0368 Oslo/ }));
	let first = 'nobody yet';
	for (const left of [10, 5]) {
		const best = list.getByRole('region', { name: 'Best drivers' });
		await best.getByText(`takes ${left} of ${left}`).first().waitFor();
		await settled(page);
		const driver = best.getByRole('listitem').filter({ hasText: `takes ${left} of ${left}`, hasNotText: first }).first();
		first = await driver.locator('b').innerText();
		await hand.click(driver.getByRole('button', { name: /^Give 5 orders/ }));
		await dialog.getByText(/^Breaks/).waitFor();
		await hand.type(dialog.getByLabel('Reason'), reason);
		await hand.click(dialog.getByRole('button', { name: 'Move', exact: true }));
		await dialog.getByText('Done').nth(4).waitFor();
		if (left === 10) await hand.click(dialog.getByRole('button', { name: 'Close' }).last());
	}
	const plan = await readPlan(context, date);
	assert.equal(new Set(ids.map((id) => routeOf(plan, id)?.driverId)).size, 2);
});

task('put a stop first', 3, 'dispatcher', async ({ page, context, hand, dialog }) => {
	const date = ahead(3);
	const streets = [['Mosseveien 10', '0192'], ['Kirkeveien 50', '0368'], ['Trondheimsveien 20', '0560']].map(([address1, postalCode]) => ({ address1, postalCode }));
	const ids = await importAll(context, 'FIRST', date, 3, { streets });
	const plan = await planned(context, date, ids);
	const { driverId, stops } = routeOf(plan, ids[0]);
	const last = stops.findLast(({ stop }) => stop === 'DELIVERY');
	await visit(page, `day/${date}?zoom=2`);
	await hand.click(page.locator(`[role=row][data-driver="${driverId}"] [data-cell="${last.orderId}-DELIVERY"]`));
	await hand.click(page.getByRole('group', { name: 'Delivery, Place in the route' }).getByRole('button', { name: 'First', exact: true }));
	await dialog.getByText(/^(Fits|\d+ stops? late)$/).waitFor();
	await hand.click(dialog.getByRole('button', { name: 'Keep this sequence' }));
	await until('it is first', async () => routeOf(await readPlan(context, date), last.orderId).stops.find(({ stop }) => stop === 'DELIVERY').orderId === last.orderId);
});

task('give a sick driver’s route to another', 4, 'dispatcher', async ({ page, context, hand, dialog }) => {
	const date = ahead(5);
	const ids = await importAll(context, 'ILL', date, 5);
	const { driverId, driverName } = routeOf(await planned(context, date, ids), ids[0]);
	await visit(page, `day/${date}`);
	await hand.click(page.locator(`[role=rowheader][data-cell="d${driverId}"]`));
	await hand.click(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Sick today…' }));
	await hand.click(dialog.getByRole('radio', { name: 'Give the route to one driver' }));
	await dialog.getByRole('list', { name: 'Routes that change' }).waitFor();
	await hand.click(dialog.getByRole('button', { name: /^Give the route to / }));
	await page.getByText(new RegExp(`^${driverName} is off\\.`)).waitFor();
});

task('a new order by phone', 7, 'dispatcher', async ({ page, context, hand }) => {
	await importAll(context, 'PHONED', ahead(13), 1, { phone: '+4792155577' });
	await call(context, 'POST', '/v1/orders', {
		internal_order_number: 'PHONE-0100', date: ahead(13), customer: { external_id: 'C-100' }, order_type: { name: 'Standard' }, vehicle_type: { name: 'Van' },
		pickup: { external_id: 'T-OSL' }, delivery: { name: 'Oda', address: { address1: 'Kirkeveien 4', postal_code: '0368', city: 'Oslo', country: 'NO' } },
		products: [{ name: 'Sofa' }]
	});
	await until('the order is found', async () => (await call(context, 'GET', '/v2/orders/find?text=92155577')).items.length > 0);
	await visit(page, `day/${day}`);
	await hand.key('g');
	await hand.key('o');
	await hand.click(page.getByRole('link', { name: 'New order' }));
	const start = page.getByRole('combobox', { name: 'Customer, phone or address of an earlier order' });
	await hand.type(start, '921 55 577');
	await page.getByRole('option', { name: /PHONED Larsen 0/ }).waitFor();
	await hand.key('Enter');
	const goods = page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true });
	await until('the goods have the focus', () => goods.evaluate((field) => field === document.activeElement));
	await hand.write('Buns');
	await hand.click(page.getByRole('button', { name: 'Create the order' }));
	await page.getByRole('heading', { name: /^Order /, level: 1 }).waitFor();
});

task('complete a draft', 3, 'dispatcher', async ({ page, context, hand }) => {
	await call(context, 'POST', '/v3/orders/import', {
		orders: [{
			externalId: 'TASK-DRAFT', customer: { externalId: 'C-100' }, orderType: { name: 'Standard' }, vehicleType: { name: 'Van' }, pickup: { externalId: 'T-OSL' },
			delivery: { name: 'Oda', address: { address1: 'Kirkeveien 4', postalCode: '0368', city: 'Oslo', country: 'NO' } }, products: [{ name: 'Sofa', quantity: 1 }]
		}]
	});
	await visit(page, 'drafts');
	await hand.click(page.getByRole('link', { name: 'TASK-DRAFT' }));
	await hand.type(page.getByLabel('Date', { exact: true }), ahead(13));
	await hand.click(page.getByRole('button', { name: 'Complete the draft' }));
	await page.getByRole('heading', { name: /Order TASK-DRAFT/, level: 1 }).waitFor();
});

task('cancel an order', 2, 'dispatcher', async ({ page, context, hand, dialog }) => {
	const [id] = await importAll(context, 'CANCELLED', ahead(13), 1);
	await visit(page, `orders/${id}`);
	await hand.click(page.getByRole('button', { name: 'Cancel the order' }));
	await hand.click(dialog.getByRole('button', { name: 'Cancel the order' }));
	await page.getByRole('button', { name: 'Reactivate' }).waitFor();
});

task('take up a cancelled order again', 1, 'dispatcher', async ({ page, context, hand }) => {
	const [id] = await importAll(context, 'AGAIN', ahead(13), 1);
	await call(context, 'POST', '/v2/orders/cancel-orders', { externalIds: ['AGAIN-0'] });
	await visit(page, `orders/${id}`);
	await hand.click(page.getByRole('button', { name: 'Reactivate' }));
	await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
});

task('split an order', 4, 'dispatcher', async ({ page, context, hand, dialog }) => {
	const [id] = await importAll(context, 'SPLITTING', ahead(13), 1);
	await visit(page, `orders/${id}`);
	await hand.click(page.getByRole('button', { name: 'Split the order' }));
	await hand.type(dialog.getByLabel('Box'), '1');
	await hand.type(dialog.getByLabel('Number'), 'SPLITTING-REST');
	await hand.click(dialog.getByRole('button', { name: 'Split the order' }));
	await dialog.getByRole('link', { name: 'SPLITTING-REST' }).waitFor();
});

task('a new recurring order', 22, 'dispatcher', async ({ page, context, hand }) => {
	await visit(page, 'recurring');
	await hand.click(page.getByRole('link', { name: 'New template' }));
	await hand.type(page.getByLabel('Name', { exact: true }).first(), 'Rolls to the canteen');
	await hand.click(page.getByRole('group', { name: 'On these days' }).getByLabel('Thu'));
	await hand.pick(page.getByLabel('Customer', { exact: true }), 'Fjord');
	await hand.choose(page.getByLabel('Order type', { exact: true }), 'Standard');
	await hand.choose(page.getByLabel('Vehicle type', { exact: true }), 'Van');
	const first = await page.getByLabel('Day from which times are counted').inputValue();
	for (const stop of ['Pickup', 'Delivery']) {
		const group = page.getByRole('group', { name: stop });
		const values = {
			'Name': `${stop} of rolls`, 'Street and number': 'Thorvald Meyers gate 40', 'Postal code': '0555', 'Town': 'Oslo', 'Country': 'NO',
			'Not before': `${first} 11:00`, 'Not after': `${first} 15:00`
		};
		for (const [label, value] of Object.entries(values)) await hand.type(group.getByLabel(label, { exact: true }), value);
	}
	await hand.type(page.getByRole('group', { name: 'Goods' }).getByLabel('Name', { exact: true }), 'Rolls');
	await hand.click(page.getByRole('button', { name: 'Create the template' }));
	await page.getByRole('heading', { name: 'Rolls to the canteen', level: 1 }).waitFor();
	await endTemplate(context, Number(new URL(page.url()).pathname.split('/').pop()));
});

task('send a failed message again', 4, 'support', async ({ page, hand, dialog }) => {
	await visit(page, 'messages?channel=sms');
	await hand.click(page.getByRole('row').filter({ hasText: 'Failed' }).first().getByRole('checkbox'));
	await hand.click(page.getByRole('button', { name: 'Send 1 again…' }));
	await dialog.getByRole('listitem').filter({ hasText: /^1 / }).waitFor();
	const dead = dialog.getByRole('checkbox'); // one that is certain to fail again
	if (await dead.count()) await hand.click(dead);
	await hand.click(dialog.getByRole('button', { name: 'Send 1 again', exact: true }));
	await dialog.getByText('1 of 1').waitFor();
});

task('a new driver with hours for months', 9, 'dispatcher', async ({ page, hand, dialog }) => {
	await visit(page, 'drivers');
	await hand.click(page.getByRole('link', { name: 'New driver' }));
	await hand.type(page.getByLabel(/^Name/).first(), 'Tuva Taskvik');
	await hand.click(page.getByRole('button', { name: 'Save', exact: true }));
	await page.getByRole('heading', { name: 'Tuva Taskvik', level: 1 }).waitFor();
	await hand.click(page.getByRole('button', { name: 'Set weekly hours' }));
	await hand.type(dialog.getByLabel('Monday starts'), '0630');
	await hand.type(dialog.getByLabel('Monday ends'), '1430');
	await hand.click(dialog.getByRole('button', { name: 'Same hours on all days' }));
	await hand.type(dialog.getByLabel('Until and including'), ahead(90));
	await hand.click(dialog.getByRole('button', { name: 'Save' }));
	await dialog.waitFor({ state: 'hidden' });
});

task('invite a colleague', 5, 'admin', async ({ page, hand, dialog }) => {
	await visit(page, 'settings/people');
	await hand.click(page.getByRole('button', { name: 'Invite a person' }));
	await hand.type(dialog.getByLabel('Name'), 'Tone Vik');
	await hand.type(dialog.getByLabel('Email'), 'tone.vik@post.example');
	await hand.click(dialog.getByLabel('Support'));
	await hand.click(dialog.getByRole('button', { name: 'Send invitation' }));
	await page.getByRole('heading', { name: 'Tone Vik', level: 1 }).waitFor();
});

task('a new API key', 4, 'admin', async ({ page, hand, dialog }) => {
	await visit(page, 'settings/keys');
	await hand.click(page.getByRole('button', { name: 'Create a key' }).first());
	await hand.type(dialog.getByLabel('Name'), 'Tasks');
	await hand.click(dialog.getByRole('button', { name: 'Create a key' }));
	await dialog.locator('code').getByText(/^wbk_/).waitFor();
	await hand.click(dialog.getByRole('button', { name: 'I have saved it' }));
});

task('a webhook and its deliveries', 6, 'admin', async ({ page, hand, dialog }) => {
	const receiver = createServer((request, answer) => request.resume().on('end', () => answer.writeHead(204).end()));
	await new Promise((ready) => receiver.listen(0, '127.0.0.1', ready));
	try {
		await visit(page, 'settings/webhooks');
		await hand.click(page.getByRole('button', { name: 'Add an address' }));
		await hand.type(dialog.getByLabel('Address (URL)'), `http://127.0.0.1:${receiver.address().port}/hook`);
		await hand.type(dialog.getByLabel('Description'), 'Of a task');
		await hand.click(dialog.getByRole('button', { name: 'Add an address' }));
		await hand.click(dialog.getByRole('button', { name: 'I have saved it' }));
		await hand.click(page.getByRole('link', { name: 'Of a task' }));
		await page.getByRole('heading', { name: 'Of a task', level: 1 }).waitFor();
	} finally {
		receiver.closeAllConnections();
		receiver.close();
	}
});

task('what changed since an hour ago', 2, 'dispatcher', async ({ page, context, hand }) => {
	const date = ahead(2);
	const colleague = await open('admin');
	await planned(context, date, await importAll(colleague.context, 'HOUR', date, 1));
	await colleague.close();
	await visit(page, `day/${date}`);
	await hand.click(page.getByRole('button', { name: /^Since you looked/ }));
	const list = page.getByRole('region', { name: /^What others changed since/ });
	await hand.click(list.getByRole('button', { name: 'An hour ago' }));
	await list.getByRole('button', { name: 'HOUR-0', exact: true }).first().waitFor();
});

task('the file of a list', 1, 'dispatcher', async ({ page, context, hand }) => {
	await importAll(context, 'LISTED', ahead(13), 1);
	await visit(page, `orders?from=${ahead(13)}&to=${ahead(13)}`);
	const saving = page.waitForEvent('download');
	await hand.click(page.getByRole('button', { name: /^CSV of all/ }));
	await saving;
});

task('the name, zone and language of the organization', 4, 'admin', async ({ page, context, hand }) => {
	const { name, timezone, language } = await call(context, 'GET', '/v1/organization');
	try {
		await visit(page, 'settings/organization');
		const form = page.getByRole('region', { name: 'Name, time zone and language' });
		await hand.type(form.getByLabel('Name', { exact: true }), 'Nordfrakt Logistikk AS');
		await hand.type(form.getByLabel('Time zone'), 'Europe/Berlin'); // where the clocks show the same
		await hand.choose(form.getByLabel('Language'), 'Dansk');
		await hand.click(form.getByRole('button', { name: 'Save' }));
		await page.getByRole('banner').getByText('Europe/Berlin').waitFor();
		await page.getByRole('banner').getByText('Nordfrakt Logistikk AS').waitFor();
		const kept = await call(context, 'GET', '/v1/organization');
		assert.deepEqual([kept.name, kept.timezone, kept.language], ['Nordfrakt Logistikk AS', 'Europe/Berlin', 'da']);
	} finally {
		await call(context, 'PUT', '/v1/organization', { name, timezone, language });
	}
});

for (const [how, last] of [['move it anyway', 'Move anyway'], ['leave it', 'Leave it']]) {
	task(`move an order that a colleague moves, and ${how}`, 4, 'dispatcher', async ({ page, context, hand, dialog }) => {
		const date = ahead(9);
		const number = `BOTH-${last.length}`;
		const [id] = await importAll(context, number, date, 1, { streets: [{ address1: last === 'Leave it' ? 'Trondheimsveien 30' : 'Sannergata 8', postalCode: '0557' }] });
		const present = routeOf(await planned(context, date, [id]), id);
		const department = present.departmentId === null ? '' : `&departmentId=${present.departmentId}`;
		const { drivers } = await call(context, 'GET', `/v2/plans/${date}/candidates/together?orderIds=${id}&limit=8${department}`);
		const [mine, theirs] = drivers.filter(({ driverId }) => driverId !== present.driverId);
		const colleague = await open('admin');
		await visit(page, `day/${date}?zoom=2`);
		await hand.click(page.locator(`[role=row][data-driver="${present.driverId}"] [data-cell="${id}-DELIVERY"]`));
		await hand.click(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Move to…' }));
		await hand.click(dialog.getByRole('button', { name: mine.driverName }));
		await dialog.getByText(/^(Fits|Breaks)/).waitFor();
		const { plans } = await readPlan(colleague.context, date);
		const { version } = plans.find(({ departmentId }) => departmentId === present.departmentId);
		await call(colleague.context, 'POST', `/v2/plans/${date}/moves`, {
			version, departmentId: present.departmentId, reason, moves: [{ orderId: id, driverId: theirs.driverId }]
		});
		await dialog.getByRole('alert').getByText(`Kim admin moved ${number}-0 to ${theirs.driverName}. Move anyway?`).waitFor();
		await dialog.getByText(/^(Fits|Breaks)/).waitFor();
		await hand.click(dialog.getByRole('button', { name: last, exact: true }));
		await dialog.waitFor({ state: 'hidden' });
		const wanted = last === 'Move anyway' ? mine : theirs;
		assert.equal(routeOf(await readPlan(context, date), id).driverId, wanted.driverId);
		await colleague.close();
	});
}
