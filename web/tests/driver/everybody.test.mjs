import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeFor, onItsSide, Phone, sizes } from './phone.mjs';

for (const [language, dark, size] of [['nb', true, 'normal'], ['da', false, 'larger'], ['en', true, 'largest']]) {
	test(`every screen is one for everybody in ${language}, ${dark ? 'dark' : 'light'}, ${size}`, async () => {
		const phone = await new Phone({ language, dark, size }).begin();
		await phone.open();
		await phone.page.locator('h1').waitFor();
		await phone.look(`${language}-connect`);
		await phone.page.locator('button.big').nth(1).click();
		await phone.look(`${language}-connect-phone`);
		await phone.page.goto('about:blank');
		await phone.open(`enrol#c=${await codeFor('Astrid Dahl')}`);
		await phone.page.getByText('Astrid Dahl').waitFor();
		await phone.page.locator('button.main').click();
		await phone.page.locator('li.card').first().waitFor();
		await phone.page.locator('button.main').last().click();
		await phone.page.locator('[data-visit]').first().waitFor();
		const visits = await phone.page.locator('[data-visit]').evaluateAll((all) => all.map((one) => one.dataset.visit));
		const paths = [
			'', 'changed', 'load', 'waiting', 'done', 'settings',
			...[visits[0], visits.at(-1)].flatMap((id) => ['', '/scan', '/proof', '/fail', '/carriers'].map((path) => `stop/${id}${path}`))
		];
		for (const path of paths) {
			await phone.open(path);
			await phone.look(`${language}-${path.replaceAll('/', '-') || 'today'}`);
			for (const view of [sizes[0], onItsSide]) {
				await phone.page.setViewportSize(view);
				const room = await phone.room();
				assert.ok(room >= 0.45, `${path}: ${Math.round(100 * room)} % of ${view.width} × ${view.height} is left to read`);
			}
			await phone.page.setViewportSize(sizes[0]);
		}
		await phone.end();
	});
}
