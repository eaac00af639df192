package notification

import "time"

// Sample returns the facts of a fictitious order, for previews of a rule.
func Sample(event Event, language, organization string) Facts {
	return Facts{
		Event: event, Language: language, Organization: organization,
		OrderID: 1, Number: "A-1001", Reference: "PO-77", Date: "2026-12-07", Customer: "Lillomarka Byggevarer AS",
		FirstName: "Nora", LastName: "Lie", StopName: "Kafé Solsiden", Address1: "Storgata 1", PostalCode: "0155",
		City:     "Oslo",
		Earliest: Moment(language, sampled(10, 0)), Latest: Moment(language, sampled(12, 0)),
		ETA:     Moment(language, sampled(10, 40)),
		ETAFrom: At(language, sampled(10, 30)), ETATo: At(language, sampled(10, 50)),
		Window: Between(
			language,
			sampled(10, 0),
			sampled(12, 0),
		),
		Arrival: At(language, sampled(10, 40)), DriverFirstName: "Jens",
		TrackingLink: "https://waybill.example/t/example",
	}
}

// sampled is a time on the day of the fictitious order.
func sampled(hour, minute int) time.Time { return time.Date(2026, 12, 7, hour, minute, 0, 0, time.UTC) }
