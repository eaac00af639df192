package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/relay"
	"waybill/relay/followers"
	"waybill/workflows"
)

func newWorkCommand() *cobra.Command {
	var names []string
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Run the workers and the event relay",
		Long: `Run workers for the task queues and the event relay until Ctrl-C or SIGTERM. Running
activities are finished before the process stops. Any number of these processes can run
at the same time: they share the work.`,
		Example: "  waybill work\n  waybill work --queues imports,exports",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			queues, err := chosenQueues(names)
			if err != nil {
				return err
			}
			return work(cmd.Context(), queues)
		},
	}
	cmd.Flags().StringSliceVar(&names, "queues", queueNames(), "task queues to work on")
	_ = cmd.RegisterFlagCompletionFunc("queues", cobra.FixedCompletions(queueNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func queueNames() []string {
	names := make([]string, len(workflows.Queues))
	for i, q := range workflows.Queues {
		names[i] = string(q)
	}
	return names
}

func chosenQueues(names []string) ([]workflows.TaskQueue, error) {
	var queues []workflows.TaskQueue
	for _, name := range names {
		queue := workflows.TaskQueue(strings.TrimSpace(name))
		if !slices.Contains(workflows.Queues, queue) {
			return nil, fmt.Errorf("unknown task queue %q; must be one of: %s", name, strings.Join(queueNames(), ", "))
		}
		if !slices.Contains(queues, queue) {
			queues = append(queues, queue)
		}
	}
	if len(queues) == 0 {
		return nil, errors.New("--queues is empty")
	}
	return queues, nil
}

func work(ctx context.Context, queues []workflows.TaskQueue) (err error) {
	s, err := newService(ctx, workSession)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	parts := []runner{
		relay.New(s.store, s.logger, s.registry, followers.All(followers.Deps{
			Store: s.store, Temporal: s.lifecycles(), AsksGeocoder: s.config.GeocoderURL != "",
		})...).
			Trace(s.traces.provider),
	}
	parts = append(parts, s.gate)
	for _, queue := range queues {
		parts = append(parts, s.newQueueWorker(queue))
	}
	if slices.Contains(queues, workflows.HousekeepingQueue) {
		parts = append(parts, &housekeeper{temporal: s.temporal, logger: s.logger})
	}
	if s.config.WorkHTTPAddr != "" {
		parts = append(parts, s.newProbes(s.config.WorkHTTPAddr))
	}
	return runAll(ctx, parts...)
}
