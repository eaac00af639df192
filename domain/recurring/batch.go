package recurring

import "time"

// Batch takes about size occurrences from the beginning of a plan: first
// cancellations, then changes, then new ones. It leaves no day half generated.
func (p *Plan) Batch(size int) Plan {
	var b Plan
	b.Protect, size = cut(p.Protect, size)
	b.Cancel, size = cut(p.Cancel, size)
	b.Change, size = cut(p.Change, size)
	b.Restore, size = cut(p.Restore, size)
	b.Create = p.Create[:wholeDays(p.Create, size)]
	return b
}

// wholeDays returns how many of the first occurrences fill days, at most size where
// the first day is not larger.
func wholeDays(list []Occurrence, size int) int {
	n := min(len(list), size)
	if n == 0 {
		return 0
	}
	isWhole := func(n int) bool { return n == len(list) || !list[n].Date.Equal(list[n-1].Date) }
	for end := n; end > 0; end-- {
		if isWhole(end) {
			return end
		}
	}
	for !isWhole(n) {
		n++
	}
	return n
}

// Through returns the last day for which everything is generated once a batch
// of a plan is done, or nil if the batch does not change it. A fulfilled
// promise may move it back, as far as the horizon did.
func (t *Template) Through(p, batch *Plan, today time.Time, zone *time.Location) *time.Time {
	left := p.Size() - batch.Size()
	first, last := t.Horizon(today, zone)
	switch {
	case !t.Active, left > 0 && (t.Promised() || len(batch.Create) == 0):
		return nil
	case left > 0:
		last = p.Create[len(batch.Create)].Date.AddDate(0, 0, -1)
	case t.Promised():
		return &last
	case last.Before(first):
		return nil
	}
	if t.GeneratedThrough != nil && t.GeneratedThrough.After(last) {
		return t.GeneratedThrough
	}
	return &last
}

func cut[T any](list []T, size int) (head []T, left int) {
	n := min(len(list), size)
	return list[:n], size - n
}
