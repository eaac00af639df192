package workflows

import "go.temporal.io/sdk/workflow"

// Runs that an earlier release began are continued by this one, and replay
// their histories with it. A change of what a workflow asks of the server (an
// activity, timer, search attribute or end more or fewer, or in another order)
// is therefore made behind workflow.GetVersion, once a release has that
// workflow: runs of before go the old way, new ones the new.
//
// Each such fork is one named predicate here, which says what changed, in which
// release, and when it can go. Nothing else calls workflow.GetVersion.
//
// The old way is tested by the histories of the releases that had it, see
// testdata/histories, or with OnGetVersion: the test environment always answers
// the newest version. What no history can tell (other summaries and details,
// other timeouts, the length of a timer that stays above zero, a validator)
// needs no fork.

// settlesCancelled: v0.2.0 records in the log that a message was cancelled. It
// can go when retention has taken the last run that v0.1.0 cancelled.
func settlesCancelled(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "settle-cancelled", workflow.DefaultVersion, 1) >= 1
}

// endsImports: the release after v0.2.0 notes that an import failed or was
// cancelled. It can go when retention has taken the last import of v0.2.0.
func endsImports(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "end-imports", workflow.DefaultVersion, 1) >= 1
}

// showsImports: the release after v0.2.0 keeps in the search attributes how an
// import ended. It can go when retention has taken the last import of v0.2.0.
func showsImports(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, "show-imports", workflow.DefaultVersion, 1) >= 1
}
