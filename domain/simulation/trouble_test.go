package simulation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/driving"
	"waybill/domain/order"
	"waybill/domain/simulation"
)

// troubled are the days of many drivers, each with ten orders of two products.
func troubled(trouble simulation.Trouble) (days [][]simulation.Step) {
	for id := range int64(200) {
		var numbers []string
		for i := range 10 {
			numbers = append(numbers, fmt.Sprintf("A-%d-%d", id, i))
		}
		r := run(1)
		r.Trouble = trouble
		r.Clock = simulation.Clock{From: start, Since: start, Pace: 1}
		d := &simulation.Driver{ID: id, Stops: stops(numbers...), SetsOut: start.Add(time.Hour)}
		for i := range d.Stops {
			d.Stops[i].Earliest = start.Add(8 * time.Hour)
			d.Stops[i].Products = []simulation.Product{{ID: 1, Quantity: 2}, {ID: 2, Quantity: 3}}
		}
		due, _ := r.Steps(d, start.Add(48*time.Hour))
		days = append(days, due)
	}
	return days
}

// count is how often something happens on some days.
func count(days [][]simulation.Step, is func(before []simulation.Step, s *simulation.Step) bool) (n int) {
	for _, day := range days {
		for i := range day {
			if is(day[:i], &day[i]) {
				n++
			}
		}
	}
	return n
}

func TestSimulatedDayWithIncidents(t *testing.T) {
	t.Parallel()
	type deed = func([]simulation.Step, *simulation.Step) bool
	last := func(before []simulation.Step) (s simulation.Step) {
		if len(before) > 0 {
			s = before[len(before)-1]
		}
		return s
	}
	for name, of := range map[string]struct {
		is          deed
		usual, much int // of 2,000 orders and 200 drivers
	}{
		"pickups fail": {func(_ []simulation.Step, s *simulation.Step) bool {
			return s.Deed == driving.Fail && s.StopID < 100
		}, 40, 160},
		"goods are refused": {func(_ []simulation.Step, s *simulation.Step) bool {
			return s.Reason == simulation.Refused || len(s.Products) > 0
		}, 60, 200},
		"deliveries are out of sequence": {func(before []simulation.Step, s *simulation.Step) bool {
			return s.Deed == driving.Arrive && s.StopID > 100 && last(before).StopID > s.StopID
		}, 160, 450},
		"drivers wait at doors": {func(before []simulation.Step, s *simulation.Step) bool {
			waited := s.At.Sub(last(before).At)
			return s.StopID != 0 && s.StopID == last(before).StopID && waited >= 20*time.Minute &&
				s.At.After(start.Add(9*time.Hour+time.Minute))
		}, 130, 350},
		"windows are ignored": {func(_ []simulation.Step, s *simulation.Step) bool {
			return s.Deed == driving.PickUp && s.At.Before(start.Add(8*time.Hour))
		}, 15, 60},
		"drivers set out early": {func(_ []simulation.Step, s *simulation.Step) bool {
			return s.Deed == driving.StartRoute && s.At.Before(start.Add(time.Hour))
		}, 40, 100},
	} {
		require.Zero(t, count(troubled(simulation.NoTrouble), of.is), name)
		require.InEpsilon(t, of.usual, count(troubled(simulation.UsualTrouble), of.is), 0.5, name)
		require.InEpsilon(t, of.much, count(troubled(simulation.MuchTrouble), of.is), 0.5, name)
	}
}

// TestDeliveryRequiresPickup has troubled days driven, looked at as often as
// may be, and compares them with those in one go.
func TestDeliveryRequiresPickup(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var numbers []string
		for i := range rapid.IntRange(1, 8).Draw(t, "orders") {
			end := rapid.SampledFrom([]string{"", "", "", "-FAIL", "-LATE", "-OFFLINE"}).Draw(t, "suffix")
			numbers = append(numbers, fmt.Sprintf("A-%d%s", i, end))
		}
		r := run(rapid.IntRange(1, 600).Draw(t, "pace"))
		r.Trouble = simulation.MuchTrouble
		id := int64(rapid.IntRange(1, 1000).Draw(t, "driver"))
		whole, _ := r.Steps(&simulation.Driver{ID: id, Stops: stops(numbers...)}, start.Add(48*time.Hour))
		again, _ := r.Steps(&simulation.Driver{ID: id, Stops: stops(numbers...)}, start.Add(48*time.Hour))
		require.Equal(t, whole, again)

		picked, done := map[int64]bool{}, map[int64]int{}
		for _, s := range whole {
			switch {
			case s.Deed == driving.PickUp:
				picked[s.StopID] = true
			case s.StopID > 100 && s.Deed != driving.Arrive:
				require.True(t, picked[s.StopID-100], "%s of what was not picked up", s.Deed)
			}
			if s.Deed == driving.PickUp || s.Deed == driving.Fail || s.Deed == driving.Deliver {
				done[s.StopID]++
			}
		}
		for i, number := range numbers {
			id := int64(i + 1)
			require.Positive(t, done[id], "each pickup ends")
			require.Equal(t, picked[id], done[id+100] > 0, "what is on board is delivered, or fails")
			if strings.Contains(number, "-") && !strings.HasSuffix(number, fmt.Sprint(i)) {
				require.True(t, picked[id], "a number's ending is that of its order")
			}
		}

		d, sent := &simulation.Driver{ID: id, Stops: stops(numbers...)}, []simulation.Step(nil)
		for now := start; d.Ends == 0; now = now.Add(time.Duration(rapid.IntRange(1, 10_000).Draw(t, "s")) * time.Second) {
			due, _ := r.Steps(d, now)
			for i := range due {
				take(d, &due[i])
				if due[i].Deed == driving.Fail && due[i].StopID < 100 {
					d.Stops = slices.DeleteFunc(d.Stops, func(s simulation.Stop) bool {
						return s.Kind == order.Delivery && s.ID == due[i].StopID+100
					})
				}
			}
			sent = append(sent, due...)
		}
		require.Equal(t, told(whole), told(sent))
	})
}

func TestDriverOutOfSequenceIsUnderWay(t *testing.T) {
	t.Parallel()
	r := run(1)
	r.Trouble = simulation.MuchTrouble
	for id := range int64(100) {
		d := &simulation.Driver{ID: id, Starts: 1, Last: start, Stops: stops("A-1", "A-2")[2:]}
		d.Stops[0].Latitude, d.Stops[1].Latitude = 60.9, 58.9
		d.Was = &driving.Position{Latitude: 59.9, Longitude: 10.7, At: start}
		due, _ := r.Steps(d, start.Add(24*time.Hour))
		at := r.Position(d, start.Add(9*time.Minute))
		require.NotNil(t, at)
		require.Equal(t, due[0].StopID == 101, at.Latitude > 59.9)
	}
}
