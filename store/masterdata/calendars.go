package masterdata

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/calendar"
	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) calendars(ctx context.Context) (counts, error) {
	params := queries.ApplyCalendarsParams{OrgID: a.org}
	for _, k := range a.document.Calendars {
		if k.Closed == nil {
			k.Closed = []calendar.Closed{}
		}
		text, err := json.Marshal(k.Closed)
		if err != nil {
			return counts{}, err
		}
		columns.Add(&params.Names, k.Name)
		columns.Add(&params.Closed, string(text))
	}
	n, err := a.q.ApplyCalendars(ctx, params)
	return counts(n), err
}

func (a *applier) pruneCalendars(ctx context.Context) (int64, error) {
	names := columns.Of(a.document.Calendars, func(k organization.Calendar) string { return k.Name })
	return a.q.PruneCalendars(ctx, queries.PruneCalendarsParams{OrgID: a.org, Names: names})
}

// leftAsItWas is the id of a calendar that a document does not say.
const leftAsItWas = -1

// calendarsKept returns the ids of the calendars that the records of a section keep: 0 for none, and leftAsItWas.
func (a *applier) calendarsKept(ctx context.Context, section string, said []*string) ([]int64, error) {
	rows, err := a.q.NamedCalendars(ctx, a.org)
	if err != nil {
		return nil, err
	}
	n := &naming{named: named{}, document: a.document}
	for _, r := range rows {
		n.add("calendar", r.Name, r.ID)
	}
	ids := make([]int64, len(said))
	for i, name := range said {
		if ids[i] = leftAsItWas; name != nil {
			ids[i] = n.findAny("calendar", *name, fmt.Sprintf("%s[%d].calendar", section, i))
		}
	}
	return ids, n.err()
}
