package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types/ref"

	"waybill/domain/order"
)

// names are what rules call the records that orders refer to. They are of one
// organization, so a rule reaches no other.
type names struct {
	vehicleTypes, skills, groups, customFields registry
	orderTypes                                 map[int64]string
	customers                                  map[int64]order.Customer
}

// registry finds records of one kind by id and by name. Names of custom
// fields are case-sensitive, all others are not.
type registry struct {
	byID   map[int64]string
	byName map[string]int64
}

func newRegistry[T any](records []T, identity func(*T) (int64, string), fold func(string) string) registry {
	r := registry{byID: make(map[int64]string, len(records)), byName: make(map[string]int64, len(records))}
	for i := range records {
		id, name := identity(&records[i])
		r.byID[id], r.byName[fold(name)] = name, id
	}
	return r
}

func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func namesOf(s *order.Snapshot) *names {
	named := func(n *order.Named) (int64, string) { return n.ID, n.Name }
	n := &names{
		vehicleTypes: newRegistry(s.VehicleTypes, func(v *order.VehicleType) (int64, string) { return v.ID, v.Name }, fold),
		skills:       newRegistry(s.Skills, named, fold),
		groups:       newRegistry(s.Groups, named, fold),
		customFields: newRegistry(s.CustomFields,
			func(f *order.CustomField) (int64, string) { return f.ID, f.ExternalID }, strings.Clone),
		orderTypes: make(map[int64]string, len(s.OrderTypes)),
		customers:  make(map[int64]order.Customer, len(s.Customers)),
	}
	for _, t := range s.OrderTypes {
		n.orderTypes[t.ID] = t.Name
	}
	for _, c := range s.Customers {
		n.customers[c.ID] = c
	}
	return n
}

// of returns the names of ids in alphabetical order. Records no longer in use
// are omitted.
func (r registry) of(ids []int64) []string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if name, known := r.byID[id]; known {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (r registry) find(what string, value ref.Val) (int64, error) {
	name, err := textOf(value)
	if err != nil {
		return 0, err
	}
	id, known := r.byName[fold(name)]
	if !known {
		return 0, fmt.Errorf("%s %q not found", what, name)
	}
	return id, nil
}

// findAll finds records, each once.
func (r registry) findAll(what string, value ref.Val) ([]int64, error) {
	wanted, err := textsOf(value)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(wanted))
	for _, name := range wanted {
		id, known := r.byName[fold(name)]
		if !known {
			return nil, fmt.Errorf("%s %q not found", what, name)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// skillsOf returns the names of a stop's skills of one type.
func (n *names) skillsOf(skills map[int64]order.SkillType, typ order.SkillType) []string {
	var ids []int64
	for id, t := range skills {
		if t == typ {
			ids = append(ids, id)
		}
	}
	return n.skills.of(ids)
}
