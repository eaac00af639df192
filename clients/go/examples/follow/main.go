// The program follow imports the orders of the standard input, and follows their status:
//
//	demo/orders.sh | WAYBILL_URL=… WAYBILL_API_KEY=… go run ./examples/follow
//
// It keeps the token of the feed in WAYBILL_TOKEN_FILE (feed.token). With --once it ends when
// no more changes are waiting.
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

	"github.com/waybill-tms/waybill-go"
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
	client, err := waybill.New(os.Getenv("WAYBILL_URL"), os.Getenv("WAYBILL_API_KEY"))
	if err != nil {
		return err
	}
	if err := importOrders(ctx, client); err != nil {
		return err
	}
	return follow(ctx, client, cmp.Or(os.Getenv("WAYBILL_TOKEN_FILE"), "feed.token"))
}

func importOrders(ctx context.Context, client *waybill.Client) error {
	var orders waybill.ImportRequest
	if err := json.NewDecoder(os.Stdin).Decode(&orders); err != nil {
		return fmt.Errorf("read the orders: %w", err)
	}
	done, err := client.ImportAndWait(ctx, orders)
	if err != nil {
		return err
	}
	for _, result := range done.Results {
		fmt.Println(outcome(result))
	}
	return nil
}

func outcome(r waybill.ImportResult) string {
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

// follow prints the changes, and keeps the token to go on from.
func follow(ctx context.Context, client *waybill.Client, file string) error {
	token, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	from := waybill.Follow{Token: string(token)}
	if slices.Contains(os.Args, "--once") {
		from.Interval = -1
	}
	for page, err := range client.FollowStatusChanges(ctx, from) {
		if errors.Is(err, context.Canceled) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, change := range page.Items {
			fmt.Println(change.ExternalID, change.Status)
		}
		// Better: a row in the transaction that processes the changes.
		if err := os.WriteFile(file, []byte(page.NextToken), 0o600); err != nil {
			return err
		}
	}
	return nil
}
