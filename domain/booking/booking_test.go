package booking_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/booking"
	"waybill/domain/freight"
	"waybill/domain/order"
)

var (
	day  = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	oslo = func() *time.Location {
		zone, err := time.LoadLocation("Europe/Oslo")
		if err != nil {
			panic(err)
		}
		return zone
	}()
	standard = booking.Named{ID: 1, Name: "Standard"}
	city     = booking.Named{ID: 4, Name: "Oslo"}
)

func minutes(n int32) *int32 { return &n }

func interval(edit func(*booking.Interval)) *booking.Interval {
	i := &booking.Interval{
		ID: 7, Day: day, Slots: 2,
		Pickup: order.Hours{Opens: 8 * 60, Closes: 10 * 60}, Delivery: order.Hours{Opens: 10 * 60, Closes: 14 * 60},
		OrderTypes: []booking.Named{standard}, FromToZones: []booking.ZonePair{{From: city, To: city}},
		FreightLevels: []booking.Named{{ID: 9, Name: "Parcel"}},
	}
	if edit != nil {
		edit(i)
	}
	return i
}

func subject(edit func(*booking.Subject)) booking.Subject {
	s := booking.Subject{
		OrderType: booking.OrderType{Named: standard, MinBookAheadMinutes: minutes(60), MaxBookAheadMinutes: minutes(1440)},
		Class:     freight.Class{From: map[int64]bool{4: true, 5: true}, To: map[int64]bool{4: true}, LevelID: 9},
	}
	if edit != nil {
		edit(&s)
	}
	return s
}

func TestMisfits(t *testing.T) {
	t.Parallel()
	// Eight o'clock in Oslo is seven in UTC.
	begins := day.Add(7 * time.Hour)
	for _, tc := range []struct {
		name     string
		interval func(*booking.Interval)
		subject  func(*booking.Subject)
		ahead    time.Duration
		want     []string
	}{
		{name: "it fits", ahead: time.Hour},
		{name: "it fits at the other end", ahead: 24 * time.Hour},
		{
			name: "an interval for all", ahead: time.Hour,
			interval: func(i *booking.Interval) { i.OrderTypes, i.FromToZones, i.FreightLevels = nil, nil, nil },
			subject:  func(s *booking.Subject) { s.OrderType.ID, s.Class = 2, freight.Class{} },
		},
		{
			name: "another order type", ahead: time.Hour, subject: func(s *booking.Subject) { s.OrderType.ID = 2 },
			want: []string{"orderTypes booking.order_type"},
		},
		{
			name: "no order type", ahead: time.Hour, interval: func(i *booking.Interval) { i.OrderTypes = nil },
			subject: func(s *booking.Subject) { s.OrderType.ID = 0 }, want: []string{"orderTypes booking.no_order_type"},
		},
		{
			name: "from elsewhere", ahead: time.Hour,
			subject: func(s *booking.Subject) { s.Class.From = map[int64]bool{5: true} },
			want:    []string{"fromToZones booking.zones"},
		},
		{
			name: "to elsewhere", ahead: time.Hour, subject: func(s *booking.Subject) { s.Class.To = nil },
			want: []string{"fromToZones booking.zones"},
		},
		{
			name: "another level", ahead: time.Hour, subject: func(s *booking.Subject) { s.Class.LevelID = 0 },
			want: []string{"freightLevels booking.freight_level"},
		},
		{name: "too late", ahead: time.Hour - time.Second, want: []string{"pickupEarliest booking.too_late"}},
		{name: "too early", ahead: 24*time.Hour + time.Second, want: []string{"pickupEarliest booking.too_early"}},
		{
			name: "no bounds", ahead: 999 * time.Hour,
			subject: func(s *booking.Subject) { s.OrderType.MinBookAheadMinutes, s.OrderType.MaxBookAheadMinutes = nil, nil },
		},
		{
			name: "begun, without bounds", ahead: -time.Second,
			subject: func(s *booking.Subject) { s.OrderType.MinBookAheadMinutes = nil },
			want:    []string{"pickupEarliest booking.begun"},
		},
		{
			name: "nothing fits", ahead: -time.Second,
			subject: func(s *booking.Subject) { s.OrderType.ID, s.Class = 2, freight.Class{} },
			want: []string{
				"orderTypes booking.order_type", "fromToZones booking.zones",
				"freightLevels booking.freight_level", "pickupEarliest booking.begun",
			},
		},
	} {
		slot := interval(tc.interval).On(day, oslo, 0)
		var found []string
		for _, v := range slot.Misfits(subject(tc.subject), begins.Add(-tc.ahead)) {
			found = append(found, v.Field+" "+v.Text.ID)
		}
		require.Equal(t, tc.want, found, tc.name)
	}
}

func TestSlotWindows(t *testing.T) {
	t.Parallel()
	slot := interval(func(i *booking.Interval) { i.Delivery = order.Hours{Opens: 22 * 60, Closes: 2 * 60} }).On(day,
		oslo, 0)
	require.Equal(t, "2026-03-02T07:00:00Z", slot.Pickup.Earliest.UTC().Format(time.RFC3339))
	require.Equal(t, "2026-03-03T01:00:00Z", slot.Delivery.Latest.UTC().Format(time.RFC3339), "past midnight")
	require.Equal(t, order.FromBooking, slot.Pickup.Source)
}

func TestChoose(t *testing.T) {
	t.Parallel()
	now := day
	hours := func(id int64, opens, delivered order.Clock, booked int32) booking.Slot {
		i := interval(func(i *booking.Interval) {
			i.ID, i.Pickup, i.Delivery = id, order.Hours{Opens: opens, Closes: opens + 60}, order.Hours{
				Opens: opens, Closes: delivered,
			}
		})
		return i.On(day, oslo, booked)
	}
	slots := []booking.Slot{
		hours(1, 600, 900, 0), hours(2, 540, 900, 0), hours(3, 540, 800, 1), hours(4, 480, 900, 2), hours(5, 30, 900, 0),
	}
	var ids []int64
	for _, s := range booking.Choose(slots, subject(nil), now) {
		ids = append(ids, s.Interval.ID)
	}
	require.Equal(t, []int64{3, 2, 1}, ids, "4 is full and 5 begins too soon")
	require.Empty(t, booking.Choose(slots, subject(func(s *booking.Subject) { s.OrderType.ID = 2 }), now))
}

func TestIntervalID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64Range(1, 1<<40).Draw(t, "id")
		on := time.Unix(rapid.Int64Range(0, 84_000).Draw(t, "day")*24*60*60, 0).UTC()
		back, when, ok := booking.NewIntervalID(id, on).Split()
		require.True(t, ok)
		require.Equal(t, id, back)
		require.True(t, on.Equal(when))
	})
	for _, id := range []booking.IntervalID{0, -1, 99_999, 199_999} {
		_, _, ok := id.Split()
		require.False(t, ok, id)
	}
}

func TestOffered(t *testing.T) {
	t.Parallel()
	once := interval(nil)
	require.True(t, once.Offered(day))
	require.False(t, once.Offered(day.AddDate(0, 0, 1)))
	mondays := interval(func(i *booking.Interval) { i.Rule = weekday(time.Monday) })
	require.True(t, mondays.Offered(day.AddDate(0, 0, 7)))
	require.False(t, mondays.Offered(day.AddDate(0, 0, 1)))
}

type weekday time.Weekday

func (w weekday) Matches(year int, month time.Month, day int) bool {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday() == time.Weekday(w)
}
