// What a change costs, in one line.
import { lasting } from '$shared/moments';
import { locale, t } from '$shared/words.svelte';

const signed = (value: number, text: string): string => (value < 0 ? `−${text}` : `+${text}`);

/** Such as +9 min · +4.1 km. */
export function costText({ drivingSeconds, waitingSeconds, meters }: { drivingSeconds: number; waitingSeconds: number; meters: number }): string {
	const kilometers = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(Math.abs(meters) / 1000);
	const seconds = drivingSeconds + waitingSeconds;
	return `${signed(seconds, lasting(Math.abs(seconds)))} · ${signed(meters, `${kilometers} km`)}`;
}

/** Such as on time, or 2 late, at most 14 min. */
export const latenessText = (orders: number, seconds: number): string =>
	orders ? t('work.late_orders', { count: orders, by: lasting(seconds) }) : t('work.on_time');
