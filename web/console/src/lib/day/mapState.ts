// What the map of a day shows besides its routes, and which of them: all of it in the address.
import { queried, queriedAll, setQuery } from '../query';

export const mapLayers = ['unplanned', 'depots', 'zones'] as const;
export type MapLayer = (typeof mapLayers)[number];

const usual: MapLayer[] = ['unplanned'];
const nothing = 'none';

/** The layers that are shown: those in the address, or the usual ones. */
export const layersShown = (): MapLayer[] => (queried('layers') ? mapLayers.filter((layer) => queriedAll('layers').includes(layer)) : usual);

export function showLayer(layer: MapLayer, wanted: boolean): void {
	const next = mapLayers.filter((one) => (one === layer ? wanted : layersShown().includes(one)));
	setQuery({ layers: next.join() === usual.join() ? '' : next.join() || nothing });
}

/** The drivers whose routes are shown; none in the address means all. */
export const routesShown = (): Set<number> => new Set(queriedAll('routes').map(Number).filter(Boolean));

/** Shows the route of a driver or not. All of them again are none in the address. */
export function showRoute(driverId: number, wanted: boolean, all: number[]): void {
	const now = routesShown();
	const next = (now.size ? all.filter((id) => now.has(id)) : all).filter((id) => id !== driverId);
	if (wanted) next.push(driverId);
	showRoutes(next.length === all.length ? [] : next);
}

export const showRoutes = (driverIds: number[]): void => setQuery({ routes: driverIds.join() });
