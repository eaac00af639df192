package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"waybill/domain/notification"
	"waybill/operations"
	"waybill/operations/notifications"
	"waybill/store"
	"waybill/store/restored"
	"waybill/store/schema"
	"waybill/workflows"
)

func newReconcileCommand() *cobra.Command {
	var repair bool
	ahead := restored.Ahead{}
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Compare a restored database with Temporal, and repair what differs",
		Long: `Compare a database that was restored to an earlier time with Temporal, which is ahead
of it. Without --repair, the command changes nothing and lists what differs:

  - ids, positions of the log and order numbers of the lost time, which callers and
    workflows know and which the database would give out again;
  - workflows whose row is gone;
  - messages that the database takes for unsent and that were sent.

With --repair, new ids and positions continue behind the lost ones (--ids), and new
order numbers, too (--numbers). Workflows without a row are terminated, unless they are
messages that are not sent yet: these record their message again. Messages that were
sent are marked as sent, so nobody gets them twice.

Stop every serve and work process first. The command connects as the owner of the tables
(DATABASE_MIGRATE_URL). Then run "waybill adopt-namespace" and start the processes.`,
		Example: "  waybill reconcile\n  waybill reconcile --repair --ids 5000000",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ahead.IDs < 0 || ahead.Numbers < 0 {
				return fmt.Errorf("--ids and --numbers must not be negative")
			}
			return withReconciler(cmd, func(r *reconciler) error { return r.run(cmd.Context(), ahead) }, repair)
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "repair what differs")
	cmd.Flags().Int64Var(&ahead.IDs, "ids", 1_000_000, "how many ids and positions of the log to leave out")
	cmd.Flags().Int64Var(&ahead.Numbers, "numbers", 1_000, "how many order numbers to leave out in each organization")
	return cmd
}

// reconciler compares a database with Temporal.
type reconciler struct {
	cmd        *cobra.Command
	out        io.Writer
	owner      *pgx.Conn
	database   *restored.Database
	temporal   client.Client
	operations *operations.Operations
	repair     bool
	// done are the sentences for the record.
	done []string
}

func withReconciler(cmd *cobra.Command, do func(*reconciler) error, repair bool) error {
	ctx := cmd.Context()
	c, err := readConfig()
	if err != nil {
		return err
	}
	conn, err := connectAsOwner(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return withStore(ctx, func(_ *store.Store, o *operations.Operations) error {
		return do(&reconciler{
			cmd: cmd, out: cmd.OutOrStdout(), owner: conn, database: restored.New(conn), temporal: temporal, operations: o, repair: repair,
		})
	})
}

func (r *reconciler) run(ctx context.Context, ahead restored.Ahead) error {
	if r.repair {
		sequences, err := r.database.Advance(ctx, ahead)
		if err != nil {
			return err
		}
		r.did("%s continue %d further, and order numbers %d", plural(sequences, "sequence"), ahead.IDs, ahead.Numbers)
	}
	if err := r.messages(ctx); err != nil {
		return err
	}
	if err := r.workflows(ctx); err != nil {
		return err
	}
	if !r.repair {
		say(r.out, "\nNothing was changed. Run \"waybill reconcile --repair\" to repair this.")
		return nil
	}
	if err := schema.Record(ctx, r.owner, actionOf(r.cmd, r.done...)); err != nil {
		return err
	}
	say(r.out, "\nNext: waybill adopt-namespace, then start serve and work. Tell callers to send again what they sent since the restored time.")
	return nil
}

// did says what was done, and notes it for the record.
func (r *reconciler) did(format string, args ...any) {
	done := fmt.Sprintf(format, args...)
	r.done = append(r.done, done)
	say(r.out, "%s", done)
}

// messagesAtOnce is how many messages are compared at once.
const messagesAtOnce = 500

// messages finds the messages that were sent in the lost time.
func (r *reconciler) messages(ctx context.Context) error {
	sent := 0
	for after := int64(0); ; {
		some, err := r.database.Unsent(ctx, after, messagesAtOnce)
		if err != nil {
			return err
		}
		if len(some) == 0 {
			break
		}
		after = some[len(some)-1].ID
		ids := make([]string, len(some))
		for i := range some {
			ids[i] = some[i].WorkflowID
		}
		isSent, err := workflows.SentMessages(ctx, r.temporal, ids)
		if err != nil {
			return err
		}
		for _, m := range some {
			if !isSent[m.WorkflowID] {
				continue
			}
			sent++
			if r.repair {
				if err := r.markSent(ctx, m); err != nil {
					return err
				}
			}
		}
	}
	r.did("%s that the database took for unsent had been sent", plural(sent, "message"))
	return nil
}

func (r *reconciler) markSent(ctx context.Context, m restored.Message) error {
	_, err := r.operations.Notifications.SettleNotification(ctx, commandOf(r.cmd, m.OrgID), m.ID, "",
		notifications.Ending{Channel: notification.Channel(m.Channel)})
	return err
}

// workflows finds the workflows whose row is gone.
func (r *reconciler) workflows(ctx context.Context) error {
	gone, unsent, total := map[string]int{}, 0, 0
	var orphans []workflows.Execution
	err := workflows.Running(ctx, r.temporal, func(some []workflows.Execution) error {
		total += len(some)
		found, err := r.without(ctx, some)
		orphans = append(orphans, found...)
		return err
	})
	if err != nil {
		return err
	}
	for _, e := range orphans {
		kind, _, _, _ := e.Subject()
		if e.IsUnsent() {
			unsent++
		} else {
			gone[kind]++
		}
		if r.repair {
			if err := r.end(ctx, e); err != nil {
				return err
			}
		}
	}
	say(r.out, "%s are running", plural(total, "workflow"))
	for _, kind := range slices.Sorted(maps.Keys(gone)) {
		r.did("%s had no row in the database (%s)", plural(gone[kind], "workflow"), kind)
	}
	r.did("%s had no row in the database and were not sent", plural(unsent, "message"))
	return nil
}

// without returns those of some workflows whose row is gone.
func (r *reconciler) without(ctx context.Context, some []workflows.Execution) (orphans []workflows.Execution, err error) {
	var subjects []restored.Subject
	var of []workflows.Execution
	for _, e := range some {
		kind, org, rest, ok := e.Subject()
		if !ok {
			continue
		}
		if kind == "notification" {
			rest = e.ID
		}
		subjects, of = append(subjects, restored.Subject{Kind: kind, Org: org, ID: rest}), append(of, e)
	}
	missing, err := r.database.Without(ctx, subjects)
	for _, i := range missing {
		orphans = append(orphans, of[i])
	}
	return orphans, err
}

func (r *reconciler) end(ctx context.Context, e workflows.Execution) error {
	if e.IsUnsent() {
		return workflows.RestartUnsent(ctx, r.temporal, e)
	}
	if err := r.temporal.TerminateWorkflow(ctx, e.ID, e.RunID, workflows.WithoutRow); err != nil {
		return fmt.Errorf("terminate %s: %w", e.ID, err)
	}
	return nil
}
