// An integrator's program, which uses the installed client.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/waybill-tms/waybill-go"
	"github.com/waybill-tms/waybill-go/webhook"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func client(url, key string) *waybill.Client {
	c, err := waybill.New(url, key, waybill.WithRetries(waybill.Retries{Tries: 1}))
	if err != nil {
		panic(err)
	}
	return c
}

func run(ctx context.Context) error {
	url, number := os.Getenv("WAYBILL_URL"), os.Getenv("NUMBER")
	c := client(url, os.Getenv("WAYBILL_API_KEY"))
	done, err := c.ImportAndWait(ctx, waybill.ImportRequest{
		FallbackCustomer:    &waybill.CustomerReference{ExternalID: "C-100"},
		FallbackOrderType:   &waybill.OrderTypeReference{Name: "Standard"},
		FallbackVehicleType: &waybill.VehicleTypeReference{Name: "Van"},
		Orders: []waybill.ImportOrderRequest{{
			ExternalID: number, Date: os.Getenv("DAY"),
			Pickup: &waybill.LocationRequest{ExternalID: "T-OSL"}, Delivery: &waybill.LocationRequest{ExternalID: "T-OSL"},
			Products: []waybill.Product{{Name: "Chair", Quantity: waybill.Ptr(2.0)}},
		}},
	})
	if err != nil {
		return err
	}
	fmt.Println("created", done.Results[0].OrderCreated != nil)
	var response waybill.Response
	if _, err := c.MasterData.GetOrganization(ctx, waybill.WithResponse(&response)); err != nil {
		return err
	}
	order, err := c.Orders.GetByNumber(ctx, number, nil)
	if err != nil {
		return err
	}
	fmt.Println("read", order.InternalOrderNumber)
	verify()
	refusals(ctx, c, order, response.ETag())
	return nil
}

func verify() {
	verifier, err := webhook.New(os.Getenv("SECRET"))
	if err != nil {
		panic(err)
	}
	header := http.Header{}
	header.Set("webhook-id", os.Getenv("WEBHOOK_ID"))
	header.Set("webhook-timestamp", os.Getenv("WEBHOOK_TIMESTAMP"))
	header.Set("webhook-signature", os.Getenv("WEBHOOK_SIGNATURE"))
	_, good := verifier.Verify(header, []byte(os.Getenv("WEBHOOK_BODY")))
	_, bad := verifier.Verify(header, []byte("{}"))
	fmt.Println("webhook", good == nil, errors.Is(bad, webhook.ErrSignature))
}

// refusals provokes each kind of error once.
func refusals(ctx context.Context, c *waybill.Client, order *waybill.Order, etag string) {
	url, stub, key := os.Getenv("WAYBILL_URL"), os.Getenv("STUB_URL"), os.Getenv("WAYBILL_API_KEY")
	get := func(c *waybill.Client) error {
		_, err := c.Orders.Get(ctx, order.OrderID, nil)
		return err
	}
	_, invalid := c.Orders.Import(ctx, waybill.ImportRequest{Orders: []waybill.ImportOrderRequest{}})
	_, forbidden := client(url, os.Getenv("LIMITED_KEY")).Orders.Find(ctx, &waybill.OrdersFindParams{Text: "chair"})
	_, missing := c.Orders.GetByNumber(ctx, "none", nil)
	_, conflict := c.Orders.Replan(ctx, &waybill.OrdersReplanParams{ExternalID: order.InternalOrderNumber})
	endpoint, err := c.WebhookEndpoints.Create(ctx, waybill.CreateWebhookEndpointRequest{URL: stub})
	if err != nil {
		panic(err)
	}
	_, changed := c.WebhookEndpoints.Update(ctx, endpoint.ID, waybill.UpdateWebhookEndpointRequest{IsActive: waybill.Ptr(false)}, waybill.IfMatch(`"0"`))
	_, same := c.MasterData.GetOrganization(ctx, waybill.IfNoneMatch(etag))
	for _, one := range []struct {
		name string
		kind error
		got  error
	}{
		{"invalid", waybill.ErrInvalid, invalid},
		{"unauthorized", waybill.ErrUnauthorized, get(client(url, "wrong"))},
		{"forbidden", waybill.ErrForbidden, forbidden},
		{"not found", waybill.ErrNotFound, missing},
		{"conflict", waybill.ErrConflict, conflict},
		{"gone", waybill.ErrGone, get(client(stub+"/410", key))},
		{"precondition failed", waybill.ErrPreconditionFailed, changed},
		{"rate limited", waybill.ErrRateLimited, get(client(stub+"/429", key))},
		{"unavailable", waybill.ErrUnavailable, get(client(stub+"/502", key))},
		{"not modified", waybill.ErrNotModified, same},
	} {
		if !errors.Is(one.got, one.kind) {
			fmt.Println("wrong:", one.name, one.got)
			continue
		}
		var refused *waybill.Error
		fmt.Println(one.name, errors.As(one.got, &refused) && refused.RequestID() != "")
	}
	var refused *waybill.Error
	fmt.Println("no response", get(client("http://127.0.0.1:1", key)) != nil && !errors.As(get(client("http://127.0.0.1:1", key)), &refused))
	fmt.Println("reason", errors.As(missing, &refused) && refused.Reason == waybill.ErrorReasonOrderNotFound)
}
