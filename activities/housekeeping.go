package activities

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/temporal"
)

// Duty is something that is done now and then for all organizations.
type Duty string

// The duties.
const (
	// DutyPositions forgets where drivers were.
	DutyPositions Duty = "positions"
)

// Duties are all duties, in the order in which they have their turns.
func Duties() []Duty { return []Duty{DutyPositions} }

// Words says what a duty is about.
func (d Duty) Words() string {
	if d == DutyPositions {
		return "positions of drivers older than 30 days"
	}
	return string(d)
}

// HousekeepingOperations are what housekeeping needs of the operations.
type HousekeepingOperations interface {
	ForgetPositions(ctx context.Context) (gone int, left bool, err error)
}

// Housekeeping are the activities of the workflow Housekeeping.
type Housekeeping struct {
	operations HousekeepingOperations
}

// NewHousekeeping makes the activities of housekeeping.
func NewHousekeeping(o HousekeepingOperations) *Housekeeping { return &Housekeeping{operations: o} }

// HouseInput names a duty.
type HouseInput struct {
	Duty Duty `json:"duty"`
}

// HouseBatch is what a batch of a duty came to; Left says that there is more to do.
type HouseBatch struct {
	Gone int  `json:"gone"`
	Left bool `json:"left,omitempty"`
}

// KeepHouse carries out a batch of a duty. One that this release does not know is
// left to those that do.
func (a *Housekeeping) KeepHouse(ctx context.Context, in HouseInput) (batch HouseBatch, err error) {
	defer heartbeat(ctx)()
	switch in.Duty {
	case DutyPositions:
		batch.Gone, batch.Left, err = a.operations.ForgetPositions(ctx)
	default:
		return batch, temporal.NewApplicationError(fmt.Sprintf("there is no duty %q here", in.Duty), errTypeUnknownDuty)
	}
	return batch, permanent(ctx, err)
}

// errTypeUnknownDuty is the type of the error of a worker that is too old for a duty.
const errTypeUnknownDuty = "UnknownDuty"
