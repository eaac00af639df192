package e2e_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// carrierOrder is an order of the demo's type that a carrier takes over.
func carrierOrder(number string, changes ...object) object {
	return newOrder(number, append([]object{{
		"orderType": object{"name": "Carrier"},
		"pickup":    fixed("Terminal", 59.92), "delivery": fixed("Door of "+number, 59.95),
	}}, changes...)...)
}

// fixed is a location with its own window, because the carrier's type has none.
func fixed(name string, latitude float64) object {
	return object{
		"name": name, "address": object{"latitude": latitude, "longitude": 10.7},
		"earliest": "2026-03-02T11:00:00Z", "latest": "2026-03-02T15:00:00Z",
		"contacts": []object{{"firstName": "Kari", "phoneNumber": "+4790000000"}},
	}
}

// feed reads one page of the export feed.
func (o *organization) feed(t testing.TB, query string) contract.ExportFeed {
	t.Helper()
	return read[contract.ExportFeed](t, o.get(t, "/v1/orders/export"+query))
}

// awaitFeed waits until the feed has n shipments, and returns its first page.
func (o *organization) awaitFeed(t *testing.T, total int) []contract.ExportShipment {
	t.Helper()
	var feed contract.ExportFeed
	eventually(t, fmt.Sprintf("the feed holds %d shipments", total), func() bool {
		feed = o.feed(t, "?perPage=1000")
		return feed.Total == int64(total)
	})
	require.Len(t, feed.Shipments, min(total, 1000))
	return feed.Shipments
}

// acknowledge reports that a shipment was exported, or why not.
func (o *organization) acknowledge(t testing.TB, token, failure string, headers ...string) answer {
	t.Helper()
	body := object{"exportToken": token, "status": "EXPORTED"}
	if failure != "" {
		body = object{"exportToken": token, "status": "FAILED", "failureReason": failure}
	}
	return o.call(t, http.MethodPost, "/v1/orders/export/status", body, headers...)
}

func (o *organization) exported(t testing.TB, token string, headers ...string) contract.ExportAcknowledged {
	t.Helper()
	a := o.acknowledge(t, token, "", headers...)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	return read[contract.ExportAcknowledged](t, a)
}

// exportOf returns the state of an order's export.
func (o *organization) exportOf(t testing.TB, orderID int64) contract.OrderExport {
	t.Helper()
	return read[contract.OrderExport](t, o.get(t, fmt.Sprintf("/v1/orders/%d/export", orderID)))
}

// quiet waits until everything that happened to the organization's orders has
// reached their exports: the follower has passed its events, and no export
// waits for its turn.
func (o *organization) quiet(t *testing.T) {
	t.Helper()
	eventually(t, "the exports have seen all changes", func() bool {
		return one[bool](t, o.installation, `
			select not exists (select from events where org_id = $1 and position is null)
			and (select min(c.position) from event_cursors c
				where c.follower in ('exports', 'acknowledgements') and c.shard = event_shard($1))
				>= (select coalesce(max(position), 0) from events where org_id = $1)`, o.id)
	})
}

// reexport switches the organization's setting.
func (o *organization) reexport(t *testing.T, on bool) {
	t.Helper()
	o.apply(t, fmt.Sprintf("settings: {reexport: %t}\n", on))
}

// apply has the command apply some sections of the organization's document.
func (o *organization) apply(t *testing.T, sections string) {
	t.Helper()
	slug := one[string](t, o.installation, "select slug from organizations where id = $1", o.id)
	text := fmt.Sprintf("organization: {slug: %s, name: Org, timezone: Europe/Oslo}\n%s", slug, sections)
	file := filepath.Join(t.TempDir(), "organization.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := o.command(t.Context(), "apply", "-f", file)
	require.NoError(t, err)
}

func TestExport(t *testing.T) {
	t.Parallel()

	t.Run("AnOrderIsOfferedAcknowledgedAndComesBackAsAnUpdate", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		results := o.importOrders(t, orders(carrierOrder("C-1"), newOrder("OTHER")))
		id := orderID(t, results[0])
		first := o.awaitFeed(t, 1)[0]
		require.Equal(t, "C-1", first.ExternalID)
		require.False(t, first.IsUpdate)
		require.Equal(t, "postnord", first.Carrier.MustGet())
		require.Equal(t, "Door of C-1", *first.Delivery.Name)
		require.Equal(t, "+4790000000", *(*first.Delivery.Contacts)[0].PhoneNumber)

		done := o.exported(t, first.ExportToken)
		require.Equal(t, contract.ExportAcknowledged{
			OrderID: id, ExternalID: "C-1", State: contract.OrderExportStateExported, Acknowledgements: 1, AcknowledgementsLeft: 4,
		}, done)
		require.Zero(t, o.feed(t, "").Total)

		o.importOrders(t, orders(carrierOrder("C-1", object{"reference": "PO 7"})))
		again := o.awaitFeed(t, 1)[0]
		require.True(t, again.IsUpdate)
		require.NotEqual(t, first.ExportToken, again.ExportToken)
		require.Equal(t, "PO 7", *again.Reference)
		stands := o.exportOf(t, id)
		require.True(t, stands.InFeed)
		require.Equal(t, []contract.OrderExportChange{{Field: "reference", Was: "PO C-1", Now: "PO 7"}}, stands.Changes)
		o.exported(t, again.ExportToken)
		require.Empty(t, o.exportOf(t, id).Changes)

		updates := read[contract.ExternalUpdates](t, o.get(t, fmt.Sprintf("/v2/orders/%d/external-updates", id))).Updates
		require.Len(t, updates, 2)
		require.Equal(t, contract.ExternalUpdateTypeEVENTTYPEORDEREXPORTED, updates[0].EventType)
		require.False(t, updates[0].ReceivedAt.Before(updates[1].ReceivedAt), "newest first")
	})

	t.Run("WhatDidNotReallyChangeIsNotSentAgain", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		o.importOrders(t, orders(carrierOrder("C-1")))
		o.exported(t, o.awaitFeed(t, 1)[0].ExportToken)
		o.importOrders(t, orders(carrierOrder("C-1", object{"reference": "PO 7"})))
		eventually(t, "the change is offered", func() bool {
			return one[int](t, o.installation, "select count(*) from order_exports where org_id = $1 and state = 'pending'", o.id) == 1
		})
		o.importOrders(t, orders(carrierOrder("C-1"))) // nobody has fetched the change
		eventually(t, "the change is taken back", func() bool {
			return one[int](t, o.installation, "select count(*) from order_exports where org_id = $1 and state = 'exported'", o.id) == 1
		})
		require.Zero(t, o.feed(t, "").Total)
		require.Equal(t, 1, one[int](t, o.installation, "select count(*) from export_versions where org_id = $1", o.id))
	})

	t.Run("EveryAcknowledgementCountsAndTheFifthIsTheLast", func(t *testing.T) {
		t.Parallel()
		o, outsider := shared.organization(t), shared.organization(t)
		id := orderID(t, o.importOrders(t, orders(carrierOrder("C-1")))[0])
		token := o.awaitFeed(t, 1)[0].ExportToken
		require.Equal(t, http.StatusNotFound, outsider.acknowledge(t, token, "").status)
		require.Equal(t, http.StatusNotFound, o.acknowledge(t, "exp_nothing", "").status)
		for n := range 4 {
			a := o.acknowledge(t, token, fmt.Sprintf("refused %d", n), "Idempotency-Key", fmt.Sprint(n))
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			require.Equal(t, a.body, o.acknowledge(t, token, fmt.Sprintf("refused %d", n), "Idempotency-Key", fmt.Sprint(n)).body)
			require.Equal(t, http.StatusUnprocessableEntity, o.acknowledge(t, token, "else", "Idempotency-Key", fmt.Sprint(n)).status)
			require.Equal(t, int64(1), o.feed(t, "").Total, "a failure leaves it in the feed")
		}
		fifth := o.exported(t, token, "Idempotency-Key", "last")
		require.Equal(t, contract.OrderExportStateClosed, fifth.State)
		require.Zero(t, fifth.AcknowledgementsLeft)
		require.Zero(t, o.feed(t, "").Total)
		sixth := o.acknowledge(t, token, "")
		require.Equal(t, http.StatusConflict, sixth.status)
		require.Equal(t, int32(9), apitest.Status(t, sixth.body).Code)
		require.Equal(t, fifth, o.exported(t, token, "Idempotency-Key", "last"), "the same call again")

		o.importOrders(t, orders(carrierOrder("C-1", object{"reference": "PO 7"})))
		o.quiet(t)
		require.Zero(t, o.feed(t, "").Total)
		require.Equal(t, contract.OrderExportReasonAcknowledgementsSpent, o.exportOf(t, id).Reason.MustGet())
		updates := read[contract.ExternalUpdates](t, o.get(t, fmt.Sprintf("/v2/orders/%d/external-updates", id))).Updates
		require.Len(t, updates, 5)
		require.True(t, updates[0].Success)
		require.False(t, updates[4].Success)
		require.Equal(t, "refused 0", updates[4].FailureReason.MustGet())
	})

	t.Run("AnAcknowledgementOfAnOlderVersionHidesNothing", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		o.importOrders(t, orders(carrierOrder("C-1")))
		old := o.awaitFeed(t, 1)[0]
		o.importOrders(t, orders(carrierOrder("C-1", object{"reference": "PO 7"})))
		eventually(t, "the feed has the newer version", func() bool { return o.awaitFeed(t, 1)[0].ExportToken != old.ExportToken })
		newer := o.awaitFeed(t, 1)[0]
		require.False(t, newer.IsUpdate)
		require.Equal(t, http.StatusOK, o.acknowledge(t, old.ExportToken, "refused").status)
		require.False(t, o.awaitFeed(t, 1)[0].IsUpdate, "the carrier has nothing yet")
		require.Equal(t, contract.OrderExportStatePending, o.exported(t, old.ExportToken).State)
		left := o.awaitFeed(t, 1)[0]
		require.Equal(t, newer.ExportToken, left.ExportToken)
		require.Equal(t, "PO 7", *left.Reference)
		require.True(t, left.IsUpdate, "the carrier has an older version")
		o.exported(t, left.ExportToken)
		require.Zero(t, o.feed(t, "").Total)
	})

	t.Run("CancelledOrdersLeaveOrSaySo", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		o.importOrders(t, orders(carrierOrder("NEVER"), carrierOrder("WAS")))
		for _, s := range o.awaitFeed(t, 2) {
			if s.ExternalID == "WAS" {
				o.exported(t, s.ExportToken)
			}
		}
		o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{"NEVER", "WAS"}})
		eventually(t, "the cancelled order comes back, and the other leaves", func() bool {
			shipments := o.feed(t, "").Shipments
			return len(shipments) == 1 && shipments[0].ExternalID == "WAS"
		})
		last := o.awaitFeed(t, 1)[0]
		require.True(t, last.Cancelled)
		require.True(t, last.IsUpdate)
		o.exported(t, last.ExportToken)
		o.importOrders(t, orders(carrierOrder("WAS", object{"reference": "PO 7"})))
		o.quiet(t)
		require.Zero(t, o.feed(t, "").Total, "it says so once")
		o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/replan-cancelled?externalId=NEVER", nil)
		require.False(t, o.awaitFeed(t, 1)[0].IsUpdate)
	})

	t.Run("WithoutReexportAnOrderIsFinal", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		o.reexport(t, false)
		id := orderID(t, o.importOrders(t, orders(carrierOrder("C-1")))[0])
		require.Equal(t, contract.OrderExportStateClosed, o.exported(t, o.awaitFeed(t, 1)[0].ExportToken).State)
		o.reexport(t, true)
		o.importOrders(t, orders(carrierOrder("C-1", object{"reference": "PO 7"})))
		o.quiet(t)
		require.Zero(t, o.feed(t, "").Total)
		require.Equal(t, contract.OrderExportReasonReexportOff, o.exportOf(t, id).Reason.MustGet())
	})

	t.Run("OrdersAreMarkedByTypeAndByHand", func(t *testing.T) {
		t.Parallel()
		o := shared.organization(t)
		id := orderID(t, o.importOrders(t, orders(newOrder("LATER"), newOrder("HAND")))[1])
		require.Equal(t, http.StatusNotFound, o.call(t, http.MethodGet, fmt.Sprintf("/v1/orders/%d/export", id), nil).status)
		o.importOrders(t, orders(carrierOrder("LATER")))
		require.Equal(t, "LATER", o.awaitFeed(t, 1)[0].ExternalID)
		slug := one[string](t, shared, "select slug from organizations where id = $1", o.id)
		_, err := shared.command(t.Context(), "exports", "mark", "--org", slug, "--order", "HAND")
		require.NoError(t, err)
		require.True(t, o.awaitFeed(t, 2)[1].Carrier.IsNull())
		_, err = shared.command(t.Context(), "exports", "mark", "--org", slug, "--order", "NOBODY")
		require.ErrorContains(t, err, `order "NOBODY" not found`)
		eventually(t, "its workflow runs", func() bool {
			return one[int](t, o.installation, `select count(*) from event_cursors where follower = 'exports'
				and shard = event_shard($1) and position >= (select max(position) from events where org_id = $1)`, o.id) == 1
		})
	})
}

// TestExportPages walks the feed while it changes.
func TestExportPages(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const total = 25
	var entries []object
	for n := range total {
		entries = append(entries, carrierOrder(fmt.Sprintf("P-%02d", n)))
	}
	o.importOrders(t, orders(entries...))
	o.awaitFeed(t, total)

	seen := map[string]bool{}
	walk := func(page int, acknowledge bool) contract.ExportFeed {
		feed := o.feed(t, fmt.Sprintf("?page=%d&perPage=10", page))
		require.Equal(t, int64(total), feed.Total)
		require.Equal(t, int32(3), feed.TotalPages)
		for _, s := range feed.Shipments {
			require.False(t, seen[s.ExternalID] && acknowledge, "%s came twice", s.ExternalID)
			seen[s.ExternalID] = true
			if acknowledge {
				o.exported(t, s.ExportToken)
			}
		}
		return feed
	}
	// A program that reads everything first, and starts over.
	for page := range 3 {
		walk(page+1, false)
	}
	require.Len(t, seen, total)
	clear(seen)
	// One that acknowledges each page, while others arrive.
	walk(1, true)
	o.importOrders(t, orders(carrierOrder("P-NEW")))
	eventually(t, "the new order is offered", func() bool {
		return one[int](t, o.installation, "select count(*) from order_exports where org_id = $1 and state = 'pending'", o.id) == total-10+1
	})
	require.Empty(t, walk(1+10, false).Shipments, "behind the end")
	require.Len(t, walk(2, true).Shipments, 10)
	require.Empty(t, walk(2, true).Shipments, "a page keeps its place")
	require.Len(t, walk(3, true).Shipments, 5)
	require.Len(t, seen, total)
	require.Equal(t, "P-NEW", o.awaitFeed(t, 1)[0].ExternalID)

	for _, query := range []string{"?page=0", "?page=x", "?perPage=0", "?perPage=1001", "?page=99999999999"} {
		require.Equal(t, http.StatusBadRequest, o.call(t, http.MethodGet, "/v1/orders/export"+query, nil).status, query)
	}
}

// TestExportWindow has an installation whose window is a few seconds.
func TestExportWindow(t *testing.T) {
	t.Parallel()
	i := install(t)
	for _, command := range []string{"serve", "work"} { // both decide how long a window is
		require.NoError(t, i.start(command, "WAYBILL_EXPORT_WINDOW=5s"))
	}
	require.NoError(t, i.ready(t.Context()))
	o := i.organization(t)
	within := orderID(t, o.importOrders(t, orders(carrierOrder("WITHIN"), carrierOrder("AFTER")))[0])
	for _, s := range o.awaitFeed(t, 2) {
		o.exported(t, s.ExportToken)
	}
	o.importOrders(t, orders(carrierOrder("WITHIN", object{"reference": "PO 7"})))
	o.awaitFeed(t, 1)
	eventually(t, "the window is over", func() bool {
		return one[int](t, i, "select count(*) from order_exports where org_id = $1 and reason = 'window_over'", o.id) == 1
	})
	o.importOrders(t, orders(carrierOrder("AFTER", object{"reference": "PO 7"})))
	o.quiet(t)
	left := o.awaitFeed(t, 1)[0]
	require.Equal(t, within, left.OrderID, "what came back within the window stays until it is acknowledged")
}

func TestCarrierWebhook(t *testing.T) {
	t.Parallel()
	i := install(t)
	const secret = "a secret of two"
	require.NoError(t, i.start("work"))
	require.NoError(t, i.start("serve", "WAYBILL_CARRIER_POSTNORD="+secret))
	require.NoError(t, i.ready(t.Context()))
	o, other := i.organization(t), i.organization(t)
	slug := one[string](t, i, "select slug from organizations where id = $1", o.id)
	id := orderID(t, o.importOrders(t, orders(newOrder("W-1")))[0])
	other.importOrders(t, orders(newOrder("W-2")))
	path := "/webhooks/carriers/" + slug
	send := func(path, secret, body string, at time.Time) answer {
		stamp := strconv.FormatInt(at.Unix(), 10)
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(stamp + "." + slug + "." + body))
		return i.anonymous(t, http.MethodPost, path, body, "X-Waybill-Timestamp", stamp, "X-Waybill-Signature", hex.EncodeToString(mac.Sum(nil)))
	}
	const body = `{"externalId": "W-1",  "eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "2026-03-02T12:31:00Z", "signeeName": "Kari", "isContactless": false, "scan": [1]}`
	for range 3 {
		require.Equal(t, http.StatusNoContent, send(path, secret, body, time.Now()).status)
	}
	updates := read[contract.ExternalUpdates](t, o.get(t, fmt.Sprintf("/v2/orders/%d/external-updates", id))).Updates
	require.Len(t, updates, 1, "a replay does no harm")
	require.Equal(t, body, updates[0].RawBody)
	require.Equal(t, "Kari", updates[0].SigneeName.MustGet())
	require.False(t, updates[0].IsContactless.MustGet())

	for name, a := range map[string]answer{
		"another secret":       send(path, "another", body, time.Now()),
		"an old call":          send(path, secret, body, time.Now().Add(-6*time.Minute)),
		"a call of the future": send(path, secret, body, time.Now().Add(6*time.Minute)),
		"nobody's":             send(path+"x", secret, body, time.Now()),
		"unsigned":             i.anonymous(t, http.MethodPost, path, body),
	} {
		require.Equal(t, http.StatusForbidden, a.status, name)
	}
	for bad, field := range map[string]string{
		`{`:  "body",
		`[]`: "body",
		`{"eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "2026-03-02T12:31:00Z"}`:                                                                           "orderId",
		`{"externalId": "W-1", "eventType": "EVENT_TYPE_ORDER_EXPORTED", "occurredAt": "2026-03-02T12:31:00Z"}`:                                                 "eventType",
		`{"externalId": "W-1", "eventType": "EVENT_TYPE_DELIVERED"}`:                                                                                            "occurredAt",
		`{"externalId": "W-1", "eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "yesterday"}`:                                                                 "",
		`{"externalId": 7, "eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "2026-03-02T12:31:00Z"}`:                                                          "externalId",
		`{"externalId": "W\u0000", "eventType": "EVENT_TYPE_DELIVERED", "occurredAt": "2026-03-02T12:31:00Z"}`:                                                  "externalId",
		`{"externalId": "W-1", "eventType": "EVENT_TYPE_STATUS_COMMENT", "occurredAt": "2026-03-02T12:31:00Z", "label": "` + strings.Repeat("x", 10_001) + `"}`: "label",
	} {
		a := send(path, secret, bad, time.Now())
		require.Equal(t, http.StatusBadRequest, a.status, "%.80s: %s", bad, a.body)
		require.Contains(t, string(a.body), field)
	}
	require.Equal(t, http.StatusNotFound, send(path, secret, strings.Replace(body, "W-1", "W-2", 1), time.Now()).status, "another organization's order")
	require.Len(t, read[contract.ExternalUpdates](t, o.get(t, fmt.Sprintf("/v2/orders/%d/external-updates", id))).Updates, 1)
}
