package recipient_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recipient"
)

func TestActionsAreChecked(t *testing.T) {
	t.Parallel()
	require.Empty(t, (*recipient.Actions)(nil).Problems("actions"))
	require.Empty(t, (&recipient.Actions{
		Instructions: &recipient.Deadline{MinutesBefore: new(2880)}, Rating: &recipient.RatingTime{Days: 90},
	}).Problems("actions"))
	for field, wrong := range map[string][]recipient.Actions{
		"instructions.minutes_before": {
			{Instructions: &recipient.Deadline{MinutesBefore: new(-1)}},
			{Instructions: &recipient.Deadline{MinutesBefore: new(2881)}},
		},
		"rating.days": {{Rating: &recipient.RatingTime{}}, {Rating: &recipient.RatingTime{Days: 91}}},
	} {
		for _, actions := range wrong {
			problems := (&recipient.Page{Actions: &actions}).Problems("page")
			require.Len(t, problems, 1, field)
			require.Equal(t, "page.actions."+field, problems[0].Field)
		}
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	half := &recipient.Deadline{MinutesBefore: new(30)}
	untilNext := &recipient.Deadline{}
	for name, test := range map[string]struct {
		deadline *recipient.Deadline
		moment   recipient.Moment
		open     bool
	}{
		"not allowed":           {nil, recipient.Moment{Now: at, Expected: at.Add(time.Hour)}, false},
		"well before":           {half, recipient.Moment{Now: at, Expected: at.Add(time.Hour)}, true},
		"a second before":       {half, recipient.Moment{Now: at, Expected: at.Add(30*time.Minute + time.Second)}, true},
		"at the deadline":       {half, recipient.Moment{Now: at, Expected: at.Add(30 * time.Minute)}, false},
		"next, but far":         {half, recipient.Moment{Now: at, Expected: at.Add(time.Hour), Next: true}, true},
		"over":                  {half, recipient.Moment{Now: at, Expected: at.Add(time.Hour), Over: true}, false},
		"the driver is there":   {half, recipient.Moment{Now: at, Expected: at.Add(time.Hour), There: true}, false},
		"until next":            {untilNext, recipient.Moment{Now: at, Expected: at.Add(time.Minute)}, true},
		"it is next":            {untilNext, recipient.Moment{Now: at, Expected: at.Add(time.Hour), Next: true}, false},
		"until next, and over":  {untilNext, recipient.Moment{Now: at, Expected: at.Add(time.Hour), Over: true}, false},
		"until next, and there": {untilNext, recipient.Moment{Now: at, Expected: at.Add(time.Hour), There: true}, false},
	} {
		require.Equal(t, test.open, test.deadline.Open(test.moment), name)
	}
}
