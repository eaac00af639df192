// The program sandbox has an order delivered from end to end in a sandbox: it imports one,
// has its day driven, is told of the delivery by a webhook, and fetches the proof.
//
//	WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 go run ./client/examples/sandbox
//
// WAYBILL_RECEIVER_URL is where Waybill reaches PORT of this machine; without it,
// Waybill has to be on the same one.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/waybill-tms/waybill/clients/go"
	"github.com/waybill-tms/waybill/clients/go/webhook"
)

const largest = 1 << 20

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	c, err := client.NewClientWithResponses(os.Getenv("WAYBILL_URL"),
		client.WithKey(os.Getenv("WAYBILL_API_KEY")), client.WithRetries(client.Retries{}))
	if err != nil {
		return err
	}
	told, leave, err := receive(ctx, c)
	if err != nil {
		return err
	}
	defer leave()
	day := time.Now().AddDate(0, 0, 1).UTC().Format(time.DateOnly)
	number := "TRY-" + time.Now().Format("150405.000")
	if err := importOrder(ctx, c, number, day); err != nil {
		return err
	}
	body := strings.NewReader(fmt.Sprintf(`{"date": %q, "pace": 600, "trouble": "NONE"}`, day))
	driven, err := c.StartSandboxRunWithBodyWithResponse(ctx, nil, "application/json", body)
	if err != nil {
		return err
	}
	if driven.JSON202 == nil {
		return fmt.Errorf("drive the day: %s: %s", driven.Status(), driven.Body)
	}
	for {
		select {
		case change := <-told:
			if change.ExternalID == number {
				fmt.Println("told that", number, "is", change.Status)
				return proof(ctx, c, change.OrderID)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// receive has deliveries sent here, and returns those that are signed, and how to stop that.
func receive(ctx context.Context, c *client.ClientWithResponses) (<-chan client.OrderStatusChange, func(), error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", cmp.Or(os.Getenv("PORT"), "0")))
	if err != nil {
		return nil, nil, err
	}
	url := cmp.Or(os.Getenv("WAYBILL_RECEIVER_URL"), "http://"+listener.Addr().String())
	made, err := c.CreateWebhookEndpointWithResponse(ctx, nil, client.CreateWebhookEndpointRequest{
		URL: url, Types: &[]client.OrderEventType{client.OrderEventTypeOrderDelivered},
	})
	if err != nil {
		return nil, nil, err
	}
	if made.JSON201 == nil {
		return nil, nil, fmt.Errorf("add an endpoint: %s: %s", made.Status(), made.Body)
	}
	verifier, err := webhook.New(made.JSON201.Secret)
	if err != nil {
		return nil, nil, err
	}
	told := make(chan client.OrderStatusChange, 100)
	server := &http.Server{Handler: handler(verifier, told), ReadTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(os.Stderr, "sandbox:", err)
		}
	}()
	return told, func() {
		_, _ = c.DeleteWebhookEndpointWithResponse(context.WithoutCancel(ctx), made.JSON201.ID)
		_ = server.Close()
	}, nil
}

func handler(verifier *webhook.Verifier, told chan<- client.OrderStatusChange) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
		if err == nil {
			_, err = verifier.Verify(r.Header, body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		var event client.WebhookEvent
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(w, "the body is not JSON", http.StatusBadRequest)
			return
		}
		told <- event.Data
		w.WriteHeader(http.StatusNoContent)
	}
}

const order = `{
	"fallbackCustomer": {"externalId": "C-100"}, "fallbackOrderType": {"name": "Standard"},
	"fallbackVehicleType": {"name": "Van"},
	"orders": [{"externalId": "NUMBER", "date": "DAY", "pickup": {"externalId": "T-OSL"},
		"products": [{"name": "Chair", "quantity": 2}],
		"delivery": {"name": "Kari Nordmann", "earliest": "DAYT07:00:00Z", "latest": "DAYT15:00:00Z",
			"address": {"address1": "Thorvald Meyers gate 40", "postalCode": "0555", "city": "Oslo", "country": "NO",
				"latitude": 59.9219, "longitude": 10.7597},
			"contacts": [{"firstName": "Kari", "lastName": "Nordmann"}]}}]}`

func importOrder(ctx context.Context, c *client.ClientWithResponses, number, day string) error {
	body := strings.NewReplacer("NUMBER", number, "DAY", day).Replace(order)
	answer, err := c.ImportOrdersWithBodyWithResponse(ctx, nil, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Results[0].OrderCreated == nil {
		return fmt.Errorf("import: %s: %s", answer.Status(), answer.Body)
	}
	fmt.Println("imported", number)
	return nil
}

func proof(ctx context.Context, c *client.ClientWithResponses, order int64) error {
	answer, err := c.GetCompletionProofWithResponse(ctx, order)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return fmt.Errorf("read the proof: %s: %s", answer.Status(), answer.Body)
	}
	signed, err := answer.JSON200.InPersonProof.Get()
	if err != nil {
		return err
	}
	who, err := signed.Signee.Get()
	if err != nil {
		return err
	}
	fmt.Println("signed for by", who)
	return nil
}
