package store

import (
	"context"

	"waybill/domain/driver"
	"waybill/domain/event"
	"waybill/domain/learning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Paces returns the paces of the drivers of an organization who differ from others.
func (s *Store) Paces(ctx context.Context, org int64) (map[int64]driver.Pace, error) {
	rows, err := s.reads(org).PacesOfDrivers(ctx, org)
	all := make(map[int64]driver.Pace, len(rows))
	for i := range rows {
		all[rows[i].ID] = driver.Pace{Driving: rows[i].DrivingFactor, Visits: rows[i].VisitFactor}
	}
	return all, translate(err)
}

// SetPaces gives drivers the factors that were learned, with the events. Those who are not active stay as they are.
func (t *Tx) SetPaces(ctx context.Context, all []learning.DriverPace) error {
	p := queries.SetPacesOfDriversParams{OrgID: t.org}
	for i := range all {
		columns.Add(&p.Ids, all[i].DriverID)
		columns.Add(&p.DrivingFactors, all[i].Driving)
		columns.Add(&p.VisitFactors, all[i].Visits)
	}
	rows, err := t.q.SetPacesOfDrivers(ctx, p)
	if err != nil {
		return err
	}
	events := make([]event.Event, len(rows))
	for i := range rows {
		changed := []string{}
		if rows[i].Drives {
			changed = append(changed, "drivingFactor")
		}
		if rows[i].Visits {
			changed = append(changed, "visitFactor")
		}
		events[i] = event.Driver{ID: rows[i].ID}.Event(event.DriverUpdated)
		events[i].Data = event.Difference{Changed: changed}
	}
	return t.Append(ctx, events...)
}

// NamesOfDrivers returns how the drivers of proposals are called, by their ids.
func (s *Store) NamesOfDrivers(ctx context.Context, org int64, proposals []TravelProposal) (map[int64]string, error) {
	names, ids := map[int64]string{}, []int64(nil)
	for i := range proposals {
		for n := range proposals[i].Drivers {
			columns.Add(&ids, proposals[i].Drivers[n].DriverID)
		}
	}
	if len(ids) == 0 {
		return names, nil
	}
	rows, err := s.reads(org).NamesOfDrivers(ctx, queries.NamesOfDriversParams{OrgID: org, Ids: ids})
	for i := range rows {
		names[rows[i].ID] = rows[i].Name
	}
	return names, translate(err)
}
