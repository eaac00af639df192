// Goes on after a step: to the next stop, which shows what was reported.
import { goto } from '$app/navigation';
import { link } from '../links';
import { phone } from '../phone.svelte';

export async function goOn(ids: string[]): Promise<void> {
	const { next } = phone;
	await goto(link(next ? `stop/${next.id}?said=${ids[0]}` : `sent/${ids.join(',')}`), { replaceState: true });
}
