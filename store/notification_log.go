package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"waybill/domain/notification"
	"waybill/store/queries"
)

// LogSearch filters the notifications log.
type LogSearch struct {
	// Channel is empty for both channels, which requires an order.
	Channel notification.Channel
	// OrderID is nil for every order, and 0 for messages without an order.
	OrderID *int64
	// Receiver is a part of the address, in whatever case; all when empty.
	Receiver string
	// Statuses are the statuses to include. An empty list includes all; nil is
	// not allowed.
	Statuses []string
	// OrderDate is the day of their orders; nil for every day.
	OrderDate *time.Time
	// IsRetried filters by whether they were sent again, unless it is nil.
	IsRetried *bool
	Ascending bool
	Page      Page
}

// LoggedNotification is a message as the log shows it: documents that the view
// has shaped.
type LoggedNotification struct {
	Channel            notification.Channel
	Record, Email, SMS json.RawMessage
}

// SearchLog returns a page of the log and the total number of messages.
func (s *Store) SearchLog(
	ctx context.Context, org int64, search LogSearch,
) (found []LoggedNotification, total int64, err error) {
	switch {
	case search.OrderDate != nil:
		found, total, err = s.logOfDay(ctx, org, search)
	case len(search.Statuses) > 0 || search.IsRetried != nil:
		found, total, err = s.logByStatus(ctx, org, search)
	case search.OrderID != nil && *search.OrderID != 0:
		found, total, err = s.logOfOrder(ctx, org, search)
	case search.Receiver != "" || search.OrderID != nil:
		found, total, err = s.logOfReceiver(ctx, org, search)
	default:
		found, total, err = s.wholeLog(ctx, org, search)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("search the notifications log: %w", translate(err))
	}
	if first := search.first(); len(found) == 0 && first != nil {
		_, total, err = s.SearchLog(ctx, org, *first) // Past the end, the page has no total.
	}
	return found, total, err
}

// first is the search for its first page, or nil if it already is.
func (l LogSearch) first() *LogSearch {
	if l.Page.Number == 1 {
		return nil
	}
	l.Page = Page{Number: 1, Size: 1}
	return &l
}

func (p Page) offset() int64 { return int64(p.Number-1) * int64(p.Size) }

func (s *Store) logOfOrder(ctx context.Context, org int64, l LogSearch) ([]LoggedNotification, int64, error) {
	channels := []string{string(l.Channel)}
	if l.Channel == "" {
		channels = []string{string(notification.Email), string(notification.SMS)}
	}
	rows, err := s.lists(org).OrderNotifications(ctx, queries.OrderNotificationsParams{
		OrgID: org, OrderID: *l.OrderID, Channels: channels, Receiver: l.Receiver, Ascending: l.Ascending,
		PageSize: l.Page.Size, PageOffset: l.Page.offset(),
	})
	if len(rows) == 0 {
		return nil, 0, err
	}
	return each(rows, func(r queries.OrderNotificationsRow) LoggedNotification {
		return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
	}), rows[0].Total, err
}

// logOfReceiver uses the index on parts of addresses. It escapes the wildcards
// of a pattern.
func (s *Store) logOfReceiver(ctx context.Context, org int64, l LogSearch) ([]LoggedNotification, int64, error) {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	rows, err := s.lists(org).SearchNotifications(ctx, queries.SearchNotificationsParams{
		OrgID: org, Channel: string(l.Channel), Pattern: "%" + escape.Replace(l.Receiver) + "%", OrderID: l.OrderID,
		Ascending: l.Ascending, PageSize: l.Page.Size, PageOffset: l.Page.offset(),
	})
	if len(rows) == 0 {
		return nil, 0, err
	}
	return each(rows, func(r queries.SearchNotificationsRow) LoggedNotification {
		return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
	}), rows[0].Total, err
}

func (s *Store) logOfDay(ctx context.Context, org int64, l LogSearch) ([]LoggedNotification, int64, error) {
	rows, err := s.searches(org).NotificationsOfDay(ctx, queries.NotificationsOfDayParams{
		OrgID: org, OrderDate: *l.OrderDate, Channel: string(l.Channel), Statuses: l.Statuses, OrderID: l.OrderID,
		Receiver: l.Receiver, IsRetried: l.IsRetried, Ascending: l.Ascending, PageSize: l.Page.Size,
		PageOffset: l.Page.offset(),
	})
	if len(rows) == 0 {
		return nil, 0, err
	}
	return each(rows, func(r queries.NotificationsOfDayRow) LoggedNotification {
		return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
	}), rows[0].Total, err
}

func (s *Store) logByStatus(ctx context.Context, org int64, l LogSearch) ([]LoggedNotification, int64, error) {
	rows, err := s.searches(org).NotificationsByStatus(ctx, queries.NotificationsByStatusParams{
		OrgID: org, Channel: string(l.Channel), Statuses: l.Statuses, OrderID: l.OrderID, Receiver: l.Receiver,
		IsRetried: l.IsRetried, Ascending: l.Ascending, PageSize: l.Page.Size, PageOffset: l.Page.offset(),
	})
	if len(rows) == 0 {
		return nil, 0, err
	}
	return each(rows, func(r queries.NotificationsByStatusRow) LoggedNotification {
		return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
	}), rows[0].Total, err
}

func (s *Store) wholeLog(ctx context.Context, org int64, l LogSearch) ([]LoggedNotification, int64, error) {
	q := s.lists(org)
	total, err := q.CountNotifications(ctx, queries.CountNotificationsParams{OrgID: org, Channel: string(l.Channel)})
	if err != nil {
		return nil, 0, err
	}
	page := queries.NewestNotificationsParams{
		OrgID: org, Channel: string(l.Channel), PageSize: l.Page.Size, PageOffset: l.Page.offset(),
	}
	if l.Ascending {
		rows, err := q.OldestNotifications(ctx, queries.OldestNotificationsParams(page))
		return each(rows, func(r queries.OldestNotificationsRow) LoggedNotification {
			return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
		}), total, err
	}
	rows, err := q.NewestNotifications(ctx, page)
	return each(rows, func(r queries.NewestNotificationsRow) LoggedNotification {
		return LoggedNotification{notification.Channel(r.Channel), r.Record, r.Email, r.Sms}
	}), total, err
}

// NotificationStep is one step in the life of a message.
type NotificationStep = queries.NotificationTimelineRow

// NotificationTimeline returns the steps of a message, oldest first, or
// ErrNotFound.
func (s *Store) NotificationTimeline(
	ctx context.Context, org int64, channel notification.Channel, id int64,
) ([]NotificationStep, error) {
	steps, err := s.of(org).NotificationTimeline(ctx, queries.NotificationTimelineParams{
		OrgID: org, ID: id, Channel: string(channel),
	})
	if err == nil && len(steps) == 0 {
		return nil, ErrNotFound
	}
	return steps, translate(err)
}
