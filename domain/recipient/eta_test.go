package recipient_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recipient"
)

func at(clock string) time.Time {
	t, err := time.Parse("15:04:05", clock)
	if err != nil {
		panic(err)
	}
	return t.AddDate(2026, 0, 0)
}

func TestRangesOfETAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, eta, earliest, now string
		underWay                 bool
		from, to                 string
	}{
		{"FarAway", "14:02:00", "08:00:00", "08:00:00", true, "13:00:00", "15:15:00"},
		{"InTwoHours", "14:02:00", "08:00:00", "12:02:00", true, "13:30:00", "14:30:00"},
		{"InHalfAnHour", "14:02:00", "08:00:00", "13:32:00", true, "13:55:00", "14:10:00"},
		{"Soon", "14:02:00", "08:00:00", "13:58:00", true, "13:55:00", "14:10:00"},
		{"OfAPlan", "14:02:00", "08:00:00", "13:32:00", false, "13:30:00", "14:45:00"},
		{"NotInThePast", "14:02:00", "08:00:00", "14:01:00", true, "14:00:00", "14:10:00"},
		{"OverdueIsNow", "13:02:00", "08:00:00", "14:01:00", true, "14:00:00", "14:10:00"},
		{"NotBeforeTheWindow", "14:02:00", "14:00:00", "12:02:00", true, "14:00:00", "14:30:00"},
		{"BeforeTheWindow", "13:02:00", "15:00:00", "13:00:00", true, "15:00:00", "15:05:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := recipient.Expected(at(c.eta), at(c.earliest), at(c.now), c.underWay)
			require.Equal(t, c.from+" "+c.to, r.From.Format("15:04:05")+" "+r.To.Format("15:04:05"))
		})
	}
}

// TestRangesNarrow has the same ETA seen again and again until it is there.
func TestRangesNarrow(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		eta := at("00:00:00").Add(time.Duration(random.IntN(24*60*60)) * time.Second)
		last := recipient.Range{}
		for now := eta.Add(-10 * time.Hour); !now.After(eta); now = now.Add(time.Duration(1+random.IntN(600)) * time.Second) {
			r := recipient.Expected(eta, time.Time{}, now, true)
			require.False(t, r.From.After(eta) || r.To.Before(eta), "%v of %v", r, eta)
			if !last.IsZero() {
				require.False(t, r.From.Before(last.From) || r.To.After(last.To), "%v after %v", r, last)
			}
			last = r
		}
	}
}

func TestCodesAreReadAsPeopleCopyThem(t *testing.T) {
	t.Parallel()
	for copied, code := range map[string]string{
		"K7QZ2M5TXW": "K7QZ2M5TXW", "k7qz2m5txw": "K7QZ2M5TXW", "K7QZ2M5TXW.": "K7QZ2M5TXW", "K7QZ2M5TXW/": "K7QZ2M5TXW",
		"(k7qz2m5txw).": "K7QZ2M5TXW", "K7QZ2M5TXW”,": "K7QZ2M5TXW", "": "", "...": "", "a b": "A B",
	} {
		require.Equal(t, code, recipient.Code(copied), copied)
	}
}
