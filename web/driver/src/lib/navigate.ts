// The apps that lead a driver to a place. A link hands the place over; nothing is loaded.
export const navigators = ['geo', 'google', 'apple', 'waze'] as const;
export type Navigator = (typeof navigators)[number];

interface Place {
	latitude: number;
	longitude: number;
	name: string;
}

/** The address that opens an app on the way to a place. */
export function wayTo(app: Navigator, place: Place): string {
	const at = `${place.latitude},${place.longitude}`;
	switch (app) {
		case 'google':
			return `https://www.google.com/maps/dir/?api=1&destination=${at}&travelmode=driving`;
		case 'apple':
			return `https://maps.apple.com/?daddr=${at}&dirflg=d`;
		case 'waze':
			return `https://waze.com/ul?ll=${at}&navigate=yes`;
		case 'geo':
			return `geo:${at}?q=${at}(${encodeURIComponent(place.name)})`;
	}
}

/** What a phone most likely has. */
export const likely = (agent: string): Navigator => (/iPhone|iPad|Mac OS/.test(agent) ? 'apple' : 'geo');
