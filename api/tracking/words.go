package tracking

import (
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/go-playground/locales"
	"github.com/go-playground/locales/da"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/fi"
	"github.com/go-playground/locales/nb"
	"github.com/go-playground/locales/sv"
	"golang.org/x/text/language"
)

//go:embed words/*.toml
var wordFiles embed.FS

// spoken is a language of the pages.
type spoken struct {
	Tag string
	// Name is what the language calls itself.
	Name     string
	calendar locales.Translator
	words    map[string]string
}

// tongues are the languages of the pages; the first is the fallback.
type tongues struct {
	all     []*spoken
	matcher language.Matcher
}

func newTongues() (*tongues, error) {
	t := &tongues{all: []*spoken{
		{Tag: "en", Name: "English", calendar: en_GB.New()},
		{Tag: "nb", Name: "Norsk", calendar: nb.New()},
		{Tag: "da", Name: "Dansk", calendar: da.New()},
		{Tag: "sv", Name: "Svenska", calendar: sv.New()},
		{Tag: "fi", Name: "Suomi", calendar: fi.New()},
		{Tag: "de", Name: "Deutsch", calendar: de.New()},
	}}
	var tags []language.Tag
	for _, s := range t.all {
		if _, err := toml.DecodeFS(wordFiles, "words/"+s.Tag+".toml", &s.words); err != nil {
			return nil, fmt.Errorf("read the words of the tracking page: %w", err)
		}
		tags = append(tags, language.MustParse(s.Tag))
	}
	t.matcher = language.NewMatcher(tags)
	return t, nil
}

// named returns the language with a tag, or nil.
func (t *tongues) named(tag string) *spoken {
	for _, s := range t.all {
		if strings.EqualFold(s.Tag, tag) {
			return s
		}
	}
	return nil
}

// choose returns the first language of those that somebody asks for, each a tag or a
// list of tags as in Accept-Language, that the pages have.
func (t *tongues) choose(wishes ...string) *spoken {
	for _, wish := range wishes {
		tags, _, err := language.ParseAcceptLanguage(wish)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, index, sure := t.matcher.Match(tags...); sure != language.No {
			return t.all[index]
		}
	}
	return t.all[0]
}

// say returns a text, with pairs of names and values filled in.
func (s *spoken) say(key string, pairs ...string) string {
	text := s.words[key]
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{"+pairs[i]+"}", pairs[i+1])
	}
	return text
}

// day writes a day as people do. The Finnish calendar leaves out the weekday.
func (s *spoken) day(at time.Time) string {
	return strings.Replace(s.calendar.FmtDateFull(at), "cccc", s.calendar.WeekdayWide(at.Weekday()), 1)
}

// clock writes a time of day as people do.
func (s *spoken) clock(at time.Time) string { return s.calendar.FmtTimeShort(at) }

// moment writes a day and a time.
func (s *spoken) moment(at time.Time) string { return s.day(at) + ", " + s.clock(at) }

// between writes a time with a beginning and an end; on one day it is a line for
// the day and one for the times.
func (s *spoken) between(from, until time.Time) []string {
	if s.day(from) == s.day(until) {
		return []string{s.day(from), s.clock(from) + "–" + s.clock(until)}
	}
	return []string{s.moment(from) + " –", s.moment(until)}
}
