// Web Mercator, the usual projection of web maps: degrees to units, of which
// the world has one.

export interface Point {
	x: number;
	y: number;
}

export function project(longitude: number, latitude: number): Point {
	const sine = Math.sin((latitude * Math.PI) / 180);
	return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** The degrees of a point, the opposite of project. */
export function unproject({ x, y }: Point): { longitude: number; latitude: number } {
	const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
	return { longitude: (x - 0.5) * 360, latitude };
}

export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The box around some points, with room at its edges; of one point, some streets around it. */
export function around(points: Point[], room = 0.12): Box {
	const xs = points.map((point) => point.x);
	const ys = points.map((point) => point.y);
	const least = 0.00008;
	const width = Math.max(Math.max(...xs) - Math.min(...xs), least);
	const height = Math.max(Math.max(...ys) - Math.min(...ys), least);
	return {
		x: Math.min(...xs) - width * room,
		y: Math.min(...ys) - height * room,
		width: width * (1 + 2 * room),
		height: height * (1 + 2 * room)
	};
}
