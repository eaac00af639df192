// A new version of the app waits until the driver asks for it, and nothing is being sent.
class Update {
	/** Whether a new version waits. */
	waits = $state(false);
	#worker?: ServiceWorker;

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

	/** Has the new version take over. What waits to be sent stays where it is. */
	take(): void {
		navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
		this.#worker?.postMessage('take over');
	}
}

export const update = new Update();
