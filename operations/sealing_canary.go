package operations

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// canary is the known word that is sealed when an installation first seals.
const canary = "waybill"

// WrongSealingSecretError means that this process has another secret than the installation.
type WrongSealingSecretError struct {
	// Since is when the installation began to seal with its secret.
	Since time.Time
	// Unset says that the process has none.
	Unset bool
}

// Error says what to do.
func (e *WrongSealingSecretError) Error() string {
	what := "is not the secret of this installation"
	if e.Unset {
		what = "is not set, but this installation has a secret"
	}
	return fmt.Sprintf("WAYBILL_SEALING_SECRET %s (since %s): set the previous value. "+
		"To change it, put the other secret in WAYBILL_SEALING_ALSO_OPENS and run \"waybill secrets reseal\"",
		what, e.Since.UTC().Format("2 January 2006"))
}

// CheckSealing returns a *WrongSealingSecretError when this process could not open what the
// installation has sealed. The first process seals the canary with its own secret.
func (o *Operations) CheckSealing(ctx context.Context) error { return o.checkSealing(ctx, o.store) }

func (o *Operations) checkSealing(ctx context.Context, from keyReader) error {
	if o.sealsRight.Load() {
		return nil
	}
	sealed, by, err := o.openCanary(ctx, from)
	if err != nil {
		return err
	}
	if sealed != nil && (by != "" || o.settings.SealingSecret == "") {
		o.sealsRight.Store(true)
		return nil
	}
	// Nobody has sealed it yet, or the installation had no secret so far.
	fresh, err := o.sealWith(ctx, from, o.settings.SealingSecret, []byte(canary))
	if err != nil {
		return err
	}
	ours, err := from.PutCanary(ctx, fresh, sealed)
	if err != nil {
		return fmt.Errorf("save the sealed canary: %w", err)
	}
	if !ours { // another process was first: its secret counts
		return o.checkSealing(ctx, from)
	}
	return nil // what a transaction has written may be undone, so the next one looks again
}

// openCanary returns what the installation has sealed, nil when it is nothing yet, and the
// secret of this process that opens it.
func (o *Operations) openCanary(ctx context.Context, from keyReader) (sealed []byte, by string, err error) {
	sealed, since, err := from.Canary(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("read the sealed canary: %w", err)
	}
	if sealed == nil {
		return nil, "", nil
	}
	_, by, err = o.unsealWith(ctx, from, sealed)
	if errors.Is(err, errSealed) {
		return nil, "", &WrongSealingSecretError{Since: *since, Unset: o.settings.SealingSecret == ""}
	}
	return sealed, by, err
}

// CompareSealing is CheckSealing for those who only look: it seals nothing. It reports whether
// the installation has sealed its canary.
func (o *Operations) CompareSealing(ctx context.Context) (sealed bool, err error) {
	found, _, err := o.openCanary(ctx, o.store)
	return found != nil, err
}
