package activities_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"waybill/activities"
	"waybill/domain/caller"
	"waybill/domain/order"
	"waybill/store"
)

// imports are operations with results that a test sets.
type imports struct {
	outcomes map[order.Kind]int
	err      error
	by       caller.Caller
}

func (i *imports) ImportChunk(_ context.Context, c caller.Caller, _ int64, _ int) (map[order.Kind]int, error) {
	i.by = c
	return i.outcomes, i.err
}

func (i *imports) EndImport(context.Context, caller.Caller, int64, order.ImportEnd) error {
	return i.err
}

func (i *imports) RegisterLocations(context.Context, caller.Caller, int64, int) error { return i.err }

func TestImports(t *testing.T) {
	t.Parallel()

	t.Run("CountsWhatBecameOfAChunk", func(t *testing.T) {
		t.Parallel()
		asked := &imports{outcomes: map[order.Kind]int{
			order.OrderCreated: 1, order.OrderUpdated: 2, order.OrderMerged: 3, order.DraftCreated: 4, order.FailedUpdate: 5,
		}}
		env := newEnvironment(asked)
		value, err := env.ExecuteActivity((&activities.Imports{}).ImportChunk, activities.ChunkInput{OrgID: 1, ImportID: 7})
		require.NoError(t, err)
		var counted activities.Outcomes
		require.NoError(t, value.Get(&counted))
		require.Equal(t, activities.Outcomes{Created: 1, Updated: 2, Merged: 3, Drafts: 4, Failed: 5}, counted)
		require.Equal(t, int64(1), asked.by.OrgID)
		require.Equal(t, "system", asked.by.Actor())
		require.NotEmpty(t, asked.by.Cause, "the workflow is the cause")
	})

	t.Run("WhatIsNotThereIsNotAskedForAgain", func(t *testing.T) {
		t.Parallel()
		env := newEnvironment(&imports{err: fmt.Errorf("chunk 3: %w", &store.Absent{Resource: "import", ID: 7})})
		in := activities.RegisterInput{OrgID: 1, ImportID: 7, Chunks: 4}
		_, err := env.ExecuteActivity((&activities.Imports{}).RegisterLocations, in)
		var refused *temporal.ApplicationError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, activities.ErrTypeNotFound, refused.Type())
		require.True(t, refused.NonRetryable())
	})
}

func newEnvironment(i *imports) *testsuite.TestActivityEnvironment {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(activities.NewImports(i))
	return env
}
