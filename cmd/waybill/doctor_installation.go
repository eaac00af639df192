package main

import (
	"context"
	"errors"
	"log/slog"

	"waybill/domain/installation"
	"waybill/operations/sealing"
	"waybill/workflows"
)

// checkCanary checks whether WAYBILL_SEALING_SECRET opens the installation's
// canary. It seals nothing: the first process of serve or work does that.
func (d *doctor) checkCanary(ctx context.Context) finding {
	o := newOperations(d.store, d.config, slog.New(slog.DiscardHandler), watches{})
	sealed, err := o.Sealing.Compare(ctx)
	var other *sealing.WrongSecretError
	switch {
	case errors.As(err, &other):
		return wrong("set WAYBILL_SEALING_SECRET to the same value as in the other processes; serve and work do not start with this one",
			"%s", err)
	case err != nil:
		return failed(err, "restore the sealing key from the backup of the database")
	case !sealed:
		return fine("nothing is sealed yet; the first process to start uses its secret")
	}
	return fine("WAYBILL_SEALING_SECRET opens the sealed data of this installation")
}

// checkNamespace checks whether the Temporal namespace belongs to the database.
// It claims nothing, and does not increase the installation's counter.
func (d *doctor) checkNamespace(ctx context.Context) finding {
	if d.store == nil {
		return finding{Status: checkSkipped, Meaning: "not checked: no database to compare with"}
	}
	here, err := d.store.Installation(ctx)
	if err != nil {
		return failed(err, "see the checks postgres and schema")
	}
	there, err := workflows.NamespaceClaim(ctx, d.temporal)
	if errors.Is(err, workflows.ErrUnclaimed) {
		return warning("run waybill migrate, or start serve or work: the first to run claims it",
			"namespace %s does not belong to a database yet", d.config.TemporalNamespace)
	}
	if err != nil {
		return failed(err, "check whether the Temporal server is running")
	}
	if err := installation.Compare(d.config.TemporalNamespace, here, there); err != nil {
		return wrong("correct DATABASE_URL or TEMPORAL_NAMESPACE. If this database should take over, stop every process of the "+
			"other one and run waybill adopt-namespace", "%s", err)
	}
	return fine("namespace %s belongs to this database (installation %s)", d.config.TemporalNamespace, here.ID)
}
