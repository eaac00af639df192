package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"waybill/domain/fault"
	"waybill/store/queries"
)

// ActivityFilter selects events of the log; nil and 0 match any.
type ActivityFilter struct {
	Actor *string
	// Kind is one kind, or with a point at its end all that begin so.
	Kind        *string
	SubjectType *string
	SubjectID   *int64
	// DriverID selects what is about a driver, and DepartmentID what is about orders and drivers of a department.
	DriverID, DepartmentID *int64
	// PeopleOnly leaves out what the service did by itself.
	PeopleOnly bool
	From, To   time.Time
	Before     int64 // only events with smaller ids
}

// ActivityLooks is how many events are looked at for a part of the log that no
// index finds.
const ActivityLooks = 20_000

// Moment is one event as v1 shows it.
type Moment struct {
	ID       int64
	Document Document
}

// Activity returns up to atMost of an organization's newest events, and the
// event before which the next page begins, or 0 at the end. A page may have few
// events, or none if it searched ActivityLooks events without a match.
func (s *Store) Activity(
	ctx context.Context, org int64, f ActivityFilter, atMost int32,
) (moments []Moment, goOn int64, err error) {
	ids, goOn, err := f.page(ctx, s.lists(org), org, atMost)
	if err != nil {
		return nil, 0, translate(err)
	}
	rows, err := s.lists(org).Activity(ctx, queries.ActivityParams{OrgID: org, Ids: ids, FromTime: f.From, ToTime: f.To})
	return each(rows, func(r queries.ActivityRow) Moment { return Moment(r) }), goOn, translate(err)
}

// page returns the ids of a part of the log, and where the next one begins.
func (f ActivityFilter) page(
	ctx context.Context, q *queries.Queries, org int64, atMost int32,
) (ids []int64, goOn int64, err error) {
	kind, kinds := f.Kind, (*string)(nil)
	if kind != nil && strings.HasSuffix(*kind, ".") {
		kind, kinds = nil, kind
	}
	switch {
	case f.SubjectType != nil && f.SubjectID != nil:
		ids, err = q.PageActivityIDsOfSubject(ctx, queries.PageActivityIDsOfSubjectParams{
			OrgID: org, SubjectType: *f.SubjectType, SubjectID: *f.SubjectID, Before: f.Before, FromTime: f.From, ToTime: f.To,
			Actor: f.Actor, Kind: kind, Kinds: kinds, PageSize: atMost + 1,
			DriverID: f.DriverID, DepartmentID: f.DepartmentID, PeopleOnly: f.PeopleOnly,
		})
	case f.Actor != nil && strings.HasPrefix(*f.Actor, "user:"):
		ids, err = q.PageActivityIDsOfPerson(ctx, queries.PageActivityIDsOfPersonParams{
			OrgID: org, Actor: *f.Actor, Before: f.Before, FromTime: f.From, ToTime: f.To,
			Kind: kind, Kinds: kinds, SubjectType: f.SubjectType, PageSize: atMost + 1,
			DriverID: f.DriverID, DepartmentID: f.DepartmentID, PeopleOnly: f.PeopleOnly,
		})
	default:
		ids, err = q.PageActivityIDs(ctx, queries.PageActivityIDsParams{
			OrgID: org, Before: f.Before, FromTime: f.From, ToTime: f.To, Looks: ActivityLooks,
			Actor: f.Actor, Kind: kind, Kinds: kinds, SubjectType: f.SubjectType, PageSize: atMost + 1,
			DriverID: f.DriverID, DepartmentID: f.DepartmentID, PeopleOnly: f.PeopleOnly,
		})
		if err == nil && len(ids) <= int(atMost) {
			goOn, err = f.behind(ctx, q, org)
		}
	}
	if len(ids) > int(atMost) {
		ids, goOn = ids[:atMost], ids[atMost-1]
	}
	return ids, goOn, err
}

// behind returns where the log continues after the searched range, 0 at its end.
func (f ActivityFilter) behind(ctx context.Context, q *queries.Queries, org int64) (int64, error) {
	next, err := q.FirstActivityNotLookedAt(ctx, queries.FirstActivityNotLookedAtParams{
		OrgID: org, Before: f.Before, FromTime: f.From, ToTime: f.To, Looks: ActivityLooks,
	})
	if err != nil || next == 0 {
		return 0, err
	}
	return next + 1, nil
}

// Story returns an order's events after a given one, oldest first and up to a
// limit, and the last event when there are more.
func (s *Store) Story(
	ctx context.Context, org, order, after int64, atMost int32,
) (moments []Moment, goOn int64, err error) {
	q := s.of(org)
	known, err := q.OrderExists(ctx, queries.OrderExistsParams{OrgID: org, ID: order})
	if err != nil {
		return nil, 0, translate(err)
	}
	if !known {
		return nil, 0, fault.Missing("order", fmt.Sprint(order))
	}
	ids, err := q.PageStoryIDs(ctx, queries.PageStoryIDsParams{
		OrgID: org, OrderID: order, After: after, PageSize: atMost + 1,
	})
	if err != nil {
		return nil, 0, translate(err)
	}
	if len(ids) > int(atMost) {
		ids, goOn = ids[:atMost], ids[atMost-1]
	}
	rows, err := q.Story(ctx, queries.StoryParams{OrgID: org, Ids: ids})
	return each(rows, func(r queries.StoryRow) Moment { return Moment(r) }), goOn, translate(err)
}
