package recurring_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/recurring"
	"waybill/domain/recurring/wire"
)

// FuzzChange looks for a body that makes the package panic, or fail without a
// message for the caller.
func FuzzChange(f *testing.F) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"endDate": null}`,
		`{"rruleset": "FREQ=DAILY", "startDate": "2026-03-02T08:00:00Z", "orderTemplate": {}}`,
		`{"orderTemplate": {"pickup": {"earliest": "2026-03-02T08:00:00Z", "latest": "x"}}, "daysToGenerateAhead": 365}`,
		`{"endDate": "0001-01-01T00:00:00Z"}`, `{"customerId": 0}`, `{"startDate": "2199-12-31T23:59:59-14:00"}`,
	} {
		f.Add(body)
	}
	present := template(f, "FREQ=WEEKLY;BYDAY=MO", "2026-03-02T08:00:00Z", time.UTC)
	f.Fuzz(func(t *testing.T, body string) {
		c, err := wire.ReadChange(strings.NewReader(body))
		var after recurring.Template
		if err == nil {
			after, err = c.Apply(present, time.UTC)
		}
		if err != nil {
			require.NotEqual(t, fault.Internal, fault.KindOf(err), "%v", err)
			return
		}
		today := recurring.DayOf(after.Start, time.UTC)
		plan, err := after.Compare(nil, today, time.UTC)
		require.NoError(t, err)
		require.LessOrEqual(t, len(plan.Create), 366*24+500)
		after.Request(recurring.Occurrence{Key: "K", Date: today}, time.UTC)
	})
}
