package transform

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/cel-go/cel"

	"waybill/domain/order"
)

// Rule is a rule as an organization writes it.
type Rule struct {
	Name     string
	Triggers []order.Trigger
	// When is the condition; a rule without one always applies.
	When string
	Set  []Assignment
	// Order sorts the rules: low numbers run first, equal ones in the order
	// in which they were written.
	Order  int
	Active bool
}

// Assignment sets one field of the order to the value of an expression.
type Assignment struct {
	Field string
	Value string
}

// The bounds of rules. Cost is counted in CEL's own units, of which reading a
// field takes one or two, and a string of ten characters one.
const (
	MaxRules       = 100
	MaxAssignments = 20
	maxExpression  = 4_000   // characters
	maxDepth       = 50      // of an expression
	maxNesting     = 2       // of loops in loops
	maxCost        = 100_000 // of one expression
	maxOrderCost   = 250_000 // of all rules together on one order
	// orderAllowance is the budget that each order of a run adds for all of them
	// together, and runAllowance the initial one: one order may cost much, but not
	// all orders of an import. A hundred ordinary rules cost about 1,000.
	orderAllowance = 1_000
	runAllowance   = 10 * maxOrderCost
	// maxOrderTime bounds what the costs do not cover. It is far above what the
	// costs allow, so that results do not depend on the machine's load.
	maxOrderTime = 2 * time.Second
	// interruptEvery is after how many rounds of a loop the time is looked at.
	interruptEvery = 100
)

// Problem is one thing that is wrong with a rule. Part leads to it inside the
// rule: "when", "set[1].field", "triggers[0]".
type Problem struct {
	Part string
	Text string
}

// Check returns all that keeps a rule from running.
func Check(r Rule) []Problem {
	_, problems := compile(r)
	return problems
}

// Rules are an organization's rules, ready to run. They may be used by several
// goroutines at once.
type Rules struct {
	rules []*compiled
}

// Compile compiles rules. One that does not compile stays in the list and
// fails whenever it would run, so that the error is visible.
func Compile(rules []Rule) *Rules {
	sorted := slices.Clone(rules)
	slices.SortStableFunc(sorted, func(a, b Rule) int { return cmp.Compare(a.Order, b.Order) })
	out := &Rules{}
	for _, r := range sorted {
		if !r.Active {
			continue
		}
		c, problems := compile(r)
		if len(problems) > 0 {
			c.broken = fmt.Errorf("%s: %s", problems[0].Part, problems[0].Text)
		}
		out.rules = append(out.rules, c)
	}
	return out
}

// Empty reports whether there are no rules.
func (r *Rules) Empty() bool { return r == nil || len(r.rules) == 0 }

type compiled struct {
	name     string
	triggers []order.Trigger
	when     cel.Program // nil when the rule has no condition
	set      []assignment
	broken   error
}

type assignment struct {
	field  string
	target target
	value  cel.Program
}

func compile(r Rule) (*compiled, []Problem) {
	c := &compiled{name: r.Name, triggers: r.Triggers}
	var problems []Problem
	complain := func(part string, err error) { problems = append(problems, Problem{part, err.Error()}) }
	for i, t := range r.Triggers {
		if !slices.Contains(order.Triggers, t) {
			complain(fmt.Sprintf("triggers[%d]", i), fmt.Errorf("must be one of %v", order.Triggers))
		}
	}
	if r.When != "" {
		var err error
		if c.when, err = program(r.When, cel.BoolType); err != nil {
			complain("when", err)
		}
	}
	given := map[string]bool{}
	for i, a := range r.Set {
		part := fmt.Sprintf("set[%d]", i)
		t, err := targetOf(a.Field)
		switch {
		case err != nil:
			complain(part+".field", err)
			continue
		case given[a.Field]:
			complain(part+".field", fmt.Errorf("%s is set twice by this rule", a.Field))
		}
		given[a.Field] = true
		value, err := program(a.Value, t.takes...)
		if err != nil {
			complain(part+".value", err)
		}
		c.set = append(c.set, assignment{a.Field, t, value})
	}
	return c, problems
}

func (c *compiled) startsOn(on []order.Trigger) bool {
	return slices.ContainsFunc(on, func(t order.Trigger) bool { return slices.Contains(c.triggers, t) })
}
