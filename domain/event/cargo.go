package event

// The kinds that load carriers write.
const (
	CargoCarrierCreated Kind = "cargo_carrier.created"
	CargoCarrierUpdated Kind = "cargo_carrier.updated"
	// CargoCarrierMoved records that a party received or returned load
	// carriers. It is about the order with which that happened, if any.
	CargoCarrierMoved Kind = "cargo_carrier.moved"
)

// OfCargoCarrier is a kind of load carrier, such as a pallet.
const OfCargoCarrier SubjectType = "cargo_carrier"

var (
	ofCargoCarrier = []SubjectType{OfCargoCarrier}
	ofCargoMove    = []SubjectType{OfCargoCarrier, OfOrder}
)

// CargoCarrier creates the events of a kind of load carrier.
type CargoCarrier struct {
	ID   int64
	Code string
}

// Event returns an event of the carrier.
func (c CargoCarrier) Event(kind Kind) Event { return about(OfCargoCarrier, c.ID, c.Code, kind) }

// CargoMove is a movement of load carriers, as its event names it.
type CargoMove struct {
	Carrier  string `json:"carrier"`
	Account  int64  `json:"account"`
	Movement int64  `json:"movement"`
	Quantity int32  `json:"quantity"`
	Reverses int64  `json:"reverses,omitempty"`

	CarrierID int64 `json:"-"`
	OrderID   int64 `json:"-"` // 0 for none
}

// Event returns an event of the movement.
func (m CargoMove) Event(kind Kind) Event {
	e := about(OfCargoCarrier, m.CarrierID, m.Carrier, kind)
	if m.OrderID != 0 {
		e = about(OfOrder, m.OrderID, "", kind)
	}
	e.Data = m
	return e
}
