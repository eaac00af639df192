// A made-up day that is larger than any department's, the same at each run.

/** Answers as the service would for a day with many orders, a pickup and a delivery each. */
export function largeDay(date, { orders, drivers }) {
	const minutes = (count) => new Date(Date.parse(`${date}T06:00:00Z`) + count * 60_000).toISOString();
	const random = generator(7);
	const each = Math.ceil(orders / drivers);
	const routes = Array.from({ length: drivers }, (_, index) => {
		const ids = Array.from({ length: Math.min(each, orders - index * each) }, (_, n) => index * each + n + 1);
		return route(index + 1, ids, minutes, random);
	});
	const items = Array.from({ length: drivers + 4 }, (_, index) => ({
		driverId: index + 1,
		driverName: `Driver ${String(index + 1).padStart(2, '0')}`,
		departmentId: 1,
		startsAt: minutes(-30),
		endsAt: minutes(510),
		registration: `EB1${String(index).padStart(4, '0')}`,
		vehicleTypeName: 'Van'
	}));
	return {
		plan: { date, plans: [summary(orders, drivers, minutes)], routes, unplanned: [], nextToken: '', hasMore: false },
		drivers: { items, nextToken: '', hasMore: false }
	};
}

function generator(seed) {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

function summary(orders, drivers, minutes) {
	return {
		departmentId: 1, departmentName: 'Oslo', version: 14, plannedAt: minutes(0), updatedAt: minutes(0), searchedMs: 1,
		travel: 'CROW', travelFailure: null, travelFailureCode: null, drivers, orders, unplanned: 0, drivingSeconds: 1, waitingSeconds: 1, meters: 1,
		release: { releasedAt: null, releasedBy: null, dueAt: null, changes: 0 }
	};
}

function route(driver, ids, minutes, random) {
	const gap = 480 / (ids.length * 2 + 1);
	const visits = ['PICKUP', 'DELIVERY'].flatMap((stop) => ids.map((id) => ({ stop, id })));
	const stops = visits.map(({ stop, id }, index) => {
		const at = (index + 1) * gap;
		const slack = random() < 0.05 ? 5 : 120;
		return {
			sequence: index + 1, orderId: id, externalId: `LARGE-${String(id).padStart(4, '0')}`, orderStatusId: 2, stop,
			name: `Door ${id}`, city: 'Oslo', latitude: 59.86 + random() * 0.12, longitude: 10.6 + random() * 0.3,
			positionGuessed: false, earliest: minutes(0), latest: minutes(at + slack), arrivesAt: minutes(at),
			startsAt: minutes(at), leavesAt: minutes(at + gap * 0.8), eta: minutes(at), slackSeconds: slack * 60,
			drivingSeconds: 300, setupSeconds: 0, sameVisit: false, curbside: false, meters: 2000, locked: random() < 0.1, lock: null
		};
	});
	return {
		departmentId: 1, driverId: driver, driverName: `Driver ${String(driver).padStart(2, '0')}`, vehicleId: driver,
		registration: `EB1${String(driver).padStart(4, '0')}`, vehicleTypeId: 1, vehicleTypeName: 'Van', startsAt: minutes(-10),
		endsAt: minutes(490), drivingSeconds: 9000, waitingSeconds: 60, meters: 90_000, weightKg: 640, volumeM3: 3,
		maxWeightKg: 1200, maxVolumeM3: 12, breakStartsAt: minutes(240), breakEndsAt: minutes(270),
		breaks: [{ startsAt: minutes(240), endsAt: minutes(270) }], stops
	};
}
