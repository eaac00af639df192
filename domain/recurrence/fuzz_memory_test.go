package recurrence_test

import (
	"runtime"
	"testing"

	"waybill/domain/recurrence"
)

// most is how much memory one text may take, even if none of it were ever
// released.
const most = 16 << 20

// FuzzMemory looks for texts that take much memory to read or to expand. Its
// seeds run alone, because concurrent allocations would be counted.
func FuzzMemory(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, seconds int64, choice int) {
		in := zone(t, propertyZones[max(choice, 0)%len(propertyZones)])
		start := fuzzStart(seconds)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rule, err := recurrence.Parse(text, start, in)
		if err == nil {
			_, err = rule.Between(start, start.AddDate(1, 0, 0), recurrence.MaxOccurrences)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Fatalf("%d MiB for %q (%v)", took>>20, text, err)
		}
	})
}
