// The browser's own errors of fields, in the language of the page instead of
// the browser's. The browser shows them at the field.
import { t } from '$shared/words.svelte';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Starts writing the errors of all forms; returns what ends it. */
export function writeErrors(): () => void {
	const written = new Set<Field>();
	const write = ({ target }: Event) => {
		const field = target as Field;
		if (field.validity.customError) return; // a component has found it
		field.setCustomValidity(errorOf(field));
		written.add(field);
	};
	// A field with an error that was written is never valid, so it is taken
	// back before the browser looks again.
	const forget = () => {
		for (const field of written) field.setCustomValidity('');
		written.clear();
	};
	const taken = ['input', 'change', 'click', 'keydown'] as const;
	document.addEventListener('invalid', write, true);
	for (const event of taken) document.addEventListener(event, forget, true);
	return () => {
		document.removeEventListener('invalid', write, true);
		for (const event of taken) document.removeEventListener(event, forget, true);
	};
}

function errorOf(field: Field): string {
	const { validity } = field;
	if (validity.valueMissing) return field instanceof HTMLSelectElement ? t('wrong.required_choice') : t('wrong.required');
	if (validity.tooLong) return t('wrong.too_long', { most: (field as HTMLInputElement).maxLength });
	if (validity.tooShort) return t('wrong.too_short', { least: (field as HTMLInputElement).minLength });
	const { type, min, max, title } = field as HTMLInputElement;
	if (validity.typeMismatch) return type === 'email' ? t('wrong.email') : t('wrong.url');
	if (validity.rangeUnderflow) return t('wrong.too_small', { least: min });
	if (validity.rangeOverflow) return t('wrong.too_large', { most: max });
	if (validity.badInput || validity.stepMismatch || /numeric|decimal/.test(field.inputMode)) return t('wrong.number');
	return title || t('wrong.form');
}
