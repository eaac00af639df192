package notification_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/notification"
	"waybill/domain/order"
)

func clock(minutes int) order.Clock { return order.Clock(minutes) }

var facts = notification.Facts{
	Event: notification.OrderCreated, Language: "nb", Organization: "Nordfrakt AS", Number: "SO-1", FirstName: "Ola",
	StopName: "Kafé", Address1: "Gata 1", PostalCode: "0555", City: "Oslo",
	Earliest: "2026-03-02 12:00", Latest: "2026-03-02 16:00",
}

func TestBuiltInTexts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, language := range []string{"nb", "en", "da"} {
		for _, event := range notification.Events {
			f := facts
			f.Language, f.Event = language, event
			mail, err := notification.Render(notification.Rule{Channel: email, Event: event}, f)
			require.NoError(t, err)
			text, err := notification.Render(notification.Rule{Channel: sms, Event: event}, f)
			require.NoError(t, err)
			for _, said := range []string{mail.Subject, mail.Text, mail.HTML, text.Text} {
				require.Contains(t, said, "SO-1")
				require.NotContains(t, said, "{")
			}
			require.Contains(t, mail.Text, "Ola")
			require.False(t, seen[mail.Text], "%s %s says what another one says", language, event)
			seen[mail.Text] = true
		}
	}
}

func TestMessagesAboutTheRoad(t *testing.T) {
	t.Parallel()
	f := facts
	f.ETA, f.Arrival, f.DriverFirstName, f.TrackingLink = "2026-03-02 14:05", "14:05", "Nora", "https://x.example/t/abc"
	rule := notification.Rule{
		Channel: sms, Event: notification.StopApproaching,
		Body: "{{ driver.firstName }} {{ stop.eta }} {{ tracking.link }} {{ stop.trackingLink }}",
	}
	m, err := notification.Render(rule, f)
	require.NoError(t, err)
	require.Equal(t, "Nora 2026-03-02 14:05 https://x.example/t/abc https://x.example/t/abc", m.Text)
	f.Event, f.Language, f.ETAFrom, f.ETATo = notification.StopApproaching, "en", "13:55", "14:15"
	m, err = notification.Render(notification.Rule{Channel: sms, Event: notification.StopApproaching}, f)
	require.NoError(t, err)
	require.Contains(t, m.Text, "with order SO-1, between 13:55 and 14:15. https://x.example/t/abc")
	for body, links := range map[string]bool{
		"{{ tracking.link }}": true, "{{stop.trackingLink}}": true, "{{ tracking . link }}": true,
		"no tracking, no link": false,
	} {
		require.Equal(t, links, notification.Rule{Body: body}.Links(), body)
	}
}

// TestBuiltInTextsLeadToTheTrackingPage checks that messages about registered, started and
// failed orders link to the tracking page, in each language, with readable times.
func TestBuiltInTextsLeadToTheTrackingPage(t *testing.T) {
	t.Parallel()
	follows := map[notification.Event]bool{
		notification.OrderCreated: true, notification.StopApproaching: true, notification.OrderFailed: true,
		notification.OrderReminder: true, notification.TimeMoved: true,
	}
	for _, language := range []string{"nb", "en", "da", "sv"} {
		for _, event := range notification.Events {
			for _, channel := range []notification.Channel{email, sms} {
				rule := notification.Rule{Channel: channel, Event: event}
				require.Equal(t, follows[event], rule.Links(), "%s %s", event, channel)
				f := notification.Sample(event, language, "Nordfrakt AS")
				m, err := notification.Render(rule, f)
				require.NoError(t, err)
				require.Equal(t, follows[event], strings.Contains(m.Text, f.TrackingLink), "%s %s %s", language, event, channel)
				require.NotContains(t, m.Text, "2026-12-07")
				f.TrackingLink, f.Window, f.Arrival = "", "", ""
				m, err = notification.Render(rule, f)
				require.NoError(t, err)
				require.NotRegexp(t, `here:|her:|Time|Tid`, m.Text)
			}
		}
	}
	require.False(t, notification.Rule{Channel: sms, Event: notification.OrderFailed, Body: "Sorry"}.Links())
	from := time.Date(2026, 11, 24, 6, 30, 0, 0, time.UTC)
	require.Equal(
		t,
		"24. november 2026, 06:30–16:00",
		notification.Between("nb", from, from.Add(9*time.Hour+30*time.Minute)),
	)
	require.Equal(
		t,
		"24 November 2026, 06:30 – 25 November 2026, 06:30",
		notification.Between("sv", from, from.Add(24*time.Hour)),
	)
}

func TestBuiltInTextsSpeakOfASeries(t *testing.T) {
	t.Parallel()
	f := facts
	f.Number = "recurring-7-20261124T0900"
	f.Series = notification.SeriesFacts{
		Name:   "Milk",
		Orders: 29,
		First:  notification.Day("en", "2026-11-24"),
		Last:   "last",
	}
	for _, language := range []string{"nb", "en", "da"} {
		f.Language = language
		for _, event := range []notification.Event{notification.OrderCreated, notification.OrderCancelled} {
			f.Event = event
			m, err := notification.Render(notification.Rule{Channel: email, Event: event}, f)
			require.NoError(t, err)
			require.NotContains(t, m.Subject+m.Text, f.Number)
			require.Contains(t, m.Text, "(Milk)")
			require.Contains(t, m.Text, "24 November 2026")
			short, err := notification.Render(notification.Rule{Channel: sms, Event: event}, f)
			require.NoError(t, err)
			require.NotContains(t, short.Text, f.Number)
			require.Contains(t, short.Text, "24 November 2026")
		}
	}
	own, err := notification.Render(notification.Rule{
		Channel: sms, Event: notification.OrderCreated,
		Body: "{{ series.orders }} {{ series.name }} {{ series.first }} {{ series.last }}",
	}, f)
	require.NoError(t, err)
	require.Equal(t, "29 Milk 24 November 2026 last", own.Text)
}

func TestUserTextIsEscapedInHTML(t *testing.T) {
	t.Parallel()
	f := facts
	f.FirstName, f.StopName, f.Number = `<script>alert(1)</script>`, `"&'`, "A\r\nBcc: all@example.com"
	for _, rule := range []notification.Rule{
		{Channel: email, Subject: "{{ order.externalId }}"},
		{Channel: email, Subject: "{{ order.externalId }}", HTML: "<p>{{ contact.firstName }} {{ stop.name | upcase }}</p>"},
	} {
		m, err := notification.Render(rule, f)
		require.NoError(t, err)
		require.NotContains(t, strings.ToLower(m.HTML), "<script>")
		require.Equal(t, "A Bcc: all@example.com", m.Subject, "a header is one line")
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"", "plain", "{{ order.externalId | upcase }}",
		"{% if stop.city == 'Oslo' %}x{% else %}y{% endif %}", "{{ unknown.thing }}",
	} {
		require.NoError(t, notification.CheckTemplate(good), good)
	}
	for _, bad := range []string{
		"{{ order.", "{% if x %}", "{% for i in (1..100000000) %}x{% endfor %}",
		"{%- include 'x' %}", "{{ x | nosuchfilter }}",
		"{{ x | url_decode }}", "{% tablerow i in x %}{% endtablerow %}", "a\x00",
	} {
		require.Error(t, notification.CheckTemplate(bad), bad)
	}
	long, err := notification.Render(notification.Rule{Channel: sms, Body: strings.Repeat("å", 5000)}, facts)
	require.NoError(t, err)
	require.LessOrEqual(t, len(long.Text), 1530)
}

// bombs are templates that would produce more text than fits into memory.
var bombs = []string{
	"{% assign a = 'xxxxxxxxxx' %}" + strings.Repeat("{% assign a = a | append: a %}", 40) + "{{ a | size }}",
	"{% assign a = 'xxxxxxxxxx' %}" + strings.Repeat("{% assign a = a | prepend: a %}", 40) + "{{ a | size }}",
	"{% assign a = 'xxxxxxxxxx' %}" + strings.Repeat("{% assign a = a | replace: 'x', a %}", 8) + "{{ a | size }}",
	"{% assign a = 'xxxxxxxxxx' %}" + strings.Repeat("{% assign a = a | replace: '', a %}", 8) + "{{ a | size }}",
	"{% assign a = 'xxxxxxxxxx' | append: 'y' %}" + strings.Repeat("{% assign a = a | append: a %}", 12) +
		strings.Repeat("{{ a }}", 1_000),
	"{% assign a = '&&&&&&&&' %}" + strings.Repeat("{% assign a = a | escape %}", 200) + "{{ a | size }}",
	"{{ '2026-03-02 12:00' | date: '%999999999d' }}",
	"{{ '2026-03-02 12:00' | date: '%-0999999999Y' }}",
	"{{ 'x' | truncate: 0, 'x' | truncate: 0, '" + strings.Repeat("x", 5_000) + "' }}" +
		strings.Repeat("{{ 'ab' | truncate: 1, '"+strings.Repeat("x", 400)+"' }}", 2_000),
}

func TestCompressionBombsAreRefused(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, bomb := range bombs {
		require.Error(t, notification.CheckTemplate(bomb), "%.80s", bomb)
		hidden := "{% if order.id != 0 %}" + bomb + "{% endif %}"
		require.NoError(t, notification.CheckTemplate(hidden), "%.80s", hidden)
		f := facts
		f.OrderID = 7
		_, err := notification.Render(notification.Rule{Channel: sms, Body: hidden}, f)
		require.Error(t, err, "%.80s", hidden)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(200), "MiB")

	f := facts
	f.Reference = "%999999999d"
	_, err := notification.Render(notification.Rule{Channel: sms, Body: "{{ order.date | date: order.reference }}"}, f)
	require.Error(t, err, "callers' words are no better")
}

func TestListsAreNotForMessages(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"{% assign a = 'x,y' | split: ',' %}{% assign a = a | concat: a %}{{ a | size }}",
		"{{ 'x,y' | split: ',' | join: ' ' }}",
		"{{ (1..1000000000) }}", "{% assign a = (1..1000000000) %}{{ a | size }}",
		"{{ order | json }}", "{{ order | inspect }}",
	} {
		require.Error(t, notification.CheckTemplate(template), template)
		_, err := notification.Render(notification.Rule{Channel: sms, Body: template}, facts)
		require.Error(t, err, template)
	}
	require.Equal(t, "a | concat: b", rendered(t, "{{ 'a | concat: b' }}", facts), "what is said may look like a filter")
}

func rendered(t *testing.T, template string, f notification.Facts) string {
	t.Helper()
	require.NoError(t, notification.CheckTemplate(template))
	m, err := notification.Render(notification.Rule{Channel: sms, Body: template}, f)
	require.NoError(t, err, template)
	return m.Text
}

// Others' input is one line, without links.
func TestUserTextIsNotLinked(t *testing.T) {
	t.Parallel()
	for given, said := range map[string]string{
		"http://evil.example/login":                "",
		"Kari https://evil.example":                "Kari",
		"WWW.evil.example Kari":                    "Kari",
		"evil.example/login":                       "",
		"evil.example":                             "",
		"Kari\r\n\r\nYour parcel is held. Pay now": "Kari Your parcel is held. Pay now",
		"Ka\x1bri\x07":                             "Ka ri",
		"Kari \u202eoverført":                      "Kari  overført",
		"J.R. Ewing":                               "J.R. Ewing",
		"Åse-Marie":                                "Åse-Marie",
	} {
		f := facts
		f.FirstName = given
		require.Equal(t, said, rendered(t, "{{ contact.firstName }}", f), "%q", given)
	}
	f := facts
	f.StopName, f.Customer = "Komplett.no AS", "Møbler www.evil.example/x AS"
	f.TrackingLink = "https://waybill.example/t/abc"
	require.Equal(t, "Komplett.no AS, Møbler AS, https://waybill.example/t/abc",
		rendered(t, "{{ stop.name }}, {{ customer.businessName }}, {{ stop.trackingLink }}", f))
	welcome := notification.Rule{Channel: email, Event: notification.OrderCreated}
	mail, err := notification.Render(welcome, notification.Facts{
		Event: notification.OrderCreated, Language: "nb", Organization: "Nordfrakt AS", Number: "SO-1\nBcc: x",
		FirstName: "Du har vunnet!\n\nhttp://evil.example", City: "Oslo",
	})
	require.NoError(t, err)
	require.NotContains(t, mail.Text+mail.HTML, "evil")
	require.Contains(t, mail.Text, "Hei Du har vunnet!,\n")
}

func TestFiltersCountCharacters(t *testing.T) {
	t.Parallel()
	f := facts
	f.FirstName, f.Reference = "øyvind", "blåbærsyltetøy på rømme"
	for template, want := range map[string]string{
		"{{ contact.firstName | capitalize }}":          "Øyvind",
		"{{ contact.lastName | capitalize }}.":          ".",
		"{{ order.reference | slice: 2, 3 }}":           "åbæ",
		"{{ order.reference | slice: 2 }}":              "å",
		"{{ order.reference | slice: -5, 99 }}":         "rømme",
		"{{ order.reference | slice: 99, 5 }}.":         ".",
		"{{ order.reference | slice: -99, 5 }}.":        ".",
		"{{ order.reference | slice: 2, -1 }}.":         ".",
		"{{ order.reference | truncate: 9 }}":           "blåbær...",
		"{{ order.reference | truncate: 7, '…' }}":      "blåbær…",
		"{{ order.reference | truncate: 2000 }}":        f.Reference,
		"{{ order.reference | truncate: 2 }}":           "...",
		"{{ order.reference | truncate: -1 }}":          "...",
		"{{ order.reference | truncatewords: 2 }}":      "blåbærsyltetøy på...",
		"{{ order.reference | truncatewords: 3 }}":      f.Reference,
		"{{ order.reference | truncatewords: 1, '!' }}": "blåbærsyltetøy!",
		"{{ order.reference | truncatewords: 0, '!' }}": "blåbærsyltetøy!",
		"{{ order.reference | truncatewords: 5000 }}":   f.Reference,
	} {
		require.Equal(t, want, rendered(t, template, f), template)
	}
}

// TestTemplatesRenderOrFail tries filters on arbitrary input. A filter
// returns an error instead of panicking.
func TestTemplatesRenderOrFail(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var template strings.Builder
		template.WriteString("{{ " + rapid.SampledFrom([]string{
			"order.reference", "order", "order.id", "contact.lastName", "stop.name", "unknown", "-3.5", "'ø'", "(1..3)", "true",
		}).Draw(t, "value"))
		argument := rapid.SampledFrom([]string{
			"0", "1", "-1", "2000", "1e9", "'å'", "''", "'%'", "'%s'", "order", "order.reference", "nil", "1.5",
		})
		for range rapid.IntRange(1, 3).Draw(t, "filters") {
			template.WriteString(" | " + rapid.SampledFrom(filters).Draw(t, "filter"))
			for i := range rapid.IntRange(0, 2).Draw(t, "arguments") {
				template.WriteString([]string{": ", ", "}[i] + argument.Draw(t, "argument"))
			}
		}
		template.WriteString(" }}")
		f := notification.Facts{OrderID: 7, Reference: rapid.String().Draw(t, "reference"), StopName: "Åsgårdstrand"}
		_ = notification.CheckTemplate(template.String())
		m, err := notification.Render(notification.Rule{Channel: sms, Body: template.String()}, f)
		require.True(t, err != nil || utf8.ValidString(m.Text), template.String())
	})
}

// filters are those of the library.
var filters = []string{
	"default", "json", "compact", "concat", "join", "map", "reverse",
	"sort", "first", "last", "uniq", "date", "abs", "ceil",
	"floor", "modulo", "minus", "plus", "times", "divided_by",
	"round", "size", "append", "capitalize", "downcase", "escape",
	"escape_once", "newline_to_br", "prepend", "remove", "remove_first",
	"replace", "replace_first", "sort_natural", "slice",
	"split", "strip_html", "strip_newlines", "strip", "lstrip",
	"rstrip", "truncate", "truncatewords", "upcase", "url_encode",
	"inspect", "type",
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"400 00 007": "+4740000007", "+45 32 12 34 56": "+4532123456",
		"0047 40000007": "+4740000007", "": "", "12": "", "abc": "", "+479": "",
	} {
		number, ok := notification.NormalizeNumber(given, "NO")
		require.Equal(t, want, number, given)
		require.Equal(t, want != "", ok, given)
	}
}
