package housekeeping

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/installation"
)

// turnEvery is how often an installation that is at work counts on.
const turnEvery = 10 * time.Minute

// Installation returns which installation the database is of. It counts on where that is due,
// so that an earlier state of the database can be told from this one.
func (o *Operations) Installation(ctx context.Context) (installation.Identity, error) {
	if err := o.store.TakeTurn(ctx, o.now().Add(-turnEvery)); err != nil {
		return installation.Identity{}, fmt.Errorf("update the installation's turn: %w", err)
	}
	here, err := o.store.Installation(ctx)
	if err != nil {
		return installation.Identity{}, fmt.Errorf("read the installation: %w", err)
	}
	return here, nil
}
