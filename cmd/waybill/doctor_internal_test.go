package main

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/store"
)

// A check that hangs, even if it ignores its context, delays only those that
// depend on it.
func TestHangingCheckDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	hangs := func(context.Context) finding { <-never; return fine("late") }
	panics := func(context.Context) finding { panic("s3cret") }
	answers := func(context.Context) finding { return fine("here") }
	found := runChecks(t.Context(), 200*time.Millisecond, []doctorCheck{
		{name: "needing", needs: "hanging", run: answers},
		{name: "hanging", docs: "somewhere.md", run: hangs},
		{name: "panicking", run: panics},
		{name: "answering", run: answers},
		{name: "behind", needs: "needing", run: answers},
	}, (&doctor{config: config{SealingSecret: "s3cret"}}).withoutSecrets)
	var statuses []checkStatus
	for _, f := range found {
		statuses = append(statuses, f.Status)
	}
	require.Equal(t, []checkStatus{checkSkipped, checkFails, checkFails, checkOK, checkSkipped}, statuses)
	require.Contains(t, found[1].Meaning, "no answer within 200ms")
	require.Equal(t, "somewhere.md", found[1].Docs)
	require.NotContains(t, found[2].Meaning, "s3cret")

	report := newReport(time.Now(), found)
	require.EqualError(t, report.failure(), "2 of 5 checks failed")
	var out bytes.Buffer
	report.print(&out)
	require.NotContains(t, out.String(), "\x1b", "colors are for terminals")
	require.Contains(t, out.String(), "5 checks: 1 ok, 0 warn, 2 fail, 2 skipped.")
	require.NoError(t, newReport(time.Now(), []finding{warning("wait", "slow")}).failure(), "a warning does not fail")
}

func TestQueuesAreJudgedByTheirWaits(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for want, found := range map[checkStatus][]finding{
		checkOK: {
			judgeClock(-time.Second), judgeLag(store.Lag{Oldest: time.Second, Behind: map[string]int64{"exports": 9}}),
			judgeLeader(store.RelayStanding{Leader: "a", Members: 1}), judgeMessages(store.Health{}, now),
			judgeMessages(store.Health{MessagesWaiting: 3, OldestMessage: now.Add(-time.Minute)}, now),
			judgeParked(store.Health{}, now), judgeWebhooks(store.Health{}, now),
		},
		checkWarns: {
			judgeClock(3 * time.Second), judgeLag(store.Lag{Behind: map[string]int64{"exports": 1000}}),
			judgeLag(store.Lag{Oldest: 10 * time.Second}), judgeLeader(store.RelayStanding{Leader: "a", FreeShards: 2}),
			judgeMessages(store.Health{MessagesWaiting: 1, OldestMessage: now.Add(-20 * time.Minute)}, now),
			judgeParked(store.Health{EventsParked: 1, LastParked: now.Add(-2 * time.Hour)}, now),
			judgeWebhooks(store.Health{EndpointsResting: 1}, now),
			refusedBy("it", "IT", &providers.Fault{Failure: notification.Rejected, Code: "404"}),
		},
		checkFails: {
			judgeClock(-time.Minute), judgeLag(store.Lag{Oldest: 2 * time.Minute}), judgeLeader(store.RelayStanding{}),
			judgeMessages(store.Health{MessagesWaiting: 1, OldestMessage: now.Add(-2 * time.Hour)}, now),
			judgeParked(store.Health{EventsParked: 1, LastParked: now.Add(-time.Minute)}, now),
			refusedBy("it", "IT", &providers.Fault{Failure: notification.CredentialsRefused, Code: "535", Answer: "user ola"}),
			refusedBy("it", "IT", errors.New("no route")),
		},
	} {
		for _, f := range found {
			require.Equal(t, want, f.Status, f.Meaning)
			require.Equal(t, want == checkOK, f.Next == "", f.Meaning)
			require.NotContains(t, f.Meaning, "ola", "a provider's words may name an account")
		}
	}
}

// The error of a request to an SMS provider names the account.
func TestFindingsNameNoAccount(t *testing.T) {
	t.Parallel()
	err := &url.Error{Op: "Get", URL: "https://api.example/Accounts/AC123", Err: errors.New("connection refused")}
	f := refusedBy("the SMS provider", "IT", &providers.Fault{Failure: notification.Unavailable, Cause: err})
	require.Contains(t, f.Meaning, "connection refused")
	require.NotContains(t, f.Meaning, "AC123")
}

func TestSharesAreBounded(t *testing.T) {
	t.Parallel()
	got := shares([]store.Caused{
		{OrgID: 1, Slug: "a", Kind: "order.created", Events: 2, Bytes: 20},
		{OrgID: 2, Slug: "b", Kind: "order.created", Events: 5},
		{OrgID: 1, Slug: "a", Kind: "order.planned", Events: 4, Bytes: 40},
		{OrgID: 3, Slug: "c", Events: 1},
		{OrgID: 4, Slug: "d", Events: 1},
	}, 2)
	require.Equal(t, []organizationShare{
		{slug: "a", events: 6, bytes: 60, kind: "order.planned", kindEvents: 4},
		{slug: "b", events: 5, kind: "order.created", kindEvents: 5},
		{slug: others, events: 2},
	}, got)
	require.Len(t, shares(nil, 2), 0)
}

func TestOperatorsNamesAreClean(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Kåre O. Berg-2@x", cleanOperator(" Kåre O. Berg-2@x\n'/"))
	require.Len(t, []rune(cleanOperator(string(bytes.Repeat([]byte("x"), 200)))), longestOperator)
}
