package notification

import "time"

// Sample returns the facts of a fictitious order, for previews of a rule.
func Sample(event Event, language, organization string) Facts {
	return Facts{
		Event: event, Language: language, Organization: organization,
		OrderID: 1, Number: "A-1001", Reference: "PO-77", Date: "2026-12-07", Customer: "Lillomarka Byggevarer AS",
		FirstName: "Nora", LastName: "Lie", StopName: "Kafé Solsiden", Address1: "Storgata 1", PostalCode: "0155",
		City:     "Oslo",
		Earliest: "2026-12-07 10:00", Latest: "2026-12-07 12:00", ETA: "2026-12-07 10:40",
		Window: Between(
			language,
			time.Date(2026, 12, 7, 10, 0, 0, 0, time.UTC),
			time.Date(2026, 12, 7, 12, 0, 0, 0, time.UTC),
		),
		Arrival: "10:40", DriverFirstName: "Jens",
		TrackingLink: "https://waybill.example/t/example",
	}
}
