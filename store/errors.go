package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"waybill/domain/fault"
)

// ErrNotFound reports that a requested row does not exist. It does not name the record:
// see Absent.
var ErrNotFound = errors.New("not found")

// Absent reports that the object with a requested id does not exist. It is an
// ErrNotFound, and a retry doesn't help. A row that is missing unexpectedly is
// an ErrNotFound, but never an Absent.
type Absent struct {
	Resource string
	ID       int64
}

// Error names the resource.
func (a *Absent) Error() string { return fmt.Sprintf("%s %d: not found", a.Resource, a.ID) }

// Is reports whether target is ErrNotFound.
func (a *Absent) Is(target error) bool { return target == ErrNotFound }

// translate converts the driver's errors: a missing row becomes ErrNotFound, and an
// unreachable database, or a statement that was aborted but can be retried, becomes
// a fault of kind Unavailable. All others stay unchanged.
func translate(err error) error {
	var broken *pgconn.ConnectError
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case errors.As(err, &refused) && tookTooLong(refused.Code):
		return &fault.Error{Kind: fault.Unavailable, Text: fault.Say("service.timeout"), Cause: err}
	case errors.As(err, &broken), errors.As(err, &refused) && unavailable(refused.Code), lost(err), brokenOff(err):
		return &fault.Error{Kind: fault.Unavailable, Text: fault.Say("service.unavailable"), Cause: err}
	}
	return err
}

// uniques maps the constraints on names that callers choose to the contract's
// name of the resource.
var uniques = map[string]string{
	"custom_field_definitions_external_id_key": "custom_field",
	"drivers_external_id_key":                  "driver",
	"locations_external_id_key":                "location",
	"locations_anonymous_key":                  "location",
}

// taken turns a conflict of unique names into a Duplicate fault. It returns
// every other error unchanged.
func taken(name string, err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return err
	}
	resource, known := uniques[refused.ConstraintName]
	if !known {
		return err
	}
	return &fault.Error{
		Kind: fault.Duplicate, Text: fault.Say(resource+".exists", "name", name), Resource: resource, Name: name,
	}
}

// breaks reports whether a statement was refused by a constraint.
func breaks(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.ConstraintName == constraint
}

// tookTooLong reports whether an SQLSTATE means that a statement timed out or
// was canceled, that it waited too long for a lock, or that its transaction was
// idle too long.
func tookTooLong(code string) bool { return code == "57014" || code == "55P03" || code == "25P03" }

// unavailable reports whether an SQLSTATE means that the server is shutting
// down, starting or full, and not that the statement is wrong.
func unavailable(code string) bool {
	switch code[:2] {
	case "08", "53", "57":
		return true
	}
	return false
}

// lost reports whether the connection broke while in use. The result of the
// statement is unknown then.
func lost(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var refused *pgconn.PgError
	var broken *net.OpError
	if errors.As(err, &refused) {
		return false
	}
	return pgconn.SafeToRetry(err) || errors.As(err, &broken) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// endedByServer reports whether the server had closed a connection because it
// was shut down or restarted. The statement was not executed.
func endedByServer(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "57P01" || refused.Code == "57P02")
}

// brokenOff reports whether the database gave up a transaction that can
// succeed when it runs again: a deadlock or a serialization failure.
func brokenOff(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "40P01" || refused.Code == "40001") || numberMade(err)
}

// numberMade reports whether a transaction made a number that another one had made since
// it looked. It may run again.
func numberMade(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" && refused.ConstraintName == "order_numbers_pkey"
}

// RefusedData reports whether the database refused the data itself: a value
// that it cannot represent (SQLSTATE class 22), a violated constraint (23), or
// an exceeded limit (54). The same data would be refused again. Code is the
// SQLSTATE.
func RefusedData(err error) (code string, refused bool) {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return "", false
	}
	switch answer.Code[:2] {
	case "22", "23", "54":
		return answer.Code, true
	}
	return "", false
}

// absent converts a missing row to a fault that names the record, and
// leaves every other error unchanged.
func absent(resource string, name any, err error) error {
	err = translate(err)
	if errors.Is(err, ErrNotFound) {
		return fault.Missing(resource, fmt.Sprint(name))
	}
	return err
}

// missing turns the absence of a row into an Absent. It returns every other
// error unchanged.
func missing(resource string, id int64, err error) error {
	err = translate(err)
	if errors.Is(err, ErrNotFound) {
		return &Absent{Resource: resource, ID: id}
	}
	return err
}

// Overtaken reports whether another transaction wrote or referred to the same
// record at the same time, so that a retry makes sense.
func Overtaken(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Code {
	case "23505", "23503": // unique, foreign key
		return true
	}
	return brokenOff(err)
}
