package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"waybill/activities"
	"waybill/domain/order"
)

// imports names the activities for the compiler; it stays nil.
var imports *activities.Imports

// parallelChunks is how many chunks of one import are worked on at a time:
// enough to keep two cores and a database busy, and few enough that one import
// leaves room for others.
const parallelChunks = 4

// ImportInput identifies an import: the claim check of a request whose
// entries are stored in the database.
type ImportInput struct {
	OrgID    int64 `json:"orgId"`
	ImportID int64 `json:"importId"`
	Entries  int   `json:"entries"`
	Chunks   int   `json:"chunks"`
	// InOrder makes chunks wait for one another, for imports whose orders may be
	// merged with each other.
	InOrder bool `json:"inOrder"`
}

// ImportStatus is the answer to the status query.
type ImportStatus struct {
	State      string `json:"state"` // RUNNING or COMPLETED
	Entries    int    `json:"entries"`
	Chunks     int    `json:"chunks"`
	ChunksDone int    `json:"chunksDone"`
	activities.Outcomes
}

// ImportOrders turns the entries of one request into orders and drafts, chunk
// by chunk. It stores one result per entry in the database. It ends when all
// chunks are done, however long that takes: it never abandons a chunk that it
// began. Its result counts the entries by outcome.
func ImportOrders(ctx workflow.Context, in ImportInput) (activities.Outcomes, error) {
	i := &importRun{in: in}
	if err := i.listen(ctx); err != nil {
		return i.outcomes, err
	}
	err := i.run(ctx)
	if err != nil && endsImports(ctx) {
		i.end(ctx, err)
	}
	if shown := i.show(ctx, err); err == nil {
		err = shown
	}
	return i.outcomes, err
}

// The states by which operators find imports. A small import has none unless it
// fails: it ends within milliseconds, and its caller would wait for each of
// them.
const (
	importRunning   = "running"
	importCompleted = "completed"
	importFailed    = "failed"
)

// show keeps how the import ended, for searches.
func (i *importRun) show(ctx workflow.Context, failure error) error {
	state := importCompleted
	if failure != nil {
		state = importFailed
	}
	if i.in.Chunks == 1 && failure == nil || !showsImports(ctx) {
		return nil
	}
	return workflow.UpsertTypedSearchAttributes(ctx, searchState.ValueSet(state))
}

// end records that the import did not complete, and how. It waits for the
// database. If even this fails, housekeeping records it.
func (i *importRun) end(ctx workflow.Context, failure error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	in := activities.EndInput{OrgID: i.in.OrgID, ImportID: i.in.ImportID, As: order.ImportFailed}
	if temporal.IsCanceledError(failure) {
		in.As = order.ImportCancelled
	}
	err := workflow.ExecuteActivity(patient(ctx, "note how the import ended"), imports.EndImport, in).Get(ctx, nil)
	if err != nil {
		workflow.GetLogger(ctx).Error("cannot record end of import", "error", err)
	}
}

type importRun struct {
	in       ImportInput
	done     int
	outcomes activities.Outcomes
}

func (i *importRun) listen(ctx workflow.Context) error {
	return workflow.SetQueryHandler(ctx, StatusQuery, func() (ImportStatus, error) {
		status := ImportStatus{
			State: "RUNNING", Entries: i.in.Entries, Chunks: i.in.Chunks, ChunksDone: i.done, Outcomes: i.outcomes,
		}
		if i.done == i.in.Chunks {
			status.State = "COMPLETED"
		}
		return status, nil
	})
}

func (i *importRun) run(ctx workflow.Context) error {
	if i.in.Chunks == 1 {
		return i.small(ctx)
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("Registering the locations of **%d orders**.", i.in.Entries))
	register := activities.RegisterInput{OrgID: i.in.OrgID, ImportID: i.in.ImportID, Chunks: i.in.Chunks}
	registering := workflow.ExecuteActivity(patient(ctx, "register new locations"), imports.RegisterLocations, register)
	if err := registering.Get(ctx, nil); err != nil {
		return err
	}
	return i.chunks(ctx)
}

// small imports a single chunk with quick options, because a caller is waiting.
// If that fails, it continues with patient ones.
func (i *importRun) small(ctx workflow.Context) error {
	in := activities.ChunkInput{OrgID: i.in.OrgID, ImportID: i.in.ImportID}
	var outcomes activities.Outcomes
	err := quickThenPatient(ctx, i.chunkSummary(0), imports.ImportChunk, in, &outcomes, func(err error) error {
		tellDelay(ctx, "import", err)
		return nil
	})
	return i.finished(ctx, outcomes, err)
}

// chunks runs all chunks, several at a time.
func (i *importRun) chunks(ctx workflow.Context) error {
	atOnce := parallelChunks
	if i.in.InOrder {
		atOnce = 1
	}
	slots := workflow.NewSemaphore(ctx, int64(atOnce))
	group := workflow.NewWaitGroup(ctx)
	var failure error
	for chunk := range i.in.Chunks {
		if err := slots.Acquire(ctx, 1); err != nil {
			return err
		}
		if failure != nil {
			break
		}
		group.Add(1)
		workflow.Go(ctx, func(ctx workflow.Context) {
			defer group.Done()
			defer slots.Release(1)
			if err := i.chunk(ctx, chunk); err != nil && failure == nil {
				failure = err
			}
		})
	}
	group.Wait(ctx)
	return failure
}

func (i *importRun) chunk(ctx workflow.Context, chunk int) error {
	in := activities.ChunkInput{OrgID: i.in.OrgID, ImportID: i.in.ImportID, Chunk: chunk}
	var outcomes activities.Outcomes
	err := workflow.ExecuteActivity(patient(ctx, i.chunkSummary(chunk)), imports.ImportChunk, in).Get(ctx, &outcomes)
	return i.finished(ctx, outcomes, err)
}

// finished counts a chunk and shows the story so far.
func (i *importRun) finished(ctx workflow.Context, outcomes activities.Outcomes, err error) error {
	if err != nil {
		return err
	}
	i.done++
	i.outcomes.Created += outcomes.Created
	i.outcomes.Updated += outcomes.Updated
	i.outcomes.Merged += outcomes.Merged
	i.outcomes.Drafts += outcomes.Drafts
	i.outcomes.Failed += outcomes.Failed
	story := fmt.Sprintf("**%d of %d** chunks of %d orders are done: %s.",
		i.done, i.in.Chunks, i.in.Entries, outcomesInWords(i.outcomes))
	if i.done == i.in.Chunks {
		story = fmt.Sprintf("All **%d orders** are decided: %s. The results are at `/v3/orders/imports/%d`.",
			i.in.Entries, outcomesInWords(i.outcomes), i.in.ImportID)
	}
	workflow.SetCurrentDetails(ctx, story)
	return nil
}

// outcomesInWords describes the outcomes of entries, such as "58 created, 2
// drafts".
func outcomesInWords(o activities.Outcomes) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{o.Created, "created"},
		{o.Updated, "updated"},
		{o.Merged, "merged"},
		{o.Drafts, "drafts"},
		{o.Failed, "failed updates"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

func (i *importRun) chunkSummary(chunk int) string {
	if i.in.Chunks == 1 {
		return fmt.Sprintf("import %d orders", i.in.Entries)
	}
	return fmt.Sprintf("import chunk %d of %d", chunk+1, i.in.Chunks)
}
