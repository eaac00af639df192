package sealing

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// canary is the known word that an installation seals first.
const canary = "waybill"

// WrongSecretError means that this process has another secret than the installation.
type WrongSecretError struct {
	// Since is when the installation began to seal with its secret.
	Since time.Time
	// Unset is true if the process has no secret.
	Unset bool
}

// Error explains what to do.
func (e *WrongSecretError) Error() string {
	what := "is not the secret of this installation"
	if e.Unset {
		what = "is not set, but this installation has a secret"
	}
	return fmt.Sprintf("WAYBILL_SEALING_SECRET %s (since %s): set the previous value. "+
		"To change it, put the other secret in WAYBILL_SEALING_ALSO_OPENS and run \"waybill secrets reseal\"",
		what, e.Since.UTC().Format("2 January 2006"))
}

// Check returns a *WrongSecretError if this process can't open the
// installation's canary. The first process seals the canary with its own
// secret.
func (s *Sealer) Check(ctx context.Context) error { return s.check(ctx, s.store) }

func (s *Sealer) check(ctx context.Context, from KeyReader) error {
	if s.right.Load() {
		return nil
	}
	sealed, by, err := s.openCanary(ctx, from)
	if err != nil {
		return err
	}
	if sealed != nil && (by != "" || s.settings.Secret == "") {
		s.right.Store(true)
		return nil
	}
	// Nobody has sealed it yet, or the installation had no secret so far.
	fresh, err := s.sealWith(ctx, from, s.settings.Secret, []byte(canary))
	if err != nil {
		return err
	}
	ours, err := from.PutCanary(ctx, fresh, sealed)
	if err != nil {
		return fmt.Errorf("save the sealed canary: %w", err)
	}
	if !ours { // another process was first: its secret counts
		return s.check(ctx, from)
	}
	return nil // a transaction may roll back its write, so the next one checks again
}

// openCanary returns the installation's sealed canary, or nil, and the secret
// of this process that opens it.
func (s *Sealer) openCanary(ctx context.Context, from KeyReader) (sealed []byte, by string, err error) {
	sealed, since, err := from.Canary(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("read the sealed canary: %w", err)
	}
	if sealed == nil {
		return nil, "", nil
	}
	_, by, err = s.openWith(ctx, from, sealed)
	if errors.Is(err, ErrSealed) {
		return nil, "", &WrongSecretError{Since: *since, Unset: s.settings.Secret == ""}
	}
	return sealed, by, err
}

// Compare is a read-only Check. It reports whether the installation has sealed
// its canary.
func (s *Sealer) Compare(ctx context.Context) (sealed bool, err error) {
	found, _, err := s.openCanary(ctx, s.store)
	return found != nil, err
}
