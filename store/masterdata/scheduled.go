package masterdata

import (
	"context"

	"waybill/domain/organization"
)

// scheduled are the records that intervals and price lists speak of, by kind
// and folded name.
type scheduled map[string]map[string]int64

func (a *applier) scheduled(ctx context.Context) (scheduled, error) {
	rows, err := a.q.NamedForScheduling(ctx, a.org)
	known := scheduled{}
	for _, r := range rows {
		if known[r.Kind] == nil {
			known[r.Kind] = map[string]int64{}
		}
		known[r.Kind][organization.Fold(r.Name)] = r.ID
	}
	return known, err
}

func (s scheduled) id(kind, name string) int64 { return s[kind][organization.Fold(name)] }

// naming finds the ids of names, and complains of those that lead nowhere.
type naming struct {
	scheduled

	document *organization.Document
	problems organization.Problems
}

var kindNames = map[string]string{"orderType": "order type", "zone": "zone", "freightLevel": "freight level"}

func (n *naming) find(kind, name, path string) int64 {
	id := n.id(kind, name)
	if id == 0 {
		n.problems = append(n.problems, n.document.Problem(path, "there is no %s %q", kindNames[kind], name))
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

func (n *naming) err() error {
	if len(n.problems) == 0 {
		return nil
	}
	return n.problems
}
