// The content of maps: stops and the lines between them, and a pin to move.
import type { At, MapPin } from './pin';

export interface MapStop {
	key: string;
	longitude: number;
	latitude: number;
	/** The index of the driver's color. */
	color: number;
	words: string;
	/** Deliveries are filled, pickups are rings. */
	filled: boolean;
	mark: 'late' | 'risk' | '';
}

export interface MapLine {
	/** Different for each line. Several of one route have the same `of`. */
	key: string;
	of: string;
	color: number;
	/** The index of the line style: solid, dashed or dotted. */
	dash: number;
	/** It was driven, rather than planned. */
	driven: boolean;
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

/** How a stop or a line stands out, which changes more often than the thing itself. */
export type Look = 'chosen' | 'faded' | '';

export interface MapProps {
	stops: MapStop[];
	lines: MapLine[];
	vans?: MapVan[];
	/** How stops and lines stand out, by their key, or by `of` of lines. */
	lookOfStop?: (key: string) => Look;
	lookOfLine?: (of: string) => Look;
	/** The map moves to these stops when they change, unless it shows them. */
	shown?: string[];
	onchoose: (key: string) => void;
	/** A pin that people move, which the map shows from near. */
	pin?: MapPin | undefined;
	/** Called with where the pin was moved. */
	onpin?: (at: At) => void;
	/** Called for Enter on the pin. */
	onpinned?: () => void;
	/** Credits of the data on the map, besides those of the map itself. */
	credits?: string[];
	/** Called with what a line is of when it is clicked. */
	online?: (of: string) => void;
	/** Called with what the line under the pointer is of, or with none. */
	onhover?: (of?: string) => void;
	/** Called with the key of the stop under the pointer. */
	onhoverstop?: (key: string) => void;
}
