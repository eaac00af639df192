package recurring

import (
	"strconv"
	"time"

	"waybill/domain/fault"
	"waybill/domain/recurrence"
)

// The maximum and default number of occurrences in a preview.
const (
	MaxPreview     = recurrence.MaxOccurrences
	DefaultPreview = 100
)

// Preview is a request to preview a recurrence rule.
type Preview struct {
	RuleSet *string
	Start   *time.Time
	End     *time.Time
	Limit   int
}

// Show returns the rule in canonical form and its first occurrences.
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
