// The content of maps: stops and the lines between them, and a pin to move.
import type { At, MapPin } from './pin';

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

/** A vehicle at its last known position. */
export interface MapVan {
	key: string;
	longitude: number;
	latitude: number;
	color: number;
	words: string;
	/** The position is old. */
	faded: boolean;
}

export interface MapProps {
	stops: MapStop[];
	lines: MapLine[];
	vans?: MapVan[];
	onchoose: (key: string) => void;
	/** A pin that people move, which the map shows from near. */
	pin?: MapPin | undefined;
	/** Called with where the pin was moved. */
	onpin?: (at: At) => void;
	/** Called for Enter on the pin. */
	onpinned?: () => void;
	/** Credits of the data on the map, besides those of the map itself. */
	credits?: string[];
	/** Called with the key of a line that is clicked. */
	online?: (key: string) => void;
	/** Called with the key of the line under the pointer, or with none. */
	onhover?: (key?: string) => void;
}
