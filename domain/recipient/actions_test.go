package recipient_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/fault"
	"waybill/domain/recipient"
)

func TestActionsAreChecked(t *testing.T) {
	t.Parallel()
	require.Empty(t, (*recipient.Actions)(nil).Problems("actions"))
	require.Empty(t, (&recipient.Actions{
		Instructions: &recipient.Deadline{MinutesBefore: new(2880)}, Rating: &recipient.RatingTime{DaysAfter: new(90)},
	}).Problems("actions"))
	for field, wrong := range map[string][]recipient.Actions{
		"instructions.minutes_before": {
			{Instructions: &recipient.Deadline{MinutesBefore: new(-1)}},
			{Instructions: &recipient.Deadline{MinutesBefore: new(2881)}},
		},
		"rating.days_after": {
			{Rating: &recipient.RatingTime{DaysAfter: new(0)}},
			{Rating: &recipient.RatingTime{DaysAfter: new(91)}},
		},
	} {
		for _, actions := range wrong {
			problems := (&recipient.Page{Actions: &actions}).Problems("page")
			require.Len(t, problems, 1, field)
			require.Equal(t, "page.actions."+field, problems[0].Field)
		}
	}
}

func TestActionsHaveDeadlines(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	half := &recipient.Actions{Instructions: &recipient.Deadline{MinutesBefore: new(30)}}
	untilNext := &recipient.Actions{Instructions: &recipient.Deadline{}}
	for name, test := range map[string]struct {
		actions *recipient.Actions
		moment  recipient.Moment
		why     string
	}{
		"nothing is allowed":  {nil, recipient.Moment{Expected: at.Add(time.Hour)}, "recipient.not_allowed"},
		"it is not allowed":   {&recipient.Actions{}, recipient.Moment{Expected: at.Add(time.Hour)}, "recipient.not_allowed"},
		"closed":              {half, recipient.Moment{Expected: at.Add(time.Hour), Closed: true}, "recipient.not_allowed"},
		"well before":         {half, recipient.Moment{Expected: at.Add(time.Hour)}, ""},
		"a second before":     {half, recipient.Moment{Expected: at.Add(30*time.Minute + time.Second)}, ""},
		"at the deadline":     {half, recipient.Moment{Expected: at.Add(30 * time.Minute)}, "recipient.too_late"},
		"next, but far":       {half, recipient.Moment{Expected: at.Add(time.Hour), Next: true}, ""},
		"over":                {half, recipient.Moment{Expected: at.Add(time.Hour), Over: true}, "recipient.over"},
		"the driver is there": {half, recipient.Moment{Expected: at.Add(time.Hour), There: true}, "recipient.there"},
		"until next":          {untilNext, recipient.Moment{Expected: at.Add(time.Minute)}, ""},
		"it is next":          {untilNext, recipient.Moment{Expected: at.Add(time.Hour), Next: true}, "recipient.next"},
		"next, and over":      {untilNext, recipient.Moment{Next: true, Over: true}, "recipient.over"},
	} {
		test.moment.Now, test.moment.Delivery = at, true
		require.Equal(t, test.why, reason(test.actions.Allow(recipient.LeaveInstructions, test.moment)), name)
		test.moment.Delivery = false
		require.Equal(t, "recipient.not_allowed", reason(test.actions.Allow(recipient.LeaveInstructions, test.moment)), name)
	}
}

func TestDeliveriesAreRatedAfterwards(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	delivered := func(ago time.Duration) recipient.Moment {
		return recipient.Moment{Over: true, Delivered: true, Ended: at.Add(-ago)}
	}
	const day = 24 * time.Hour
	usual := &recipient.Actions{Rating: &recipient.RatingTime{}}
	short := &recipient.Actions{Rating: &recipient.RatingTime{DaysAfter: new(1)}}
	byStatus := func(ago time.Duration) recipient.Moment {
		return recipient.Moment{Over: true, Delivered: true, Expected: at.Add(-ago)}
	}
	for name, test := range map[string]struct {
		actions *recipient.Actions
		moment  recipient.Moment
		why     string
	}{
		"not allowed":     {&recipient.Actions{}, delivered(0), "recipient.not_allowed"},
		"before":          {usual, recipient.Moment{}, "recipient.too_early"},
		"driver is there": {usual, recipient.Moment{There: true}, "recipient.too_early"},
		"failed":          {usual, recipient.Moment{Over: true}, "recipient.not_allowed"},
		"at once":         {usual, delivered(0), ""},
		"two weeks less":  {usual, delivered(14*day - time.Second), ""},
		"two weeks":       {usual, delivered(14 * day), "recipient.too_late"},
		"by the status":   {short, byStatus(day - time.Second), ""},
		"too long ago":    {short, byStatus(day), "recipient.too_late"},
		"a day":           {short, delivered(day), "recipient.too_late"},
	} {
		test.moment.Now, test.moment.Delivery = at, true
		require.Equal(t, test.why, reason(test.actions.Allow(recipient.RateDelivery, test.moment)), name)
	}
}

func TestRatingsAreTidiedAndBounded(t *testing.T) {
	t.Parallel()
	tidy, err := recipient.Rating{Stars: 5, Comment: " On\r\ntime \x00"}.Tidy()
	require.NoError(t, err)
	require.Equal(t, recipient.Rating{Stars: 5, Comment: "On\ntime"}, tidy)
	for _, stars := range []int{-1, 0, 6} {
		_, err = recipient.Rating{Stars: stars, Comment: strings.Repeat("x", 501)}.Tidy()
		var f *fault.Error
		require.ErrorAs(t, err, &f)
		require.Len(t, f.Violations, 2)
	}
}

func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Text.ID
	}
	return ""
}

func TestInstructionsAreTidiedAndBounded(t *testing.T) {
	t.Parallel()
	tidy, err := recipient.Instructions{
		Text: " Ring\r\ntwice\x00\x1b[2J \u202e\xff ", SafePlace: "SHED", Note: " behind\n the  house ", DoorCode: "\t12#34 ",
	}.Tidy()
	require.NoError(t, err)
	require.Equal(t, recipient.Instructions{
		Text: "Ring\ntwice[2J", SafePlace: "SHED", Note: "behind the house", DoorCode: "12#34",
	}, tidy)
	_, err = recipient.Instructions{Text: strings.Repeat("å", 500), Note: strings.Repeat("å", 100)}.Tidy()
	require.NoError(t, err, "characters count, not bytes")
	_, err = recipient.Instructions{
		Text: strings.Repeat("x", 501), Note: strings.Repeat("x", 101), DoorCode: strings.Repeat("1", 21), SafePlace: "ROOF",
	}.Tidy()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	var fields []string
	for _, v := range f.Violations {
		fields = append(fields, v.Field)
	}
	require.Equal(t, []string{"instructions", "safePlaceNote", "doorCode", "safePlace"}, fields)
}
