package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"waybill/domain/housekeeping"
	"waybill/domain/installation"
)

// claimMemo is the key of the claim in the memo.
const claimMemo = "claim"

// ErrUnclaimed is returned for a namespace that no database has claimed yet.
var ErrUnclaimed = errors.New("the namespace does not belong to an installation yet")

// ClaimNamespace returns the claim on the namespace: that of the first database
// to claim it, even if several do so at the same time. The claim is stored in a
// paused Schedule, which every client that may run workflows can create, and
// which lasts as long as the namespace.
func ClaimNamespace(ctx context.Context, c client.Client, claim installation.Claim) (installation.Claim, error) {
	found, err := NamespaceClaim(ctx, c)
	if !errors.Is(err, ErrUnclaimed) {
		return found, err
	}
	_, err = c.ScheduleClient().Create(ctx, client.ScheduleOptions{
		ID: InstallationSchedule, Paused: true, Note: noteOf(claim), Action: claimAction(claim),
	})
	if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return NamespaceClaim(ctx, c)
	}
	return claim, outOfReach(err)
}

// NamespaceClaim returns the claim on the namespace, or ErrUnclaimed.
func NamespaceClaim(ctx context.Context, c client.Client) (installation.Claim, error) {
	found, err := c.ScheduleClient().GetHandle(ctx, InstallationSchedule).Describe(ctx)
	var unknown *serviceerror.NotFound
	if errors.As(err, &unknown) {
		return installation.Claim{}, ErrUnclaimed
	}
	if err != nil {
		return installation.Claim{}, outOfReach(err)
	}
	return claimOf(found.Schedule.Action)
}

// RenewClaim replaces a claim.
func RenewClaim(ctx context.Context, c client.Client, claim installation.Claim) error {
	handle := c.ScheduleClient().GetHandle(ctx, InstallationSchedule)
	return outOfReach(handle.Update(ctx, client.ScheduleUpdateOptions{
		DoUpdate: func(present client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
			schedule := present.Description.Schedule
			schedule.Action = claimAction(claim)
			schedule.State = &client.ScheduleState{Paused: true, Note: noteOf(claim)}
			return &client.ScheduleUpdate{Schedule: &schedule}, nil
		},
	}))
}

// noteOf explains the schedule to operators who find it.
func noteOf(claim installation.Claim) string {
	return fmt.Sprintf("This namespace belongs to installation %s, made on %s. It stays paused: it starts nothing, "+
		"and no other database works here.", claim.ID, claim.MadeAt.UTC().Format(time.DateOnly))
}

// claimAction stores the claim in its memo. Triggering it runs housekeeping,
// which does no harm.
func claimAction(claim installation.Claim) *client.ScheduleWorkflowAction {
	return &client.ScheduleWorkflowAction{
		ID: HousekeepingSchedule, Workflow: HousekeepingType, TaskQueue: string(HousekeepingQueue),
		Args: []any{HousekeepingInput{Duties: housekeeping.Duties()}}, Memo: map[string]any{claimMemo: claim},
		StaticSummary: "the installation that the namespace belongs to",
	}
}

func claimOf(action client.ScheduleAction) (claim installation.Claim, err error) {
	carried, ok := action.(*client.ScheduleWorkflowAction)
	if !ok {
		return claim, fmt.Errorf("schedule %s was not created by Waybill", InstallationSchedule)
	}
	payload, ok := carried.Memo[claimMemo].(*commonpb.Payload)
	if !ok {
		return claim, fmt.Errorf("schedule %s names no installation", InstallationSchedule)
	}
	if err := converter.GetDefaultDataConverter().FromPayload(payload, &claim); err != nil {
		return claim, fmt.Errorf("read the schedule %s: %w", InstallationSchedule, err)
	}
	return claim, nil
}
