package notifications

import (
	"time"

	"waybill/domain/planning"
	"waybill/store"
)

// releaseAt is the same as awaitedRelease, and nil for none.
func (o *Operations) releaseAt(f *store.NotificationFacts) *time.Time {
	at := o.awaitedRelease(f)
	if at.IsZero() {
		return nil
	}
	return &at
}

// awaitedRelease returns when the plan is to be released that a message waits for; zero for none. Without a
// plan that is released, it waits until the day of its order is over.
func (o *Operations) awaitedRelease(f *store.NotificationFacts) time.Time {
	if f.ReleaseMinute < 0 || f.Released || f.SeriesOrders > 0 || !ruleOf(f).AwaitsRelease() {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, f.Date)
	if err != nil {
		return time.Time{}
	}
	zone, err := time.LoadLocation(f.Timezone)
	if err != nil {
		zone = time.UTC
	}
	if over := planning.ReleaseMoment(day, zone, 0, -1); !o.now().Before(over) {
		return time.Time{}
	}
	return planning.ReleaseMoment(day, zone, int(f.ReleaseMinute), int(f.ReleaseDaysBefore))
}
