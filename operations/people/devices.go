package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/credential"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/store"
)

// Enrolment is a code that enrolls a driver's phone, once.
type Enrolment struct {
	Code    credential.Secret
	Expires time.Time
}

// BeginEnrolment makes a code that a driver's phone is shown, and ends those
// from before.
func (o *Operations) BeginEnrolment(ctx context.Context, c caller.Caller, driver int64) (e Enrolment, err error) {
	owner := store.SessionOwner{DriverID: driver}
	err = o.store.InTx(ctx, c, func(t *store.Tx) error {
		d, err := t.LockDriver(ctx, driver)
		if err != nil {
			return err
		}
		if !d.IsActive {
			return fault.Illegal("driver.inactive", "driver", fmt.Sprint(driver))
		}
		if err := t.EndAccountCodes(ctx, owner, o.now()); err != nil {
			return err
		}
		e.Expires = o.now().Add(account.EnrolmentLifetime)
		e.Code, err = o.newCode(ctx, t, owner, store.EnrolmentCode, account.EnrolmentLifetime)
		return err
	})
	return e, err
}

// Enrol connects a phone with the code that its driver was shown.
func (o *Operations) Enrol(ctx context.Context, code, name, cause string) (*OpenedSession, error) {
	found, err := o.findCode(ctx, code, store.EnrolmentCode)
	if err != nil {
		return nil, err
	}
	return o.connect(ctx, found, name, cause)
}

// connect uses a code up and connects a phone as the device of its driver.
func (o *Operations) connect(ctx context.Context, code store.AccountCode, name, cause string) (device *OpenedSession, err error) {
	now := o.now()
	err = o.store.InTx(ctx, ofDevice(code.OrgID, cause), func(t *store.Tx) error {
		if err := t.UseAccountCode(ctx, code, now); errors.Is(err, store.ErrNotFound) {
			return codeUnusable()
		} else if err != nil {
			return err
		}
		device, err = o.openSession(ctx, t, store.NewSession{
			SessionOwner: store.SessionOwner{DriverID: code.DriverID}, Kind: store.DeviceSession, Name: fault.Clip(name),
			ExpiresAt: now.Add(account.DeviceLifetime), Idle: account.DeviceIdle,
		}, credential.Device)
		if err != nil {
			return err
		}
		return t.Append(ctx, event.Driver{ID: code.DriverID}.Device(event.DeviceEnrolled, device.ID))
	})
	return device, err
}
