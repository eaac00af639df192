// Package masterdata applies the YAML document that describes an organization:
// it creates and updates the organization and its master data, and removes
// records that the document no longer has.
package masterdata

import (
	"context"
	"errors"

	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/notification"
	"waybill/domain/organization"
	"waybill/store"
)

// Options control how a document is applied.
type Options struct {
	// Prune removes records that the document's sections no longer have: it
	// deletes those without references and deactivates the rest. It keeps
	// locations, because imports create them; users, because an administrator
	// must disable them explicitly; and sections that the document leaves out.
	Prune bool
	// DryRun reports the changes without writing them.
	DryRun bool
}

// Applied is the result of applying a document.
type Applied struct {
	OrgID int64
	// Sections are those in the document, in its order.
	Sections []AppliedSection
	// Unsigned are the channels of message rules for which neither this
	// document nor an earlier one sets a sender.
	Unsigned []notification.Channel
}

func (a Applied) changed() (all event.Counts) {
	for _, s := range a.Sections {
		all.Created += s.Created
		all.Updated += s.Updated
		all.Removed += s.Removed
	}
	return all
}

// AppliedSection counts the changes of one section.
type AppliedSection struct {
	Name      string
	Created   int
	Updated   int
	Unchanged int
	// Removed counts deleted and deactivated records.
	Removed int
}

// tries limits how often a document is applied again after a conflict with a
// concurrent change.
const tries = 3

// errDryRun rolls back a dry run.
var errDryRun = errors.New("dry run")

// Apply brings an organization to the state of its document, in the caller's
// transaction, and creates it if it is new. The caller's organization must be
// that of the document. Records that are up to date are not written. A document
// that refers to something unknown is rejected with organization.Problems.
func Apply(
	ctx context.Context, s *store.Store, by caller.Caller, d *organization.Document, options Options,
) (Applied, error) {
	for try := 1; ; try++ {
		applied, err := applyOnce(ctx, s, by, d, options)
		switch {
		case err == nil, errors.Is(err, errDryRun):
			return applied, nil
		case try < tries && store.Overtaken(err):
			continue
		}
		return Applied{}, err
	}
}

func applyOnce(
	ctx context.Context, s *store.Store, by caller.Caller, d *organization.Document, options Options,
) (applied Applied, err error) {
	org, isNew, err := s.ReserveOrganization(ctx, d.Organization.Slug)
	if err != nil {
		return Applied{}, err
	}
	by.OrgID = org
	err = s.InTx(ctx, by, func(tx *store.Tx) error {
		// The transaction may run again, and then counts from the beginning.
		a := applier{q: tx.Queries(), tx: tx, org: org, document: d, options: options, applied: Applied{OrgID: org}}
		err := a.apply(ctx, isNew)
		applied = a.applied
		if err == nil && options.DryRun {
			return errDryRun
		}
		if err != nil {
			return err
		}
		return a.tell(ctx, tx)
	})
	return applied, err
}

// tell appends the events of the changes, if there are any.
func (a *applier) tell(ctx context.Context, tx *store.Tx) error {
	changed := a.applied.changed()
	if changed == (event.Counts{}) {
		return nil
	}
	org := a.document.Organization
	a.events = append(a.events, event.Organization{ID: a.org, Slug: org.Slug}.Applied(changed))
	if a.zoneBefore != "" {
		moved := event.Organization{ID: a.org, Slug: org.Slug}.ZoneChanged(a.zoneBefore, org.Timezone)
		a.events = append(a.events, moved)
	}
	return tx.Append(ctx, a.events...)
}
