package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"waybill/domain/event"
	"waybill/domain/learning"
	"waybill/domain/visit"
	"waybill/store/columns"
	"waybill/store/queries"
)

// DrivenVisits returns the visits that drivers of an organization made on some days, both included. It reads them day
// by day, as DrivenTravel reads legs.
func (s *Store) DrivenVisits(ctx context.Context, org int64, first, last time.Time) (all []learning.Visit, err error) {
	for day := last; !day.Before(first) && len(all) < mostLegs; day = day.AddDate(0, 0, -1) {
		earlier := len(all)
		err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
			all = all[:earlier]
			rows, err := t.q.DrivenVisits(ctx, queries.DrivenVisitsParams{OrgID: org, FirstDay: day, LastDay: day})
			for i := range rows {
				r := &rows[i]
				all = append(all, learning.Visit{
					Day: r.Day.UTC(), DriverID: r.DriverID, LocationID: r.LocationID, OrderTypeID: r.OrderTypeID,
					Orders: int(r.Orders), Took: seconds(r.Seconds),
				})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// TimesOfVisits returns what is set for how long visits take, at the locations of some.
func (s *Store) TimesOfVisits(ctx context.Context, org int64, visits []learning.Visit) (*learning.Known, error) {
	known := learning.Known{
		Locations: map[int64]learning.KnownLocation{}, OrderTypes: map[int64]*visit.ServiceTime{},
	}
	for i := range visits {
		known.Locations[visits[i].LocationID] = learning.KnownLocation{}
	}
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		places, err := t.q.LocationTimes(ctx, queries.LocationTimesParams{
			OrgID: org, Ids: slices.Collect(maps.Keys(known.Locations)),
		})
		if err != nil {
			return err
		}
		clear(known.Locations)
		for i := range places {
			at := learning.KnownLocation{Minutes: places[i].Minutes}
			if at.Times, err = serviceTime(places[i].Times); err != nil {
				return err
			}
			known.Locations[places[i].ID] = at
		}
		types, err := t.q.OrderTypeTimes(ctx, org)
		if err != nil {
			return err
		}
		for i := range types {
			if known.OrderTypes[types[i].ID], err = serviceTime(types[i].Times); err != nil {
				return err
			}
		}
		return nil
	})
	return &known, err
}

// NamesOfVisits are how locations and order types are called, by their ids.
type NamesOfVisits struct{ Locations, OrderTypes map[int64]string }

// NamesOfVisits returns how those are called that proposals are about.
func (s *Store) NamesOfVisits(ctx context.Context, org int64, proposals []TravelProposal) (NamesOfVisits, error) {
	names := NamesOfVisits{Locations: map[int64]string{}, OrderTypes: map[int64]string{}}
	for i := range proposals {
		for _, t := range proposals[i].Visits {
			names.Locations[t.LocationID], names.OrderTypes[t.OrderTypeID] = "", ""
		}
	}
	if len(names.Locations) == 0 {
		return names, nil
	}
	rows, err := s.reads(org).NamesOfVisits(ctx, queries.NamesOfVisitsParams{
		OrgID: org, LocationIds: slices.Collect(maps.Keys(names.Locations)),
		OrderTypeIds: slices.Collect(maps.Keys(names.OrderTypes)),
	})
	for _, r := range rows {
		if r.LocationID != 0 {
			names.Locations[r.LocationID] = r.Name
		} else {
			names.OrderTypes[r.OrderTypeID] = r.Name
		}
	}
	return names, translate(err)
}

// SetTimesOfVisits makes learned times those of their locations and order types, with an event for each. Those that are
// gone meanwhile are left out.
func (t *Tx) SetTimesOfVisits(ctx context.Context, times []learning.VisitTime) error {
	places := queries.SetLocationTimesParams{
		OrgID: t.org, Ids: []int64{}, SetupSeconds: []int32{}, OrderSeconds: []int32{},
	}
	types := queries.SetOrderTypeTimesParams(places)
	for i := range times {
		id, ids, setups, orders := times[i].LocationID, &places.Ids, &places.SetupSeconds, &places.OrderSeconds
		if id == 0 {
			id, ids, setups, orders = times[i].OrderTypeID, &types.Ids, &types.SetupSeconds, &types.OrderSeconds
		}
		columns.Add(ids, id)
		columns.Add(setups, times[i].SetupSeconds)
		columns.Add(orders, times[i].OrderSeconds)
	}
	var events []event.Event
	setPlaces, err := t.q.SetLocationTimes(ctx, places)
	if err != nil {
		return err
	}
	for _, r := range setPlaces {
		events = append(events, event.Location{ID: r.ID, ExternalID: r.ExternalID}.Event(event.LocationUpdated))
	}
	setTypes, err := t.q.SetOrderTypeTimes(ctx, types)
	if err != nil {
		return err
	}
	for _, r := range setTypes {
		events = append(events, event.Record{Type: event.OfOrderType, ID: r.ID, Name: r.Name}.Event(event.OrderTypeUpdated))
	}
	return t.Append(ctx, events...)
}
