package notification_test

import (
	"strings"
	"testing"
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

func TestWhatPeopleWroteIsEscapedInHTML(t *testing.T) {
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

func rendered(t *testing.T, template string, f notification.Facts) string {
	t.Helper()
	require.NoError(t, notification.CheckTemplate(template))
	m, err := notification.Render(notification.Rule{Channel: sms, Body: template}, f)
	require.NoError(t, err, template)
	return m.Text
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

// TestTemplatesMakeTextsOrFail tries filters on whatever people may write. What
// a filter cannot do is an error, and no panic.
func TestTemplatesMakeTextsOrFail(t *testing.T) {
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

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"kari@example.com", "kari.nordmann+x@sub.example.no"} {
		_, ok := notification.NormalizeEmail(good)
		require.True(t, ok, good)
	}
	for _, bad := range []string{
		"", "kari", "kari@", "@example.com", "kari@example", "Kari <kari@example.com>", "a@example.com, b@example.com",
		"kari@example.com\r\nBcc: x@example.com", strings.Repeat("a", 65) + "@example.com",
		"kari@" + strings.Repeat("a", 250) + ".com",
	} {
		_, ok := notification.NormalizeEmail(bad)
		require.False(t, ok, bad)
	}
	for given, want := range map[string]string{
		"400 00 007": "+4740000007", "+45 32 12 34 56": "+4532123456",
		"0047 40000007": "+4740000007", "": "", "12": "", "abc": "", "+479": "",
	} {
		number, ok := notification.NormalizeNumber(given, "NO")
		require.Equal(t, want, number, given)
		require.Equal(t, want != "", ok, given)
	}
}
