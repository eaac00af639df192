package activity

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/store"
)

// The default and maximum number of days of the log to search.
const (
	usualDays = 30
	mostDays  = 92
)

// moments is a page of the log as the API returns it.
type moments struct {
	Items     []json.RawMessage `json:"items"`
	NextToken *string           `json:"next_token"`
	HasMore   bool              `json:"has_more"`
}

// newMoments converts a page of events. goOn is the event at which the next
// page begins, or 0.
func newMoments(read []store.Moment, goOn int64) moments {
	m := moments{Items: []json.RawMessage{}, HasMore: goOn != 0}
	if m.HasMore {
		token := strconv.FormatInt(goOn, 10)
		m.NextToken = &token
	}
	for _, r := range read {
		m.Items = append(m.Items, r.Document)
	}
	return m
}

// part reads where a part of the log begins, and how much it has.
func part(token *string, limit *int32) (at int64, size int32, err error) {
	if token != nil && *token != "" {
		if at, err = strconv.ParseInt(*token, 10, 64); err != nil || at < 0 {
			return 0, 0, fault.Field("token", fault.Say("feed.bad_token"))
		}
	}
	page, err := edge.PageOf(nil, limit)
	return at, page.Size, err
}

// ListActivity lists who did what, newest first.
func (h *Handlers) ListActivity(
	ctx context.Context, request contract.ListActivityRequestObject,
) (contract.ListActivityResponseObject, error) {
	return h.activity(ctx, request.Params)
}

// VisitListActivityResponse responds with the part of the log.
func (m moments) VisitListActivityResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, m)
}

func (h *Handlers) activity(ctx context.Context, p contract.ListActivityParams) (moments, error) {
	at, size, err := part(p.Token, p.Limit)
	if err != nil {
		return moments{}, err
	}
	if at == 0 {
		at = math.MaxInt64
	}
	filter := store.ActivityFilter{
		Actor: p.Actor, Kind: p.Kind, SubjectType: p.SubjectType, SubjectID: p.SubjectID, Before: at,
		DriverID: p.DriverID, DepartmentID: p.DepartmentID, PeopleOnly: p.PeopleOnly != nil && *p.PeopleOnly,
	}
	if p.SubjectID != nil && p.SubjectType == nil {
		return moments{}, fault.Field("subject_type", fault.Say("param.required"))
	}
	if filter.From, filter.To, err = h.days(p.From, p.To); err != nil {
		return moments{}, err
	}
	read, goOn, err := h.store.Activity(ctx, edge.PrincipalOf(ctx).OrgID, filter, size)
	return newMoments(read, goOn), err
}

// days are the bounds of the time range.
func (h *Handlers) days(from, to *time.Time) (first, last time.Time, err error) {
	last = h.now().Add(time.Second)
	if to != nil {
		last = *to
	}
	first = last.AddDate(0, 0, -usualDays)
	if from != nil {
		first = *from
	}
	if last.Before(first) || last.Sub(first) > mostDays*24*time.Hour {
		return first, last, fault.Field("from", fault.Say("activity.too_long", "max", strconv.Itoa(mostDays)))
	}
	return first, last, nil
}
