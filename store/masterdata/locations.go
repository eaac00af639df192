package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/organization"
	"waybill/store"
	"waybill/store/columns"
	"waybill/store/queries"
)

// locations counts a location as updated if its windows changed, too.
func (a *applier) locations(ctx context.Context) (counts, error) {
	wanted := a.locationColumns()
	said := columns.Of(a.document.Locations, func(l organization.Location) *string { return l.Calendar })
	kept, err := a.calendarsKept(ctx, "locations", said)
	if err != nil {
		return counts{}, err
	}
	wanted.CalendarIds = kept
	rows, err := a.q.ApplyLocations(ctx, wanted)
	if err != nil {
		return counts{}, err
	}
	changed, err := a.q.ApplyTimeWindows(ctx, a.windowColumns())
	if err != nil {
		return counts{}, fmt.Errorf("windows: %w", err)
	}
	if err := a.tx.PlaceLocations(ctx, nil, a.locationColumns().ExternalIds); err != nil {
		return counts{}, err
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
		columns.Add(&params.ExternalIds, l.ExternalID)
		columns.Add(&params.MatchKeys, key[:])
		columns.Add(&params.Names, l.Name)
		columns.Add(&params.Address1s, l.Address.Address1)
		columns.Add(&params.Address2s, l.Address.Address2)
		columns.Add(&params.PostalCodes, l.Address.PostalCode)
		columns.Add(&params.Cities, l.Address.City)
		columns.Add(&params.States, l.Address.State)
		columns.Add(&params.Countries, l.Address.Country)
		columns.Add(&params.Latitudes, columns.OrNaN(l.Address.Latitude))
		columns.Add(&params.Longitudes, columns.OrNaN(l.Address.Longitude))
		hours := l.OpeningHours
		if hours == nil {
			hours = &organization.OpeningHours{}
		}
		columns.Add(&params.Opens, columns.OrMinusOne[int16](hours.Opens))
		columns.Add(&params.Closes, columns.OrMinusOne[int16](hours.Closes))
		columns.Add(&params.AsDefaults, hours.UseAsDefault)
		columns.Add(&params.ServiceTimes, store.ServiceTimeText(l.ServiceTime))
		columns.Add(&params.Pauses, store.PausesOfDocument(l.Pauses))
		columns.Add(&params.Curbsides, curbsideOr(l.Curbside))
	}
	return params
}

// curbsideOr is -1 where a document does not say it.
func curbsideOr(said *bool) int16 {
	switch {
	case said == nil:
		return -1
	case *said:
		return 1
	}
	return 0
}

func (a *applier) windowColumns() queries.ApplyTimeWindowsParams {
	params := queries.ApplyTimeWindowsParams{OrgID: a.org}
	for i := range a.document.Locations {
		l := &a.document.Locations[i]
		key := l.Key()
		columns.Add(&params.ExternalIds, l.ExternalID)
		columns.Add(&params.MatchKeys, key[:])
		columns.Add(&params.Counts, int32(len(l.TimeWindows)))
		for seq, w := range l.TimeWindows {
			columns.Add(&params.Owners, int32(i+1)) // as row_number counts
			columns.Add(&params.Seqs, int16(seq))
			columns.Add(&params.Rrules, w.RRule)
			columns.Add(&params.Opens, columns.OrMinusOne[int16](w.Opens))
			columns.Add(&params.Closes, columns.OrMinusOne[int16](w.Closes))
		}
	}
	return params
}
