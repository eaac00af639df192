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
	msgNotASCII:    "the recurrence rule may hold plain ASCII text only",
	msgNoRule:      "the recurrence rule has neither an RRULE nor an RDATE",
	msgMalformed:   `{{.part}} cannot be read near "{{.value}}"`,
	msgUnknownLine: "{{.part}} is not a line that a recurrence rule can have",
	msgUnknownPart: "{{.part}} is not a part that a recurrence rule can have",
	msgUnsupported: "{{.part}} is not supported",
	msgRepeated:    "{{.part}} is given more than once",
	msgMissing:     "{{.part}} is missing",
	msgBadValue:    `{{.part}} cannot be "{{.value}}"`,
	msgBetween:     `{{.part}} must be from {{.min}} to {{.max}}, not "{{.value}}"`,
	msgBetweenBoth: `{{.part}} must be from {{.min}} to {{.max}} or from -{{.max}} to -{{.min}}, not "{{.value}}"`,
	msgTooOften:    "{{.part}} may not be more frequent than HOURLY, and {{.value}} is",
	msgNotWithFreq: "{{.part}} may not be used with FREQ={{.freq}}",
	msgNumberFreq:  "{{.part}} may have numbers such as 1MO only with FREQ=MONTHLY or FREQ=YEARLY, not with {{.freq}}",
	msgDayMixed:    "{{.part}} may not mix days with and without a number",
	msgDayReach:    "{{.part}} has the number {{.value}}, but there are at most {{.max}} of each weekday",
	msgSetPosAlone: "{{.part}} needs another part that begins with BY",
	msgUntilCount:  "{{.part}} may not be used together with COUNT",
	msgHourReach:   "{{.part}} names no hour that is ever reached from the start in steps of INTERVAL",
	msgManyADay:    "{{.part}} makes {{.value}} occurrences a day together with the other times, and {{.max}} are allowed",
	msgManyDates:   "{{.part}}: there are more than {{.max}} dates in RDATE and EXDATE together",
	msgYear:        "{{.part}} is in the year {{.year}}, and only {{.min}} to {{.max}} are allowed",
	msgZone:        `{{.part}} is not a known time zone: "{{.value}}"`,
	msgZoneNotHere: "{{.part}} may not be used with a date alone or with a time in UTC",
	msgStartDiffer: "{{.part}} is not the same instant as the start date",
	msgTimeOfDay:   "{{.part}} may not be used when DTSTART is a date alone",
	msgNeedsStart:  "{{.part}} needs a DTSTART to count from",
	msgDayRule:     "{{.part}} may not be {{.value}} in a rule that picks whole days",
}
