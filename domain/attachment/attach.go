package attachment

import "slices"

// Behavior selects how attaching treats the documents that are already
// present (spec.md, "Order operations").
type Behavior string

// The behaviours. Appending is the default.
const (
	Append          Behavior = "APPEND"
	ReplaceAll      Behavior = "REPLACE_ALL"
	ReplaceSameName Behavior = "REPLACE_SAME_NAME"
)

// Failure is why documents could not be attached; empty when they were.
type Failure string

// The reasons (spec.md, "Operation-specific results").
const (
	OrderOrDraftNotFound Failure = "ORDER_OR_DRAFT_NOT_FOUND"
	DocumentNotFound     Failure = "DOCUMENT_NOT_FOUND"
)

// Document is a document as attaching sees it.
type Document struct {
	ID   int64
	Name string
}

// Change is the effect of attaching. Detached documents are unlinked, not
// deleted.
type Change struct {
	Attach, Detach []int64
}

// Any reports whether anything changes.
func (c Change) Any() bool { return len(c.Attach)+len(c.Detach) > 0 }

// Attach computes the effect of adding documents to the present ones. It is
// idempotent, because present documents stay.
func Attach(present, added []Document, behavior Behavior) Change {
	var change Change
	for _, p := range present {
		if !has(added, p.ID) && replaced(p, added, behavior) {
			change.Detach = append(change.Detach, p.ID)
		}
	}
	for _, a := range added {
		if !has(present, a.ID) && !slices.Contains(change.Attach, a.ID) {
			change.Attach = append(change.Attach, a.ID)
		}
	}
	return change
}

func has(list []Document, id int64) bool {
	return slices.ContainsFunc(list, func(a Document) bool { return a.ID == id })
}

func replaced(present Document, added []Document, behavior Behavior) bool {
	switch behavior {
	case ReplaceAll:
		return true
	case ReplaceSameName:
		return slices.ContainsFunc(added, func(a Document) bool { return a.Name == present.Name })
	case Append:
	}
	return false
}
