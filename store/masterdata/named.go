package masterdata

import (
	"context"
	"fmt"

	"waybill/domain/organization"
)

// named are the records that sections of a document refer to, by kind and name.
type named map[string]map[string]int64

func (n named) add(kind, name string, id int64) {
	if n[kind] == nil {
		n[kind] = map[string]int64{}
	}
	n[kind][keyOf(kind, name)] = id
}

func (n named) id(kind, name string) int64 { return n[kind][keyOf(kind, name)] }

// keyOf makes names compare without regard to case, but not external ids.
func keyOf(kind, name string) string {
	if kind == "location" || kind == "customer" {
		return name
	}
	return organization.Fold(name)
}

// scheduled are the records that intervals and price lists speak of.
func (a *applier) scheduled(ctx context.Context) (named, error) {
	rows, err := a.q.NamedForScheduling(ctx, a.org)
	known := named{}
	for _, r := range rows {
		known.add(r.Kind, r.Name, r.ID)
	}
	return known, err
}

// naming resolves names to ids, and reports unknown ones.
type naming struct {
	named

	document *organization.Document
	problems organization.Problems
}

var kindNames = map[string]string{
	"orderType": "order type", "zone": "zone", "freightLevel": "freight level",
	"vehicleType": "vehicle type", "skill": "skill", "department": "department", "vehicle": "vehicle",
	"calendar": "calendar", "role": "role", "customer": "customer with the external id",
	"location": "location with the external id",
}

func (n *naming) find(kind, name, path string) int64 {
	id := n.id(kind, name)
	if id == 0 {
		n.problems = append(n.problems, n.document.Problem(path, "%s %q not found", kindNames[kind], name))
	}
	return id
}

// findAny is find for a name that may be left out, whose id is 0.
func (n *naming) findAny(kind, name, path string) int64 {
	if name == "" {
		return 0
	}
	return n.find(kind, name, path)
}

// findAll is find for a list of names.
func (n *naming) findAll(kind string, names []string, path string) []int64 {
	ids := make([]int64, len(names))
	for i, name := range names {
		ids[i] = n.find(kind, name, fmt.Sprintf("%s[%d]", path, i))
	}
	return ids
}

func (n *naming) err() error {
	if len(n.problems) == 0 {
		return nil
	}
	return n.problems
}
