package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/oapi-codegen/nullable"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/load"
	"waybill/domain/order"
	"waybill/store"
)

// maxOrderProducts is how many products one call may change.
const maxOrderProducts = 5_000

// orderProducts are an order and its products, as the view shapes them.
type orderProducts struct {
	OrderID       int64          `json:"order_id"`
	OrderProducts store.Document `json:"order_products"`
}

// VisitUpsertOrderProductsResponse responds with the products.
func (p orderProducts) VisitUpsertOrderProductsResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p)
}

// VisitSetProductTreeResponse responds with the products.
func (p orderProducts) VisitSetProductTreeResponse(w http.ResponseWriter) error {
	return edge.WriteJSON(w, http.StatusOK, p)
}

func (h *Handlers) readProducts(ctx context.Context, org, orderID int64) (orderProducts, error) {
	doc, err := h.store.OrderProducts(ctx, org, orderID)
	return orderProducts{OrderID: orderID, OrderProducts: doc}, err
}

// UpsertOrderProducts changes and adds products of an order that exists.
func (h *Handlers) UpsertOrderProducts(
	ctx context.Context, request contract.UpsertOrderProductsRequestObject,
) (contract.UpsertOrderProductsResponseObject, error) {
	body, number := request.Body, ""
	if body.InternalOrderNumber != nil {
		number = *body.InternalOrderNumber
	}
	if (body.OrderID == nil) == (number == "") {
		return nil, fault.Field("order_id", fault.Say("order_products.one_order"))
	}
	if !edge.IsText(number) {
		return nil, fault.Field("internal_order_number", fault.Say("request.not_text"))
	}
	if n := len(body.OrderProducts); n == 0 || n > maxOrderProducts {
		return nil, fault.Field("order_products", fault.Say("order_products.count", "max", strconv.Itoa(maxOrderProducts)))
	}
	changes := make([]order.ProductChange, len(body.OrderProducts))
	for i := range body.OrderProducts {
		changes[i] = productChange(&body.OrderProducts[i])
		if field := fieldThatIsNoText(&changes[i]); field != "" {
			return nil, fault.Field(fmt.Sprintf("order_products[%d].%s", i, field), fault.Say("request.not_text"))
		}
	}
	id := int64(0)
	if body.OrderID != nil {
		id = *body.OrderID
	}
	org := edge.PrincipalOf(ctx).OrgID
	id, err := h.operations.Orders.UpsertProducts(ctx, edge.Caller(ctx), id, number, changes)
	if err != nil {
		return nil, err
	}
	return h.readProducts(ctx, org, id)
}

func productChange(p *contract.OrderProductChange) order.ProductChange {
	return order.ProductChange{
		ExternalID: p.ExternalID, Name: givenValue(p.Name), Quantity: givenValue(p.Quantity),
		Weight: givenOrNil(p.Weight), Length: givenOrNil(p.Length), Width: givenOrNil(p.Width), Height: givenOrNil(p.Height),
		BarcodeID: givenOrEmpty(p.BarcodeID), InstanceNumber: givenValue(p.InstanceNumber),
		AtomType: givenValue((*string)(p.AtomType)), ParentExternalID: givenOrEmpty(p.ParentExternalID),
		LoadAmounts: givenLoads(p.LoadAmounts),
	}
}

// givenLoads are amounts in load dimensions, absent if they were left out.
func givenLoads(sent *[]contract.LoadAmount) order.Given[load.Amounts] {
	if sent == nil {
		return order.Given[load.Amounts]{}
	}
	amounts := make(load.Amounts, len(*sent))
	for i, a := range *sent {
		amounts[i] = load.Amount{Dimension: a.Dimension, Amount: a.Amount}
	}
	return order.Give(amounts)
}

// fieldThatIsNoText names the field that a database cannot keep.
func fieldThatIsNoText(c *order.ProductChange) string {
	for _, f := range []struct{ name, value string }{
		{"external_id", c.ExternalID},
		{"name", c.Name.Value},
		{"barcode_id", c.BarcodeID.Value},
		{"instance_number", c.InstanceNumber.Value},
		{"atom_type", c.AtomType.Value},
		{"parent_external_id", c.ParentExternalID.Value},
	} {
		if !edge.IsText(f.value) {
			return f.name
		}
	}
	return ""
}

func givenValue[T any](v *T) order.Given[T] {
	if v == nil {
		return order.Given[T]{}
	}
	return order.Give(*v)
}

// givenOrNil is a field that null takes away.
func givenOrNil[T any](v nullable.Nullable[T]) order.Given[*T] {
	if !v.IsSpecified() {
		return order.Given[*T]{}
	}
	value, err := v.Get()
	if err != nil {
		return order.Give[*T](nil)
	}
	return order.Give(&value)
}

// givenOrEmpty is a text that null takes away.
func givenOrEmpty(v nullable.Nullable[string]) order.Given[string] {
	if !v.IsSpecified() {
		return order.Given[string]{}
	}
	value, _ := v.Get() // null is empty
	return order.Give(value)
}

// SetProductTree sets the tree of an order's products.
func (h *Handlers) SetProductTree(
	ctx context.Context, request contract.SetProductTreeRequestObject,
) (contract.SetProductTreeResponseObject, error) {
	if request.Body.Tree == nil {
		return nil, fault.Field("tree", fault.Say("param.required"))
	}
	tree, count := newNodes(request.Body.Tree)
	if count > maxOrderProducts {
		return nil, fault.Field("tree", fault.Say("field.too_many", "max", strconv.Itoa(maxOrderProducts)))
	}
	org := edge.PrincipalOf(ctx).OrgID
	if err := h.operations.Orders.PackProducts(ctx, edge.Caller(ctx), request.OrderID, tree); err != nil {
		return nil, err
	}
	return h.readProducts(ctx, org, request.OrderID)
}

// newNodes returns the nodes of a tree, and their total number.
func newNodes(sent []contract.ProductNode) (out []order.Node, count int) {
	out = make([]order.Node, len(sent))
	count = len(sent)
	for i, n := range sent {
		if n.ID != nil {
			out[i].ID = *n.ID
		}
		if n.ExternalID != nil {
			out[i].ExternalID = *n.ExternalID
		}
		if n.Children != nil {
			more := 0
			out[i].Children, more = newNodes(*n.Children)
			count += more
		}
	}
	return out, count
}

// GetProductStatusFeed returns the changes of products' status after a token,
// which is a position in the log and an index within its event.
func (h *Handlers) GetProductStatusFeed(
	ctx context.Context, request contract.GetProductStatusFeedRequestObject,
) (contract.GetProductStatusFeedResponseObject, error) {
	token, place, err := splitToken(request.Params.Token)
	if err != nil {
		return nil, err
	}
	after, size, err := edge.FeedPage(token, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	// One more than requested shows whether there is more.
	rows, after, err := readFeed(ctx, h, request.Params.Token, after, productToken,
		func(after int64) ([]store.ProductStatusChange, error) {
			return h.store.ProductStatusFeed(ctx, edge.PrincipalOf(ctx).OrgID, after, place, size+1)
		})
	if err != nil {
		return nil, err
	}
	out := contract.GetProductStatusFeed200JSONResponse{
		Items: []contract.ProductStatusChange{}, HasMore: len(rows) > int(size),
	}
	for _, row := range rows[:min(len(rows), int(size))] {
		after, place = row.Position, row.Place
		out.Items = append(out.Items, newProductStatusChange(row))
	}
	out.NextToken = fmt.Sprintf("%d.%d", after, place)
	return out, nil
}

// productToken is the token after a position.
func productToken(position int64) string { return fmt.Sprintf("%d.0", position) }

func newProductStatusChange(row store.ProductStatusChange) contract.ProductStatusChange {
	change := contract.ProductStatusChange{
		Position: row.Position, OrderID: row.OrderID, ExternalID: row.ExternalID, OrderProductID: row.ProductID,
		ProductExternalID: row.ProductExternalID, OrderStatusID: contract.OrderStatusID(row.StatusID),
		Status: contract.OrderStatusName(row.Status), OccurredAt: row.OccurredAt.UTC(), DriverID: row.DriverID,
	}
	if row.Stop != nil {
		stop := contract.ProductStatusChangeStop(*row.Stop)
		change.Stop = &stop
	}
	var scan contract.ProductScan
	if err := json.Unmarshal(row.Scan, &scan); err == nil && scan.BarcodeID != "" {
		change.Scan = &scan
	}
	return change
}

// splitToken separates the index within an event from a token.
func splitToken(token *string) (position *string, place int64, err error) {
	if token == nil || *token == "" {
		return nil, 0, nil
	}
	head, tail, _ := strings.Cut(*token, ".")
	place, err = strconv.ParseInt(tail, 10, 64)
	if err != nil || place < 0 {
		return nil, 0, fault.Field("token", fault.Say("feed.bad_token"))
	}
	return &head, place, nil
}
