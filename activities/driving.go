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
	MatchDrive(ctx context.Context, c caller.Caller, of store.DriveDay) (drivingops.MatchedDrive, error)
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
	// ToMatch counts the driven legs whose positions are to be matched to streets.
	ToMatch int `json:"toMatch,omitempty"`
	// Simulated reports that the day is simulated, and so much faster than a real one.
	Simulated bool `json:"simulated,omitempty"`
}

// MatchOutcome is how far the driven legs of a day are matched to streets.
type MatchOutcome struct {
	// Matched counts the legs matched now, and Left those that are still to be matched.
	Matched int `json:"matched"`
	Left    int `json:"left,omitempty"`
	// Again is when a leg is matched again that the server of road data failed at; absent if
	// there is none.
	Again time.Time `json:"again,omitzero"`
	// Failure says why the server matched no more.
	Failure string `json:"failure,omitempty"`
}

// LookAtDrive checks a driver's day on the road, and does what is due.
func (a *Driving) LookAtDrive(ctx context.Context, in DriveInput) (DriveOutcome, error) {
	defer heartbeat(ctx)()
	day, err := in.day()
	if err != nil {
		return DriveOutcome{}, err
	}
	looked, err := a.operations.LookAtDrive(ctx, workflowOf(ctx, in.OrgID), day)
	return DriveOutcome(looked), permanent(ctx, err)
}

// MatchDrive matches positions of a driver's day to streets.
func (a *Driving) MatchDrive(ctx context.Context, in DriveInput) (MatchOutcome, error) {
	defer heartbeat(ctx)()
	day, err := in.day()
	if err != nil {
		return MatchOutcome{}, err
	}
	done, err := a.operations.MatchDrive(ctx, workflowOf(ctx, in.OrgID), day)
	return MatchOutcome(done), permanent(ctx, err)
}

func (in *DriveInput) day() (store.DriveDay, error) {
	day, err := time.Parse(time.DateOnly, in.Day)
	if err != nil {
		return store.DriveDay{}, temporal.NewNonRetryableApplicationError("cannot read the day", ErrTypeNotFound, err)
	}
	return store.DriveDay{DriverID: in.DriverID, Day: day}, nil
}
