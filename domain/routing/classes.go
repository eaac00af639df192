package routing

import (
	"fmt"
	"strings"
)

// classes groups shifts that are the same for every request: one unused shift
// represents all others of its group.
func (m *model) classes() [][]int32 {
	byKey := map[string]int{}
	var classes [][]int32
	for k := range m.p.Shifts {
		key := m.classKey(k)
		at, known := byKey[key]
		if !known {
			at = len(classes)
			byKey[key] = at
			classes = append(classes, nil)
		}
		classes[at] = append(classes[at], int32(k))
	}
	return classes
}

func (m *model) classKey(k int) string {
	shift := &m.p.Shifts[k]
	if len(shift.OnBoard) > 0 || len(shift.Frozen) > 0 {
		return fmt.Sprint("begun ", k)
	}
	var key strings.Builder
	fmt.Fprint(&key, shift.Profile, shift.From, shift.To, shift.Start, shift.End, shift.Capacity,
		shift.Break, shift.MaxSeconds, shift.MaxMeters, shift.MaxStops, shift.MaxDriving, shift.Breaks,
		shift.Rule, shift.Rested, shift.Site,
		shift.Loading, shift.More, m.shifts[k].tariff, shift.Fee, shift.Overtime, shift.Balance, " ")
	for r := range m.p.Requests {
		bit := byte('0')
		if m.allowed.has(r, k) {
			bit = '1'
		}
		key.WriteByte(bit)
		if extra := m.p.Requests[r].Surcharge(k); extra > 0 {
			fmt.Fprint(&key, extra, " ")
		}
	}
	return key.String()
}
