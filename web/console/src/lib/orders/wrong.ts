// Errors found in a form before it is sent, because saving would reject or drop
// the values.
import { countryOf, isCountry } from './countries';
import { numberOf, type OrderForm, type Reason, type StopForm } from './form';

const reason = (field: string, what: string): Reason => ({ field, message: '', code: 'UNKNOWN_INVALID_INPUT_CODE', reason: what });

/** Values that no order can have. Past dates are errors if `from` is given. */
export function wrongIn(form: OrderForm, from?: string): Reason[] {
	const found: Reason[] = [];
	if (from && form.date && form.date < from) found.push(reason('date', 'DATE_PAST'));
	for (const stop of ['pickup', 'delivery'] as const) found.push(...wrongAt(form[stop], stop));
	for (const [index, product] of form.products.entries()) {
		for (const name of ['quantity', 'weight'] as const) {
			if (product[name].trim() && !isAmount(product[name])) found.push(reason(`products[${index}].${name}`, 'NUMBER_BAD'));
		}
	}
	return found;
}

function wrongAt({ country, contact }: StopForm, stop: string): Reason[] {
	const found: Reason[] = [];
	if (country.trim() && !isCountry(country)) found.push(reason(`${stop}.address.country`, 'ADDRESS_BAD_COUNTRY'));
	if (contact.phoneNumber.trim() && !isPhone(contact.phoneNumber, country)) {
		found.push(reason(`${stop}.contacts[0].phoneNumber`, 'PHONE_BAD'));
	}
	if (contact.emailAddress.trim() && !/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(contact.emailAddress.trim())) {
		found.push(reason(`${stop}.contacts[0].emailAddress`, 'EMAIL_BAD'));
	}
	return found;
}

/** Replaces a country with its code. */
export function tidy(form: OrderForm): void {
	for (const stop of [form.pickup, form.delivery]) stop.country = countryOf(stop.country);
}

/** The errors of a form that its original did not have. */
export function newlyWrong(before: OrderForm, now: OrderForm): Reason[] {
	const known = new Set(wrongIn(before).map(({ field }) => field));
	return wrongIn(now).filter(({ field }) => !known.has(field));
}

/** Fields with a date or time that cannot be read, and counts as empty. */
export function halfIn(form: HTMLFormElement): Reason[] {
	return [...form.querySelectorAll<HTMLInputElement>('input[data-path]')]
		.filter((input) => 'unread' in input.dataset)
		.map((input) => reason(input.dataset['path']!, 'HALF_WRITTEN'));
}

const isAmount = (text: string): boolean => {
	const value = numberOf(text);
	return value !== undefined && Number.isFinite(value) && value >= 0;
};

/** Phone numbers of these countries have eight digits. */
const eight = new Set(['NO', 'DK']);

function isPhone(text: string, country: string): boolean {
	const written = text.replace(/[\s().\-/]/g, '');
	if (/^(\+|00)/.test(written)) return /^(\+|00)[1-9]\d{7,14}$/.test(written);
	const least = eight.has(country) || !country ? 8 : 7;
	return /^\d+$/.test(written) && written.length >= least && written.length <= 12;
}
