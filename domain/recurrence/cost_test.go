package recurrence_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

func TestCostOfARuleIsIndependentOfItsAge(t *testing.T) {
	t.Parallel()
	for _, c := range oldRules {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rule, from, to := fortnight(t, c.text)
			// From its start an hourly rule takes 20 ms, because of COUNT; the
			// race detector makes it five times slower.
			most := 10 * time.Millisecond
			if strings.Contains(c.text, "COUNT") {
				most *= 30
			}
			require.Less(t, quickest(t, 20, func() {
				_, err := rule.Between(from, to, recurrence.MaxOccurrences)
				require.NoError(t, err)
			}), most)
		})
	}
}

// quickest returns how long the quickest of some tries kept a processor busy.
func quickest(t *testing.T, tries int, do func()) time.Duration {
	t.Helper()
	best := time.Hour
	for range tries {
		best = min(best, processorTime(t, do))
	}
	return best
}

// The memory that others use at the same time would be counted, so this test
// is not parallel.
func TestRulesUseLittleMemory(t *testing.T) {
	start := instant(t, "1970-01-01T00:00:00Z")
	for _, text := range []string{
		"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=" + counted(24),
		"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-366,366;BYHOUR=" + counted(24),
		"FREQ=HOURLY;COUNT=10000",
		"FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000",
		"FREQ=DAILY\nEXDATE:" + manyDays(450),
		"FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 2000) + "1",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		first(t, parse(t, text, start, time.UTC), recurrence.MaxOccurrences)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), text)
	}
}
