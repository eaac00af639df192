// Ways along streets, as encoded polylines with a precision of 5 decimals.

/** Longitude and latitude. */
export type Position = [number, number];

/** The points of an encoded polyline. */
export function decoded(text: string): Position[] {
	const points: Position[] = [];
	let [at, latitude, longitude] = [0, 0, 0];
	const next = (): number => {
		let [value, shift] = [0, 0];
		let part: number;
		do {
			part = text.charCodeAt(at++) - 63;
			value |= (part & 31) << shift;
			shift += 5;
		} while (part >= 32 && at < text.length);
		return value & 1 ? ~(value >> 1) : value >> 1;
	};
	while (at < text.length) {
		latitude += next();
		longitude += next();
		points.push([longitude / 1e5, latitude / 1e5]);
	}
	return points;
}
