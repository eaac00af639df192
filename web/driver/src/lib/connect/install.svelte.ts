// Putting the app on the home screen, where the browser offers it.
interface Offer extends Event {
	prompt(): Promise<void>;
}

class Install {
	/** Whether the browser supports a prompt. */
	offered = $state(false);
	/** Whether the app runs from the home screen. */
	done = $state(matchMedia('(display-mode: standalone)').matches);
	#offer?: Offer;

	constructor() {
		addEventListener('beforeinstallprompt', (event) => {
			event.preventDefault();
			this.#offer = event as Offer;
			this.offered = true;
		});
		addEventListener('appinstalled', () => {
			this.offered = false;
			this.done = true;
		});
	}

	async ask(): Promise<void> {
		await this.#offer?.prompt();
		this.offered = false;
	}
}

export const install = new Install();
