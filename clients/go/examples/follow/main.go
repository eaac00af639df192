// The program follow imports the orders that come on the standard input, and follows
// their status:
//
//	demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… go run ./client/examples/follow
//
// The token of the feed is kept in WAYBILL_TOKEN_FILE (feed.token). With --once it ends
// when nothing more is waiting.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/waybill-tms/waybill/clients/go"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "follow:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c, err := client.NewClientWithResponses(os.Getenv("WAYBILL_URL"),
		client.WithKey(os.Getenv("WAYBILL_API_KEY")), client.WithRetries(client.Retries{}))
	if err != nil {
		return err
	}
	if err := importOrders(ctx, c); err != nil {
		return err
	}
	kept := cmp.Or(os.Getenv("WAYBILL_TOKEN_FILE"), "feed.token")
	for {
		if err := follow(ctx, c, kept); err != nil || slices.Contains(os.Args, "--once") {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(5 * time.Second):
		}
	}
}

func importOrders(ctx context.Context, c *client.ClientWithResponses) error {
	var orders client.ImportRequest
	if err := json.NewDecoder(os.Stdin).Decode(&orders); err != nil {
		return fmt.Errorf("read the orders: %w", err)
	}
	answer, err := c.ImportOrdersWithResponse(ctx, nil, orders)
	if err != nil {
		return err
	}
	switch {
	case answer.JSON202 != nil:
		fmt.Printf("import %[1]d goes on; GET /v3/orders/imports/%[1]d has its results\n", answer.JSON202.ImportID)
		return nil
	case answer.JSON200 == nil:
		return fmt.Errorf("import: %s: %s", answer.Status(), answer.Body)
	}
	for _, result := range answer.JSON200.Results {
		fmt.Println(outcome(result))
	}
	return nil
}

func outcome(r client.ImportResult) string {
	switch {
	case r.OrderCreated != nil:
		return "orderCreated"
	case r.OrderUpdated != nil:
		return "orderUpdated"
	case r.OrderMerged != nil:
		return "orderMerged"
	case r.DraftCreated != nil:
		return "draftCreated"
	}
	return "failedUpdate"
}

// follow reads all that is waiting, and keeps where to go on.
func follow(ctx context.Context, c *client.ClientWithResponses, kept string) error {
	token, err := os.ReadFile(kept)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for page, err := range client.StatusChanges(ctx, c, string(token)) {
		if err != nil {
			return err
		}
		for _, change := range page.Items {
			fmt.Println(change.ExternalID, change.Status)
		}
		// Better: a row beside what the changes change.
		if err := os.WriteFile(kept, []byte(page.NextToken), 0o600); err != nil {
			return err
		}
	}
	return nil
}
