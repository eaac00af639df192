package store

import (
	"context"
	"time"

	"waybill/domain/alert"
	"waybill/domain/driving"
	"waybill/domain/event"
	"waybill/store/queries"
)

// AlertRule is a rule by which alerts are raised, with its times and the name of its department.
type AlertRule struct {
	alert.Rule

	Department           *string
	CreatedAt, UpdatedAt time.Time
}

// AlertRules returns the rules of an organization, oldest first.
func (s *Store) AlertRules(ctx context.Context, org int64) ([]AlertRule, error) {
	rows, err := s.lookups(org).AlertRules(ctx, queries.AlertRulesParams{OrgID: org})
	rules := make([]AlertRule, len(rows))
	for i := range rows {
		rules[i] = alertRule(&rows[i])
	}
	return rules, translate(err)
}

// AlertRule returns one rule of an organization.
func (s *Store) AlertRule(ctx context.Context, org, id int64) (AlertRule, error) {
	rows, err := s.lookups(org).AlertRules(ctx, queries.AlertRulesParams{OrgID: org, ID: &id})
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return AlertRule{}, absent("alert_rule", id, err)
	}
	return alertRule(&rows[0]), nil
}

func alertRule(r *queries.AlertRulesRow) AlertRule {
	rule := AlertRule{Department: r.Department, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
	rule.Rule = alert.Rule{
		ID: r.ID, DepartmentID: r.DepartmentID, Kind: alert.Kind(r.Kind), Minutes: r.Minutes,
		ExceptionKind: driving.ExceptionKind(r.ExceptionKind), Channels: channelsOf(r.Channels), Emails: r.Emails,
	}
	return rule
}

func channelsOf(names []string) []alert.Channel {
	channels := make([]alert.Channel, len(names))
	for i, name := range names {
		channels[i] = alert.Channel(name)
	}
	return channels
}

func channelNames(channels []alert.Channel) []string {
	names := make([]string, len(channels))
	for i, c := range channels {
		names[i] = string(c)
	}
	return names
}

// LockAlertRules lets changes of rules follow each other until the transaction ends, and
// returns how many rules there are.
func (t *Tx) LockAlertRules(ctx context.Context) (int64, error) {
	if err := t.q.LockAlertRules(ctx, t.org); err != nil {
		return 0, err
	}
	return t.q.CountAlertRules(ctx, t.org)
}

// HasDepartment reports whether the organization has an active department with an id.
func (t *Tx) HasDepartment(ctx context.Context, id int64) (bool, error) {
	return t.q.HasDepartment(ctx, queries.HasDepartmentParams{OrgID: t.org, ID: id})
}

// AddAlertRule writes a new rule, with its event, and returns its id.
func (t *Tx) AddAlertRule(ctx context.Context, r *alert.Rule) (int64, error) {
	id, err := t.q.AddAlertRule(ctx, queries.AddAlertRuleParams{
		OrgID: t.org, DepartmentID: r.DepartmentID, Kind: string(r.Kind), Minutes: r.Minutes,
		ExceptionKind: string(r.ExceptionKind), Channels: channelNames(r.Channels), Emails: append([]string{}, r.Emails...),
	})
	if err != nil {
		return 0, translate(err)
	}
	return id, t.Append(ctx, event.Record{Type: event.OfAlertRule, ID: id}.Event(event.AlertRuleCreated))
}

// PutAlertRule replaces a rule, with its event, and resolves its alerts.
func (t *Tx) PutAlertRule(ctx context.Context, r *alert.Rule) error {
	changed, err := t.q.PutAlertRule(ctx, queries.PutAlertRuleParams{
		OrgID: t.org, ID: r.ID, DepartmentID: r.DepartmentID, Kind: string(r.Kind), Minutes: r.Minutes,
		ExceptionKind: string(r.ExceptionKind), Channels: channelNames(r.Channels), Emails: append([]string{}, r.Emails...),
	})
	return t.alertRuleChanged(ctx, r.ID, changed, event.AlertRuleUpdated, err)
}

// DropAlertRule deletes a rule, with its event, and resolves its alerts.
func (t *Tx) DropAlertRule(ctx context.Context, id int64) error {
	changed, err := t.q.DropAlertRule(ctx, queries.DropAlertRuleParams{OrgID: t.org, ID: id})
	return t.alertRuleChanged(ctx, id, changed, event.AlertRuleDeleted, err)
}

func (t *Tx) alertRuleChanged(ctx context.Context, id, changed int64, kind event.Kind, err error) error {
	if err == nil && changed == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return absent("alert_rule", id, err)
	}
	lasting, err := t.q.AlertsOfRule(ctx, queries.AlertsOfRuleParams{OrgID: t.org, RuleID: id})
	if err != nil {
		return err
	}
	if err := t.ResolveAlerts(ctx, lasting); err != nil {
		return err
	}
	return t.Append(ctx, event.Record{Type: event.OfAlertRule, ID: id}.Event(kind))
}
