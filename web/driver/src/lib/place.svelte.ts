// Where the phone is, as long as the driver is on duty and the app is open.
import type { Schema } from '$shared/api';

/** A position older than this is not attached to an action. */
const fresh = 60_000;
/** While a form is open, the phone is asked this often: one that stands still reports nothing. */
const between = 20_000;
const most = 500;

class Place {
	/** Whether the phone does not reveal its position. */
	refused = $state(false);
	#last = $state.raw<GeolocationPosition>();
	#watch?: number;
	#kept: Schema<'DriverPosition'>[] = [];

	/** Begins to follow the phone, or ends it. */
	follow(on: boolean): void {
		if (!('geolocation' in navigator)) return;
		if (!on && this.#watch !== undefined) {
			navigator.geolocation.clearWatch(this.#watch);
			this.#watch = undefined;
		}
		if (!on || this.#watch !== undefined) return;
		this.#watch = navigator.geolocation.watchPosition(
			(position) => {
				this.refused = false;
				this.#last = position;
				this.#kept.push({ at: new Date(position.timestamp).toISOString(), ...said(position) });
				if (this.#kept.length > most) this.#kept.shift();
			},
			(error) => (this.refused = error.code === error.PERMISSION_DENIED),
			{ enableHighAccuracy: true, maximumAge: 10_000 }
		);
	}

	/** Gets precise positions in the background until the returned function is called. */
	look(): () => void {
		this.#lookOnce();
		const timer = setInterval(() => this.#lookOnce(), between);
		return () => clearInterval(timer);
	}

	#lookOnce(): void {
		if (!('geolocation' in navigator)) return;
		navigator.geolocation.getCurrentPosition((position) => (this.#last = position), () => {}, {
			enableHighAccuracy: true,
			timeout: 8000,
			maximumAge: 5000
		});
	}

	/** Where the phone is, if that was found out just now. */
	latest(now: Date): Schema<'DriverPlace'> | undefined {
		if (!this.#last || now.getTime() - this.#last.timestamp > fresh) return undefined;
		return said(this.#last);
	}

	/** Returns the collected positions, each once. */
	take(): Schema<'DriverPosition'>[] {
		return this.#kept.splice(0);
	}
}

function said({ coords }: GeolocationPosition): Schema<'DriverPlace'> {
	return { latitude: coords.latitude, longitude: coords.longitude, accuracyMeters: coords.accuracy };
}

export const place = new Place();
