package main

import (
	"context"
	"errors"

	"waybill/providers/geocode"
)

// checkGeocoder asks the geocoding provider for a well-known address.
func (d *doctor) checkGeocoder(ctx context.Context) finding {
	client, err := geocode.Open(d.config.geocoder())
	switch {
	case err != nil:
		return wrong("correct WAYBILL_GEOCODER_URL", "WAYBILL_GEOCODER_URL %s", err)
	case client == nil:
		return fine("WAYBILL_GEOCODER_URL is not set: addresses are found in the register only")
	}
	const later = "check whether it is down or a firewall blocks it; addresses wait and are asked for when it is back"
	err = client.Check(ctx)
	fault := geocode.FaultOf(err)
	switch {
	case err == nil:
		return fine("the geocoding provider (%s) answers", client.Name())
	case fault == nil && errors.Is(err, ctx.Err()):
		return wrong(later, "the geocoding provider did not answer in time")
	case fault == nil:
		return wrong(later, "the geocoding provider cannot be asked: %s", err)
	case fault.Kind == geocode.Refused:
		return wrong("correct the key in WAYBILL_GEOCODER_KEY, or the contact in WAYBILL_GEOCODER_CONTACT, and restart work",
			"the geocoding provider refuses to answer (%d)", fault.Status)
	case fault.Kind == geocode.Limited:
		return warning("set a lower WAYBILL_GEOCODER_RATE", "the geocoding provider wants fewer requests")
	case fault.Kind == geocode.Unreadable:
		return wrong("check that the URL is that of the API, and that its kind (photon+, nominatim+, pelias+) is right",
			"the geocoding provider answers something else")
	}
	return wrong(later, "the geocoding provider is unavailable")
}
