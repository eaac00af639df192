package workflows

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/housekeeping"
)

// The house is kept this often, at this time of the hour.
const (
	houseEvery  = time.Hour
	houseOffset = 17 * time.Minute
)

// ScheduleHousekeeping creates the schedule of housekeeping, with the duties of
// this release, or updates the present one. It keeps an operator's pause.
func ScheduleHousekeeping(ctx context.Context, c client.Client) error {
	options := houseOptions()
	_, err := c.ScheduleClient().Create(ctx, options)
	if !errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return outOfReach(err)
	}
	handle := c.ScheduleClient().GetHandle(ctx, HousekeepingSchedule)
	return outOfReach(handle.Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(present client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			schedule := present.Description.Schedule
			schedule.Spec, schedule.Action = &options.Spec, options.Action
			return &client.ScheduleUpdate{Schedule: &schedule}, nil
		},
	}))
}

func houseOptions() client.ScheduleOptions {
	return client.ScheduleOptions{
		ID:      HousekeepingSchedule,
		Spec:    client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: houseEvery, Offset: houseOffset}}},
		Overlap: enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		Action: &client.ScheduleWorkflowAction{
			ID: HousekeepingSchedule, Workflow: HousekeepingType, TaskQueue: string(HousekeepingQueue),
			Args:          []any{HousekeepingInput{Duties: housekeeping.Duties()}},
			StaticSummary: "housekeeping for all organizations",
		},
	}
}

// KeepHouseNow triggers housekeeping immediately, in addition to its schedule.
// It creates a missing schedule.
func KeepHouseNow(ctx context.Context, c client.Client) error {
	if err := ScheduleHousekeeping(ctx, c); err != nil {
		return err
	}
	return outOfReach(c.ScheduleClient().GetHandle(ctx, HousekeepingSchedule).Trigger(ctx, client.ScheduleTriggerOptions{}))
}
