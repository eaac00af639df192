package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"waybill/domain/order"
	"waybill/domain/recurrence"
)

// The targets of recurring orders.
const (
	generateTarget   = 0.7
	idleCPUTarget    = 1.0 // percent of one core
	idleMemoryTarget = 5.0 // KiB a template
	expandTarget     = 1.0 // milliseconds
)

// yearAhead is how many days one template generates, today included.
const yearAhead = 365

// measureRecurring measures generating a year of one template, compared with
// importing the same orders in one call; and expanding an old rule.
func measureRecurring(ctx context.Context, s *site) ([]result, error) {
	var runs pairs
	for round := range s.sizes.RecurringRounds + 1 {
		ours, bare, err := s.generateYear(ctx, round)
		if err != nil {
			return nil, err
		}
		if round > 0 { // the first warms up
			runs.add(ours, bare)
			note("a year of one template: %.0f ms; imported by one call: %.0f ms", ours, bare)
		}
	}
	ratios := runs.quotients(bareByOurs)
	generate := atLeast(generateTarget, "a template's year of orders : one import of the same", "ms",
		median(runs.ours), median(runs.bare), median(ratios))
	expand, err := expandOldRule()
	return []result{generate.inRounds(ratios), expand}, err
}

// generateYear has a template generate its orders, and then imports the same
// under other numbers by one call.
func (s *site) generateYear(ctx context.Context, round int) (ours, bare float64, err error) {
	org, err := s.newOrganization(ctx, fmt.Sprintf("recurring-%d", round))
	if err != nil {
		return 0, 0, err
	}
	day := time.Now().UTC().Truncate(24 * time.Hour)
	template := newOrder("", 0, first)
	template.Delivery = delivery("R", 0, day)
	if ours, err = s.generate(ctx, org, template, day); err != nil {
		return 0, 0, err
	}
	if err := s.settle(ctx); err != nil {
		return 0, 0, err
	}
	entries := make([]order.Request, yearAhead+1)
	for i := range entries {
		on := day.AddDate(0, 0, i)
		entries[i] = template
		entries[i].ExternalID, entries[i].Date = fmt.Sprintf("same-%d", i), on.Format(time.DateOnly)
		entries[i].Delivery = delivery("R", 0, on)
	}
	body, err := json.Marshal(map[string]any{"orders": entries})
	if err != nil {
		return 0, 0, err
	}
	bare, err = timed(func() error {
		_, err := s.call(ctx, request{url: s.url + "/v3/orders/import", key: org.key, body: body})
		return err
	})
	return ours, bare, errors.Join(err, s.settle(ctx))
}

// generate creates a template, and returns the time from the response until its
// last order exists, in milliseconds.
func (s *site) generate(
	ctx context.Context, org *organization, template order.Request, day time.Time,
) (float64, error) {
	id, err := s.createTemplate(ctx, org, map[string]any{
		"orderTemplate": template, "rruleset": "FREQ=DAILY", "startDate": day.Add(9 * time.Hour).Format(time.RFC3339),
		"daysToGenerateAhead": yearAhead,
	})
	if err != nil {
		return 0, err
	}
	return timed(func() error { return s.generated(ctx, org, id) })
}

// generated waits until a template's last order exists.
func (s *site) generated(ctx context.Context, org *organization, id int64) error {
	for {
		var through *time.Time
		var count int
		err := s.owner.QueryRow(
			ctx, "select generated_through, generated_count from recurring_orders where org_id = $1 and id = $2", org.id, id,
		).Scan(&through, &count)
		if err != nil {
			return err
		}
		if through != nil {
			if count != yearAhead+1 {
				return fmt.Errorf("%d orders were generated", count)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// createTemplate sends a template and returns its id.
func (s *site) createTemplate(ctx context.Context, org *organization, template map[string]any) (int64, error) {
	body, err := json.Marshal(template)
	if err != nil {
		return 0, err
	}
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/recurring_orders", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	sent.Header.Set("Authorization", "apikey "+org.key)
	response, err := s.client.Do(sent)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	var created struct {
		ID int64 `json:"recurringOrderId"`
	}
	if response.StatusCode != http.StatusCreated {
		return 0, fmt.Errorf("the template was answered %d: %.300s", response.StatusCode, answer)
	}
	return created.ID, json.Unmarshal(answer, &created)
}

// expandOldRule expands a daily rule that began ten years ago for the next 14
// days.
func expandOldRule() (result, error) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		return result{}, err
	}
	now := time.Now()
	rule, err := recurrence.Parse("FREQ=DAILY", now.AddDate(-10, 0, 0), oslo)
	if err != nil {
		return result{}, err
	}
	var took []float64
	for range 1000 {
		ms, err := timed(func() error {
			_, err := rule.Between(now, now.AddDate(0, 0, 14), recurrence.MaxOccurrences)
			return err
		})
		if err != nil {
			return result{}, err
		}
		took = append(took, ms)
	}
	return within(expandTarget, "14 days of a daily rule ten years old", "ms", median(took)), nil
}

// measureIdleTemplates creates many templates, restarts the worker so that none
// is cached, and measures their cost.
func measureIdleTemplates(ctx context.Context, s *site) ([]result, error) {
	org, err := s.newOrganization(ctx, "idle")
	if err != nil {
		return nil, err
	}
	before, _, err := s.idleWorker(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.sleepers(ctx, org); err != nil {
		return nil, err
	}
	after, cpu, err := s.idleWorker(ctx)
	if err != nil {
		return nil, err
	}
	grown := max(0, after-before) * 1024 / float64(s.sizes.Templates)
	note("idle worker: %.1f MiB without templates, %.1f MiB with %d", before, after, s.sizes.Templates)
	return []result{
		within(idleCPUTarget, fmt.Sprintf("worker's CPU with %d idle templates", s.sizes.Templates), "% of a core", cpu),
		within(idleMemoryTarget,
			fmt.Sprintf("worker's memory for each of %d idle templates", s.sizes.Templates), "KiB", grown),
	}, nil
}
