package proof

import (
	"slices"
	"strings"
)

// Level is how strictly something is required of a driver.
type Level string

// The levels: required for delivery, with a warning, optional, or not offered.
const (
	Required Level = "required"
	Warn     Level = "warn"
	Optional Level = "optional"
	Off      Level = "off"
)

// AllLevels are the levels, from the strictest on.
func AllLevels() []Level { return []Level{Required, Warn, Optional, Off} }

// Levels are the levels for each kind of proof. Omitted ones have their
// default, or for an order type the organization's level.
type Levels struct {
	Name      Level `json:"name,omitempty" yaml:"name"`
	Signature Level `json:"signature,omitempty" yaml:"signature"`
	Photo     Level `json:"photo,omitempty" yaml:"photo"`
	Scan      Level `json:"scan,omitempty" yaml:"scan"`
	Comment   Level `json:"comment,omitempty" yaml:"comment"`
}

// Rules are the requirements for proofs when goods are handed over in person, left
// without contact, and when a stop fails. Nil means not set.
type Rules struct {
	InPerson    *Levels `json:"in_person,omitempty" yaml:"inPerson"`
	Contactless *Levels `json:"contactless,omitempty" yaml:"contactless"`
	Failure     *Levels `json:"failure,omitempty" yaml:"failure"`
}

// Misfit is a mistake in rules: an unknown level, or a kind of proof that can't
// be required in that case.
type Misfit struct {
	// Way is in_person, contactless or failure, and Thing the setting
	// concerned.
	Way, Thing string
	// Never is set for an impossible kind.
	Never bool
}

// Misfits returns all that is wrong with rules.
func (r Rules) Misfits() (all []Misfit) {
	for _, way := range []struct {
		name   string
		levels *Levels
		never  []string
	}{
		{"in_person", r.InPerson, nil},
		{"contactless", r.Contactless, []string{"name", "signature"}},
		{"failure", r.Failure, []string{"name", "signature", "scan"}},
	} {
		if way.levels == nil {
			continue
		}
		for _, said := range way.levels.each() {
			never := slices.Contains(way.never, said.thing)
			if said.level != "" && (never || !slices.Contains(AllLevels(), said.level)) {
				all = append(all, Misfit{way.name, said.thing, never})
			}
		}
	}
	return all
}

type leveled struct {
	thing string
	level Level
}

func (l *Levels) each() []leveled {
	return []leveled{
		{"name", l.Name}, {"signature", l.Signature}, {"photo", l.Photo}, {"scan", l.Scan}, {"comment", l.Comment},
	}
}

// Brought is what a driver has collected.
type Brought struct{ Name, Signature, Photo, Scan, Comment bool }

// Lacks returns the required kinds that are missing.
func (l *Levels) Lacks(b Brought) (things []string) {
	has := map[string]bool{
		"name": b.Name, "signature": b.Signature, "photo": b.Photo, "scan": b.Scan, "comment": b.Comment,
	}
	for _, said := range l.each() {
		if said.level == Required && !has[said.thing] {
			things = append(things, said.thing)
		}
	}
	return things
}

// ListOfLevels names the levels for messages.
func ListOfLevels() string {
	names := make([]string, len(AllLevels()))
	for i, l := range AllLevels() {
		names[i] = string(l)
	}
	return strings.Join(names, ", ")
}
