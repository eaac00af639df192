// Package client calls Waybill's interface from Go. It is generated from the
// contract, so each operation has a method, each schema a type, and each
// documented answer a field. It is a module of its own, which imports
// nothing of the service.
//
//	c, err := client.NewClientWithResponses(url, client.WithKey(key), client.WithRetries(client.Retries{}))
//	answer, err := c.GetOrderWithResponse(ctx, 90417, nil)
//	if answer.JSON200 != nil { ... }
package client
