// The content of maps: stops and the lines between them.
export interface MapStop {
	key: string;
	longitude: number;
	latitude: number;
	/** The index of the driver's colour. */
	color: number;
	words: string;
	/** Deliveries are filled, pickups are rings. */
	filled: boolean;
	mark: 'late' | 'risk' | '';
	chosen: boolean;
	faded: boolean;
}

export interface MapLine {
	key: string;
	color: number;
	chosen: boolean;
	faded: boolean;
	points: [number, number][];
}

export interface MapProps {
	stops: MapStop[];
	lines: MapLine[];
	onchoose: (key: string) => void;
}
