package transform

import (
	"context" //nolint:depguard // CEL aborts long evaluations through a context.
	"errors"
	"fmt"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"waybill/domain/order"
)

// Applied is a rule whose condition held. Input and Output are the order
// before and after it, as rules see it, where they were asked for.
type Applied struct {
	Rule          string
	Input, Output []byte
}

// Skipped is a rule that failed, and so changed nothing.
type Skipped struct {
	Rule   string
	Reason string
}

// Runner runs rules on the orders of one snapshot. It is an
// order.Transformer.
type Runner struct {
	rules *Rules
	names *names
	// Record records in Applied and Skipped the results of the rules that ran;
	// Preview also keeps the order before and after every rule.
	Record, Preview bool
	Applied         []Applied
	Skipped         []Skipped

	budget uint64        // that is left for all orders
	time   time.Duration // that the rules of one order may take
}

// Over returns a runner; nil without rules.
func (r *Rules) Over(s *order.Snapshot) *Runner {
	if r.Empty() {
		return nil
	}
	return &Runner{rules: r, names: namesOf(s), budget: runAllowance, time: maxOrderTime}
}

// Transform runs the rules with any of the triggers one after the other:
// each sees the changes of those before it. All values of one rule are
// computed before any is set.
func (r *Runner) Transform(o *order.Order, on ...order.Trigger) (failed []string) {
	ctx, cancel := context.WithTimeout(context.Background(), r.time)
	defer cancel()
	r.budget += orderAllowance
	run := &run{names: r.names, trigger: on, budget: min(maxOrderCost, r.budget)}
	allowed := run.budget
	defer func() { r.budget -= allowed - run.budget }()
	for _, rule := range r.rules.rules {
		if !rule.startsOn(on) {
			continue
		}
		next := *o
		applies, err := run.rule(ctx, rule, o, &next)
		switch {
		case err != nil:
			failed = append(failed, rule.name)
			r.noteSkipped(rule.name, err)
		case applies:
			r.noteApplied(rule.name, o, &next)
			*o = next
		}
	}
	return failed
}

func (r *Runner) noteSkipped(rule string, err error) {
	if r.Record {
		r.Skipped = append(r.Skipped, Skipped{rule, err.Error()})
	}
}

func (r *Runner) noteApplied(rule string, before, after *order.Order) {
	if !r.Record {
		return
	}
	a := Applied{Rule: rule}
	if r.Preview {
		a.Input = (&input{before, r.names, &load{}}).JSON()
		a.Output = (&input{after, r.names, &load{}}).JSON()
	}
	r.Applied = append(r.Applied, a)
}

// run is the running of rules on one order.
type run struct {
	names   *names
	trigger []order.Trigger
	budget  uint64
	goods   load
}

// rule applies a rule to next if its condition holds for o, and reports
// whether it does.
func (r *run) rule(ctx context.Context, c *compiled, o, next *order.Order) (applies bool, err error) {
	if c.broken != nil {
		return false, c.broken
	}
	vars := &variables{input: &input{o, r.names, &r.goods}, trigger: string(r.triggerOf(c))}
	if c.when != nil {
		held, err := r.evaluate(ctx, c.when, vars)
		if err != nil {
			return false, fmt.Errorf("when: %w", err)
		}
		if held != types.True {
			return false, nil
		}
	}
	for i := range c.set {
		a := &c.set[i]
		value, err := r.evaluate(ctx, a.value, vars)
		if err == nil {
			err = a.target.put(next, r.names, value)
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", a.field, err)
		}
	}
	return true, nil
}

// triggerOf is the first trigger that starts a rule.
func (r *run) triggerOf(c *compiled) order.Trigger {
	for _, t := range r.trigger {
		if c.startsOn([]order.Trigger{t}) {
			return t
		}
	}
	return ""
}

// errTooCostly is the failure of rules that take too long.
var errTooCostly = errors.New("the transformation rules took too long for this order")

func (r *run) evaluate(ctx context.Context, p cel.Program, vars *variables) (ref.Val, error) {
	if r.budget == 0 || ctx.Err() != nil {
		return nil, errTooCostly
	}
	value, details, err := p.ContextEval(ctx, vars)
	if details != nil && details.ActualCost() != nil {
		cost := *details.ActualCost()
		if cost > r.budget {
			r.budget = 0
			return nil, errTooCostly
		}
		r.budget -= cost
	}
	if err != nil {
		if ctx.Err() != nil {
			err = errTooCostly
		}
		return nil, err
	}
	return value, nil
}

// variables are what expressions can name.
type variables struct {
	input   *input
	trigger string
}

// ResolveName finds a variable.
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case "order":
		return v.input, true
	case "trigger":
		return v.trigger, true
	}
	return nil, false
}

// Parent returns nil: there are no further variables.
func (v *variables) Parent() interpreter.Activation { return nil }
