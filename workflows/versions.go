package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"
)

// Runs begun by an earlier release continue under this one, and replay their
// histories with it. A change of what a workflow requests from the server (an
// additional or missing activity, timer, search attribute or end, or another
// sequence) must therefore be behind workflow.GetVersion once the workflow is
// in a release: existing runs keep the old behavior, new ones get the new.
//
// Each such fork is one named predicate here, which documents the change, its
// release, and when it can be removed. Nothing else calls workflow.GetVersion.
//
// The old behavior is tested by the histories of the releases that had it, see
// testdata/histories, or with OnGetVersion: the test environment always returns
// the newest version. Changes that are not in a history (other summaries and
// details, other timeouts, the length of a timer that stays above zero, a
// validator) need no fork.

// settlesCancelled: v0.2.0 records in the log that a message was cancelled. It
// can go when retention has taken the last run that v0.1.0 cancelled.
func settlesCancelled(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "settle-cancelled", workflow.DefaultVersion, 1) >= 1
}

// endsImports: the release after v0.2.0 records that an import failed or was
// cancelled. It can go when retention has taken the last import of v0.2.0.
func endsImports(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "end-imports", workflow.DefaultVersion, 1) >= 1
}

// showsImports: the release after v0.2.0 keeps in the search attributes how an
// import ended. It can go when retention has taken the last import of v0.2.0.
func showsImports(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "show-imports", workflow.DefaultVersion, 1) >= 1
}

// showsReasons: the release after v0.2.0 keeps in the search attributes why a message
// failed. It can go when retention has taken the last message of v0.2.0.
func showsReasons(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "show-reasons", workflow.DefaultVersion, 1) >= 1
}

// showsWaiting: the release after v0.2.0 shows that a message waits for its provider. It can
// go when retention has taken the last message of v0.2.0.
func showsWaiting(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "show-waiting", workflow.DefaultVersion, 1) >= 1
}

// putsNewsFirst: collects signals of a plan for no longer than half of the time
// that the last plan took, and improves a plan only after a rest. No release
// has plans yet, so this can be removed when the unreleased histories are
// recorded again.
func putsNewsFirst(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "news-first", workflow.DefaultVersion, 1) >= 1
}

// drawsWays: has the ways of a plan's routes drawn along streets after each commit, where a
// server of travel times can. No release has plans yet, so this can be removed when the
// unreleased histories are recorded again.
func drawsWays(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "draw-ways", workflow.DefaultVersion, 1) >= 1
}

// matchesDriven: has the positions of driven legs matched to streets. No release has days on the
// road yet, so this can be removed when the unreleased histories are recorded again.
func matchesDriven(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "match-driven", workflow.DefaultVersion, 1) >= 1
}

// sharesTurns: the release after v0.2.0 lets others have their turns between the
// batches of a generation. It can go when no run of v0.2.0 is left: keepsTurns
// ends them at their next look.
func sharesTurns(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "share-turns", workflow.DefaultVersion, 1) >= 1
}

// keepsTurns reports whether a run holds its turn during the whole generation
// and continues as a new run, which does not. Earlier rounds of such a run have
// no marker, so they replay unchanged; the first round under this release has
// one.
func keepsTurns(ctx workflow.Context, round int) bool {
	return !sharesTurns(ctx) &&
		workflow.GetVersion(ctx, fmt.Sprintf("end-kept-turns-%d", round), workflow.DefaultVersion, 1) >= 1
}
