package store

import (
	"context"
	"fmt"
	"time"

	"waybill/domain/event"
	"waybill/domain/order"
	"waybill/domain/place"
	"waybill/store/columns"
	"waybill/store/queries"
)

// knownAnswer is the answer of a provider.
type knownAnswer struct {
	place.Answer
	provider string
}

// answersOf returns where providers have addresses.
func (t *Tx) answersOf(ctx context.Context, keys []place.Key, has bool) (map[place.Key]knownAnswer, error) {
	if !has {
		return nil, nil
	}
	rows, err := t.q.FindPlaceAnswers(ctx, queries.FindPlaceAnswersParams{
		OrgID: t.org, Keys: columns.Of(keys, func(k place.Key) []byte { return k[:] }),
	})
	if err != nil {
		return nil, fmt.Errorf("find answers: %w", err)
	}
	answers := make(map[place.Key]knownAnswer, len(rows))
	for _, r := range rows {
		at := place.Position{Latitude: r.Latitude, Longitude: r.Longitude}
		answers[place.Key(r.Key)] = knownAnswer{place.Answer{Precision: place.ReadPrecision(r.Precision), At: at}, r.Provider}
	}
	return answers, nil
}

// WantPlaces records that there is something to do for the addresses of an organization: a pin, a
// register or a location has changed, or some of the orders have an address to ask a provider
// for. It reports whether that is so.
func (s *Store) WantPlaces(ctx context.Context, org int64, orders []int64, changed bool) (bool, error) {
	if changed {
		return true, translate(s.of(org).WantPlaces(ctx, org))
	}
	n, err := s.of(org).WantUnknownPlaces(ctx, queries.WantUnknownPlacesParams{OrgID: org, OrderIds: orders})
	return n > 0, translate(err)
}

// PlaceWork is what there is to do for the addresses of an organization.
type PlaceWork = queries.PlaceWorkRow

// PlaceWork returns what there is to do, ErrNotFound without such an organization.
func (s *Store) PlaceWork(ctx context.Context, org int64) (PlaceWork, error) {
	work, err := s.of(org).PlaceWork(ctx, org)
	return work, translate(err)
}

// SetPlaceWork records how much of the work is done, and how many addresses wait for an answer.
func (s *Store) SetPlaceWork(ctx context.Context, org, done int64, waiting int) error {
	return translate(s.of(org).SetPlaceWork(ctx,
		queries.SetPlaceWorkParams{OrgID: org, Done: done, Waiting: int64(waiting)}))
}

// SetRegisterApplied records that the orders are placed by a register, unless it has changed
// again.
func (s *Store) SetRegisterApplied(ctx context.Context, org int64, register string) error {
	return translate(s.of(org).SetRegisterApplied(ctx,
		queries.SetRegisterAppliedParams{OrgID: org, Register: register}))
}

// NoteMove records that the pin of an address was moved. Transactions under way may not see it,
// so the address is placed again when they have ended.
func (t *Tx) NoteMove(ctx context.Context, key place.Key) error {
	if err := t.q.NoteMove(ctx, queries.NoteMoveParams{OrgID: t.org, Key: key[:]}); err != nil {
		return err
	}
	if err := t.q.WantPlaces(ctx, t.org); err != nil {
		return err
	}
	return t.Append(ctx, event.Organization{ID: t.org}.PlacesChanged())
}

// mostMoved is how many moved pins are placed again at a time.
const mostMoved = 100

// PlaceMoved places the addresses of moved pins again, once nobody reads the earlier ones. It
// reports whether some remain.
func (t *Tx) PlaceMoved(ctx context.Context) (left bool, err error) {
	rows, err := t.q.MovedPlaces(ctx, queries.MovedPlacesParams{OrgID: t.org, Most: mostMoved})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	forget := queries.ForgetMovesParams{OrgID: t.org}
	var addresses []place.Address
	for _, r := range rows {
		if !r.IsSettled {
			left = true
			continue
		}
		columns.Add(&forget.Keys, r.Key)
		columns.Add(&forget.Xids, r.Xid)
		address, err := t.AddressOfPlace(ctx, place.Key(r.Key))
		if err == nil {
			addresses = append(addresses, address)
		}
	}
	if len(forget.Keys) == 0 {
		return left, nil
	}
	if err := t.placeAgain(ctx, addresses, false); err != nil {
		return false, err
	}
	return left || len(rows) == mostMoved, t.q.ForgetMoves(ctx, forget)
}

// placeAgain looks addresses up and writes where they are, on request only where the position is
// not good so far.
func (t *Tx) placeAgain(ctx context.Context, addresses []place.Address, unsureOnly bool) error {
	known, err := t.PlacesOf(ctx, addresses)
	if err != nil {
		return err
	}
	all := make(map[place.Key]*order.Position, len(known))
	for _, p := range known {
		if p.Key != (place.Key{}) {
			all[p.Key] = p.Position()
		}
	}
	_, err = t.savePlaced(ctx, all, unsureOnly)
	return err
}

// placedAtOnce is how many orders are placed in one transaction.
const placedAtOnce = 500

// PlaceOrdersAgain places the next open orders without a good position, after a register has
// changed. It returns the last one, 0 if there are no more.
func (t *Tx) PlaceOrdersAgain(ctx context.Context, register string, after int64) (last int64, err error) {
	rows, err := t.q.StopsToPlaceAgain(ctx,
		queries.StopsToPlaceAgainParams{OrgID: t.org, AfterOrder: after, Most: placedAtOnce})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	unnamed := queries.NameUnplacedStopsParams{OrgID: t.org}
	var addresses []place.Address
	for i := range rows {
		r := &rows[i]
		a := place.Address{
			Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, City: r.City, Country: r.Country,
		}
		addresses = append(addresses, a)
		read := place.Read(a, "")
		if p := (order.Placed{Key: read.Key()}).Position(); r.IsNew && p != nil {
			columns.Add(&unnamed.Ids, r.ID)
			columns.Add(&unnamed.Positions, positionText(p))
		}
	}
	if len(unnamed.Ids) > 0 {
		if err := t.q.NameUnplacedStops(ctx, unnamed); err != nil {
			return 0, err
		}
	}
	if err := t.placeAgain(ctx, addresses, true); err != nil {
		return 0, err
	}
	last = rows[len(rows)-1].OrderID
	return last, t.q.SetPlacedOrder(ctx, queries.SetPlacedOrderParams{OrgID: t.org, PlacedOrder: last, Register: register})
}

// PlaceLocationsAgain places all locations without a good position.
func (t *Tx) PlaceLocationsAgain(ctx context.Context, after int64) (last int64, err error) {
	ids, err := t.q.LocationsToPlaceAgain(ctx,
		queries.LocationsToPlaceAgainParams{OrgID: t.org, AfterLocation: after, Most: placedAtOnce})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[len(ids)-1], t.PlaceLocations(ctx, ids, nil)
}

// PlaceToAsk is an address that no register has.
type PlaceToAsk struct {
	Key     place.Key
	Address place.Address
	// Near is where the address is roughly, nil if nobody knows.
	Near *place.Position
}

// PlacesToAsk returns the next addresses to ask a provider for, of orders since a day and of
// locations, and how many there are.
func (s *Store) PlacesToAsk(
	ctx context.Context, org int64, since time.Time, most int32,
) (all []PlaceToAsk, waiting int, err error) {
	rows, err := s.of(org).PlacesToAsk(ctx, queries.PlacesToAskParams{OrgID: org, Since: since, Most: most})
	if err != nil {
		return nil, 0, translate(err)
	}
	for i := range rows {
		r := &rows[i]
		key, ok := place.ParseKey(r.Place)
		if !ok {
			continue
		}
		p := PlaceToAsk{Key: key, Address: place.Address{
			Address1: r.Address1, Address2: r.Address2, PostalCode: r.PostalCode, City: r.City, Country: r.Country,
		}}
		if r.Precision != order.NoPrecision {
			p.Near = &place.Position{Latitude: r.Latitude, Longitude: r.Longitude}
		}
		all, waiting = append(all, p), int(r.Waiting)
	}
	return all, waiting, nil
}

// ClaimPlace records that a provider is about to be asked for an address. It returns false if its
// answer is known by now.
func (s *Store) ClaimPlace(
	ctx context.Context, org int64, key place.Key, provider string, keep time.Duration,
) (bool, error) {
	n, err := s.of(org).ClaimPlace(ctx,
		queries.ClaimPlaceParams{OrgID: org, Key: key[:], Provider: provider, KeepSeconds: keep.Seconds()})
	return n > 0, translate(err)
}

// SavePlaceAnswer keeps the answer of a provider for a while, and places the address by it.
func (t *Tx) SavePlaceAnswer(ctx context.Context, p *PlaceToAsk, a place.Answer, keep time.Duration) error {
	err := t.q.SavePlaceAnswer(ctx, queries.SavePlaceAnswerParams{
		OrgID: t.org, Key: p.Key[:], KeepSeconds: keep.Seconds(), Precision: a.Precision.String(),
		Latitude: a.At.Latitude, Longitude: a.At.Longitude,
	})
	if err != nil || a.Precision == 0 {
		return err
	}
	return t.placeAgain(ctx, []place.Address{p.Address}, true)
}

// PlacesWaiting returns how many addresses of all organizations wait for an answer.
func (s *Store) PlacesWaiting(ctx context.Context) (int64, error) {
	n, err := s.anyone().PlacesWaiting(ctx)
	return n, translate(err)
}
