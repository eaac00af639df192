package notification

import (
	"time"

	"github.com/go-playground/locales"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/nb"
)

// calendars write days in the languages of messages.
var calendars = map[string]locales.Translator{"nb": nb.New(), "da": da.New(), "en": en_GB.New()}

// Between formats a time window for people, in the zone of its times and in a
// language, such as 24 November 2026, 06:30–16:00.
func Between(language string, from, until time.Time) string {
	calendar := calendarOf(language)
	first, last := calendar.FmtDateLong(from), calendar.FmtDateLong(until)
	if first == last {
		return first + ", " + At(language, from) + "–" + At(language, until)
	}
	return first + ", " + At(language, from) + " – " + last + ", " + At(language, until)
}

// Moment writes a day and a time for people in a language, in its zone.
func Moment(language string, at time.Time) string {
	return calendarOf(language).FmtDateLong(at) + ", " + At(language, at)
}

func calendarOf(language string) locales.Translator {
	if calendar, ok := calendars[language]; ok {
		return calendar
	}
	return calendars["en"]
}

// Day formats a day, given as YYYY-MM-DD, for people in a language.
func Day(language, day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return calendarOf(language).FmtDateLong(at)
}

// At writes a time of day for people in a language, in its zone.
func At(language string, t time.Time) string { return calendarOf(language).FmtTimeShort(t) }
