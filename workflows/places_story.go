package workflows

import (
	"fmt"
	"strings"
)

// placesState is the state by which operators find the addresses of an organization.
func placesState(s PlacesStatus) string {
	switch {
	case s.Fault != "":
		return "failing"
	case s.Next != nil:
		return "asking"
	}
	return "done"
}

// faults are the reasons for missing answers, in words.
var faults = map[string]string{
	"unavailable": "the provider is out of reach", "rate_limited": "the provider wants fewer requests",
	"refused": "the provider refuses the key or this installation", "unreadable": "the provider's answers are unreadable",
}

// placesStory describes the state of an organization's addresses.
func placesStory(s PlacesStatus) string {
	parts := []string{fmt.Sprintf("%s %s for an answer. So far, %s %s found, and the provider does not know %s.",
		addresses(s.Waiting), oneOr(s.Waiting, "waits", "wait"),
		addresses(s.AllFound), oneOr(s.AllFound, "was", "were"),
		addresses(s.AllUnknown))}
	if s.OptedOut {
		parts = append(parts, "The organization does not have its addresses sent (`askGeocoder: false`).")
	}
	if s.Fault != "" {
		why := faults[s.Fault]
		if why == "" {
			why = s.Fault
		}
		parts = append(parts, fmt.Sprintf("The last request failed: %s.", why))
	}
	if s.Next != nil {
		parts = append(parts, fmt.Sprintf("Next turn: **%s**.", minute(*s.Next)))
	}
	return strings.Join(parts, "\n\n")
}

func addresses(n int) string {
	return fmt.Sprintf("**%d %s**", n, oneOr(n, "address", "addresses"))
}

func oneOr(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}
