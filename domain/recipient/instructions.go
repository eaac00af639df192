package recipient

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"waybill/domain/fault"
)

// Instructions are what the recipient of a delivery asks of the driver.
type Instructions struct {
	Text string
	// SafePlace is one of SafePlaces, where the driver may leave the goods if nobody is at home; empty for nowhere.
	SafePlace string
	// Note says where exactly that is.
	Note string
	// DoorCode is for the driver at the stop only.
	DoorCode string
	// Absent is true if nobody will be at home.
	Absent bool
}

// SafePlaces are where goods may be left.
var SafePlaces = []string{"FRONT_DOOR", "BACK_DOOR", "GARAGE", "SHED", "MAILBOX", "NEIGHBOR", "RECEPTION", "OTHER"}

// The longest texts of recipients, in characters.
const (
	LongestText     = 500
	LongestNote     = 100
	LongestDoorCode = 20
)

// MostChanges is how often the recipients of an order may change what they said of one thing.
const MostChanges = 20

// Tidy returns the instructions as they are kept, or a fault that names the wrong fields.
func (i Instructions) Tidy() (Instructions, error) {
	tidy := Instructions{
		Text: tidied(i.Text), SafePlace: i.SafePlace, Note: oneLine(i.Note), DoorCode: oneLine(i.DoorCode),
		Absent: i.Absent,
	}
	problems := slices.Concat(tooLong("instructions", tidy.Text, LongestText),
		tooLong("safePlaceNote", tidy.Note, LongestNote), tooLong("doorCode", tidy.DoorCode, LongestDoorCode))
	if tidy.SafePlace != "" && !slices.Contains(SafePlaces, tidy.SafePlace) {
		problems = append(problems, notOneOf("safePlace", SafePlaces))
	}
	return tidy, refused(problems)
}

// refused is an Invalid fault with the wrong fields, or nil without any.
func refused(problems []fault.Violation) error {
	if len(problems) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Text: fault.Say("request.invalid"), Violations: problems}
}

func tooLong(field, text string, longest int) []fault.Violation {
	if utf8.RuneCountInString(text) <= longest {
		return nil
	}
	return []fault.Violation{{Field: field, Text: fault.Say("recipient.too_long", "max", strconv.Itoa(longest))}}
}

func notOneOf(field string, allowed []string) fault.Violation {
	return fault.Violation{Field: field, Text: fault.Say("request.not_one_of", "allowed", strings.Join(allowed, ", "))}
}

// tidied is a text of a recipient with line breaks of one kind, and without signs that nobody sees: browsers and
// programs send any bytes.
func tidied(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, ""))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, text))
}

func oneLine(text string) string { return strings.Join(strings.Fields(tidied(text)), " ") }
