package recipient

import "strings"

// Failure is why a stop failed, as a recipient is told it. What a driver writes is for the office, so it is only
// one of these.
type Failure string

// The failures.
const (
	Closed       Failure = "CLOSED"
	Refused      Failure = "REFUSED"
	Damaged      Failure = "DAMAGED"
	NoAccess     Failure = "NO_ACCESS"
	WrongAddress Failure = "WRONG_ADDRESS"
	Missing      Failure = "MISSING"
	OtherFailure Failure = "OTHER"
)

// Failures are all of them.
var Failures = []Failure{Closed, Refused, Damaged, NoAccess, WrongAddress, Missing, OtherFailure}

// said are the reasons that the driver app offers, in its languages, and those that Waybill writes itself.
var said = map[string]Failure{
	"missing":                   Missing,
	"closed, or nobody at home": Closed,
	"stengt eller ingen hjemme": Closed,
	"lukket eller ingen hjemme": Closed,
	"closed":                    Closed,
	"refused":                   Refused,
	"avvist":                    Refused,
	"afvist":                    Refused,
	"damaged":                   Damaged,
	"skadet":                    Damaged,
	"beskadiget":                Damaged,
	"no access":                 NoAccess,
	"ingen adgang":              NoAccess,
	"no_access":                 NoAccess,
	"wrong address":             WrongAddress,
	"feil adresse":              WrongAddress,
	"forkert adresse":           WrongAddress,
	"wrong_address":             WrongAddress,
}

// FailureOf returns the failure of a reason as it was reported.
func FailureOf(reason string) Failure {
	if failure, ok := said[strings.ToLower(strings.TrimSpace(reason))]; ok {
		return failure
	}
	return OtherFailure
}
