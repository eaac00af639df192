package workflows_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/export"
	"waybill/workflows"
)

// exportBundle runs one export on skipped time. The order and its record are
// the test's, the rules are the real ones.
type exportBundle struct {
	env    *testsuite.TestWorkflowEnvironment
	window time.Duration

	mu         sync.Mutex
	record     export.Record
	order      export.Order
	considered []time.Time
	failures   int      // how many steps fail before one succeeds
	begun      []string // the steps that the workflow began, in order

	duringFirstLook func() // runs before the end of the first check
}

func setupExport(t *testing.T) *exportBundle {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	b := &exportBundle{
		window: 14 * day, order: export.Order{Carrier: "postnord", Fingerprint: []byte("a")}, duringFirstLook: func() {},
	}
	b.env = newEnvironment(&suite, &steps{begun: func(name string) { b.begun = append(b.begun, name) }})
	b.env.SetWorkflowRunTimeout(365 * 24 * time.Hour)
	workflows.Register(b.env)
	acts := &activities.Exports{}
	b.env.OnActivity(acts.ConsiderExport, mock.Anything, mock.Anything).Maybe().Return(
		func(context.Context, activities.ExportInput) (activities.ExportStatus, error) {
			status, err := b.consider()
			if len(b.considered) == 1 {
				b.duringFirstLook()
			}
			return status, err
		})
	b.env.OnActivity(acts.Acknowledge, mock.Anything, mock.Anything).Maybe().Return(
		func(_ context.Context, in activities.AcknowledgeInput) (activities.Acknowledged, error) {
			return b.acknowledge(in)
		})
	return b
}

func (b *exportBundle) facts() export.Facts {
	return export.Facts{Now: b.env.Now(), Window: b.window, Reexport: export.Reexport{On: true}}
}

func (b *exportBundle) status() activities.ExportStatus {
	r := b.record
	s := activities.ExportStatus{State: r.State, Reason: r.Reason, Used: r.Used, Left: r.Left(), Owed: r.Owed}
	s.IsUpdate = r.IsUpdate()
	if !r.ClosesAt.IsZero() {
		s.ClosesAt = &r.ClosesAt
	}
	return s
}

func (b *exportBundle) fail() bool {
	b.failures--
	return b.failures >= 0
}

func (b *exportBundle) consider() (activities.ExportStatus, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail() {
		return activities.ExportStatus{}, errors.New("connection refused")
	}
	b.considered = append(b.considered, b.env.Now())
	b.record = export.Consider(b.record, b.order, b.facts())
	return b.status(), nil
}

func (b *exportBundle) acknowledge(in activities.AcknowledgeInput) (activities.Acknowledged, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail() {
		return activities.Acknowledged{}, errors.New("connection refused")
	}
	status := export.StatusExported
	if in.AcknowledgementID >= 100 {
		status = export.StatusFailed
	}
	after, err := export.Acknowledge(b.record, export.Acknowledgement{
		Version: b.record.Version, Fingerprint: b.record.Fingerprint, Status: status,
	}, b.facts())
	b.record = after
	return activities.Acknowledged{Counted: err == nil, Number: after.Used, State: after.State, Status: b.status()}, nil
}

// change changes the order and signals the workflow.
func (b *exportBundle) change(payload string) {
	b.mu.Lock()
	b.order.Fingerprint = []byte(payload)
	b.mu.Unlock()
	b.env.SignalWorkflow(workflows.ExportChangedSignal, nil)
}

// updateAnswer is the result of an update of the workflow.
type updateAnswer struct {
	value activities.Acknowledged
	err   error
}

func (b *exportBundle) update(id int64) *updateAnswer {
	a := &updateAnswer{}
	b.env.UpdateWorkflow(workflows.AcknowledgeUpdate, "", &testsuite.TestUpdateCallback{
		OnAccept: func() {},
		OnReject: func(err error) { a.err = err },
		OnComplete: func(value any, err error) {
			a.err = err
			if err == nil {
				a.value = value.(activities.Acknowledged)
			}
		},
	}, id)
	return a
}

func (b *exportBundle) run() {
	b.env.ExecuteWorkflow(workflows.ExportOrder, workflows.ExportInput{OrgID: 1, OrderID: 3})
}

func (b *exportBundle) query(t *testing.T) workflows.ExportStatus {
	t.Helper()
	answer, err := b.env.QueryWorkflow(workflows.StatusQuery)
	require.NoError(t, err)
	var status workflows.ExportStatus
	require.NoError(t, answer.Get(&status))
	return status
}

func TestExportOrder(t *testing.T) {
	t.Parallel()

	t.Run("ClosesWhenTheWindowIsOver", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		start := b.env.Now()
		b.env.RegisterDelayedCallback(func() {
			require.Equal(t, export.Pending, b.query(t).State)
			b.update(1)
		}, 30*day)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, export.WindowOver, b.query(t).Reason)
		require.WithinDuration(t, start.Add(44*day), b.env.Now(), time.Second)
		require.Len(t, b.considered, 2, "it sleeps between")
	})

	t.Run("AnAnswerTellsThatItTookEffect", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		var answers []*updateAnswer
		for n := range 6 {
			b.env.RegisterDelayedCallback(func() {
				answers = append(answers, b.update(int64(100+n)))
			}, time.Duration(n+1)*time.Hour)
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, export.Spent, b.query(t).Reason)
		for n := range 5 {
			require.NoError(t, answers[n].err)
			require.True(t, answers[n].value.Counted)
			require.Equal(t, n+1, answers[n].value.Number)
		}
		require.Equal(t, export.Closed, answers[4].value.State)
	})

	t.Run("AChangeBringsItBackAndANewSuccessOpensANewWindow", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		start := b.env.Now()
		b.env.RegisterDelayedCallback(func() { b.update(1) }, day)
		b.env.RegisterDelayedCallback(func() { b.change("b") }, 10*day)
		b.env.RegisterDelayedCallback(func() {
			require.Equal(t, export.Pending, b.query(t).State)
			b.update(2)
		}, 20*day)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, export.WindowOver, b.query(t).Reason)
		require.Equal(t, 2, b.query(t).Used)
		require.WithinDuration(t, start.Add(34*day), b.env.Now(), time.Second)
	})

	t.Run("ManyChangesAtOnceAreOneLook", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.env.RegisterDelayedCallback(func() {
			for range 50 {
				b.change("b")
			}
		}, time.Hour)
		b.env.RegisterDelayedCallback(func() { b.update(1) }, 2*time.Hour)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.LessOrEqual(t, len(b.considered), 4)
		require.Equal(t, "b", string(b.record.DoneFingerprint))
	})

	t.Run("ItOutlastsADatabaseThatIsAway", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.failures = 25 // more than the short way tries
		b.env.RegisterDelayedCallback(func() { b.update(1) }, day)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, export.WindowOver, b.query(t).Reason)
	})

	t.Run("AnOrderThatIsNotSubjectEndsAtOnce", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.order.Carrier = ""
		start := b.env.Now()
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Empty(t, b.query(t).State)
		require.WithinDuration(t, start, b.env.Now(), time.Second)
	})

	t.Run("WhatLeftAndWasExportedAfterAllIsOfferedAgain", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.record = export.Record{State: export.Closed, Reason: export.Left, Version: 1, Fetched: 1, Fingerprint: []byte("a")}
		b.order = export.Order{Carrier: "postnord", Cancelled: true, Fingerprint: []byte("cancelled")}
		b.duringFirstLook = func() { b.update(1) } // which finds it closed
		b.env.RegisterDelayedCallback(func() {
			require.Equal(t, export.Pending, b.query(t).State)
			require.Len(t, b.considered, 2)
			b.update(2)
		}, day)
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, 2, b.query(t).Used)
	})

	t.Run("AnAcknowledgementWaitsForTheLookThatIsUnderWay", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		var meanwhile []string
		b.duringFirstLook = func() {
			b.update(1)
			taken := make(chan struct{})
			b.env.RegisterDelayedCallback(func() { close(taken) }, 0) // arrives after the workflow has accepted the update
			<-taken
			meanwhile = slices.Clone(b.begun)
		}
		b.run()
		require.NoError(t, b.env.GetWorkflowError())
		require.Equal(t, []string{"ConsiderExport"}, meanwhile)
		require.Equal(t, []string{"ConsiderExport", "Acknowledge"}, b.begun[:2])
		require.Equal(t, 1, b.query(t).Used)
	})

	t.Run("ALongLifeIsContinuedAnew", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		b.env.SetContinueAsNewSuggested(true)
		b.run()
		require.True(t, workflow.IsContinueAsNewError(b.env.GetWorkflowError()))
		require.Len(t, b.considered, 1, "what was asked for is done first")
	})

	t.Run("AnAcknowledgementWithoutANumberIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setupExport(t)
		var a *updateAnswer
		b.env.RegisterDelayedCallback(func() { a = b.update(0) }, time.Hour)
		b.env.RegisterDelayedCallback(func() { b.update(1) }, 2*time.Hour)
		b.run()
		require.Error(t, a.err)
		require.Equal(t, 1, b.query(t).Used)
	})
}
