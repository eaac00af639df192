package chat_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/chat"
	"waybill/domain/fault"
)

var today = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// fieldOf is the field that an error blames.
func fieldOf(t *testing.T, err error) string {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.NotEmpty(t, f.Violations, f)
	return f.Violations[0].Field
}

func TestMessagesAreChecked(t *testing.T) {
	t.Parallel()
	hundred := make([]int64, chat.MostReceivers+1)
	for i := range hundred {
		hundred[i] = int64(i + 1)
	}
	office := func(days int, text string, drivers ...int64) chat.Message {
		return chat.Message{From: chat.Office, DriverIDs: drivers, Day: today.AddDate(0, 0, days), Text: text}
	}
	driver := func(days int, text string) chat.Message {
		return chat.Message{From: chat.Driver, DriverIDs: []int64{1}, Day: today.AddDate(0, 0, days), Text: text}
	}
	about := func(drivers []int64, order int64, orders ...int64) chat.Message {
		return chat.Message{
			From: chat.Office, Day: today, Text: "hi", DriverIDs: drivers, OrderID: order, Orders: append([]int64{}, orders...),
		}
	}
	for name, c := range map[string]struct {
		message chat.Message
		field   string
	}{
		"about orders":       {message: about(nil, 0, hundred[1:]...)},
		"about none":         {about(nil, 0), "orderIds"},
		"about too many":     {about(nil, 0, hundred...), "orderIds"},
		"about one twice":    {about(nil, 0, 7, 8, 7), "orderIds"},
		"orders and drivers": {about([]int64{1}, 0, 7), "orderIds"},
		"orders and one":     {about(nil, 7, 7), "orderIds"},
		"office":             {message: office(0, " hi ", 1, 2)},
		"after midnight":     {message: office(-1, "hi", 1)},
		"longest":            {message: driver(0, strings.Repeat("ø", 500))},
		"phone of a week":    {message: driver(-7, "hi")},
		"next week":          {message: driver(7, "hi")},
		"empty":              {office(0, " \n", 1), "text"},
		"too long":           {office(0, strings.Repeat("ø", 501), 1), "text"},
		"nobody":             {office(0, "hi"), "driverIds"},
		"too many":           {office(0, "hi", hundred...), "driverIds"},
		"twice":              {office(0, "hi", 3, 3), "driverIds"},
		"a day that is over": {office(-2, "hi", 1), "date"},
		"too old":            {driver(-8, "hi"), "date"},
		"too far":            {driver(8, "hi"), "date"},
	} {
		err := c.message.Check(today)
		if c.field == "" {
			require.NoError(t, err, name)
			require.Equal(t, strings.TrimSpace(c.message.Text), c.message.Text, name)
			continue
		}
		require.Equal(t, c.field, fieldOf(t, err), name)
	}
}

func TestAMessageIsForAllOfItsDriversOrForNone(t *testing.T) {
	t.Parallel()
	m := chat.Message{DriverIDs: []int64{1, 2}}
	nora := chat.Receiver{ID: 1, Name: "Nora", Messages: chat.MostADay - 1}
	require.NoError(t, m.Admit([]chat.Receiver{nora, {ID: 2, Name: "Ola"}}))
	require.Equal(t, "driverIds", fieldOf(t, m.Admit([]chat.Receiver{nora})))
	nora.Messages++
	var full *fault.Error
	require.True(t, errors.As(m.Admit([]chat.Receiver{nora, {ID: 2, Name: "Ola"}}), &full))
	require.Equal(t, fault.IllegalState, full.Kind)
	require.Equal(t, "1", full.Name)
}

func TestAWrongClockChangesNoTimeOfWriting(t *testing.T) {
	t.Parallel()
	received := today.Add(10 * time.Hour)
	phone := received.AddDate(1, 0, 0) // a year ahead
	require.Equal(t, received.Add(-time.Hour), chat.WrittenAt(phone.Add(-time.Hour), phone, received))
	require.Equal(t, received, chat.WrittenAt(phone.Add(time.Hour), phone, received), "written before it was sent")
	require.Equal(t, received.AddDate(0, 0, -7), chat.WrittenAt(phone.AddDate(0, -1, 0), phone, received))
}

// TestAMessageGoesToTheDriversOfItsOrders addresses one to two drivers, one of
// whom has two of the orders, and none if an order has no driver or a driver
// would get too many.
func TestAMessageGoesToTheDriversOfItsOrders(t *testing.T) {
	t.Parallel()
	m := chat.Message{From: chat.Office, Orders: []int64{7, 8, 9}}
	require.NoError(t, m.Address(map[int64]int64{7: 1, 8: 2, 9: 1}))
	require.Equal(t, []int64{1, 2, 1}, m.DriverIDs)
	require.Equal(t, []int64{7, 8, 9}, m.About())
	require.NoError(t, m.Admit([]chat.Receiver{{ID: 1, Messages: chat.MostADay - 2}, {ID: 2}}))
	require.Error(t, m.Admit([]chat.Receiver{{ID: 1, Messages: chat.MostADay - 1}, {ID: 2}}), "the second is one too many")
	require.Equal(t, "orderIds[1]", fieldOf(t, m.Address(map[int64]int64{7: 1, 9: 1})))
	one := chat.Message{DriverIDs: []int64{1, 2}, OrderID: 7}
	require.Equal(t, []int64{7, 7}, one.About())
}
