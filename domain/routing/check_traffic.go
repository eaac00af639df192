package routing

// Traffic, for the clock of Check: it steps from pace to pace.

// street is a leg between two areas; a half without traffic is at full speed.
type street struct {
	near, far    *Traffic
	first, other int64
}

// streetOf returns a leg of the shift of a clock.
func (c *clock) streetOf(from, to int, seconds int64) street {
	travel := &c.p.Travel[c.shift.Profile]
	if len(travel.Traffic) == 0 || from == Anywhere || to == Anywhere {
		return street{first: seconds * FullSpeed}
	}
	area := func(place int) *Traffic {
		if place >= len(travel.Areas) {
			return travel.Traffic[0]
		}
		return travel.Traffic[travel.Areas[place]]
	}
	s := street{near: area(from), far: area(to), first: seconds * FullSpeed}
	if s.near != s.far {
		s.first, s.other = seconds/2*FullSpeed, (seconds-seconds/2)*FullSpeed
	}
	return s
}

// inTraffic reports whether the shift of a clock drives in traffic.
func (c *clock) inTraffic() bool { return len(c.p.Travel[c.shift.Profile].Traffic) > 0 }

// roll drives for at most so much of the way and at most so many seconds, and returns when that is over, and how much
// of the way is left.
func roll(t *Traffic, now, way, until int64) (at, left int64) {
	for way > 0 && now < until {
		speed, next := int64(FullSpeed), until
		if t != nil {
			speed = t.paces[0].Speed
			for _, pace := range t.paces {
				if pace.From <= now {
					speed = pace.Speed
				} else if pace.From < next {
					next = pace.From
				}
			}
		}
		if needs := (way + speed - 1) / speed; now+needs <= next {
			return now + needs, 0
		}
		way -= (next - now) * speed
		now = next
	}
	return now, max(way, 0)
}

// drives follows a street until its end, or until a moment.
func (s street) drives(now, until int64) (at int64, left street) {
	if now, s.first = roll(s.near, now, s.first, until); s.first == 0 {
		now, s.other = roll(s.far, now, s.other, until)
	}
	return now, s
}

// end returns when a street is driven to its end.
func (s street) end(now int64) int64 {
	at, _ := s.drives(now, anyTime)
	return at
}

// slowestDriving is the most that so many seconds of driving can become.
func (c *clock) slowestDriving(seconds int64) int64 {
	speed := int64(FullSpeed)
	for _, t := range c.p.Travel[c.shift.Profile].Traffic {
		if t != nil {
			for _, pace := range t.paces {
				speed = min(speed, pace.Speed)
			}
		}
	}
	return (seconds*FullSpeed + speed - 1) / speed
}

// tooLong judges a trip when it is known when the driver leaves.
func (c *clock) tooLong(t *trip) {
	t.fail(RouteTooLong, len(c.visits), t.ends-t.leaves-c.longest)
	if c.inTraffic() {
		t.fail(DrivingTooLong, len(c.visits), t.driving+t.jam-c.mostDriving)
	}
}

// onStreet has the break of a shift with one on a street: at its end, or when it is high time. It returns when
// the driver arrives, and for how long the driver has driven.
func (c *clock) onStreet(s street, now int64) (over, driven int64) {
	pause := &c.shift.Break
	latest := c.latestBreak
	end, left := s.drives(now, max(latest, now))
	if left.first == 0 && left.other == 0 && end <= latest {
		return max(end, pause.Earliest) + pause.Seconds, end - now
	}
	over = left.end(latest + pause.Seconds)
	return over, over - pause.Seconds - now
}
