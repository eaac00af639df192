package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/temporal"

	"waybill/domain/caller"
	"waybill/domain/driving"
	drivingops "waybill/operations/driving"
	"waybill/store"
)

// DrivingOperations are the operations that days on the road need.
type DrivingOperations interface {
	LookAtDrive(ctx context.Context, c caller.Caller, of store.DriveDay) (drivingops.LookedAtDrive, error)
}

// Driving are the activities of the workflow DriveDay.
type Driving struct {
	operations DrivingOperations
}

// NewDriving returns the activities of days on the road.
func NewDriving(o DrivingOperations) *Driving { return &Driving{operations: o} }

// DriveInput names a driver's day on the road.
type DriveInput struct {
	OrgID    int64 `json:"orgId"`
	DriverID int64 `json:"driverId"`
	// Day is by the organization's calendar, as 2006-01-02.
	Day string `json:"day"`
}

// DriveOutcome is the state of a driver's day on the road.
type DriveOutcome struct {
	State driving.DayState `json:"state"`
	// Done and Stops count the stops, and Late those that will be late.
	Done  int `json:"done"`
	Stops int `json:"stops"`
	Late  int `json:"late,omitempty"`
	// Next is the order of the next stop, and NextAt when service begins there.
	Next   string    `json:"next,omitempty"`
	NextAt time.Time `json:"nextAt,omitzero"`
	// Heard is when the driver last reported anything.
	Heard time.Time `json:"heard,omitzero"`
	// Told counts the stops announced just now.
	Told int `json:"told,omitempty"`
	// Wake is when to check again if nothing happens. It is absent once the day
	// is over.
	Wake time.Time `json:"wake,omitzero"`
	// Simulated reports that the day is simulated, and so much faster than a real one.
	Simulated bool `json:"simulated,omitempty"`
}

// LookAtDrive checks a driver's day on the road, and does what is due.
func (a *Driving) LookAtDrive(ctx context.Context, in DriveInput) (DriveOutcome, error) {
	defer heartbeat(ctx)()
	day, err := time.Parse(time.DateOnly, in.Day)
	if err != nil {
		return DriveOutcome{}, temporal.NewNonRetryableApplicationError("cannot read the day", ErrTypeNotFound, err)
	}
	looked, err := a.operations.LookAtDrive(ctx, workflowOf(ctx, in.OrgID), store.DriveDay{DriverID: in.DriverID, Day: day})
	return DriveOutcome(looked), permanent(ctx, err)
}
