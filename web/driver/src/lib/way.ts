// Directions in the driver's preferred app. A link passes the destination;
// nothing is loaded.
import type { Navigator } from './navigate';

interface Place {
	latitude: number;
	longitude: number;
	name: string;
	positionGuessed: boolean;
}

/** The address that opens an app on the way to a place. Where the position is guessed, the app looks for the address itself. */
export function wayTo(app: Navigator, place: Place, address = ''): string {
	const at = `${place.latitude},${place.longitude}`;
	if (place.positionGuessed && address) return toAddress(app, encodeURIComponent(address));
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

function toAddress(app: Navigator, address: string): string {
	switch (app) {
		case 'google':
			return `https://www.google.com/maps/dir/?api=1&destination=${address}&travelmode=driving`;
		case 'apple':
			return `https://maps.apple.com/?daddr=${address}&dirflg=d`;
		case 'waze':
			return `https://waze.com/ul?q=${address}&navigate=yes`;
		case 'geo':
			return `geo:0,0?q=${address}`;
	}
}
