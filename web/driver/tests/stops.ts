// Stops for tests.
import type { Stop } from '../src/lib/day/visits';

/** A delivery at its own location, with a test's changes. */
export function stop(stopId: number, given: Partial<Stop> = {}): Stop {
	return {
		sequence: stopId, stopId, orderId: stopId, externalId: `A-${stopId}`, stop: 'DELIVERY', orderStatusId: 2, status: 'pending',
		name: `Place ${stopId}`, address: null, latitude: 59 + stopId, longitude: 10, positionGuessed: false,
		earliest: '2026-12-07T08:00:00Z', latest: '2026-12-07T10:00:00Z', eta: null, drivingSeconds: 0, setupSeconds: 0, sameVisit: false, curbside: false, meters: 0, instructions: null,
		customerInstructions: null, parkingInstructions: null, contacts: [], products: [], customFields: [], proof: { inPerson: {}, contactless: {}, failure: {} }, ...given
	};
}
