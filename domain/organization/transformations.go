package organization

import (
	"fmt"
	"strings"

	"waybill/domain/order"
	"waybill/domain/transform"
)

// Transformation is a rule that changes incoming orders, identified by its
// name. When and the values are CEL; see docs/transformations.md.
type Transformation struct {
	Name     string       `yaml:"name"`
	Triggers []string     `yaml:"triggers"`
	Order    int          `yaml:"order"`
	Active   *bool        `yaml:"active"` // true when left out
	When     string       `yaml:"when"`   // always when left out
	Set      []Assignment `yaml:"set"`
}

// Assignment sets a field of an order to the value of an expression.
type Assignment struct {
	Field string `yaml:"field"`
	Value string `yaml:"value"`
}

// rule is the transformation as it runs.
func (t *Transformation) rule() transform.Rule {
	r := transform.Rule{Name: t.Name, When: t.When, Order: t.Order, Active: t.Active == nil || *t.Active}
	for _, name := range t.Triggers {
		r.Triggers = append(r.Triggers, order.Trigger(name))
	}
	for _, a := range t.Set {
		r.Set = append(r.Set, transform.Assignment(a))
	}
	return r
}

// transformations also compiles the rules, whether they are active or not.
func (c *checker) transformations() {
	rules := c.document.Transformations
	names(c, "transformations", rules, func(t Transformation) string { return t.Name })
	if len(rules) > transform.MaxRules {
		c.complain("transformations", "must be %d or fewer", transform.MaxRules)
		return
	}
	for i := range rules {
		t, path := &rules[i], at("transformations", i)
		if len(t.Triggers) == 0 {
			c.complain(path+".triggers", "is missing: name at least one of %s", triggerNames())
		}
		switch {
		case len(t.Set) == 0:
			c.complain(path+".set", "is missing: a rule sets at least one field")
		case len(t.Set) > transform.MaxAssignments:
			c.complain(path+".set", "must be %d or fewer", transform.MaxAssignments)
			continue
		}
		for _, p := range transform.Check(t.rule()) {
			c.complain(fmt.Sprintf("%s.%s", path, p.Part), "%s", p.Text)
		}
	}
}

func triggerNames() string {
	names := make([]string, len(order.Triggers))
	for i, t := range order.Triggers {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}
