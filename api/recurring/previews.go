package recurring

import (
	"net/http"
	"time"

	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/recurring"
	"waybill/domain/recurring/wire"
)

type occurrence struct {
	At   time.Time `json:"at"`
	Date string    `json:"date"`
}

// previewRecurringOrder shows the dates of a recurrence rule, and saves
// nothing.
func (h *Handlers) previewRecurringOrder(w http.ResponseWriter, r *http.Request) error {
	preview, err := wire.ReadPreview(r.Body)
	if err != nil {
		return err
	}
	canonical, found, err := preview.Show(edge.PrincipalOf(r.Context()).Zone)
	if err != nil {
		return err
	}
	out := struct {
		RuleSet     string       `json:"rruleset"`
		Occurrences []occurrence `json:"occurrences"`
	}{canonical, make([]occurrence, len(found))}
	for i, o := range found {
		out.Occurrences[i] = occurrence{At: o.At, Date: o.Date.Format(time.DateOnly)}
	}
	return edge.WriteJSON(w, http.StatusOK, out)
}

type generatedOrder struct {
	ExternalID string `json:"externalId"`
	OrderID    *int64 `json:"orderId"`
	occurrence
	// Reason and Message are those of a protected order.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

type updatePreview struct {
	Create  []generatedOrder `json:"create"`
	Change  []generatedOrder `json:"change"`
	Cancel  []generatedOrder `json:"cancel"`
	Protect []generatedOrder `json:"protect"`
	// DoubledDates and KeptDates are days, as YYYY-MM-DD.
	DoubledDates []string `json:"doubledDates"`
	KeptDates    []string `json:"keptDates"`
}

// previewRecurringOrderUpdate shows what a change would do to the orders of a
// template, and changes nothing.
func (h *Handlers) previewRecurringOrderUpdate(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	id, err := recurringOrderID(r)
	if err != nil {
		return err
	}
	change, err := wire.ReadChange(r.Body)
	if err != nil {
		return err
	}
	preview, err := h.operations.Recurring.PreviewTemplateChange(ctx, edge.Caller(ctx), id, change)
	if err != nil {
		return err
	}
	out := newUpdatePreview(&preview.Template, &preview.Plan, edge.LocalizerOf(ctx))
	out.KeptDates = datesOf(preview.Kept)
	return edge.WriteJSON(w, http.StatusOK, out)
}

func newUpdatePreview(template *recurring.Template, plan *recurring.Plan, say edge.Localizer) updatePreview {
	out := updatePreview{
		Create: make([]generatedOrder, 0, len(plan.Create)), Change: newGeneratedOrders(plan.Change),
		Cancel: newGeneratedOrders(plan.Cancel), Protect: make([]generatedOrder, 0, len(plan.Protect)),
		DoubledDates: datesOf(plan.Doubled),
	}
	for _, o := range plan.Create {
		out.Create = append(out.Create, newGeneratedOrder(template.Number(o), 0, o))
	}
	out.Create = append(out.Create, newGeneratedOrders(plan.Restore)...)
	for _, p := range plan.Protect {
		g := newGeneratedOrder(p.Number, p.OrderID, p.Occurrence)
		g.Reason, g.Message = string(p.Why), say.Say(protectedText(p.Why))
		out.Protect = append(out.Protect, g)
	}
	return out
}

func datesOf(days []time.Time) []string {
	dates := make([]string, len(days))
	for i, day := range days {
		dates[i] = day.Format(time.DateOnly)
	}
	return dates
}

func newGeneratedOrders(list []recurring.Existing) []generatedOrder {
	out := make([]generatedOrder, len(list))
	for i, e := range list {
		out[i] = newGeneratedOrder(e.Number, e.OrderID, e.Occurrence)
	}
	return out
}

func newGeneratedOrder(number string, orderID int64, o recurring.Occurrence) generatedOrder {
	return generatedOrder{
		ExternalID: number, OrderID: edge.IDOrNone(orderID),
		occurrence: occurrence{At: o.At, Date: o.Date.Format(time.DateOnly)},
	}
}

// protectedText explains why an order is not changed.
func protectedText(why recurring.Protection) fault.Text {
	switch why {
	case recurring.Started:
		return fault.Say("recurring_order.protected_started")
	case recurring.Booked:
		return fault.Say("recurring_order.protected_booked")
	case recurring.Cancelled:
		return fault.Say("recurring_order.protected_cancelled")
	case recurring.Edited:
	}
	return fault.Say("recurring_order.protected_edited")
}
