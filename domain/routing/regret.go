package routing

// recreateByRegret puts back first what loses most when it does not get its
// best place.
func (s *search) recreateByRegret() {
	left := s.step.removed
	noise := 0.0
	if s.rng.IntN(2) == 0 {
		noise = s.tuning.noise
	}
	s.spare()
	s.choices = s.choices[:0]
	for _, q := range left {
		s.choices = append(s.choices, s.chooseTwo(q, noise))
	}
	for len(left) > 0 {
		at := s.mostRegretted(left)
		q, c := left[at], s.choices[at]
		last := len(left) - 1
		left[at], s.choices[at] = left[last], s.choices[last]
		left, s.choices = left[:last], s.choices[:last]
		opens := c.k >= 0 && s.routes[c.k] == nil
		s.place(q, c)
		if c.k >= 0 {
			s.chooseAgain(left, c.k, opens, noise)
		}
	}
}

// mostRegretted returns the request that loses most, preferring those without
// any place.
func (s *search) mostRegretted(left []int32) int {
	at, most := 0, -nowhere
	for i := range left {
		c := &s.choices[i]
		if c.k < 0 {
			return i
		}
		if regret := min(c.second-c.cost, nowhere/2-c.cost); regret > most {
			at, most = i, regret
		}
	}
	return at
}

// chooseAgain corrects the choices after a route has changed. If it was neither
// the best nor the second choice, only this route needs evaluation.
func (s *search) chooseAgain(left []int32, k int32, opened bool, noise float64) {
	for i, q := range left {
		c := &s.choices[i]
		switch {
		case opened || c.k == k || c.next == k:
			*c = s.chooseTwo(q, noise)
		case s.m.allowed.has(int(q), int(k)):
			s.offer(q, k, noise, c)
		}
	}
}
