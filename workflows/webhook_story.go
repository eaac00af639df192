package workflows

import (
	"fmt"
	"strings"
	"time"
)

// webhookState is the state by which operators find a webhook endpoint.
func webhookState(s WebhookStatus) string {
	switch {
	case s.Ended:
		return "ended"
	case s.RestingUntil != nil:
		return "resting"
	case s.FailingSince != nil:
		return "failing"
	}
	return "sending"
}

// webhookStory describes the state of a webhook endpoint.
func webhookStory(s WebhookStatus) string {
	if s.Ended {
		return "It is switched off or removed, so nothing is sent to it."
	}
	parts := []string{fmt.Sprintf("Of the last turn, %s accepted, %d not.", counted(s.Delivered, "event"), s.Refused)}
	if s.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%s to be tried again.", counted(s.Waiting, "event")))
	}
	if s.FailingSince != nil {
		parts = append(parts, webhookFailure(&s))
	}
	switch {
	case s.RestingUntil != nil:
		parts = append(parts, fmt.Sprintf("It is left alone until **%s**.", s.RestingUntil.UTC().Format(time.RFC3339)))
	case s.Next != nil:
		parts = append(parts, fmt.Sprintf("Next attempt: **%s**.", s.Next.UTC().Format(time.RFC3339)))
	default:
		parts = append(parts, "All that there is was sent.")
	}
	return strings.Join(parts, "\n\n")
}

// webhookFailure describes since when an endpoint has accepted nothing, its
// responses, and when it is disabled.
func webhookFailure(s *WebhookStatus) string {
	said := fmt.Sprintf("Nothing was accepted since **%s**", s.FailingSince.UTC().Format(time.RFC3339))
	if s.Failures > 0 {
		said += fmt.Sprintf(", in %s", counted(s.Failures, "attempt"))
	}
	said += "."
	switch {
	case s.LastStatus != 0:
		said += fmt.Sprintf(" **%s** answered **%d** last.", s.Host, s.LastStatus)
	case s.LastFault != "":
		said += fmt.Sprintf(" **%s** did not answer last: %s.", s.Host, s.LastFault)
	case s.Host != "":
		said += fmt.Sprintf(" The endpoint is at **%s**.", s.Host)
	}
	if s.OffAt != nil {
		said += fmt.Sprintf(" It is switched off at **%s** unless it accepts something until then.",
			s.OffAt.UTC().Format(time.RFC3339))
	}
	return said
}
