package store

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store/queries"
)

// locations counts a location as updated when its windows changed, too.
func (a *applier) locations(ctx context.Context) (counts, error) {
	rows, err := a.q.ApplyLocations(ctx, a.locationColumns())
	if err != nil {
		return counts{}, err
	}
	changed, err := a.q.ApplyTimeWindows(ctx, a.windowColumns())
	if err != nil {
		return counts{}, fmt.Errorf("windows: %w", err)
	}
	var n counts
	known := make(map[int64]bool, len(rows))
	for _, r := range rows {
		known[r.ID] = true
		if r.Created {
			n.Created++
		} else {
			n.Updated++
		}
	}
	for _, id := range changed {
		if !known[id] {
			n.Updated++
		}
	}
	return n, nil
}

func (a *applier) locationColumns() queries.ApplyLocationsParams {
	params := queries.ApplyLocationsParams{OrgID: a.org}
	for i := range a.document.Locations {
		l := &a.document.Locations[i]
		key := l.Key()
		put(&params.ExternalIds, l.ExternalID)
		put(&params.MatchKeys, key[:])
		put(&params.Names, l.Name)
		put(&params.Address1s, l.Address.Address1)
		put(&params.Address2s, l.Address.Address2)
		put(&params.PostalCodes, l.Address.PostalCode)
		put(&params.Cities, l.Address.City)
		put(&params.States, l.Address.State)
		put(&params.Countries, l.Address.Country)
		put(&params.Latitudes, orNaN(l.Address.Latitude))
		put(&params.Longitudes, orNaN(l.Address.Longitude))
		hours := l.OpeningHours
		if hours == nil {
			hours = &organization.OpeningHours{}
		}
		put(&params.Opens, orMinusOne[int16](hours.Opens))
		put(&params.Closes, orMinusOne[int16](hours.Closes))
		put(&params.AsDefaults, hours.UseAsDefault)
	}
	return params
}

func (a *applier) windowColumns() queries.ApplyTimeWindowsParams {
	params := queries.ApplyTimeWindowsParams{OrgID: a.org}
	for i := range a.document.Locations {
		l := &a.document.Locations[i]
		key := l.Key()
		put(&params.ExternalIds, l.ExternalID)
		put(&params.MatchKeys, key[:])
		put(&params.Counts, int32(len(l.TimeWindows)))
		for seq, w := range l.TimeWindows {
			put(&params.Owners, int32(i+1)) // as row_number counts
			put(&params.Seqs, int16(seq))
			put(&params.Rrules, w.RRule)
			put(&params.Opens, orMinusOne[int16](w.Opens))
			put(&params.Closes, orMinusOne[int16](w.Closes))
		}
	}
	return params
}
