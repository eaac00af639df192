// The pin of an address, which people drag or move with the arrow keys.

export interface At {
	latitude: number;
	longitude: number;
}

export interface MapPin extends At {
	/** The name of the pin, for users who can't see it. */
	words: string;
}

/** How far an arrow key moves the pin, in pixels; with Shift, one at a time. */
const stride = 10;

/** Where an arrow key moves the pin, in pixels to the right and down; undefined for other keys. */
export function stepOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): [number, number] | undefined {
	const by = shiftKey ? 1 : stride;
	const steps: Record<string, [number, number]> = {
		ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by]
	};
	return steps[key];
}

/** A position with as many digits as a pin is exact, which is a few centimeters. */
export const rounded = ({ latitude, longitude }: At): At => ({
	latitude: Number(latitude.toFixed(6)),
	longitude: Number(longitude.toFixed(6))
});
