package driving

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/chat"
	"waybill/operations/core"
	"waybill/store"
)

// SendMessages sends a message of the office to drivers, or to those of several orders, to all of
// them or to none, and returns the ids of the messages.
func (o *Operations) SendMessages(
	ctx context.Context, c caller.Caller, m chat.Message, today time.Time,
) ([]int64, error) {
	m.From, m.ClientID, m.Written = chat.Office, "", o.now()
	if err := m.Check(today); err != nil {
		return nil, err
	}
	ids, err := core.Once(ctx, o.store, c, func(t *store.Tx) ([]int64, error) {
		if m.Orders != nil {
			return addAbout(ctx, t, m)
		}
		if m.OrderID != 0 {
			if has, err := t.HasOrder(ctx, m.OrderID); err != nil {
				return nil, err
			} else if !has {
				return nil, chat.NoOrder(m.OrderID)
			}
		}
		return addMessages(ctx, t, &m)
	})
	if err != nil {
		return nil, fmt.Errorf("send messages: %w", err)
	}
	return ids, nil
}

// SendDriverMessage sends a message of a driver to the office, and returns its id. One that the
// phone has sent before is not sent again. What happened in the office meanwhile refuses none:
// an order that is not the driver's is left out.
func (o *Operations) SendDriverMessage(
	ctx context.Context, c caller.Caller, m chat.Message, today time.Time,
) (id int64, err error) {
	m.From = chat.Driver
	if err := m.Check(today); err != nil {
		return 0, err
	}
	driver := m.DriverIDs[0]
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if err := t.LockDriverMessages(ctx, m.DriverIDs); err != nil {
			return err
		}
		if id, err = t.DriverMessageOfClient(ctx, driver, m.ClientID); err != nil || id != 0 {
			return err
		}
		about := m
		if m.OrderID != 0 {
			if about.OrderID, err = t.OwnOrder(ctx, driver, m.OrderID); err != nil {
				return err
			}
		}
		ids, err := addMessages(ctx, t, &about)
		if err == nil {
			id = ids[0]
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("send a driver's message: %w", err)
	}
	return id, nil
}

// addAbout sends a message to the drivers who have its orders that day.
func addAbout(ctx context.Context, t *store.Tx, m chat.Message) ([]int64, error) {
	drivers, err := t.ReceiversOfOrders(ctx, m.Day, m.Orders)
	if err != nil {
		return nil, err
	}
	if err := m.Address(drivers); err != nil {
		return nil, err
	}
	return addMessages(ctx, t, &m)
}

func addMessages(ctx context.Context, t *store.Tx, m *chat.Message) ([]int64, error) {
	if err := t.LockDriverMessages(ctx, m.DriverIDs); err != nil {
		return nil, err
	}
	known, err := t.MessageReceivers(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := m.Admit(known); err != nil {
		return nil, err
	}
	return t.AddDriverMessages(ctx, m)
}

// ReadMessages records that the reader's side has read the messages of a driver from the other
// side, up to one; day is nil for those of all days. It returns how many were unread.
func (o *Operations) ReadMessages(
	ctx context.Context, c caller.Caller, driverID int64, reader chat.Side, day *time.Time, upTo int64,
) (count int32, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		if err := t.LockDriverMessages(ctx, []int64{driverID}); err != nil {
			return err
		}
		count, err = t.ReadDriverMessages(ctx, driverID, reader.Other(), day, upTo)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read messages: %w", err)
	}
	return count, nil
}
