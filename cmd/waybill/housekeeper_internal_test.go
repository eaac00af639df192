package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"waybill/domain/housekeeping"
)

func TestOverdueTemplatesAreShown(t *testing.T) {
	t.Parallel()
	shown := newOverdueTemplates(func(context.Context) (int64, error) { return 3, nil })
	require.NoError(t, testutil.CollectAndCompare(shown, strings.NewReader(`
		# HELP waybill_templates_overdue Recurring orders that are overdue for generating orders.
		# TYPE waybill_templates_overdue gauge
		waybill_templates_overdue 3
	`)))
	away := newOverdueTemplates(func(context.Context) (int64, error) { return 0, errors.New("away") })
	require.Zero(t, testutil.CollectAndCount(away))
}

func TestFailedWorkflowsAreCountedByKind(t *testing.T) {
	t.Parallel()
	shown := newFailedLives(func(context.Context) (map[housekeeping.Duty]int64, error) {
		return map[housekeeping.Duty]int64{housekeeping.LiveTemplates: 2, housekeeping.Log: 7}, nil
	})
	require.NoError(t, testutil.CollectAndCompare(shown, strings.NewReader(`
		# HELP waybill_lives_failed Workflows whose last run failed.
		# TYPE waybill_lives_failed gauge
		waybill_lives_failed{kind="drive"} 0
		waybill_lives_failed{kind="export"} 0
		waybill_lives_failed{kind="import"} 0
		waybill_lives_failed{kind="learning"} 0
		waybill_lives_failed{kind="message"} 0
		waybill_lives_failed{kind="places"} 0
		waybill_lives_failed{kind="plan"} 0
		waybill_lives_failed{kind="resending"} 0
		waybill_lives_failed{kind="simulation"} 0
		waybill_lives_failed{kind="template"} 2
		waybill_lives_failed{kind="webhook"} 0
	`)))
	away := newFailedLives(func(context.Context) (map[housekeeping.Duty]int64, error) { return nil, errors.New("away") })
	require.Zero(t, testutil.CollectAndCount(away))
}
