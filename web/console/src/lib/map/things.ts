// What maps show: stops and the ways between them.
export interface MapStop {
	key: string;
	longitude: number;
	latitude: number;
	/** Which of the drivers' colours. */
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
