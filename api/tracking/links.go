package tracking

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
	"waybill/domain/order"
	"waybill/domain/recipient"
	"waybill/operations/tracking"
	"waybill/store"
)

// How long tracking links work, in hours.
const (
	usualTrackingHours   = int32(tracking.UsualTrackingTime / time.Hour)
	longestTrackingHours = 8760
)

// ReserveTrackingLinks creates public links to the stops of an order.
func (h *Handlers) ReserveTrackingLinks(
	ctx context.Context, request contract.ReserveTrackingLinksRequestObject,
) (contract.ReserveTrackingLinksResponseObject, error) {
	number := request.Body.ExternalID
	if err := edge.CheckOrderNumber(number); err != nil {
		return nil, err
	}
	hours, err := request.Body.ExpirationHours.Get()
	if err != nil { // absent or null
		hours = usualTrackingHours
	}
	if hours < 1 || hours > longestTrackingHours {
		return nil, fault.Field("expirationHours", fault.Say("tracking.hours", "max", strconv.Itoa(longestTrackingHours)))
	}
	pages := edge.TrackingPages(h.publicURL)
	links := []store.TrackingLink{
		tracking.NewTrackingLink(pages, order.Pickup), tracking.NewTrackingLink(pages, order.Delivery),
	}
	lifetime := time.Duration(hours) * time.Hour
	links, err = h.operations.Tracking.ReserveTrackingLinks(ctx, edge.Caller(ctx), number, links, lifetime)
	if err != nil {
		return nil, err
	}
	return contract.ReserveTrackingLinks200JSONResponse{
		Pickup:   contract.TrackingLinkReservation{TrackingLink: links[0].Link, Code: links[0].Code},
		Delivery: contract.TrackingLinkReservation{TrackingLink: links[1].Link, Code: links[1].Code},
	}, nil
}

// DeleteTrackingLink ends a link.
func (h *Handlers) DeleteTrackingLink(
	ctx context.Context, request contract.DeleteTrackingLinkRequestObject,
) (contract.DeleteTrackingLinkResponseObject, error) {
	if err := h.operations.Tracking.RevokeTrackingLink(ctx, edge.Caller(ctx), request.Code); err != nil {
		return nil, err
	}
	return contract.DeleteTrackingLink204Response{}, nil
}

// trackingPage responds with the stop of a link, in the requested form.
func (h *Handlers) trackingPage(w http.ResponseWriter, r *http.Request) {
	secretive(w)
	stop, err := h.trackedStop(w, r)
	seen := see(&stop, h.now())
	if err == nil {
		err = h.operations.Tracking.Promise(r.Context(), &stop, seen.expected)
	}
	switch page := prefersHTML(r.Header.Values("Accept")); {
	case err != nil && page:
		h.failOnPage(w, r, err)
	case err != nil:
		h.edge.Fail(w, r, err)
	case page:
		say := h.pages.languageOf(r, stop.Language)
		near, far := h.logoOf(r, &stop)
		shown := stopPage(say, seen, near, far, h.streets)
		h.addActions(r, say, seen, &shown)
		h.writePage(w, r, http.StatusOK, say, shown)
	default:
		if err := edge.WriteJSON(w, http.StatusOK, seen.told()); err != nil {
			h.edge.Fail(w, r, err)
		}
	}
}

// secretive has nobody keep or pass on an answer whose address is a secret.
func secretive(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept, Accept-Language")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy(false, trackingCSS))
}

// trackingLogo responds with the logo of the organization behind a link.
func (h *Handlers) trackingLogo(w http.ResponseWriter, r *http.Request) {
	secretive(w)
	stop, err := h.trackedStop(w, r)
	content, media, there := stop.Page.Picture()
	if err == nil && !there {
		err = &fault.Error{Kind: fault.NotFound, Text: fault.Say("tracking_link.not_found"), Resource: "tracking_link"}
	}
	if err != nil {
		h.edge.Fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(content) // otherwise the client is gone
}

// logoOf returns the address of the logo as seen from a page, and from anywhere.
func (h *Handlers) logoOf(r *http.Request, stop *store.TrackedStop) (near, far string) {
	code := recipient.Code(chi.URLParam(r, "code"))
	near = code + "/logo"
	if strings.HasSuffix(r.URL.Path, "/") {
		near = "logo"
	}
	return near, stop.Page.Links(edge.TrackingPages(h.publicURL)) + code + "/logo"
}

// trackedStop finds the stop of a link, within the limit of the caller's
// address.
func (h *Handlers) trackedStop(w http.ResponseWriter, r *http.Request) (store.TrackedStop, error) {
	if err := h.pages.admit(w, r); err != nil {
		return store.TrackedStop{}, err
	}
	stop, err := h.store.TrackedStop(r.Context(), recipient.Code(chi.URLParam(r, "code")))
	return stop, knownLink(err)
}

// knownLink is an error of finding a link. All that do not work are answered alike.
func knownLink(err error) error {
	if errors.Is(err, store.ErrNotFound) || fault.KindOf(err) == fault.NotFound {
		return &fault.Error{Kind: fault.NotFound, Text: fault.Say("tracking_link.not_found"), Resource: "tracking_link"}
	}
	return err
}

// prefersHTML reports whether the client accepts HTML at least as much as JSON.
// Between equal preferences, the one that is named explicitly wins.
func prefersHTML(accept []string) bool {
	list := strings.Join(accept, ",")
	if list == "" {
		return true
	}
	page, pageNamed := quality(list, "text/html")
	data, dataNamed := quality(list, edge.MediaJSON)
	return page > data || page == data && pageNamed >= dataNamed
}

// quality is the preference of an Accept header (RFC 9110, 12.5.1) for a media
// type, and its specificity: the most specific matching range counts.
func quality(accept, media string) (wanted float64, exactness int) {
	kind, _, _ := strings.Cut(media, "/")
	ranges := []string{"*/*", kind + "/*", media}
	exactness = -1
	for element := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(element, ";")
		if rank := slices.Index(ranges, strings.ToLower(strings.TrimSpace(name))); rank > exactness {
			wanted, exactness = weight(parameters), rank
		}
	}
	return wanted, exactness
}

// weight reads q from the parameters of a media range; the default is 1.
func weight(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			if q, err := strconv.ParseFloat(value, 64); err == nil {
				return q
			}
		}
	}
	return 1
}
