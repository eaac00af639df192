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
)

// brokenOperations answer everything with an error of the database.
type brokenOperations struct {
	activities.ExportOperations
	code string
}

func (b brokenOperations) ConsiderExport(context.Context, caller.Caller, int64) (export.Record, error) {
	return export.Record{}, fmt.Errorf("save: %w", &pgconn.PgError{Code: b.code, Message: `invalid input "Kari Nordmann"`})
}

func TestWhatNoRetryMendsIsNotRetried(t *testing.T) {
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
