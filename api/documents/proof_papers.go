package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/proof"
	"waybill/domain/proof/paper"
	"waybill/store"
)

// proofPaper is a PDF that is on its way.
type proofPaper struct {
	orderID  int64
	language string
	pdf      []byte
}

// VisitGetCompletionProofPdfResponse responds with the file, for a browser to
// show.
func (p proofPaper) VisitGetCompletionProofPdfResponse(w http.ResponseWriter) error {
	header := w.Header()
	keepPrivate(header)
	header.Set("Content-Type", "application/pdf")
	header.Set("Content-Language", p.language)
	header.Set("Content-Length", strconv.Itoa(len(p.pdf)))
	header.Set("Content-Disposition", fmt.Sprintf("inline; filename=proof-%d.pdf", p.orderID))
	_, err := w.Write(p.pdf)
	return err
}

// GetCompletionProofPdf draws how an order was proved to be completed.
func (h *Handlers) GetCompletionProofPdf(
	ctx context.Context, request contract.GetCompletionProofPdfRequestObject,
) (contract.GetCompletionProofPdfResponseObject, error) {
	org := edge.PrincipalOf(ctx).OrgID
	proofs, err := h.store.CompletionProofs(ctx, org, request.OrderID)
	if err != nil {
		return nil, err
	}
	about, err := h.store.ProvedOrder(ctx, org, request.OrderID)
	if err != nil {
		return nil, err
	}
	goods, err := h.store.ProvedGoods(ctx, org, request.OrderID)
	if err != nil {
		return nil, err
	}
	w := writer{Localizer: edge.LocalizerOf(ctx), zone: edge.PrincipalOf(ctx).Zone, pictures: h.pictures}
	sheet, err := w.sheet(ctx, request.OrderID, &about, goods, proofs, h.now())
	if err != nil {
		return nil, err
	}
	pdf, err := sheet.PDF()
	return proofPaper{request.OrderID, w.Tag, pdf}, err
}

// writer describes proofs in words.
type writer struct {
	edge.Localizer

	zone     *time.Location
	pictures *shrinker
}

func (w writer) say(what string, pairs ...string) string {
	return w.Say(fault.Say("proof_paper."+what, pairs...))
}

func (w writer) sheet(
	ctx context.Context, orderID int64, about *store.ProvedOrder, goods []store.ProvedGood, proofs []store.CompletionProof,
	now time.Time,
) (*paper.Sheet, error) {
	number := about.Number
	if number == "" {
		number = strconv.FormatInt(orderID, 10)
	}
	s := &paper.Sheet{
		Language: w.Tag, Title: w.say("title"), Subtitle: about.Organization, Made: now,
		Foot: w.say("foot", "order", number, "made", w.moment(now)), Lacking: w.say("lacking", "letter", "□"),
		Parts: []paper.Part{{Facts: facts(
			w.say("order"), number, w.say("reference"), about.Reference, w.say("consignee"), about.Consignee,
			w.say("stop"), about.Stop, w.say("address"), about.Address,
		)}},
	}
	s.Parts = append(s.Parts, w.goods(goods)...)
	for i := range proofs {
		p := &proofs[i]
		pictures, err := w.drawn(ctx, p)
		if err != nil {
			return nil, err
		}
		scans, err := w.scanned(p)
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, w.handover(p))
		s.Parts = append(s.Parts, scans...)
		s.Parts = append(s.Parts, pictures...)
		s.Parts = append(s.Parts, w.verification(p, about))
		if p.Manifest != nil {
			s.Attached = append(s.Attached, paper.File{
				Name: manifestName(p), Description: w.say("manifest"), Content: []byte(*p.Manifest),
			})
		}
	}
	return s, nil
}

// facts returns pairs of names and values, without empty values.
func facts(pairs ...string) (all []paper.Fact) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, paper.Fact{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	return all
}

// handover describes who received the goods, when and where.
func (w writer) handover(p *store.CompletionProof) paper.Part {
	var place, distance string
	if p.Latitude != nil && p.Longitude != nil {
		place = fmt.Sprintf("%.6f, %.6f", *p.Latitude, *p.Longitude)
		if p.AccuracyMeters != nil {
			place += fmt.Sprintf(" ± %.0f m", *p.AccuracyMeters)
		}
	}
	if p.DistanceMeters != nil {
		distance = fmt.Sprintf("%.0f m", *p.DistanceMeters)
	}
	return paper.Part{
		Heading: w.say("type." + strings.ToLower(p.Type)),
		Facts: facts(
			w.say("signee"), edge.OrEmpty(p.Signee), w.say("when"), w.moment(p.OccurredAt),
			w.say("driver"), edge.OrEmpty(p.DriverName), w.say("place"), place, w.say("distance"), distance,
			w.say("comment"), edge.OrEmpty(p.Comment),
		),
	}
}

// scanned lists the scans, or omits the section if there are none.
func (w writer) scanned(p *store.CompletionProof) ([]paper.Part, error) {
	var scans []proof.Scan
	if err := json.Unmarshal(p.Scans, &scans); err != nil {
		return nil, fmt.Errorf("scans of a proof: %w", err)
	}
	if len(scans) == 0 {
		return nil, nil
	}
	codes := make([]string, len(scans))
	for i, scan := range scans {
		codes[i] = scan.Code
	}
	return []paper.Part{{Heading: w.say("scans"), Texts: []string{strings.Join(codes, ", ")}}}, nil
}

// verification explains how to verify the proof.
func (w writer) verification(p *store.CompletionProof, about *store.ProvedOrder) paper.Part {
	part := paper.Part{Heading: w.say("verification")}
	if p.Manifest == nil || p.Seq == nil {
		part.Texts = []string{w.say("no_chain")}
		return part
	}
	part.Facts = facts(w.say("number"), strconv.FormatInt(*p.Seq, 10), w.say("hash"), p.Hash)
	part.Texts = []string{
		w.say("how_file", "file", manifestName(p)),
		w.say("how_chain", "org", about.Slug),
	}
	return part
}

func manifestName(p *store.CompletionProof) string { return fmt.Sprintf("manifest-%d.json", *p.Seq) }

// moment writes a time in the organization's time zone.
func (w writer) moment(at time.Time) string {
	at = at.In(w.zone)
	return w.Calendar().FmtDateLong(at) + at.Format(" 15:04:05 MST")
}
