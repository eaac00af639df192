package recipient_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recipient"
)

func between(from, to string) recipient.Range {
	return recipient.Range{From: at(from + ":00"), To: at(to + ":00")}
}

func TestWhenATimeHasMoved(t *testing.T) {
	t.Parallel()
	told := recipient.Promise{Told: between("13:00", "14:00")}
	for _, c := range []struct {
		name  string
		told  recipient.Promise
		now   recipient.Range
		moved bool
	}{
		{"Same", told, between("13:00", "14:00"), false},
		{"Narrower", told, between("13:00", "13:10"), false},
		{"ALittleLater", told, between("13:15", "14:15"), false},
		{"Later", told, between("13:20", "14:20"), true},
		{"Earlier", told, between("12:40", "13:40"), true},
		{"NarrowAndLater", told, between("13:55", "14:05"), true},
		{"NeverTold", recipient.Promise{}, between("13:20", "14:20"), false},
		{"ToldTooOften", recipient.Promise{Told: told.Told, Moves: 3}, between("15:00", "16:00"), false},
		{"ToldTwice", recipient.Promise{Told: told.Told, Moves: 2}, between("15:00", "16:00"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.moved, c.told.Moved(c.now, 15*time.Minute))
		})
	}
}
