package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"waybill/testing/stack"
)

// cost is what a step consumed of each resource that an operator pays for.
type cost struct {
	Rows     float64 // of Waybill's database that were written, changed or deleted
	WAL      float64 // KiB that Postgres logged, Temporal's database included
	Events   float64 // of histories
	Actions  float64 // as Temporal Cloud counts them, heartbeats aside
	Serve    float64 // milliseconds of a processor, as all that follow
	Work     float64
	Postgres float64
	Temporal float64
}

// less is the difference to an earlier reading.
func (c cost) less(before cost) cost {
	return cost{
		c.Rows - before.Rows, c.WAL - before.WAL, c.Events - before.Events, c.Actions - before.Actions,
		c.Serve - before.Serve, c.Work - before.Work, c.Postgres - before.Postgres, c.Temporal - before.Temporal,
	}
}

// each is the cost of one of many.
func (c cost) each(count int) cost {
	n := float64(count)
	return cost{
		c.Rows / n, c.WAL / n, c.Events / n, c.Actions / n, c.Serve / n, c.Work / n, c.Postgres / n, c.Temporal / n,
	}
}

// cpu is the CPU time of all processes.
func (c cost) cpu() float64 { return c.Serve + c.Work + c.Postgres + c.Temporal }

// rowsSeenWithin is how long an idle session of Postgres keeps its statistics
// to itself.
const rowsSeenWithin = 12 * time.Second

// reading reads all counters, those of histories for one organization. It reads
// counts of rows last, once every session has reported its statistics.
func (s *site) reading(ctx context.Context, temporal client.Client, org *organization) (c cost, err error) {
	if err := s.processors(ctx, &c); err != nil {
		return c, err
	}
	const logged = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1024"
	if err := s.owner.QueryRow(ctx, logged).Scan(&c.WAL); err != nil {
		return c, fmt.Errorf("read what was logged: %w", err)
	}
	if err := rest(ctx, rowsSeenWithin); err != nil {
		return c, err
	}
	const written = "select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 from pg_stat_user_tables"
	if err := s.owner.QueryRow(ctx, written).Scan(&c.Rows); err != nil {
		return c, fmt.Errorf("count rows: %w", err)
	}
	return c, histories(ctx, temporal, org, &c)
}

// processors reads the CPU time of our services, of Postgres and of Temporal.
func (s *site) processors(ctx context.Context, c *cost) error {
	var backend int
	if err := s.owner.QueryRow(ctx, "select pg_backend_pid()").Scan(&backend); err != nil {
		return fmt.Errorf("find Postgres: %w", err)
	}
	running, err := processes()
	if err != nil {
		return err
	}
	postmaster := running[backend].parent
	temporal := 0
	for pid := os.Getpid(); pid > 1 && temporal == 0; pid = running[pid].parent {
		for other, p := range running {
			if p.parent == pid && p.name == "server" {
				temporal = other
			}
		}
	}
	if temporal == 0 || postmaster == 0 {
		return errors.New("no Postgres and no Temporal server among the processes that make bench has started")
	}
	for pid, p := range running {
		if pid == postmaster || p.parent == postmaster {
			c.Postgres += milliseconds(p.own)
		}
	}
	c.Postgres += milliseconds(running[postmaster].ended)
	c.Temporal = milliseconds(running[temporal].own)
	c.Serve, c.Work = milliseconds(running[s.pidOf("serve")].own), milliseconds(running[s.pidOf("work")].own)
	return nil
}

// process is the kernel's data on a process.
type process struct {
	name   string
	parent int
	// own is its CPU time, and ended that of its ended children.
	own, ended time.Duration
}

func processes() (map[int]process, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	all := map[int]process{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		before, after, _ := strings.Cut(string(text), ") ")
		number, name, _ := strings.Cut(before, " (")
		fields := strings.Fields(after)
		pid, err := strconv.Atoi(number)
		if err != nil || len(fields) < 15 {
			return nil, fmt.Errorf("read %s: %q", file, text)
		}
		var parent int
		var times [4]int64
		if _, err := fmt.Sscan(
			fields[1]+" "+strings.Join(fields[11:15], " "), &parent, &times[0], &times[1], &times[2], &times[3],
		); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		all[pid] = process{
			name: name, parent: parent,
			own: time.Duration(times[0]+times[1]) * tick, ended: time.Duration(times[2]+times[3]) * tick,
		}
	}
	return all, nil
}

// histories counts the events and actions of all workflows of an organization.
func histories(ctx context.Context, temporal client.Client, org *organization, c *cost) error {
	var page []byte
	for {
		listed, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: stack.DefaultNamespace, Query: fmt.Sprintf("WaybillOrg = %d", org.id), NextPageToken: page,
		})
		if err != nil {
			return fmt.Errorf("list workflows: %w", err)
		}
		for _, run := range listed.GetExecutions() {
			id := run.GetExecution()
			if err := history(ctx, temporal, id.GetWorkflowId(), id.GetRunId(), c); err != nil {
				return err
			}
		}
		if page = listed.GetNextPageToken(); len(page) == 0 {
			return nil
		}
	}
}

// history adds one workflow. All local activities and other markers of one step
// are an action together.
func history(ctx context.Context, temporal client.Client, id, run string, c *cost) error {
	marked := map[int64]bool{}
	events := temporal.GetWorkflowHistory(ctx, id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			return fmt.Errorf("read the history of %s: %w", id, err)
		}
		c.Events++
		switch event.GetEventType() {
		case enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
			enums.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED, enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
			enums.EVENT_TYPE_TIMER_STARTED, enums.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
			enums.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED:
			c.Actions++
		case enums.EVENT_TYPE_MARKER_RECORDED:
			if step := event.GetMarkerRecordedEventAttributes().GetWorkflowTaskCompletedEventId(); !marked[step] {
				marked[step] = true
				c.Actions++
			}
		}
	}
	return nil
}
