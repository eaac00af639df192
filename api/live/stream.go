package live

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/outward"
	"waybill/store"
)

// stream sends hints until the client leaves, or is no longer permitted.
func (h *Handlers) stream(w http.ResponseWriter, r *http.Request) error {
	if !strings.Contains(r.Header.Get("Accept"), edge.StreamType) {
		return fault.Field("Accept", fault.Say("request.not_one_of", "allowed", edge.StreamType))
	}
	p := edge.PrincipalOf(r.Context())
	org := p.OrgID
	after, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	if err != nil {
		after = -1 // the page may be older than the stream
	}
	person, own := p.ID, (*ownRoute)(nil)
	if strings.HasPrefix(r.URL.Path, "/v1/driver/") {
		person, own = -p.DriverID, &ownRoute{log: h.log, orgID: org, driverID: p.DriverID}
	}
	l, missed, err := h.hub.join(org, person, after)
	if err != nil {
		return err
	}
	defer h.hub.leave(org, l)
	if err := own.read(r.Context()); err != nil {
		return err
	}

	header := w.Header()
	header.Set("Content-Type", edge.StreamType)
	header.Set("X-Accel-Buffering", "no") // a proxy would keep hints back
	w.WriteHeader(http.StatusOK)
	out := &writer{ResponseWriter: w, connection: http.NewResponseController(w)}
	_ = out.connection.SetReadDeadline(time.Time{}) // nothing more is read, for as long as it takes
	out.send(": welcome\n\n")
	for _, hint := range missed {
		if own.concerns(r.Context(), &hint) {
			out.hint(hint)
		}
	}
	h.follow(r, l, own, out)
	return nil
}

// follow writes hints until the stream is to end.
func (h *Handlers) follow(r *http.Request, l *listener, own *ownRoute, out *writer) {
	check, beat := time.NewTicker(checkEvery), time.NewTicker(beatEvery)
	defer check.Stop()
	defer beat.Stop()
	for out.err == nil {
		select {
		case n := <-l.news:
			if n.isReset || own.concerns(r.Context(), &n.Hint) {
				out.news(&n)
			}
		case <-l.lost:
			return // a returning client gets a reset
		case <-beat.C:
			out.send(":\n\n")
		case <-check.C:
			if !h.edge.StillLets(r) {
				return
			}
		case <-h.hub.lifetime.Done():
			return
		case <-r.Context().Done():
			return
		}
	}
}

// writer writes to a client. A phone that is gone must not block it.
type writer struct {
	http.ResponseWriter

	connection *http.ResponseController
	err        error
}

func (w *writer) send(text string) {
	if w.err != nil {
		return
	}
	_ = w.connection.SetWriteDeadline(time.Now().Add(writeIn)) // a test's recorder has none
	if _, w.err = fmt.Fprint(w.ResponseWriter, text); w.err == nil {
		w.err = w.connection.Flush()
	}
}

func (w *writer) news(n *news) {
	if n.isReset {
		w.send(fmt.Sprintf("id: %d\nevent: reset\ndata: {}\n\n", n.Position))
		return
	}
	w.hint(n.Hint)
}

func (w *writer) hint(hint store.Hint) {
	said := contract.LiveHint{
		Position: hint.Position, Thing: contract.LiveHintThing(hint.Subject), ID: hint.SubjectID, Kind: string(hint.Kind),
	}
	if hint.OrderID != 0 {
		said.OrderID = &hint.OrderID
	}
	if hint.DriverID != 0 {
		said.DriverID = &hint.DriverID
	}
	data, err := outward.Marshal(said)
	if err != nil {
		w.err = err
		return
	}
	w.send(fmt.Sprintf("id: %d\nevent: hint\ndata: %s\n\n", hint.Position, data))
}
