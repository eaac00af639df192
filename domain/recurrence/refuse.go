package recurrence

import (
	"strconv"
	"strings"

	"waybill/domain/fault"
)

// RefusedError reports why a text is not an accepted rule.
type RefusedError struct {
	// Part names the cause: a line such as EXRULE, a part of the rule such
	// as COUNT, or "rruleset" for the text as a whole.
	Part string
	// Text is the reason, to be translated to the caller's language.
	Text fault.Text
}

// Error returns the reason in English.
func (e *RefusedError) Error() string {
	sentence, ok := english[e.Text.ID]
	if !ok {
		return e.Part + ": " + e.Text.ID
	}
	pairs := make([]string, 0, 2*len(e.Text.Args))
	for name, value := range e.Text.Args {
		pairs = append(pairs, "{{."+name+"}}", value)
	}
	return strings.NewReplacer(pairs...).Replace(sentence)
}

// refuse makes a refusal. The name of the part is among the values of every
// text.
func refuse(part, id string, pairs ...string) error {
	return &RefusedError{Part: part, Text: fault.Say(id, append(pairs, "part", part)...)}
}

// shown shortens a caller's text for a message.
func shown(text string) string {
	const longest = 32
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}

func itoa(n int) string { return strconv.Itoa(n) }

// The reasons for a refusal. The identifiers are those of the translations.
const (
	msgEmpty       = "recurrence.empty"
	msgTooLong     = "recurrence.too_long"
	msgNotASCII    = "recurrence.not_ascii"
	msgNoRule      = "recurrence.no_rule"
	msgMalformed   = "recurrence.malformed"
	msgUnknownLine = "recurrence.unknown_line"
	msgUnknownPart = "recurrence.unknown_part"
	msgUnsupported = "recurrence.unsupported"
	msgRepeated    = "recurrence.repeated"
	msgMissing     = "recurrence.missing"
	msgBadValue    = "recurrence.bad_value"
	msgBetween     = "recurrence.not_between"
	msgBetweenBoth = "recurrence.not_between_both"
	msgTooOften    = "recurrence.too_often"
	msgNotWithFreq = "recurrence.not_with_freq"
	msgNumberFreq  = "recurrence.byday_number_with_freq"
	msgDayMixed    = "recurrence.byday_mixed"
	msgDayReach    = "recurrence.byday_out_of_reach"
	msgSetPosAlone = "recurrence.bysetpos_alone"
	msgUntilCount  = "recurrence.until_with_count"
	msgHourReach   = "recurrence.hour_never_reached"
	msgManyADay    = "recurrence.too_many_a_day"
	msgManyDates   = "recurrence.too_many_dates"
	msgYear        = "recurrence.year_out_of_range"
	msgZone        = "recurrence.unknown_zone"
	msgZoneNotHere = "recurrence.zone_not_here"
	msgStartDiffer = "recurrence.start_differs"
	msgTimeOfDay   = "recurrence.time_with_date_start"
	msgNeedsStart  = "recurrence.needs_start"
	msgDayRule     = "recurrence.not_for_days"
)

// english has the reasons in English, for logs and programs without
// translations. A sentence begins with the name of the part, if any.
var english = map[string]string{
	msgEmpty:       "the recurrence rule is empty",
	msgTooLong:     "the recurrence rule is longer than {{.max}} characters",
	msgNotASCII:    "the recurrence rule can only contain plain ASCII text",
	msgNoRule:      "the recurrence rule has neither an RRULE nor an RDATE",
	msgMalformed:   `{{.part}} has a syntax error near "{{.value}}"`,
	msgUnknownLine: "{{.part}} is not allowed as a line of a recurrence rule",
	msgUnknownPart: "{{.part}} is not allowed as a part of a recurrence rule",
	msgUnsupported: "{{.part}} is not supported",
	msgRepeated:    "{{.part}} is given more than once",
	msgMissing:     "{{.part}} is missing",
	msgBadValue:    `{{.part}} cannot be "{{.value}}"`,
	msgBetween:     `{{.part}} must be from {{.min}} to {{.max}}, not "{{.value}}"`,
	msgBetweenBoth: `{{.part}} must be from {{.min}} to {{.max}} or from -{{.max}} to -{{.min}}, not "{{.value}}"`,
	msgTooOften:    "{{.part}} is {{.value}} but cannot be more frequent than HOURLY",
	msgNotWithFreq: "{{.part}} cannot be used with FREQ={{.freq}}",
	msgNumberFreq:  "{{.part}} can only have numbers, such as 1MO, with FREQ=MONTHLY or FREQ=YEARLY, not with {{.freq}}",
	msgDayMixed:    "{{.part}} cannot mix days with and without a number",
	msgDayReach:    "{{.part}} has the number {{.value}}, but each weekday occurs at most {{.max}} times",
	msgSetPosAlone: "{{.part}} requires another part that begins with BY",
	msgUntilCount:  "{{.part}} cannot be used together with COUNT",
	msgHourReach:   "{{.part}} has no hour that can be reached from the start in steps of INTERVAL",
	msgManyADay: "{{.part}} creates {{.value}} occurrences a day together with the other times, " +
		"but at most {{.max}} are allowed",
	msgManyDates:   "{{.part}}: RDATE and EXDATE together have more than {{.max}} dates",
	msgYear:        "{{.part}} is in the year {{.year}}, but only {{.min}} to {{.max}} are allowed",
	msgZone:        `{{.part}} is not a known time zone: "{{.value}}"`,
	msgZoneNotHere: "{{.part}} cannot be used with a date without a time or with a time in UTC",
	msgStartDiffer: "{{.part}} must be the same time as the start date",
	msgTimeOfDay:   "{{.part}} cannot be used when DTSTART is a date without a time",
	msgNeedsStart:  "{{.part}} requires a DTSTART to count from",
	msgDayRule:     "{{.part}} cannot be {{.value}} in a rule that selects whole days",
}
