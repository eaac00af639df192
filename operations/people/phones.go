package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"waybill/domain/account"
	"waybill/domain/caller"
	"waybill/domain/event"
	"waybill/domain/fault"
	"waybill/domain/notification"
	"waybill/operations/sealing"
	"waybill/store"
)

// SendEnrolment sends a link to a driver's phone that enrolls it. Earlier codes
// end when it is sent.
func (o *Operations) SendEnrolment(ctx context.Context, c caller.Caller, driver int64) error {
	return o.store.InTx(ctx, c, func(t *store.Tx) error {
		d, err := t.LockDriver(ctx, driver)
		if err != nil {
			return err
		}
		switch {
		case !d.IsActive:
			return fault.Illegal("driver.inactive", "driver", fmt.Sprint(driver))
		case d.PhoneNumber == "":
			return fault.Illegal("driver.no_phone", "driver", fmt.Sprint(driver))
		}
		return t.Append(ctx, event.Driver{ID: driver}.Event(event.DriverLinkRequested))
	})
}

// EnrolmentOf is the owner of a code, before it is used.
type EnrolmentOf struct{ Driver, Organization string }

// CheckEnrolment returns the owner of the phone that a code enrolls, without
// using the code.
func (o *Operations) CheckEnrolment(ctx context.Context, code string) (EnrolmentOf, error) {
	found, err := o.findCode(ctx, code, store.EnrolmentCode)
	if err != nil {
		return EnrolmentOf{}, err
	}
	driver, err := o.store.Driver(ctx, found.OrgID, found.DriverID)
	if err != nil {
		return EnrolmentOf{}, err
	}
	name, err := o.store.OrganizationName(ctx, found.OrgID)
	return EnrolmentOf{Driver: driver.Name, Organization: name}, err
}

// pendingPhone is a phone that has yet to return the code of a text message.
// Driver is 0 if nobody has the number.
type pendingPhone struct {
	Org, Driver    int64
	Request        string
	Slug, Receiver string
}

func phoneSubject(slug, number string) string { return "phone\x00" + slug + "\x00" + number }

// RequestPhoneCode sends a code to the phone of the driver with a number, and
// returns the secret with which to return it. It does not reveal whether there
// is such a driver.
func (o *Operations) RequestPhoneCode(ctx context.Context, a *Attempt, number string) (pending string, err error) {
	slug := strings.ToLower(strings.TrimSpace(a.Organization))
	org, country, err := o.countryOf(ctx, slug)
	if err != nil {
		return "", err
	}
	receiver, _ := notification.NormalizeNumber(number, country)
	if err := o.admitTry(ctx, phoneSubject(slug, receiver), a.Address); err != nil {
		return "", err
	}
	driver, err := o.store.DriverByPhone(ctx, org, receiver)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "", err
	}
	about := pendingPhone{Request: rand.Text()}
	if driver != 0 { // otherwise an anonymous caller's text may be unstorable
		about.Org, about.Driver, about.Slug, about.Receiver = org, driver, slug, receiver
	}
	if pending, err = o.challenge(ctx, phoneCode, about); err != nil {
		return "", err
	}
	return pending, o.store.InTx(ctx, ofDevice(org, a.Cause), func(t *store.Tx) error {
		if driver == 0 {
			return t.EndAccountCodes(ctx, store.SessionOwner{DriverID: -1}, o.now()) // takes as long
		}
		return t.Append(ctx, event.Driver{ID: driver}.CodeRequested(about.Request))
	})
}

// countryOf returns an organization and the country whose numbers it means.
func (o *Operations) countryOf(ctx context.Context, slug string) (org int64, country string, err error) {
	org, err = o.store.OrganizationID(ctx, slug)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, "", err
	}
	country, zone, err := o.store.OrganizationCountry(ctx, org)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, "", err
	}
	return org, notification.Country(country, zone), nil
}

// ofDevice is the phone being enrolled, as the caller of the operation.
func ofDevice(org int64, cause string) caller.Caller {
	return caller.Caller{OrgID: org, Kind: caller.Device, Roles: []caller.Role{caller.Driver}, Cause: cause}
}

// EnrolByPhone connects a phone with the code of a text message. Whatever is
// wrong, the answer is the same.
func (o *Operations) EnrolByPhone(ctx context.Context, a *Attempt, pending, code, name string) (*OpenedSession, error) {
	var about pendingPhone
	switch ok, err := o.met(ctx, phoneCode, pending, &about); {
	case err != nil:
		return nil, err
	case !ok || about.Driver == 0:
		return nil, codeFailed()
	}
	found, err := o.store.FindAccountCode(ctx, about.Request)
	if errors.Is(err, store.ErrNotFound) {
		return nil, codeFailed() // it is not sent yet
	}
	if err != nil {
		return nil, err
	}
	hash, err := o.phoneHash(ctx, o.store, about.Request, strings.Join(strings.Fields(code), ""))
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(hash, found.Hash) != 1 || found.Purpose != store.PhoneCode ||
		found.UsedAt != nil || !o.now().Before(found.ExpiresAt) {
		return nil, codeFailed()
	}
	device, err := o.connect(ctx, found, name, a.Cause)
	if fault.KindOf(err) == fault.NotFound {
		return nil, codeFailed()
	}
	if err != nil {
		return nil, err
	}
	return device, errors.Join(o.store.EndChallenge(ctx, pending),
		o.forgiveTries(ctx, phoneSubject(about.Slug, about.Receiver), a.Address))
}

// phoneHash is the stored hash of a code.
func (o *Operations) phoneHash(ctx context.Context, from sealing.KeyReader, request, code string) ([]byte, error) {
	return o.sealer.Hash(ctx, from, request+"\x00"+code)
}

// newPhoneCode creates the code of a request, replacing the one before.
func (o *Operations) newPhoneCode(ctx context.Context, t *store.Tx, driver int64, request string) (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
	if err != nil {
		return "", fmt.Errorf("generate a code: %w", err)
	}
	code := fmt.Sprintf("%08d", n)
	hash, err := o.phoneHash(ctx, t, request, code)
	if err != nil {
		return "", err
	}
	now := o.now()
	return code, t.PutPhoneCode(ctx, driver, request, hash, now, now.Add(account.PhoneCodeLifetime))
}
