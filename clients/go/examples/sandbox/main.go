// The program sandbox has an order delivered in a sandbox: it imports an order, runs its day,
// receives the webhook of the delivery, and reads the proof.
//
//	WAYBILL_URL=… WAYBILL_API_KEY=… WAYBILL_RECEIVER_URL=https://… PORT=3000 go run ./examples/sandbox
//
// WAYBILL_RECEIVER_URL is the address at which Waybill reaches PORT of this machine. Without
// it, Waybill must run on the same machine.
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
	"time"

	"github.com/waybill-tms/waybill-go"
	"github.com/waybill-tms/waybill-go/webhook"
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
	client, err := waybill.New(os.Getenv("WAYBILL_URL"), os.Getenv("WAYBILL_API_KEY"))
	if err != nil {
		return err
	}
	delivered, leave, err := receive(ctx, client)
	if err != nil {
		return err
	}
	defer leave()
	day := waybill.DateOf(time.Now().AddDate(0, 0, 1).UTC())
	number := "TRY-" + time.Now().Format("150405.000")
	if err := importOrder(ctx, client, number, day); err != nil {
		return err
	}
	if _, err := client.Sandbox.StartRun(ctx, waybill.SandboxRunRequest{Date: day, Pace: waybill.Ptr(600), Trouble: waybill.SandboxTroubleNone}); err != nil {
		return fmt.Errorf("run the day: %w", err)
	}
	for {
		select {
		case change := <-delivered:
			if change.ExternalID == number {
				fmt.Println("told that", number, "is", change.Status)
				return proof(ctx, client, change.OrderID)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// receive returns the deliveries that Waybill sends to this machine, and a function that stops it.
func receive(ctx context.Context, client *waybill.Client) (<-chan waybill.OrderStatusChange, func(), error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", cmp.Or(os.Getenv("PORT"), "0")))
	if err != nil {
		return nil, nil, err
	}
	endpoint, err := client.WebhookEndpoints.Create(ctx, waybill.CreateWebhookEndpointRequest{
		URL:   cmp.Or(os.Getenv("WAYBILL_RECEIVER_URL"), "http://"+listener.Addr().String()),
		Types: []waybill.OrderEventType{waybill.OrderEventTypeOrderDelivered},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("add an endpoint: %w", err)
	}
	verifier, err := webhook.New(endpoint.Secret)
	if err != nil {
		return nil, nil, err
	}
	delivered := make(chan waybill.OrderStatusChange, 100)
	server := &http.Server{Handler: handler(verifier, delivered), ReadTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(os.Stderr, "sandbox:", err)
		}
	}()
	return delivered, func() {
		_ = client.WebhookEndpoints.Delete(context.WithoutCancel(ctx), endpoint.ID)
		_ = server.Close()
	}, nil
}

func handler(verifier *webhook.Verifier, delivered chan<- waybill.OrderStatusChange) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
		if err == nil {
			_, err = verifier.Verify(r.Header, body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		var event waybill.WebhookEvent
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(w, "the body is not JSON", http.StatusBadRequest)
			return
		}
		delivered <- event.Data
		w.WriteHeader(http.StatusNoContent)
	}
}

func importOrder(ctx context.Context, client *waybill.Client, number string, day waybill.Date) error {
	done, err := client.ImportAndWait(ctx, waybill.ImportRequest{
		FallbackCustomer:    &waybill.CustomerReference{ExternalID: "C-100"},
		FallbackOrderType:   &waybill.OrderTypeReference{Name: "Standard"},
		FallbackVehicleType: &waybill.VehicleTypeReference{Name: "Van"},
		Orders: []waybill.ImportOrderRequest{{
			ExternalID: number,
			Date:       string(day),
			Pickup:     &waybill.LocationRequest{ExternalID: "T-OSL"},
			Products:   []waybill.Product{{Name: "Chair", Quantity: waybill.Ptr(2.0)}},
			Delivery:   delivery(day),
		}},
	})
	if err != nil {
		return err
	}
	if result := done.Results[0]; result.OrderCreated == nil {
		return fmt.Errorf("import: no order was created: %+v", result)
	}
	fmt.Println("imported", number)
	return nil
}

func delivery(day waybill.Date) *waybill.LocationRequest {
	return &waybill.LocationRequest{
		Name:     "Kari Nordmann",
		Earliest: string(day) + "T07:00:00Z",
		Latest:   string(day) + "T15:00:00Z",
		Address: &waybill.Address{
			Address1: "Thorvald Meyers gate 40", PostalCode: "0555", City: "Oslo", Country: "NO",
			Latitude: waybill.Ptr(59.9219), Longitude: waybill.Ptr(10.7597),
		},
		Contacts: []waybill.Contact{{FirstName: "Kari", LastName: "Nordmann"}},
	}
}

func proof(ctx context.Context, client *waybill.Client, order int64) error {
	proof, err := client.Orders.GetCompletionProof(ctx, order)
	if err != nil {
		return err
	}
	if proof.InPersonProof == nil || proof.InPersonProof.Signee == nil {
		return errors.New("nobody signed")
	}
	fmt.Println("signed for by", *proof.InPersonProof.Signee)
	return nil
}
