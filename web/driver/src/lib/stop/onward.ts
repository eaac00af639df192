// Goes on after a step: to the next stop, which shows what was reported. A driver who has left the stop meanwhile stays
// where they are.
import { goto } from '$app/navigation';
import { page } from '$app/state';
import { link } from '../links';
import { phone } from '../phone.svelte';

export async function goOn(ids: string[]): Promise<void> {
	if (!page.route.id?.startsWith('/stop/')) return;
	const { next } = phone;
	await goto(link(next ? `stop/${next.id}?said=${ids[0]}` : `sent/${ids.join(',')}`), { replaceState: true });
}
