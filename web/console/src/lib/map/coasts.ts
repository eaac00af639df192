// The coastlines of the basemap, which is cut out of the world along windows.

type Point = [longitude: number, latitude: number];
export type Window = [west: number, south: number, east: number, north: number];

/** Whether a piece of an outline lies on the edge of a window, where the land goes on. */
const isCut = (windows: Window[], [x1, y1]: Point, [x2, y2]: Point) =>
	windows.some(([west, south, east, north]) =>
		(x1 === x2 && (x1 === west || x1 === east)) || (y1 === y2 && (y1 === south || y1 === north)));

/** The outlines of land without the edges of the windows. */
export function coastsOf(land: Point[][][], windows: Window[]): Point[][] {
	const coasts: Point[][] = [];
	for (const ring of land.flat()) {
		let coast: Point[] | undefined;
		for (const [index, to] of ring.entries()) {
			const from = ring[index - 1];
			if (!from || isCut(windows, from, to)) {
				coast = undefined;
			} else if (coast) {
				coast.push(to);
			} else {
				coasts.push(coast = [from, to]);
			}
		}
	}
	return coasts;
}
