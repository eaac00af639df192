package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"waybill/domain/region"
	loading "waybill/operations/places"
	"waybill/providers/regions"
	"waybill/store/places"
)

// checkRegions checks the files of regions, and their road data for all classes of vehicles.
func (d *doctor) checkRegions(ctx context.Context) finding {
	r := &loading.Regions{
		Register: places.New(d.pool), Folder: regions.NewFolder(d.config.RegionsDir), MostProfiles: d.config.RoadProfiles,
	}
	all, err := r.List(ctx)
	if err != nil {
		return failed(err, "check whether Postgres is running")
	}
	if len(all) == 0 {
		return fine("there are no regions: maps show no streets, and travel times come from WAYBILL_TRAVEL_URL or are estimates")
	}
	wanted, beyond, err := r.Profiles(ctx)
	if err != nil {
		return failed(err, "check whether Postgres is running")
	}
	var amiss roadsAmiss
	for i := range all {
		amiss.look(r, &all[i], wanted)
	}
	return amiss.finding(len(all), beyond)
}

// roadsAmiss are the regions that something is wrong with.
type roadsAmiss struct{ gone, broken, failed, building []string }

func (a *roadsAmiss) look(r *loading.Regions, one *region.Region, wanted []region.Profile) {
	if !one.HasRoads() {
		wanted = nil
	}
	states, err := r.RoadStates(one, wanted)
	switch {
	case errors.Is(err, regions.ErrGone):
		a.gone = append(a.gone, one.Name)
		return
	case err != nil:
		a.broken = append(a.broken, fmt.Sprintf("%s (%s)", one.Name, err))
		return
	}
	for i := range states {
		of := fmt.Sprintf("%s of %s", states[i].Profile, one.Name)
		switch {
		case states[i].Phase == region.Ready && states[i].Failure == "":
		case states[i].Profile == region.Cars:
			a.broken = append(a.broken, fmt.Sprintf("%s (no road data that can be used)", one.Name))
		case states[i].Failure != "":
			a.failed = append(a.failed, of+" ("+stateOf(&states[i])+")")
		default:
			a.building = append(a.building, of+" ("+stateOf(&states[i])+")")
		}
	}
}

func (a *roadsAmiss) finding(count int, beyond []region.Profile) finding {
	list := func(names []string) string { return strings.Join(names, "; ") }
	switch {
	case len(a.broken) > 0:
		return wrong("build the region again: waybill region add FILE.osm.pbf --again", "regions are damaged: %s", list(a.broken))
	case len(a.gone) > 0:
		return warning("share WAYBILL_REGIONS_DIR with the host that built them, or build them here with waybill region add",
			"the files of these regions are not on this host: %s", list(a.gone))
	case len(a.failed) > 0:
		return warning("read the reasons in waybill region list; if there is too little memory, run waybill region add with the same extract on a machine with more memory",
			"road data cannot be used, and plans use the times of any car or truck: %s", list(a.failed))
	case len(beyond) > 0:
		return warning("raise WAYBILL_ROAD_PROFILES of region and roads, if there is memory for more",
			"no road data are built for %s", joined(beyond))
	case len(a.building) > 0:
		return warning("wait, or start waybill roads if it is not running; until then, plans use the times of any car or truck",
			"road data are not ready yet: %s", list(a.building))
	}
	return fine("%d regions have all their files and road data", count)
}
