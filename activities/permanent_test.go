package activities_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

// brokenOperations answer everything with an error of the database.
type brokenOperations struct {
	activities.ExportOperations
	code string
}

func (b brokenOperations) ConsiderExport(context.Context, caller.Caller, int64) (export.Record, error) {
	return export.Record{}, fmt.Errorf("save: %w", &pgconn.PgError{Code: b.code, Message: `invalid input "Kari Nordmann"`})
}

func TestPermanentErrorsAreNotRetried(t *testing.T) {
	t.Parallel()
	for code, permanent := range map[string]bool{
		"22003": true, "22021": true, "54000": true,
		"23505": false, // a race perhaps, at the first attempt
		"40001": false, "57P01": false, "42P01": false,
	} {
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		exports := activities.NewExports(brokenOperations{code: code})
		env.RegisterActivity(exports)
		_, err := env.ExecuteActivity(exports.ConsiderExport, activities.ExportInput{OrgID: 1, OrderID: 1})
		var failed *temporal.ApplicationError
		require.True(t, errors.As(err, &failed), code)
		require.Equal(t, permanent, failed.NonRetryable(), code)
		if permanent {
			require.Equal(t, activities.ErrTypeRefusedData, failed.Type())
			require.NotContains(t, err.Error(), "Kari", "histories hold no texts")
		}
	}
}

// missingOperations fail every call because something is missing.
type missingOperations struct {
	activities.ExportOperations
	err error
}

func (m missingOperations) ConsiderExport(context.Context, caller.Caller, int64) (export.Record, error) {
	return export.Record{}, m.err
}

// A record that an operation reports as absent stays absent. An unexpectedly
// missing row may appear, or is a bug that the next release fixes.
func TestOnlyNamedRecordsAreAbsentPermanently(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		final bool
	}{
		"a thing by its id":  {&store.Absent{Resource: "order", ID: 7}, true},
		"a thing of a fault": {fault.Missing("order", "7"), true},
		"some row":           {fmt.Errorf("facts: %w", store.ErrNotFound), false},
	} {
		var suite testsuite.WorkflowTestSuite
		env := suite.NewTestActivityEnvironment()
		exports := activities.NewExports(missingOperations{err: c.err})
		env.RegisterActivity(exports)
		_, err := env.ExecuteActivity(exports.ConsiderExport, activities.ExportInput{OrgID: 1, OrderID: 7})
		var failed *temporal.ApplicationError
		require.True(t, errors.As(err, &failed), name)
		require.Equal(t, c.final, failed.NonRetryable(), name)
		require.Equal(t, c.final, failed.Type() == activities.ErrTypeNotFound, name)
	}
}
