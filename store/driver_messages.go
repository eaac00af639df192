package store

import (
	"context"
	"errors"
	"time"

	"waybill/domain/chat"
	"waybill/store/queries"
)

// DriverMessage is a message between the office and a driver.
type DriverMessage = queries.DriverMessagesRow

// UnreadMessages are how many messages of a driver's day the office has not read.
type UnreadMessages = queries.UnreadDriverMessagesRow

// DriverMessageFilter selects messages; nil matches any.
type DriverMessageFilter struct {
	Day      *time.Time
	Since    *time.Time // the first day
	DriverID *int64
	Before   int64 // only those with smaller ids
}

// DriverMessages returns up to atMost messages, newest first, and the one before which the next
// page begins, or 0 at the end.
func (s *Store) DriverMessages(
	ctx context.Context, org int64, f DriverMessageFilter, atMost int32,
) (found []DriverMessage, goOn int64, err error) {
	ids, err := s.reads(org).PageDriverMessageIDs(ctx, queries.PageDriverMessageIDsParams{
		OrgID: org, Before: f.Before, Day: f.Day, Since: f.Since, DriverID: f.DriverID, PageSize: atMost + 1,
	})
	if err != nil {
		return nil, 0, translate(err)
	}
	if len(ids) > int(atMost) {
		ids, goOn = ids[:atMost], ids[atMost-1]
	}
	found, err = s.DriverMessagesOf(ctx, org, ids)
	return found, goOn, err
}

// DriverMessagesOf returns messages by their ids, newest first.
func (s *Store) DriverMessagesOf(ctx context.Context, org int64, ids []int64) ([]DriverMessage, error) {
	found, err := s.lookups(org).DriverMessages(ctx, queries.DriverMessagesParams{OrgID: org, Ids: ids})
	return found, translate(err)
}

// UnreadDriverMessages returns how many messages of a day the office has not read, of each driver
// who has any.
func (s *Store) UnreadDriverMessages(ctx context.Context, org int64, day time.Time) ([]UnreadMessages, error) {
	rows, err := s.lookups(org).UnreadDriverMessages(ctx, queries.UnreadDriverMessagesParams{OrgID: org, Day: day})
	return rows, translate(err)
}

// UnreadOfOffice returns how many messages of the office a driver has not read, of a day and later.
func (s *Store) UnreadOfOffice(ctx context.Context, org, driverID int64, since time.Time) (int32, error) {
	count, err := s.lookups(org).UnreadOfOffice(ctx, queries.UnreadOfOfficeParams{
		OrgID: org, DriverID: driverID, Since: since,
	})
	return count, translate(err)
}

// LockDriverMessages lets this change of drivers' messages follow the others.
func (t *Tx) LockDriverMessages(ctx context.Context, driverIDs []int64) error {
	return t.q.LockDriverMessages(ctx, queries.LockDriverMessagesParams{OrgID: t.org, DriverIds: driverIDs})
}

// MessageReceivers returns the active ones of the drivers of a message.
func (t *Tx) MessageReceivers(ctx context.Context, m *chat.Message) ([]chat.Receiver, error) {
	rows, err := t.q.MessageReceivers(ctx, queries.MessageReceiversParams{
		OrgID: t.org, Day: m.Day, Side: string(m.From), DriverIds: m.DriverIDs,
	})
	known := make([]chat.Receiver, len(rows))
	for i, r := range rows {
		known[i] = chat.Receiver{ID: r.ID, Name: r.Name, Messages: r.Messages}
	}
	return known, err
}

// HasOrder reports whether the organization has an order.
func (t *Tx) HasOrder(ctx context.Context, id int64) (bool, error) {
	return t.q.HasOrder(ctx, queries.HasOrderParams{OrgID: t.org, ID: id})
}

// ReceiversOfOrders returns the drivers who have orders on a day, by order.
func (t *Tx) ReceiversOfOrders(ctx context.Context, day time.Time, orders []int64) (map[int64]int64, error) {
	rows, err := t.q.ReceiversOfOrders(ctx, queries.ReceiversOfOrdersParams{OrgID: t.org, OrderIds: orders, Day: day})
	drivers := make(map[int64]int64, len(rows))
	for _, row := range rows {
		drivers[row.OrderID] = row.DriverID
	}
	return drivers, err
}

// OwnOrder returns the order if a driver has or had it, and 0 if not.
func (t *Tx) OwnOrder(ctx context.Context, driverID, id int64) (int64, error) {
	return t.q.OwnOrder(ctx, queries.OwnOrderParams{OrgID: t.org, DriverID: driverID, ID: id})
}

// DriverMessageOfClient returns the message that a driver's phone calls so, or 0.
func (t *Tx) DriverMessageOfClient(ctx context.Context, driverID int64, clientID string) (int64, error) {
	id, err := t.q.DriverMessageOfClient(ctx, queries.DriverMessageOfClientParams{
		OrgID: t.org, DriverID: driverID, ClientID: clientID,
	})
	if errors.Is(translate(err), ErrNotFound) {
		return 0, nil
	}
	return id, err
}

// AddDriverMessages stores a message to each of its drivers, with the events, and returns their ids.
func (t *Tx) AddDriverMessages(ctx context.Context, m *chat.Message) ([]int64, error) {
	return t.q.AddDriverMessages(ctx, queries.AddDriverMessagesParams{
		OrgID: t.org, DriverIds: m.DriverIDs, OrderIds: m.About(), Day: m.Day, Side: string(m.From), Text: m.Text,
		ClientID: m.ClientID, WrittenAt: m.Written,
	})
}

// ReadDriverMessages marks what a side wrote as read by the other one, up to a message, with the
// event; day is nil for those of all days. It returns how many were unread.
func (t *Tx) ReadDriverMessages(
	ctx context.Context, driverID int64, from chat.Side, day *time.Time, upTo int64,
) (int32, error) {
	return t.q.ReadDriverMessages(ctx, queries.ReadDriverMessagesParams{
		OrgID: t.org, DriverID: driverID, Side: string(from), Day: day, UpTo: upTo,
	})
}
