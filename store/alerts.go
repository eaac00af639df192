package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"waybill/domain/alert"
	"waybill/domain/caller"
	"waybill/domain/driving"
	"waybill/domain/notification"
	"waybill/domain/order"
	"waybill/domain/planning"
	"waybill/store/columns"
	"waybill/store/queries"
)

// Alert is something of which a rule alerted the office.
type Alert = queries.AlertsRow

// AlertFilter selects alerts; nil matches any.
type AlertFilter struct {
	Day    *time.Time
	State  *string
	Before int64 // only those with smaller ids
	Now    time.Time
}

// Alerts returns up to atMost alerts, newest first, and the one before which the next page
// begins, or 0 at the end.
func (s *Store) Alerts(
	ctx context.Context, org int64, f AlertFilter, atMost int32,
) (found []Alert, goOn int64, err error) {
	ids, err := s.reads(org).PageAlertIDs(ctx, queries.PageAlertIDsParams{
		OrgID: org, Before: f.Before, Day: f.Day, State: f.State, Now: f.Now, PageSize: atMost + 1,
	})
	if err != nil {
		return nil, 0, translate(err)
	}
	if len(ids) > int(atMost) {
		ids, goOn = ids[:atMost], ids[atMost-1]
	}
	found, err = s.lookups(org).Alerts(ctx, queries.AlertsParams{OrgID: org, Ids: ids})
	return found, goOn, translate(err)
}

// Alert returns one alert.
func (s *Store) Alert(ctx context.Context, org, id int64) (Alert, error) {
	found, err := s.lookups(org).Alerts(ctx, queries.AlertsParams{OrgID: org, Ids: []int64{id}})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Alert{}, absent("alert", id, err)
	}
	return found[0], nil
}

// LockedAlert is an alert locked for a change of its state.
type LockedAlert struct{ Resolved, Acknowledged bool }

// LockAlert locks an alert until the transaction ends.
func (t *Tx) LockAlert(ctx context.Context, id int64) (LockedAlert, error) {
	row, err := t.q.LockAlert(ctx, queries.LockAlertParams{OrgID: t.org, ID: id})
	return LockedAlert{Resolved: row.Resolved, Acknowledged: row.Acknowledged}, absent("alert", id, err)
}

// HandleAlert writes that somebody acknowledged an alert, or snoozed it until a time, with the event.
func (t *Tx) HandleAlert(ctx context.Context, id int64, snoozed *time.Time, note string) error {
	return t.q.HandleAlert(ctx, queries.HandleAlertParams{OrgID: t.org, ID: id, SnoozedUntil: snoozed, Note: note})
}

// ResolveAlerts resolves alerts that are not resolved yet, with their events.
func (t *Tx) ResolveAlerts(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	return t.q.ResolveAlerts(ctx, queries.ResolveAlertsParams{OrgID: t.org, Ids: ids})
}

// SaveAlarms raises and resolves the alerts of a driver's day, and returns when a rule has to be looked at again.
func (t *Tx) SaveAlarms(ctx context.Context, d *WatchedDay) (wake time.Time, err error) {
	rules, err := t.q.AlertRulesOfDriver(ctx, queries.AlertRulesOfDriverParams{OrgID: t.org, DriverID: d.DriverID})
	if err != nil {
		return wake, err
	}
	lasting, err := t.q.AlertsOfDriveDay(ctx, queries.AlertsOfDriveDayParams{
		OrgID: t.org, DriverID: d.DriverID, Day: d.Day,
	})
	if err != nil || len(rules) == 0 && len(lasting) == 0 {
		return wake, err
	}
	alarms, ringing := make([]driving.Alarm, len(rules)), make([]driving.Ringing, len(lasting))
	for i, r := range rules {
		alarms[i] = driving.Alarm{
			RuleID: r.ID, Silence: alert.Kind(r.Kind) == alert.SilentFor, After: time.Duration(r.Minutes) * time.Minute,
		}
	}
	for i, a := range lasting {
		ringing[i] = driving.Ringing{
			ID: a.ID, RuleID: a.RuleID, Stop: d.find(a.OrderID, order.StopKind(a.Stop)), Silence: a.OrderID == 0,
		}
	}
	raise, over, wake := d.Alarms(alarms, ringing)
	if err := t.ResolveAlerts(ctx, over); err != nil {
		return wake, fmt.Errorf("resolve alerts: %w", err)
	}
	return wake, t.raise(ctx, d, raise)
}

// raise raises alerts of a driver's day.
func (t *Tx) raise(ctx context.Context, d *WatchedDay, alerts []driving.Alarmed) error {
	if len(alerts) == 0 {
		return nil
	}
	p := queries.RaiseAlertsOfDayParams{OrgID: t.org, Day: d.Day, DriverID: d.DriverID, MostEmails: alert.EmailsAnHour}
	for _, a := range alerts {
		var of driving.Watched
		if a.Stop >= 0 {
			of = d.Stops[a.Stop]
		}
		columns.Add(&p.RuleIds, a.RuleID)
		columns.Add(&p.OrderIds, of.OrderID)
		columns.Add(&p.Stops, string(of.Stop))
		columns.Add(&p.Minutes, int64(a.By/time.Minute))
		columns.Add(&p.Ats, a.At)
	}
	if err := t.q.LockAlerts(ctx, t.org); err != nil {
		return err
	}
	if err := t.q.RaiseAlertsOfDay(ctx, p); err != nil {
		return fmt.Errorf("raise alerts: %w", err)
	}
	return nil
}

// oldestAlerted is how long ago the day of an order or exception may be that raises an alert.
const oldestAlerted = 48 * time.Hour

// FollowAlerts raises the alerts of orders that failed or have no driver and of the exceptions of
// days, and resolves those whose cause is gone. It looks at how things are now, so that it does no
// harm to call it again or late.
func (s *Store) FollowAlerts(ctx context.Context, org int64, orderIDs []int64, days []time.Time, now time.Time) error {
	wants, err := s.of(org).WantsAlerts(ctx, queries.WantsAlertsParams{OrgID: org, OrderIds: orderIDs, Days: days})
	if err != nil || !wants {
		return translate(err)
	}
	err = s.InTx(ctx, caller.Caller{OrgID: org, Kind: caller.System, Cause: "follower/alerts"}, func(t *Tx) error {
		return t.FollowAlerts(ctx, orderIDs, days, now)
	})
	if err != nil {
		return fmt.Errorf("raise alerts: %w", err)
	}
	return nil
}

// FollowAlerts does it within a transaction.
func (t *Tx) FollowAlerts(ctx context.Context, orderIDs []int64, days []time.Time, now time.Time) error {
	if err := t.q.LockAlerts(ctx, t.org); err != nil {
		return err
	}
	over, err := t.q.AlertsWithoutCause(ctx, queries.AlertsWithoutCauseParams{
		OrgID: t.org, OrderIds: orderIDs, Days: days,
	})
	if err != nil {
		return err
	}
	if err := t.ResolveAlerts(ctx, over); err != nil {
		return err
	}
	return t.q.RaiseAlertsOfCauses(ctx, queries.RaiseAlertsOfCausesParams{
		OrgID: t.org, OrderIds: orderIDs, Days: days, FirstDay: now.Add(-oldestAlerted), MostEmails: alert.EmailsAnHour,
	})
}

// alertOfUnplanned raises the alerts of orders for which a plan of a day has no driver, and
// resolves those of orders that got one.
func (t *Tx) alertOfUnplanned(ctx context.Context, diff *planning.Difference, day time.Time) error {
	orderIDs := slices.Clone(diff.Replanned)
	for i := range diff.Unplanned {
		orderIDs = append(orderIDs, diff.Unplanned[i].OrderID)
	}
	if len(orderIDs) == 0 {
		return nil
	}
	wants, err := t.q.WantsAlerts(ctx, queries.WantsAlertsParams{OrgID: t.org, OrderIds: orderIDs})
	if err != nil || !wants {
		return err
	}
	return t.FollowAlerts(ctx, orderIDs, nil, day)
}

// AlertFacts returns the contents of a message about an alert, or ErrNotFound if the event is of none.
func (t *Tx) AlertFacts(ctx context.Context, key notification.Key) (AlertFacts, error) {
	row, err := t.q.AlertFacts(ctx, queries.AlertFactsParams{
		OrgID: t.org, EventID: key.EventID, Receiver: key.Receiver, Key: key.String(),
	})
	return row, translate(err)
}

// AlertFacts are all that a message about an alert may speak of.
type AlertFacts = queries.AlertFactsRow
