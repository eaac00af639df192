package store

import (
	"encoding/json"
	"time"

	"waybill/domain/planning"
	"waybill/domain/visit"
)

// serviceTime reads the times of a location or an order type; nil is none.
func serviceTime(text string) (*visit.ServiceTime, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var t visit.ServiceTime
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// ServiceTimeText returns the times as their column has them; empty is none.
func ServiceTimeText(t *visit.ServiceTime) string {
	if t == nil || *t == (visit.ServiceTime{}) {
		return ""
	}
	text, err := json.Marshal(t)
	if err != nil { // it contains only numbers in range
		panic(err)
	}
	return string(text)
}

// loadingBeforeShift returns how long it takes to load a vehicle before its shift, nil when drivers
// load during it.
func loadingBeforeShift(minutes int32) *time.Duration {
	if minutes < 0 {
		return nil
	}
	lasts := time.Duration(minutes) * time.Minute
	return &lasts
}

// timedStop is a stop and what is known of its time.
type timedStop struct {
	order int
	stop  *planning.Stop
	visit.Stop
}

// addTimes notes what is known of a stop's time; the goods are not known yet.
func (l *orderLoader) addTimes(place int, stop *planning.Stop, minutes, ofLocation *int32, location string) error {
	s := timedStop{order: place, stop: stop, Stop: visit.Stop{Minutes: minutes, LocationMinutes: ofLocation}}
	var err error
	if s.Location, err = serviceTime(location); err != nil {
		return err
	}
	if s.OrderType, err = serviceTime(l.rows[place].TypeTimes); err != nil {
		return err
	}
	l.timed = append(l.timed, s)
	return nil
}

// setTimes computes how long each stop takes.
func (l *orderLoader) setTimes() {
	for i := range l.timed {
		s := &l.timed[i]
		if goods, known := l.goods[s.order]; known {
			s.WeightKg, s.VolumeM3, s.Colli = goods[0], goods[1], goods[2]
		}
		s.stop.Setup, s.stop.Service = s.Times()
	}
}
