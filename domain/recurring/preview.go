package recurring

import (
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// The most occurrences that one preview shows, and how many it shows when the
// caller does not say.
const (
	MaxPreview     = recurrence.MaxOccurrences
	DefaultPreview = 100
)

// Preview asks what a recurrence rule means.
type Preview struct {
	RuleSet *string
	Start   *time.Time
	End     *time.Time
	Limit   int
}

// ReadPreview reads a preview from JSON.
func ReadPreview(r io.Reader) (Preview, error) {
	p := Preview{Limit: DefaultPreview}
	err := order.ReadObject(r, func(name string, raw jsontext.Value) error {
		switch name {
		case "rruleset":
			return readMember(name, raw, &p.RuleSet)
		case "startDate":
			return readInstant(name, raw, &p.Start)
		case "endDate":
			if raw.Kind() == 'n' {
				return nil
			}
			return readInstant(name, raw, &p.End)
		case "limit":
			return readMember(name, raw, &p.Limit)
		}
		return nil
	})
	return p, err
}

// Show gives the rule in canonical form and its first occurrences.
func (p *Preview) Show(zone *time.Location) (canonical string, found []Occurrence, err error) {
	switch {
	case p.RuleSet == nil:
		return "", nil, fault.Field("rruleset", fault.Say("recurring_order.required"))
	case p.Start == nil:
		return "", nil, fault.Field("startDate", fault.Say("recurring_order.required"))
	case p.Limit < 1 || p.Limit > MaxPreview:
		return "", nil, fault.Field("limit", fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(MaxPreview)))
	}
	if err := checkEnd(*p.Start, p.End, zone); err != nil {
		return "", nil, err
	}
	rule, err := recurrence.Parse(*p.RuleSet, *p.Start, zone)
	if err != nil {
		return "", nil, refused(err)
	}
	last := lastDay
	if p.End != nil {
		last = DayOf(*p.End, zone)
	}
	found, err = Expand(rule, DayOf(*p.Start, zone), last, zone, p.Limit)
	return rule.Canonical(), found, err
}
