// Package simulation decides what drivers of a sandbox do: which actions their
// phones send, when, and where they are. It depends on the plan, on earlier
// actions, and on the numbers of orders, but not on randomness or a clock: an
// interrupted day ends like an uninterrupted one.
package simulation

import (
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// Outcome is what happens to an order on the road. The zero value is delivered
// without anything special.
type Outcome struct {
	// Fails is why nothing is delivered; empty when it is.
	Fails string
	// Late makes the driver come later than planned.
	Late bool
	// Offline has the driver's phone lose its signal: what happens at the
	// delivery is sent later, in the wrong sequence and twice.
	Offline bool
}

// Reasons for simulated failures, in drivers' words.
const (
	Damaged = "The goods are damaged."
	NotHome = "Nobody was at home."
)

// Durations of incidents at pace 1.
const (
	Delay  = 45 * time.Minute
	Outage = 20 * time.Minute
)

// endings maps suffixes of order numbers to outcomes.
var endings = []struct {
	suffix  string
	outcome Outcome
}{
	{"-FAIL", Outcome{Fails: Damaged}},
	{"-NOTHOME", Outcome{Fails: NotHome}},
	{"-LATE", Outcome{Late: true}},
	{"-OFFLINE", Outcome{Offline: true}},
}

// OutcomeOf returns what happens to an order. The suffix of its number decides,
// in upper or lower case. A percentage of the others has an incident, always
// the same ones.
func OutcomeOf(number string, incidents int) Outcome {
	if outcome, asked := endingOf(number); asked {
		return outcome
	}
	dice := diceOf(number)
	if int(dice%100) >= incidents {
		return Outcome{}
	}
	return endings[dice/100%uint64(len(endings))].outcome
}

// endingOf returns the outcome that a number's suffix requests, if any.
func endingOf(number string) (outcome Outcome, asked bool) {
	upper := strings.ToUpper(number)
	for _, e := range endings {
		if strings.HasSuffix(upper, e.suffix) {
			return e.outcome, true
		}
	}
	return Outcome{}, false
}

func asksForEnding(number string) bool {
	_, asked := endingOf(number)
	return asked
}

// diceOf is a number that looks like chance and is always the same for the same
// texts.
func diceOf(texts ...string) uint64 {
	h := fnv.New64a()
	for _, t := range texts {
		_, _ = h.Write([]byte(strconv.Itoa(len(t)) + ":" + t)) // a hash does not fail
	}
	sum := h.Sum64()
	sum ^= sum >> 33 // the low bits of texts that differ in a digit are alike
	sum *= 0xff51afd7ed558ccd
	return sum ^ sum>>33
}
