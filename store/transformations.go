package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/transform"
	"waybill/store/queries"
)

// LoadOrder loads one order, with everything that rules may refer to, and locks
// it for this transaction if lock is set.
func (t *Tx) LoadOrder(ctx context.Context, orderID int64, lock bool) (*order.Snapshot, error) {
	l := loader{tx: t, snapshot: &order.Snapshot{}}
	found, err := t.findOrders(ctx, []int64{orderID}, lock)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.Missing("order", fmt.Sprint(orderID))
	}
	l.snapshot.Orders = found
	if err := l.masterData(ctx); err != nil {
		return nil, err
	}
	l.snapshot.Prepare()
	return l.snapshot, l.rules(ctx)
}

// rules adds the organization's rules to the snapshot. It runs last, because
// rules refer to the results of the other steps.
func (l *loader) rules(ctx context.Context) error {
	if l.rulesVersion == 0 {
		return nil
	}
	rules, err := l.tx.rules(ctx, l.rulesVersion)
	if err != nil || rules.Empty() {
		return err
	}
	if err := l.customersOfOrders(ctx); err != nil {
		return err
	}
	l.snapshot.Rules = rules.Over(l.snapshot)
	return nil
}

// customersOfOrders loads those customers of the snapshot's orders that no
// entry names.
func (l *loader) customersOfOrders(ctx context.Context) error {
	known := map[int64]bool{}
	for _, c := range l.snapshot.Customers {
		known[c.ID] = true
	}
	var missing []int64
	for _, o := range l.snapshot.Orders {
		if !known[o.CustomerID] {
			known[o.CustomerID] = true
			missing = append(missing, o.CustomerID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return l.addCustomers(ctx, missing)
}

// addCustomers puts the customers of these ids into the snapshot.
func (l *loader) addCustomers(ctx context.Context, ids []int64) error {
	rows, err := l.tx.q.CustomersByID(ctx, queries.CustomersByIDParams{OrgID: l.tx.org, Ids: ids})
	for _, c := range rows {
		l.snapshot.Customers = append(l.snapshot.Customers, order.Customer{
			ID: c.ID, ExternalID: c.ExternalID, BusinessName: c.BusinessName, DepartmentID: c.DepartmentID,
		})
	}
	return err
}

// rules are the organization's rules in this version, compiled once in each
// process.
func (t *Tx) rules(ctx context.Context, version int64) (*transform.Rules, error) {
	if rules, known := t.compiled.find(t.org, version); known {
		return rules, nil
	}
	rows, err := t.q.TransformationRules(ctx, t.org)
	if err != nil {
		return nil, fmt.Errorf("transformation rules: %w", err)
	}
	written := make([]transform.Rule, len(rows))
	for i := range rows {
		if written[i], err = newRule(&rows[i]); err != nil {
			return nil, err
		}
	}
	rules := transform.Compile(written)
	t.compiled.keep(t.org, version, rules)
	return rules, nil
}

func newRule(row *queries.TransformationRulesRow) (transform.Rule, error) {
	r := transform.Rule{Name: row.Name, When: row.Condition, Order: int(row.RunOrder), Active: true}
	for _, t := range row.Triggers {
		r.Triggers = append(r.Triggers, order.Trigger(t))
	}
	var set []RuleAssignment
	if err := json.Unmarshal(row.Assignments, &set); err != nil {
		return r, fmt.Errorf("transformation rule %q: %w", row.Name, err)
	}
	for _, a := range set {
		r.Set = append(r.Set, transform.Assignment(a))
	}
	return r, nil
}

// RuleAssignment is a stored assignment.
type RuleAssignment struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// maxCompiled is how many organizations' rules a process keeps compiled.
const maxCompiled = 256

// compiledRules caches organizations' rules, each in the version requested
// last.
type compiledRules struct {
	mu   sync.Mutex
	kept map[int64]versionedRules
}

type versionedRules struct {
	version int64
	rules   *transform.Rules
}

func newCompiledRules() *compiledRules { return &compiledRules{kept: map[int64]versionedRules{}} }

func (c *compiledRules) find(org, version int64) (*transform.Rules, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, known := c.kept[org]
	return kept.rules, known && kept.version == version
}

// keep evicts another organization's rules if there are too many; they are
// quick to compile again.
func (c *compiledRules) keep(org, version int64, rules *transform.Rules) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.kept[org]; !known && len(c.kept) >= maxCompiled {
		for other := range c.kept {
			delete(c.kept, other)
			break
		}
	}
	c.kept[org] = versionedRules{version, rules}
}
