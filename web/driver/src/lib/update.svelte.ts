// A new version of the app waits until the driver asks for it, and nothing is
// being sent.
import { version } from '$app/environment';
import type { operations } from '$shared/contract.gen';
import { storageOf } from './storage';

export type AppHeader = operations['getDriverRoute']['parameters']['header'];

class Update {
	/** Whether a new version waits. */
	waits = $state(false);
	/** Whether the service wants the update as soon as no stop is open. */
	required = $state(false);
	#worker?: ServiceWorker;

	/** The app's report to the service. */
	says = async (): Promise<AppHeader> => ({ 'Waybill-App-Release': version, 'Waybill-App-Storage': await storageOf() });

	/** Reads the service's release from a response, and checks for an update if it is another one. */
	hears = (headers: Headers): void => {
		const release = headers.get('Waybill-App-Release');
		this.required = headers.get('Waybill-App-Update') === 'REQUIRED';
		if (!release || release === version || this.waits) return;
		void navigator.serviceWorker?.getRegistration().then((found) => found?.update()).catch(() => {});
	};

	async watch(): Promise<void> {
		if (!('serviceWorker' in navigator)) return;
		const registration = await navigator.serviceWorker.ready;
		const look = () => {
			this.#worker = registration.waiting ?? undefined;
			this.waits = this.#worker !== undefined && navigator.serviceWorker.controller !== null;
		};
		registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
		look();
		setInterval(() => void registration.update().catch(() => {}), 3600e3);
	}

	/** Activates the new version. Unsent actions stay. */
	take(): void {
		navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
		this.#worker?.postMessage('take over');
	}
}

export const update = new Update();
