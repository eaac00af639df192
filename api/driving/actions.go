package driving

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/driving"
	"waybill/domain/fault"
)

// Limits of one request.
const (
	mostActions  = 100
	mostProducts = 1000
	mostPictures = 20

	longestReason  = 500
	longestComment = 2000
	longestName    = 200
)

// RecordDriverActions records a driver's actions.
func (h *Handlers) RecordDriverActions(
	ctx context.Context, request contract.RecordDriverActionsRequestObject,
) (contract.RecordDriverActionsResponseObject, error) {
	p := edge.PrincipalOf(ctx)
	said := request.Body.Actions
	if len(said) == 0 || len(said) > mostActions {
		return nil, fault.Field("actions", fault.Say("driven.how_many", "max", strconv.Itoa(mostActions)))
	}
	actions := make([]driving.DriverAction, len(said))
	for i := range said {
		r := reader{at: fmt.Sprintf("actions[%d].", i)}
		actions[i] = r.action(&said[i])
		if len(r.problems) > 0 {
			return nil, &fault.Error{Kind: fault.Invalid, Text: fault.Say("request.invalid"), Violations: r.problems}
		}
		actions[i].DriverID, actions[i].DeviceID = p.DriverID, p.SessionID
	}
	answers, err := h.operations.Driving.Act(ctx, edge.Caller(ctx), actions)
	if err != nil {
		return nil, err
	}
	out := contract.RecordDriverActions200JSONResponse{Results: make([]contract.DriverActionResult, len(answers))}
	say := edge.LocalizerOf(ctx)
	for i := range answers {
		out.Results[i] = newResult(say, actions[i].ID, &answers[i])
	}
	return out, nil
}

// newResult puts an answer on the wire, with words.
func newResult(say edge.Localizer, id string, a *driving.ActionAnswer) contract.DriverActionResult {
	r := contract.DriverActionResult{
		ID: id, Outcome: contract.DriverActionResultOutcome(a.Answer), Repeated: a.Repeated,
	}
	if a.Why != driving.Moved {
		reason := contract.DriverActionReason(a.Why)
		text := say.Say(fault.Say("driven.why." + strings.ToLower(string(a.Why))))
		r.Reason, r.Text = &reason, &text
	}
	if a.OrderID != 0 {
		status := contract.OrderStatusID(a.Status)
		r.OrderID, r.OrderStatusID = &a.OrderID, &status
	}
	return r
}

// reader reads an action and collects its violations.
type reader struct {
	at       string // the prefix of its fields
	problems []fault.Violation
}

func (r *reader) complain(field string, text fault.Text) {
	r.problems = append(r.problems, fault.Violation{Field: r.at + field, Text: text})
}

var (
	uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)
	sum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func (r *reader) action(said *contract.DriverAction) driving.DriverAction {
	a := driving.DriverAction{
		ID: r.uuid("id", said.ID), Deed: driving.Deed(said.Type),
		Clock: r.time("occurredAt", said.OccurredAt), Sent: r.time("sentAt", said.SentAt),
		Position: r.place("position", said.Position),
		Reason:   r.text("reason", said.Reason, longestReason), Comment: r.text("comment", said.Comment, longestComment),
	}
	switch {
	case !said.Type.Valid():
		r.complain("type", fault.Say("request.not_one_of", "allowed", deeds()))
	case a.Deed.OfStop() && (said.StopID == nil || *said.StopID <= 0):
		r.complain("stopId", fault.Say("driven.stop_missing"))
	case a.Deed.OfStop():
		a.StopID = *said.StopID
	}
	switch {
	case a.Deed == driving.Undo && said.Undoes == nil:
		r.complain("undoes", fault.Say("param.required"))
	case a.Deed == driving.Undo:
		a.Undoes = r.uuid("undoes", *said.Undoes)
	}
	if a.Deed == driving.Deliver {
		a.Products, a.Proof = r.products(said.Products), r.proof(said.Proof)
	}
	if a.Deed == driving.ReportMissing {
		a.Products = r.missing(said.MissingProducts)
	}
	if a.Deed == driving.Fail {
		a.Pictures = r.pictures("pictures", said.Pictures)
	}
	if a.Deed == driving.Scan {
		a.Scans = r.scans(said.Scans)
	}
	if a.Deed == driving.ReportWrongPin {
		a.Pin = r.pin(said.Pin)
	}
	if a.Deed == driving.Exchange {
		a.Exchanged = r.exchange(said.CargoCarriers)
	}
	return a
}

// deeds lists the kinds of action.
func deeds() string {
	all := make([]string, 0, len(driving.Deeds()))
	for _, d := range driving.Deeds() {
		all = append(all, string(d))
	}
	return strings.Join(all, ", ")
}

func (r *reader) uuid(field, text string) string {
	if !uuid.MatchString(text) {
		r.complain(field, fault.Say("driven.no_uuid"))
	}
	return strings.ToLower(text)
}

func (r *reader) time(field string, at time.Time) time.Time {
	if y := at.Year(); y < 2000 || y > 9000 {
		r.complain(field, fault.Say("driven.no_time"))
	}
	return at.UTC()
}

func (r *reader) text(field string, text *string, longest int) string {
	t := strings.TrimSpace(edge.OrEmpty(text))
	switch {
	case !edge.IsText(t):
		r.complain(field, fault.Say("request.not_text"))
	case len([]rune(t)) > longest:
		r.complain(field, fault.Say("field.too_long", "max", strconv.Itoa(longest)))
	}
	return t
}

func (r *reader) place(field string, said *contract.DriverPlace) *driving.Position {
	if said == nil {
		return nil
	}
	p := &driving.Position{Latitude: said.Latitude, Longitude: said.Longitude, Accuracy: orNaN(said.AccuracyMeters)}
	if !p.Valid() {
		r.complain(field, fault.Say("driven.no_place"))
	}
	return p
}

// pin reads where an address is.
func (r *reader) pin(said *contract.DriverPlace) *driving.Position {
	if said == nil {
		r.complain("pin", fault.Say("param.required"))
	}
	return r.place("pin", said)
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

func (r *reader) products(said *[]contract.DeliveredProduct) (products []driving.Product) {
	if said == nil {
		return nil
	}
	if len(*said) > mostProducts {
		r.complain("products", fault.Say("driven.how_many", "max", strconv.Itoa(mostProducts)))
		return nil
	}
	for i, p := range *said {
		field := fmt.Sprintf("products[%d].", i)
		product := driving.Product{
			ID: p.ProductID, Delivered: p.Delivered, Reason: r.text(field+"reason", p.Reason, longestReason),
		}
		if p.Refused != nil {
			product.Refused = *p.Refused
		}
		if product.Delivered < 0 || product.Refused < 0 {
			r.complain(field+"delivered", fault.Say("driven.no_quantity"))
		}
		products = append(products, product)
	}
	return products
}

// missing reads the missing goods.
func (r *reader) missing(said *[]contract.MissingProduct) (products []driving.Product) {
	if said == nil || len(*said) == 0 || len(*said) > mostProducts {
		r.complain("missingProducts", fault.Say("driven.how_many", "max", strconv.Itoa(mostProducts)))
		return nil
	}
	for i, p := range *said {
		field := fmt.Sprintf("missingProducts[%d].", i)
		if p.Missing < 0 {
			r.complain(field+"missing", fault.Say("driven.no_quantity"))
		}
		products = append(products, driving.Product{
			ID: p.ProductID, Missing: p.Missing, Reason: r.text(field+"reason", p.Reason, longestReason),
		})
	}
	return products
}

func (r *reader) proof(said *contract.ActionProof) *driving.Proof {
	if said == nil {
		return nil
	}
	if !said.Type.Valid() {
		r.complain("proof.type", fault.Say("request.not_one_of", "allowed", "IN_PERSON, CONTACTLESS"))
	}
	p := &driving.Proof{
		Contactless: said.Type == contract.ActionProofTypeCONTACTLESS,
		Signee:      r.text("proof.signee", said.Signee, longestName),
		Comment:     r.text("proof.comment", said.Comment, longestComment),
		Signature:   edge.OrEmpty(said.Signature),
	}
	p.Pictures = r.pictures("proof.pictures", said.Pictures)
	if p.Signature != "" && !sum.MatchString(p.Signature) {
		r.complain("proof.signature", fault.Say("driven.no_sum"))
	}
	return p
}

// pictures reads the names of pictures, which are the hashes of their bytes.
func (r *reader) pictures(field string, said *[]string) []string {
	if said == nil {
		return nil
	}
	if len(*said) > mostPictures {
		r.complain(field, fault.Say("driven.how_many", "max", strconv.Itoa(mostPictures)))
		return nil
	}
	for i, picture := range *said {
		if !sum.MatchString(picture) {
			r.complain(fmt.Sprintf("%s[%d]", field, i), fault.Say("driven.no_sum"))
		}
	}
	return *said
}

func (r *reader) exchange(said *[]contract.ExchangedCargoCarrier) (lines []driving.Exchanged) {
	if said != nil && len(*said) <= driving.MostKinds {
		for _, line := range *said {
			lines = append(lines, driving.Exchanged{
				CarrierID: line.CargoCarrierID, Delivered: line.Delivered, Collected: line.Collected,
			})
		}
	}
	for _, problem := range driving.CheckExchange(lines) {
		r.complain(problem.Field, problem.Text)
	}
	return lines
}

func (r *reader) scans(said *[]contract.ActionScan) (scans []driving.Barcode) {
	if said == nil || len(*said) == 0 || len(*said) > mostProducts {
		r.complain("scans", fault.Say("driven.how_many", "max", strconv.Itoa(mostProducts)))
		return nil
	}
	for i, s := range *said {
		scan := driving.Barcode{Code: r.text(fmt.Sprintf("scans[%d].code", i), &s.Code, longestName)}
		if s.ProductID != nil {
			scan.ProductID = *s.ProductID
		}
		scans = append(scans, scan)
	}
	return scans
}
