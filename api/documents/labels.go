package documents

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/label"
	"waybill/domain/order"
	"waybill/domain/proof/paper"
	"waybill/operations/documents"
)

// maxLabelled is how many orders get labels at a time.
const maxLabelled = 500

// labelFile is a file of labels that is on its way.
type labelFile struct {
	mediaType, language, name string
	content                   []byte
}

// VisitDrawLabelsResponse responds with the file.
func (f labelFile) VisitDrawLabelsResponse(w http.ResponseWriter) error {
	header := w.Header()
	keepPrivate(header)
	header.Set("Content-Type", f.mediaType)
	header.Set("Content-Language", f.language)
	header.Set("Content-Length", strconv.Itoa(len(f.content)))
	header.Set("Content-Disposition", "inline; filename="+f.name)
	_, err := w.Write(f.content)
	return err
}

// DrawLabels draws the labels of orders.
func (h *Handlers) DrawLabels(
	ctx context.Context, request contract.DrawLabelsRequestObject,
) (contract.DrawLabelsResponseObject, error) {
	body := request.Body
	numbers, ids, err := ordersNamed(body)
	if err != nil {
		return nil, err
	}
	level := label.ByColli
	if body.Level != nil {
		level = label.Level(*body.Level)
	}
	labelled, err := h.operations.Documents.LabelOrders(ctx, edge.Caller(ctx), numbers, ids, level)
	if err != nil {
		return nil, err
	}
	words := labelWords{edge.LocalizerOf(ctx)}
	labels := paper.Labels{Language: words.Tag, Title: words.say("title"), Made: h.now(), Size: paper.A6}
	if body.Size != nil && *body.Size == contract.LabelsRequestSizeN4X6 {
		labels.Size = paper.FourBySix
	}
	for i := range labelled {
		for k := range labelled[i].Parcels {
			labels.Labels = append(labels.Labels, words.label(&labelled[i], &labelled[i].Parcels[k]))
		}
	}
	if body.Format != nil && *body.Format == contract.LabelsRequestFormatZPL {
		zpl, err := labels.ZPL()
		return labelFile{"application/zpl", words.Tag, "labels.zpl", zpl}, err
	}
	pdf, err := labels.PDF()
	return labelFile{"application/pdf", words.Tag, "labels.pdf", pdf}, err
}

// ordersNamed returns the orders that get labels.
func ordersNamed(body *contract.LabelsRequest) (numbers []string, ids []int64, err error) {
	if body.ExternalIds != nil {
		numbers = *body.ExternalIds
	}
	if body.OrderIds != nil {
		ids = *body.OrderIds
	}
	if n := len(numbers) + len(ids); n < 1 || n > maxLabelled {
		return nil, nil, fault.Field("externalIds", fault.Say("label.none_named", "max", strconv.Itoa(maxLabelled)))
	}
	for _, number := range numbers {
		if err := edge.CheckOrderNumber(number); err != nil {
			return nil, nil, err
		}
	}
	for _, valid := range []struct {
		field, allowed string
		holds          bool
	}{
		{"format", "PDF, ZPL", body.Format == nil || body.Format.Valid()},
		{"size", "A6, 4x6", body.Size == nil || body.Size.Valid()},
		{"level", "ORDER, COLLI", body.Level == nil || body.Level.Valid()},
	} {
		if !valid.holds {
			return nil, nil, fault.Field(valid.field, fault.Say("request.not_one_of", "allowed", valid.allowed))
		}
	}
	return numbers, ids, nil
}

// labelWords describes parcels in words.
type labelWords struct{ edge.Localizer }

func (w labelWords) say(what string) string { return w.Say(fault.Say("label.word." + what)) }

func (w labelWords) label(o *documents.Labelled, p *label.Parcel) paper.Label {
	weight := ""
	if p.Product != nil && p.Product.Weight != nil {
		weight = strconv.FormatFloat(*p.Product.Weight, 'f', -1, 64) + " kg"
	}
	code := p.Code.Text
	if p.Code.SSCC {
		code = "00" + code
	}
	return paper.Label{
		From: addressOf(&p.Order.Pickup), Whereto: addressOf(&p.Order.Delivery),
		Facts: facts(
			w.say("order"), p.Order.Number, w.say("date"), p.Order.Date.Format(time.DateOnly),
			w.say("type"), o.OrderType, w.say("unit"), fmt.Sprintf("%d/%d", p.Unit, p.Units),
			w.say("weight"), weight, w.say("route"), p.Order.RouteNumber, w.say("reference"), p.Order.Reference,
		),
		Code: code, GS1: p.Code.SSCC, Readable: p.Code.Readable(),
	}
}

// addressOf is a stop as a label shows it.
func addressOf(s *order.Stop) paper.Address {
	a := &s.Address
	said := func(separator string, parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), separator)
	}
	return paper.Address{
		Name: s.Name, Street: said(", ", a.Address1, a.Address2),
		Place: said(" ", said("-", a.Country, a.PostalCode), a.City),
	}
}
