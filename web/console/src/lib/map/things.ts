// The content of maps: stops and the lines between them, and a pin to move.
import type { Bounds } from './frame';
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
	/** It is on no route. */
	free?: boolean;
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
	/** What stands below it: how old its position is. */
	label: string;
	/** The position is old. */
	faded: boolean;
}

/** An area below everything else, with its name. */
export interface MapArea {
	key: string;
	name: string;
	ring: [number, number][];
}

/** The name of a route, at one of its stops. */
export interface MapName {
	key: string;
	longitude: number;
	latitude: number;
	name: string;
	color: number;
	/** What the route is of, as its lines say. */
	of: string;
}

/** A place that does not belong to a route, such as a depot. */
export interface MapPlace {
	key: string;
	longitude: number;
	latitude: number;
	name: string;
}

/** How a stop or a line stands out, which changes more often than the thing itself. */
export type Look = 'chosen' | 'faded' | '';

export interface MapProps {
	stops: MapStop[];
	lines: MapLine[];
	vans?: MapVan[];
	areas?: MapArea[];
	places?: MapPlace[];
	names?: MapName[];
	/** How stops and lines stand out, by their key, or by `of` of lines. */
	lookOfStop?: (key: string) => Look;
	lookOfLine?: (of: string) => Look;
	/** The map moves to these stops when they change, unless it shows them. */
	shown?: string[];
	/** Called with a stop that is clicked, and whether that adds to what is chosen. */
	onchoose: (key: string, adds: boolean) => void;
	/** Called when a button of the mouse is pressed at a stop. */
	onpress?: (key: string, event: MouseEvent) => void;
	/** The next drag draws a lasso, also without Shift. */
	lassoing?: boolean;
	/** Called with the stops inside a lasso. Without it there is none. */
	onlasso?: (keys: string[]) => void;
	/** What is shown at first, rather than all stops. */
	frame?: Bounds | undefined;
	/** Called with what is shown, and whether somebody moved the map there. */
	onview?: (bounds: Bounds, isMoved: boolean) => void;
	/** Called with how to find the stop or the line at a point of the window, as `key` or `of`. */
	onready?: (find: (x: number, y: number) => { stop?: string; line?: string }) => void;
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
