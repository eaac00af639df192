package driving

import (
	"time"

	"waybill/domain/order"
	"waybill/domain/proof"
)

// DriverAction is a driver's action, as sent by the phone.
type DriverAction struct {
	ID       string // a UUID that the device chose
	DriverID int64
	DeviceID int64 // 0 without a device
	Deed     Deed
	StopID   int64 // 0 without a stop
	// Clock and Sent are by the device's clock, Received is by ours.
	Clock, Sent, Received time.Time
	Position              *Position
	Undoes                string
	Reason, Comment       string
	// Products are the delivered or missing quantities. Nothing is set when no goods were
	// delivered, or none exist: it is decided with the action.
	Products []Product
	Nothing  bool
	Scans    []Barcode
	Proof    *Proof
	// Pictures are those of a failure, by the SHA-256 of their bytes.
	Pictures  []string
	Exchanged []Exchanged
	// Pin is where the address of the stop is, of a ReportWrongPin.
	Pin *Position
	// Simulated marks an action of a simulated driver: its event follows the order's
	// events.
	Simulated bool
}

// Barcode is a barcode that a driver read.
type Barcode struct {
	Code      string `json:"code"`
	ProductID int64  `json:"productId,omitempty"`
}

// Proof is how a delivery was proved. Pictures are named by the SHA-256 of their
// bytes, which may come later.
type Proof struct {
	Contactless bool     `json:"contactless,omitempty"`
	Signee      string   `json:"signee,omitempty"`
	Comment     string   `json:"comment,omitempty"`
	Signature   string   `json:"signature,omitempty"` // SHA-256 in hex
	Pictures    []string `json:"pictures,omitempty"`
}

// ActionAnswer is the response to an action.
type ActionAnswer struct {
	Answer Answer
	Why    Effect
	// Repeated holds when the action had been answered before.
	Repeated bool
	// OrderID and Status are the order of its stop, where the driver has or had it.
	OrderID int64
	Status  order.Status
}

// Driven is an order with all its facts.
type Driven struct {
	order.Order
	History

	Kind order.StopKind
	// Had holds when the driver who speaks has the order, or had it.
	Had       bool
	CreatedAt time.Time
	Point     *[2]float64 // of the stop, latitude and longitude
	// Skew is the estimated skew of the driver's clock.
	Skew time.Duration
	// Goods are those of the order, where the action speaks of them.
	Goods Goods
	// Scans are those that were made at the stop.
	Scans []Barcode
	// Asked is what its driver must bring as proof.
	Asked Asked
	// Carriers are the names of the load carriers that the organization has of those
	// that are exchanged.
	Carriers map[int64]string
}

// ActionResult is the decision about an action.
type ActionResult struct {
	Effect   Effect
	Happened time.Time
	Skew     time.Duration
	Distance float64 // to the stop, in metres; NaN where it is not known
	Advance  Advance
	Fact     Fact // the order's new fact
	// Conflict is the exception to raise, or empty.
	Conflict ExceptionKind
}

// Asked is what drivers must bring at a stop, and since when each way is held to it,
// which is nil where nobody said it.
type Asked struct {
	InPerson    proof.Levels `json:"inPerson"`
	Contactless proof.Levels `json:"contactless"`
	Failure     proof.Levels `json:"failure"`
	Since       struct {
		InPerson    *time.Time `json:"inPerson"`
		Contactless *time.Time `json:"contactless"`
		Failure     *time.Time `json:"failure"`
	} `json:"since"`
}
