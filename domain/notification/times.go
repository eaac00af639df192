package notification

import (
	"time"

	"github.com/go-playground/locales"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/nb"
)

// clockTime is how people write a time of day.
const clockTime = "15:04"

// calendars write days in the languages of messages.
var calendars = map[string]locales.Translator{"nb": nb.New(), "da": da.New(), "en": en_GB.New()}

// Between formats a time window for people, in the zone of its times and in a
// language, such as 24 November 2026, 06:30–16:00.
func Between(language string, from, until time.Time) string {
	calendar, ok := calendars[language]
	if !ok {
		calendar = calendars["en"]
	}
	first, last := calendar.FmtDateLong(from), calendar.FmtDateLong(until)
	if first == last {
		return first + ", " + from.Format(clockTime) + "–" + until.Format(clockTime)
	}
	return first + ", " + from.Format(clockTime) + " – " + last + ", " + until.Format(clockTime)
}

// Day formats a day, given as YYYY-MM-DD, for people in a language.
func Day(language, day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	calendar, ok := calendars[language]
	if !ok {
		calendar = calendars["en"]
	}
	return calendar.FmtDateLong(at)
}

// At writes a time of day for people, in its zone.
func At(t time.Time) string { return t.Format(clockTime) }
