package notification

import "time"

// Report is a provider's report on a message.
type Report struct {
	// ID is Waybill's id, or 0 if only the provider's is known.
	ID         int64
	ProviderID string
	// Key identifies a repeated report.
	Key        string
	Says       Outcome
	Code       string // the provider's own word
	Answer     string
	OccurredAt time.Time
	// Suppress adds the address to the suppression list when the report moves
	// the message.
	Suppress bool
}

// SpeaksOf reports whether the report is about a message, by Waybill's id or
// else by the provider's. Many messages have no provider's id, so a report
// without any id matches none of them.
func (r Report) SpeaksOf(id int64, providerID string) bool {
	if r.ID != 0 {
		return id == r.ID
	}
	return r.ProviderID != "" && providerID == r.ProviderID
}

// EarlyReport returns a report that arrived before its message was known to be
// sent. Only its outcome is stored.
func EarlyReport(id int64, says Outcome) Report {
	return Report{ID: id, Says: says, Suppress: says != ReportedDelivered}
}

// Judgement is where reports bring a message.
type Judgement struct {
	Status   Status
	Moved    bool
	Suppress bool // its address
}

// Judge applies the reports about one message, in their order. Reports about
// other messages are ignored.
func Judge(channel Channel, id int64, status Status, reports []Report) Judgement {
	j := Judgement{Status: status}
	for _, r := range reports {
		if r.ID != id {
			continue
		}
		if to, moved := Next(channel, j.Status, r.Says); moved {
			j = Judgement{Status: to, Moved: true, Suppress: r.Suppress}
		}
	}
	return j
}
