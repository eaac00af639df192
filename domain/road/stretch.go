package road

import "slices"

// Mark says how far along the line of a stretch a position of its track is.
type Mark struct {
	// Fix is the index of the position in the track, and Along is in meters.
	Fix   int
	Along float64
}

// Stretch is a part of a track that was matched to streets.
type Stretch struct {
	Line Line
	// Marks are those of its positions, in their order, at least one.
	Marks []Mark
	// Confidence is from 0 to 1, as the server of road data says.
	Confidence float64
}

// First returns the index of the first position in the track.
func (s *Stretch) First() int { return s.Marks[0].Fix }

// Last returns the index of the last position in the track.
func (s *Stretch) Last() int { return s.Marks[len(s.Marks)-1].Fix }

// Joined adds the stretches of the next part of a track to those before it. Where both have
// the same positions, their lines become one.
func Joined(before, next []Stretch) []Stretch {
	for _, s := range next {
		if len(before) > 0 && before[len(before)-1].Last() >= s.Last() {
			continue // the one before has all of it
		}
		for len(before) > 0 && before[len(before)-1].Last() >= s.First() {
			last := &before[len(before)-1]
			if last.First() < s.First() { // otherwise this one has all of it
				whole, ok := join(last, &s)
				if !ok {
					s = s.after(last.Last())
					break
				}
				s = whole
			}
			before = before[:len(before)-1]
		}
		if len(s.Marks) > 1 {
			before = append(before, s)
		}
	}
	return before
}

// same is how far apart in meters the places of one position on two lines are at most.
const same = 5

// join makes one stretch of two at a position that both have at the same place, one in the
// middle if they can.
func join(a, b *Stretch) (Stretch, bool) {
	type pair struct{ a, b int }
	var common []pair
	for i := range a.Marks {
		j, found := b.find(a.Marks[i].Fix)
		if found && apart(a.Line.At(a.Marks[i].Along), b.Line.At(b.Marks[j].Along)) <= same {
			common = append(common, pair{i, j})
		}
	}
	if len(common) == 0 {
		return Stretch{}, false
	}
	at := common[len(common)/2]
	cut, from := a.Marks[at.a].Along, b.Marks[at.b].Along
	whole := Stretch{
		Line: a.Line.Part(0, cut).Then(b.Line.Part(from, b.Line.Length())), Confidence: min(a.Confidence, b.Confidence),
		Marks: slices.Clone(a.Marks[:at.a+1]),
	}
	for _, m := range b.Marks[at.b+1:] {
		whole.Marks = append(whole.Marks, Mark{m.Fix, cut + m.Along - from})
	}
	return whole, true
}

// find returns the mark of a position.
func (s *Stretch) find(fix int) (int, bool) {
	return slices.BinarySearchFunc(s.Marks, fix, func(m Mark, fix int) int { return m.Fix - fix })
}

// after returns the rest of the stretch behind a position.
func (s *Stretch) after(fix int) Stretch {
	at, found := s.find(fix)
	if found {
		at++
	}
	rest := Stretch{Confidence: s.Confidence}
	if at >= len(s.Marks) {
		return rest
	}
	from := s.Marks[at].Along
	rest.Line = s.Line.Part(from, s.Line.Length())
	for _, m := range s.Marks[at:] {
		rest.Marks = append(rest.Marks, Mark{m.Fix, m.Along - from})
	}
	return rest
}
