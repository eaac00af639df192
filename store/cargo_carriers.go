package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"waybill/domain/fault"
	"waybill/store/queries"
)

// MaxCargoCarriers is how many load carriers of an organization are listed.
const MaxCargoCarriers = 1000

// CargoCarrier is a kind of load carrier, such as a pallet.
type CargoCarrier = queries.CargoCarriersRow

// CargoCarriers returns the load carriers of an organization, by code.
func (s *Store) CargoCarriers(ctx context.Context, org int64) ([]CargoCarrier, error) {
	rows, err := s.of(org).CargoCarriers(ctx, queries.CargoCarriersParams{OrgID: org, Most: MaxCargoCarriers})
	return rows, translate(err)
}

// SaveCargoCarrier creates or updates a load carrier by its code, and returns its
// id and whether it is new.
func (t *Tx) SaveCargoCarrier(ctx context.Context, c *CargoCarrier) (id int64, isNew bool, err error) {
	row, err := t.q.PutCargoCarrier(ctx, queries.PutCargoCarrierParams{
		OrgID: t.org, Code: c.Code, Name: c.Name, UnitValue: c.UnitValue, IsActive: c.IsActive,
	})
	return row.ID, row.IsNew, err
}

// CargoMove is a movement of load carriers to record. Either CustomerID or
// LocationID is set; other zero fields are absent.
type CargoMove struct {
	CarrierID, CustomerID, LocationID, OrderID, DriverID int64

	// Quantity is positive for received load carriers, and negative for returned ones.
	Quantity        int32
	OccurredAt      time.Time
	Signee, Comment string
}

// CargoMovement is a recorded movement; Balance is the party's balance after it.
type CargoMovement = queries.CargoMovementsRow

// CargoMoved is a movement with the carrier that it is of.
type CargoMoved struct {
	CargoMovement

	CarrierID int64
	Code      string
}

// SaveCargoMove records a movement. Its references must exist, and the load carrier
// must be active.
func (t *Tx) SaveCargoMove(ctx context.Context, m *CargoMove) (CargoMoved, error) {
	carrier, err := t.q.CargoCarrierInUse(ctx, queries.CargoCarrierInUseParams{OrgID: t.org, ID: m.CarrierID})
	if err != nil {
		return CargoMoved{}, absent("cargo_carrier", m.CarrierID, err)
	}
	err = t.checkNamed(ctx, queries.PartyOfMovementParams{
		CustomerID: m.CustomerID, LocationID: m.LocationID, OrderID: m.OrderID, DriverID: m.DriverID,
	})
	if err != nil {
		return CargoMoved{}, err
	}
	account, balance, err := t.openCargoAccount(ctx, m)
	if err != nil {
		return CargoMoved{}, fmt.Errorf("account: %w", err)
	}
	return t.addCargoMovement(ctx, CargoMoved{CarrierID: carrier.ID, Code: carrier.Code, CargoMovement: CargoMovement{
		AccountID: account, Quantity: m.Quantity, Balance: balance, OccurredAt: m.OccurredAt,
		OrderID: m.OrderID, DriverID: m.DriverID, Signee: m.Signee, Comment: m.Comment,
	}})
}

// checkNamed rejects unknown references; 0 means none.
func (t *Tx) checkNamed(ctx context.Context, m queries.PartyOfMovementParams) error {
	m.OrgID = t.org
	found, err := t.q.PartyOfMovement(ctx, m)
	switch {
	case err != nil:
		return err
	case !found.Customer:
		return fault.Missing("customer", fmt.Sprint(m.CustomerID))
	case !found.Location:
		return fault.Missing("location", fmt.Sprint(m.LocationID))
	case !found.HasOrder:
		return fault.Missing("order", fmt.Sprint(m.OrderID))
	case !found.Driver:
		return fault.Missing("driver", fmt.Sprint(m.DriverID))
	}
	return nil
}

func (t *Tx) openCargoAccount(ctx context.Context, m *CargoMove) (id, balance int64, err error) {
	if m.CustomerID != 0 {
		row, err := t.q.OpenCustomerAccount(ctx, queries.OpenCustomerAccountParams{
			OrgID: t.org, CargoCarrierID: m.CarrierID, CustomerID: &m.CustomerID, Quantity: int64(m.Quantity),
		})
		return row.ID, row.Balance, err
	}
	row, err := t.q.OpenLocationAccount(ctx, queries.OpenLocationAccountParams{
		OrgID: t.org, CargoCarrierID: m.CarrierID, LocationID: &m.LocationID, Quantity: int64(m.Quantity),
	})
	return row.ID, row.Balance, err
}

func (t *Tx) addCargoMovement(ctx context.Context, m CargoMoved) (CargoMoved, error) {
	row, err := t.q.AddCargoMovement(ctx, queries.AddCargoMovementParams{
		OrgID: t.org, AccountID: m.AccountID, Quantity: m.Quantity, Balance: m.Balance, OccurredAt: m.OccurredAt,
		OrderID: m.OrderID, DriverID: m.DriverID, Signee: m.Signee, Comment: m.Comment, Reverses: m.Reverses,
	})
	m.ID, m.CreatedAt = row.ID, row.CreatedAt
	return m, err
}

// SaveCargoReversal reverses a movement with an opposite one. Reversals, and
// reversed movements, can't be reversed.
func (t *Tx) SaveCargoReversal(ctx context.Context, id int64, at time.Time, comment string) (CargoMoved, error) {
	found, err := t.q.CargoMovement(ctx, queries.CargoMovementParams{OrgID: t.org, ID: id})
	if err != nil {
		return CargoMoved{}, absent("cargo_carrier_movement", id, err)
	}
	reversed, err := t.q.IsCargoMovementReversed(ctx, queries.IsCargoMovementReversedParams{OrgID: t.org, ID: id})
	switch {
	case err != nil:
		return CargoMoved{}, err
	case reversed:
		return CargoMoved{}, fault.Illegal("cargo_carrier.reversed", "cargo_carrier_movement", fmt.Sprint(id))
	case found.Reverses != 0:
		return CargoMoved{}, fault.Illegal("cargo_carrier.is_reversal", "cargo_carrier_movement", fmt.Sprint(id))
	}
	balance, err := t.q.AddToCargoAccount(ctx, queries.AddToCargoAccountParams{
		OrgID: t.org, ID: found.AccountID, Quantity: -int64(found.Quantity),
	})
	if err != nil {
		return CargoMoved{}, err
	}
	return t.addCargoMovement(ctx, CargoMoved{
		CarrierID: found.CargoCarrierID, Code: found.Code,
		CargoMovement: CargoMovement{
			AccountID: found.AccountID, Quantity: -found.Quantity, Balance: balance, OccurredAt: at,
			OrderID: found.OrderID, Comment: comment, Reverses: id,
		},
	})
}

// CargoAccount is a party's balance of a load carrier.
type CargoAccount = queries.CargoAccountsRow

// CargoAccounts returns accounts after an id, and whether there are more. A
// customer or location limits them.
func (s *Store) CargoAccounts(
	ctx context.Context, org int64, customer, location *int64, after int64, atMost int32,
) (accounts []CargoAccount, more bool, err error) {
	accounts, err = s.searches(org).CargoAccounts(ctx, queries.CargoAccountsParams{
		OrgID: org, CustomerID: customer, LocationID: location, After: after, PageSize: atMost + 1,
	})
	if len(accounts) > int(atMost) {
		accounts, more = accounts[:atMost], true
	}
	return accounts, more, translate(err)
}

// CargoMovementQuery selects movements of an account before one, by time; nil
// means unbounded.
type CargoMovementQuery struct {
	Account  int64
	From, To *time.Time
	Before   int64
	AtMost   int32
}

// CargoMovements returns an account with its movements, newest first, and
// whether there are more.
func (s *Store) CargoMovements(
	ctx context.Context, org int64, q CargoMovementQuery,
) (account CargoAccount, movements []CargoMovement, more bool, err error) {
	found, err := s.of(org).CargoAccounts(ctx, queries.CargoAccountsParams{OrgID: org, ID: &q.Account, PageSize: 1})
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return account, nil, false, absent("cargo_carrier_account", q.Account, err)
	}
	if q.Before == 0 {
		q.Before = math.MaxInt64
	}
	movements, err = s.of(org).CargoMovements(ctx, queries.CargoMovementsParams{
		OrgID: org, AccountID: q.Account, Before: q.Before, FromTime: q.From, ToTime: q.To, PageSize: q.AtMost + 1,
	})
	if len(movements) > int(q.AtMost) {
		movements, more = movements[:q.AtMost], true
	}
	return found[0], movements, more, translate(err)
}
