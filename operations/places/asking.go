package places

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/caller"
	"waybill/domain/place"
	"waybill/internal/wait"
	"waybill/operations/core"
	"waybill/providers/geocode"
	"waybill/store"
)

// Settings are how unknown addresses are found.
type Settings struct {
	// Geocoder is the provider to ask, nil for none.
	Geocoder *geocode.Client
	// Keep is how long its answers are kept, as its terms allow.
	Keep time.Duration
}

// UsualKeep is how long answers are kept if nothing else is set.
const UsualKeep = 30 * 24 * time.Hour

// Turn is what was done for the addresses of an organization, and what there is to do.
type Turn struct {
	// Found and Unknown count the answers, and Failed the requests without one.
	Found, Unknown, Failed int
	// Waiting is how many addresses there are to ask for.
	Waiting int
	// Fault is why there was no answer last, or empty.
	Fault string
	// OptedOut is true if the organization does not want to have its addresses sent.
	OptedOut bool
	// Next is when there is something to do again, or zero if nothing is left.
	Next time.Time
}

// Resting returns for how long the provider is left alone, 0 if it may be asked.
func (o *Operations) Resting() time.Duration {
	if o.settings.Geocoder == nil {
		return 0
	}
	return o.settings.Geocoder.Resting()
}

// settling is how long to wait for transactions that may have read an earlier register or pin.
const settling = time.Second

// briefly is how long a turn itself waits for a provider that rests.
const briefly = 500 * time.Millisecond

// askedBack is how far back the addresses of open orders are asked for.
const askedBack = 7 * 24 * time.Hour

// askedAtOnce is how many addresses are read at a time.
const askedAtOnce = 100

// askedNear is how far a provider's answer may be from where the address is known to be roughly.
const askedNear = 50_000 // meters

// Place does what there is to do for the addresses of an organization, for a while: it places
// orders again after a pin or a register has changed, and asks the provider for addresses that
// no register has. Each answer is saved by itself, so a worker that dies loses no more than one.
func (o *Operations) Place(ctx context.Context, c caller.Caller, patience time.Duration) (turn Turn, err error) {
	end := time.Now().Add(patience)
	work, err := o.store.PlaceWork(ctx, c.OrgID)
	if errors.Is(err, store.ErrNotFound) {
		return turn, nil
	}
	if err != nil {
		return turn, fmt.Errorf("place addresses: %w", err)
	}
	if suspended, err := o.store.IsSuspended(ctx, c.OrgID); err != nil || suspended {
		return Turn{Next: o.now().Add(core.SuspendedPause)}, err
	}
	left, err := o.placeAgain(ctx, c, work, end)
	if err != nil {
		return turn, fmt.Errorf("place addresses again: %w", err)
	}
	if err := o.ask(ctx, c, work.MayAsk, end, &turn); err != nil {
		return turn, fmt.Errorf("ask for addresses: %w", err)
	}
	if left {
		turn.Next = o.now().Add(settling)
	}
	done := work.Done
	if turn.Next.IsZero() {
		done = work.Wanted
	}
	return turn, o.store.SetPlaceWork(ctx, c.OrgID, done, turn.Waiting)
}

// placeAgain places what a changed pin or register concerns. It reports whether something is
// left, such as what a transaction under way may still write.
func (o *Operations) placeAgain(
	ctx context.Context, c caller.Caller, work store.PlaceWork, end time.Time,
) (left bool, err error) {
	err = o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
		left, err = t.PlaceMoved(ctx)
		return err
	})
	if err != nil || work.Register == "" {
		return left, err
	}
	if !work.IsSettled {
		return true, nil
	}
	after := work.PlacedOrder
	for more := true; more; {
		if time.Now().After(end) || ctx.Err() != nil {
			return true, ctx.Err()
		}
		err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
			after, err = t.PlaceOrdersAgain(ctx, work.Register, after)
			return err
		})
		if err != nil {
			return false, err
		}
		more = after != 0
	}
	if err := o.placeLocationsAgain(ctx, c); err != nil {
		return false, err
	}
	return left, o.store.SetRegisterApplied(ctx, c.OrgID, work.Register)
}

func (o *Operations) placeLocationsAgain(ctx context.Context, c caller.Caller) error {
	for last, more := int64(0), true; more; {
		err := o.store.InTx(ctx, c, func(t *store.Tx) (err error) {
			last, err = t.PlaceLocationsAgain(ctx, last)
			return err
		})
		if err != nil {
			return err
		}
		more = last != 0
	}
	return nil
}

// ask asks the provider for the addresses that nobody knows, as long as it answers.
func (o *Operations) ask(ctx context.Context, c caller.Caller, may bool, end time.Time, turn *Turn) error {
	if o.settings.Geocoder == nil {
		return nil
	}
	if !may {
		turn.OptedOut = true
		return nil
	}
	for {
		some, waiting, err := o.store.PlacesToAsk(ctx, c.OrgID, o.now().Add(-askedBack), askedAtOnce)
		turn.Waiting = waiting
		if err != nil || len(some) == 0 {
			return err
		}
		for i := range some {
			rests := o.settings.Geocoder.Resting()
			if rests > briefly || rests > 0 && !wait.For(ctx, rests) {
				turn.Next = o.now().Add(rests)
				return ctx.Err()
			}
			if time.Now().After(end) {
				turn.Next = o.now()
				return nil
			}
			if err := o.askFor(ctx, c, &some[i], turn); err != nil {
				return err
			}
		}
	}
}

// askFor asks for one address, and places it.
func (o *Operations) askFor(ctx context.Context, c caller.Caller, p *store.PlaceToAsk, turn *Turn) error {
	client, keep := o.settings.Geocoder, o.settings.Keep
	question, ok := place.NewQuestion(p.Address)
	var answer place.Answer
	isClaimed, err := o.store.ClaimPlace(ctx, c.OrgID, p.Key, client.Name(), keep)
	if err != nil || !isClaimed {
		return err
	}
	if ok {
		replies, err := client.Ask(ctx, &question)
		fault := geocode.FaultOf(err)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case fault != nil && fault.Kind != geocode.Rejected:
			turn.Failed, turn.Fault = turn.Failed+1, string(fault.Kind)
			return nil
		case err != nil && fault == nil:
			return err
		}
		answer = question.Judge(replies, p.Near, askedNear)
	}
	turn.Waiting--
	turn.Fault = ""
	if answer.Precision == 0 {
		turn.Unknown++
	} else {
		turn.Found++
	}
	return o.store.InTx(ctx, c, func(t *store.Tx) error { return t.SavePlaceAnswer(ctx, p, answer, keep) })
}
