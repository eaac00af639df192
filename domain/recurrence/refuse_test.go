package recurrence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/recurrence"
)

// refusals are texts that Parse does not accept for a start on Wednesday
// 1 January 2025 at 09:00 in Oslo, with the part and the reason it must name.
var refusals = []struct{ name, text, part, id string }{
	{"empty", "", "rruleset", "recurrence.empty"},
	{"blank", " \r\n\t\n", "rruleset", "recurrence.empty"},
	{"bare semicolon", "RRULE:;", "RRULE", "recurrence.empty"},
	{"too long", "RRULE:FREQ=DAILY" + strings.Repeat(" ", 5000), "rruleset", "recurrence.too_long"},
	{"grows too long", "FREQ=DAILY\nEXDATE:" + manyDays(452), "rruleset", "recurrence.too_long"},
	{"letter that grows in upper case", "\u0250:", "rruleset", "recurrence.not_ascii"},
	{"byte order mark", "\ufeffDTSTART:20250101T080000Z\nRRULE:FREQ=DAILY", "rruleset", "recurrence.not_ascii"},
	{"no-break space", "RRULE:FREQ=DAILY\u00a0", "rruleset", "recurrence.not_ascii"},
	{"control character", "RRULE:FREQ=DAILY\x00", "rruleset", "recurrence.not_ascii"},
	{"only a start", "DTSTART:20250101T080000Z", "RRULE", "recurrence.no_rule"},
	{"only an exception", "EXDATE:20250101T080000Z", "RRULE", "recurrence.no_rule"},
	{"no value", "RRULE", "rruleset", "recurrence.malformed"},
	{"no name", ":FREQ=DAILY", "rruleset", "recurrence.malformed"},
	{"prose", "every day", "rruleset", "recurrence.malformed"},
	{"unknown line", "SUMMARY:Milk\nRRULE:FREQ=DAILY", "SUMMARY", "recurrence.unknown_line"},
	{"event", "BEGIN:VEVENT\nRRULE:FREQ=DAILY\nEND:VEVENT", "BEGIN", "recurrence.unknown_line"},
	{"extension line", "X-NOTE:a\nRRULE:FREQ=DAILY", "X-NOTE", "recurrence.unknown_line"},
	{"EXRULE", "RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY", "EXRULE", "recurrence.unsupported"},
	{"two rules", "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "RRULE", "recurrence.repeated"},
	{"two bare rules", "FREQ=DAILY\nFREQ=WEEKLY", "RRULE", "recurrence.repeated"},
	{
		"two starts", "DTSTART:20250101T080000Z\nDTSTART:20250101T080000Z\nRRULE:FREQ=DAILY",
		"DTSTART", "recurrence.repeated",
	},
	{
		"two starts in a line", "DTSTART:20250101T080000Z,20250101T080000Z\nRRULE:FREQ=DAILY",
		"DTSTART", "recurrence.repeated",
	},
	{"parameter of a rule", "RRULE;X=1:FREQ=DAILY", "RRULE", "recurrence.malformed"},
	{"unknown parameter", "DTSTART;X=1:20250101T080000Z\nRRULE:FREQ=DAILY", "DTSTART", "recurrence.malformed"},

	{"no frequency", "RRULE:INTERVAL=2", "FREQ", "recurrence.missing"},
	{"no frequency but days", "RRULE:BYDAY=MO", "FREQ", "recurrence.missing"},
	{"unknown frequency", "FREQ=FORTNIGHTLY", "FREQ", "recurrence.bad_value"},
	{"every minute", "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30", "FREQ", "recurrence.too_often"},
	{"chosen minute", "FREQ=MINUTELY;BYSECOND=1;BYSETPOS=2", "FREQ", "recurrence.too_often"},
	{"every second", "FREQ=SECONDLY", "FREQ", "recurrence.too_often"},
	{"unknown part", "FREQ=DAILY;BYWEEK=1", "BYWEEK", "recurrence.unknown_part"},
	{"other calendar", "RSCALE=CHINESE;FREQ=YEARLY", "RSCALE", "recurrence.unknown_part"},
	{"rule in a rule", "RRULE:RRULE:FREQ=DAILY", "RRULE:FREQ", "recurrence.unknown_part"},
	{"start in a rule", "FREQ=DAILY;DTSTART=20250101T080000Z", "DTSTART", "recurrence.unknown_part"},
	{"repeated part", "FREQ=DAILY;COUNT=3;COUNT=4", "COUNT", "recurrence.repeated"},
	{"repeated frequency", "FREQ=DAILY;freq=WEEKLY", "FREQ", "recurrence.repeated"},
	{"part without value", "FREQ=DAILY;COUNT=", "RRULE", "recurrence.malformed"},
	{"part without sign", "FREQ=DAILY;COUNT", "RRULE", "recurrence.malformed"},
	{"two semicolons", "FREQ=DAILY;;COUNT=2", "RRULE", "recurrence.malformed"},
	{"two semicolons at the end", "FREQ=DAILY;;", "RRULE", "recurrence.malformed"},

	{"count of none", "FREQ=DAILY;COUNT=0", "COUNT", "recurrence.not_between"},
	{"count below none", "FREQ=DAILY;COUNT=-1", "COUNT", "recurrence.not_between"},
	{"count too large", "FREQ=DAILY;COUNT=10001", "COUNT", "recurrence.not_between"},
	{"count with sign", "FREQ=DAILY;COUNT=+5", "COUNT", "recurrence.not_between"},
	{"count of more than fits", "FREQ=DAILY;COUNT=99999999999999999999", "COUNT", "recurrence.not_between"},
	{"interval of none", "FREQ=DAILY;INTERVAL=0", "INTERVAL", "recurrence.not_between"},
	{"interval below none", "FREQ=DAILY;INTERVAL=-2", "INTERVAL", "recurrence.not_between"},
	{"interval too large", "FREQ=DAILY;INTERVAL=1001", "INTERVAL", "recurrence.not_between"},
	{"interval that overflows", "FREQ=MONTHLY;INTERVAL=9223372036854775807", "INTERVAL", "recurrence.not_between"},
	{"until and count", "FREQ=DAILY;COUNT=3;UNTIL=20251231T000000Z", "UNTIL", "recurrence.until_with_count"},
	{"no such day", "FREQ=DAILY;UNTIL=20250230", "UNTIL", "recurrence.bad_value"},
	{"no such time", "FREQ=DAILY;UNTIL=20250101T250000Z", "UNTIL", "recurrence.bad_value"},
	{"words", "FREQ=DAILY;UNTIL=FOREVER", "UNTIL", "recurrence.bad_value"},
	{"late end", "FREQ=DAILY;UNTIL=22000101T000000Z", "UNTIL", "recurrence.year_out_of_range"},
	{"early end", "FREQ=DAILY;UNTIL=19691231", "UNTIL", "recurrence.year_out_of_range"},
	{"week start", "FREQ=WEEKLY;WKST=1MO", "WKST", "recurrence.bad_value"},

	{"month 0", "FREQ=YEARLY;BYMONTH=0", "BYMONTH", "recurrence.not_between"},
	{"month 13", "FREQ=YEARLY;BYMONTH=13", "BYMONTH", "recurrence.not_between"},
	{"month -1", "FREQ=YEARLY;BYMONTH=-1", "BYMONTH", "recurrence.not_between"},
	{"leap month", "FREQ=YEARLY;BYMONTH=5L", "BYMONTH", "recurrence.not_between"},
	{"hole in a list", "FREQ=YEARLY;BYMONTH=1,,2", "BYMONTH", "recurrence.not_between"},
	{"day 0", "FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY", "recurrence.not_between_both"},
	{"day 32", "FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY", "recurrence.not_between_both"},
	{"day -32", "FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY", "recurrence.not_between_both"},
	{"least number", "FREQ=MONTHLY;BYMONTHDAY=-9223372036854775808", "BYMONTHDAY", "recurrence.not_between_both"},
	{"day 367 of the year", "FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY", "recurrence.not_between_both"},
	{"position 0", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS", "recurrence.not_between_both"},
	{"position 367", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", "BYSETPOS", "recurrence.not_between_both"},
	{"hour 24", "FREQ=DAILY;BYHOUR=24", "BYHOUR", "recurrence.not_between"},
	{"minute 60", "FREQ=DAILY;BYMINUTE=60", "BYMINUTE", "recurrence.not_between"},
	{"second 60", "FREQ=DAILY;BYSECOND=60", "BYSECOND", "recurrence.not_between"},
	{"no such weekday", "FREQ=WEEKLY;BYDAY=MD", "BYDAY", "recurrence.bad_value"},
	{"half a weekday", "FREQ=WEEKLY;BYDAY=M", "BYDAY", "recurrence.bad_value"},
	{"weekday 0", "FREQ=MONTHLY;BYDAY=0MO", "BYDAY", "recurrence.not_between_both"},

	{"days of the month in a week", "FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY", "recurrence.not_with_freq"},
	{"days of the year in a month", "FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY", "recurrence.not_with_freq"},
	{"days of the year in a week", "FREQ=WEEKLY;BYYEARDAY=1", "BYYEARDAY", "recurrence.not_with_freq"},
	{"days of the year in a day", "FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY", "recurrence.not_with_freq"},
	{"weeks", "FREQ=YEARLY;BYWEEKNO=53", "BYWEEKNO", "recurrence.unsupported"},
	{"Easter", "FREQ=YEARLY;BYEASTER=1000", "BYEASTER", "recurrence.unsupported"},
	{"positions alone", "FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS", "recurrence.bysetpos_alone"},
	{"numbered day in a week", "FREQ=WEEKLY;BYDAY=1MO", "BYDAY", "recurrence.byday_number_with_freq"},
	{"numbered day in a day", "FREQ=DAILY;BYDAY=1MO", "BYDAY", "recurrence.byday_number_with_freq"},
	{"numbered day in an hour", "FREQ=HOURLY;BYDAY=-1MO", "BYDAY", "recurrence.byday_number_with_freq"},
	{"numbered and plain days", "FREQ=MONTHLY;BYDAY=1MO,FR", "BYDAY", "recurrence.byday_mixed"},
	{"tenth Monday of a month", "FREQ=MONTHLY;BYDAY=10MO", "BYDAY", "recurrence.byday_out_of_reach"},
	{"sixth Monday from the end", "FREQ=MONTHLY;BYDAY=-6MO", "BYDAY", "recurrence.byday_out_of_reach"},
	{"sixth Monday of a month in a year", "FREQ=YEARLY;BYMONTH=12;BYDAY=6MO", "BYDAY", "recurrence.byday_out_of_reach"},
	{"54th Monday of a year", "FREQ=YEARLY;BYDAY=54MO", "BYDAY", "recurrence.not_between_both"},
	{"hour that is never reached", "FREQ=HOURLY;INTERVAL=2;BYHOUR=10", "BYHOUR", "recurrence.hour_never_reached"},
	{"hour that days do not reach", "FREQ=HOURLY;INTERVAL=24;BYHOUR=10", "BYHOUR", "recurrence.hour_never_reached"},
	{"25 times a day", "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40", "BYHOUR", "recurrence.too_many_a_day"},
	{"half-hourly", "FREQ=HOURLY;BYMINUTE=0,30", "BYMINUTE", "recurrence.too_many_a_day"},
	{
		"every second of a year",
		"FREQ=YEARLY;BYHOUR=" + counted(24) + ";BYMINUTE=" + counted(60) + ";BYSECOND=" + counted(60),
		"BYHOUR", "recurrence.too_many_a_day",
	},
	{
		"501 dates in two lines", "FREQ=DAILY\nEXDATE:" + manyDays(200) + "\nRDATE:" + strings.Repeat(",", 300),
		"RDATE", "recurrence.too_many_dates",
	},
	{"501 dates in a line", "FREQ=DAILY\nEXDATE:" + strings.Repeat(",", 500), "EXDATE", "recurrence.too_many_dates"},

	{"another start", "DTSTART:20250101T090000Z\nRRULE:FREQ=DAILY", "DTSTART", "recurrence.start_differs"},
	{
		"another start by its zone", "DTSTART;TZID=Europe/London:20250101T090000\nRRULE:FREQ=DAILY",
		"DTSTART", "recurrence.start_differs",
	},
	{
		"another start by a bare date", "DTSTART;VALUE=DATE:20250101\nRRULE:FREQ=DAILY",
		"DTSTART", "recurrence.start_differs",
	},
	{"start that is none", "DTSTART:now\nRRULE:FREQ=DAILY", "DTSTART", "recurrence.bad_value"},
	{
		"date start and hours", "DTSTART;VALUE=DATE:20250101\nRRULE:FREQ=DAILY;BYHOUR=8",
		"BYHOUR", "recurrence.time_with_date_start",
	},
	{
		"date start and minutes", "DTSTART;VALUE=DATE:20250101\nRRULE:FREQ=DAILY;BYMINUTE=8",
		"BYMINUTE", "recurrence.time_with_date_start",
	},
	{
		"date start and seconds", "DTSTART;VALUE=DATE:20250101\nRRULE:FREQ=DAILY;BYSECOND=8",
		"BYSECOND", "recurrence.time_with_date_start",
	},
	{"zone and UTC", "DTSTART;TZID=Europe/Oslo:20250101T080000Z\nRRULE:FREQ=DAILY", "TZID", "recurrence.zone_not_here"},
	{"zone and date", "FREQ=DAILY\nEXDATE;TZID=Europe/Oslo:20250101", "TZID", "recurrence.zone_not_here"},
	{"zone of the machine", "DTSTART;TZID=Local:20250101T090000\nRRULE:FREQ=DAILY", "TZID", "recurrence.unknown_zone"},
	{
		"zone of the machine's files", "DTSTART;TZID=localtime:20250101T090000\nRRULE:FREQ=DAILY",
		"TZID", "recurrence.unknown_zone",
	},
	{
		"zone with leap seconds", "DTSTART;TZID=right/Europe/Oslo:20250101T090000\nRRULE:FREQ=DAILY",
		"TZID", "recurrence.unknown_zone",
	},
	{"zone by a path", "DTSTART;TZID=./Europe/Oslo:20250101T090000\nRRULE:FREQ=DAILY", "TZID", "recurrence.unknown_zone"},
	{"unknown zone", "DTSTART;TZID=Europe/Atlantis:20250101T090000\nRRULE:FREQ=DAILY", "TZID", "recurrence.unknown_zone"},
	{"no zone", "DTSTART;TZID=:20250101T090000\nRRULE:FREQ=DAILY", "TZID", "recurrence.unknown_zone"},
	{"unknown zone of an exception", "FREQ=DAILY\nEXDATE;TZID=Mars:20250101T090000", "TZID", "recurrence.unknown_zone"},
	{
		"two zones", "DTSTART;TZID=Europe/Oslo;TZID=Europe/Oslo:20250101T090000\nRRULE:FREQ=DAILY",
		"TZID", "recurrence.repeated",
	},
	{"period", "FREQ=DAILY\nRDATE;VALUE=PERIOD:20250101T000000Z/PT1H", "RDATE", "recurrence.bad_value"},
	{"time called a date", "FREQ=DAILY\nRDATE;VALUE=DATE:20250101T000000Z", "RDATE", "recurrence.bad_value"},
	{"date called a time", "FREQ=DAILY\nRDATE;VALUE=DATE-TIME:20250101", "RDATE", "recurrence.bad_value"},
	{"late date", "FREQ=DAILY\nRDATE:22000101", "RDATE", "recurrence.year_out_of_range"},
	{"early exception", "FREQ=DAILY\nEXDATE:19690101", "EXDATE", "recurrence.year_out_of_range"},
	{"hole in the dates", "FREQ=DAILY\nEXDATE:20250101,,20250102", "EXDATE", "recurrence.bad_value"},
}

// manyDays lists so many different days.
func manyDays(n int) string {
	days := make([]string, n)
	for i := range days {
		days[i] = time.Date(2025, 1, 1+i, 0, 0, 0, 0, time.UTC).Format("20060102")
	}
	return strings.Join(days, ",")
}

// counted lists the numbers below n.
func counted(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	return strings.Join(texts, ",")
}

func TestParseRefusesAndSaysWhy(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	start := instant(t, "2025-01-01T08:00:00Z")
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := recurrence.Parse(c.text, start, oslo)
			requireRefusal(t, err, c.part, c.id)
		})
	}
}

// requireRefusal also sees to it that the English sentence is whole.
func requireRefusal(t *testing.T, err error, part, id string) {
	t.Helper()
	var refused *recurrence.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, []string{part, id}, []string{refused.Part, refused.Text.ID}, refused.Error())
	require.NotContains(t, refused.Error(), "{{")
	require.NotContains(t, refused.Error(), "recurrence.")
}

func TestParseRefusesAStartOutsideTheYears(t *testing.T) {
	t.Parallel()
	for _, start := range []string{"1969-12-31T12:00:00Z", "2200-01-02T00:00:00Z"} {
		_, err := recurrence.Parse("FREQ=DAILY", instant(t, start), time.UTC)
		requireRefusal(t, err, "DTSTART", "recurrence.year_out_of_range")
	}
}

func TestParseRefusesAStartThatUTCPutsOutsideTheYears(t *testing.T) {
	t.Parallel()
	oslo := zone(t, "Europe/Oslo")
	_, err := recurrence.Parse("DTSTART:19700101T000000\nRRULE:FREQ=DAILY", local(t, "1970-01-01 00:00", oslo), oslo)
	requireRefusal(t, err, "DTSTART", "recurrence.year_out_of_range")
}

func TestRefusalDoesNotRepeatALongText(t *testing.T) {
	t.Parallel()
	_, err := recurrence.Parse("FREQ=DAILY;"+strings.Repeat("X", 1000)+"=1", instant(t, "2025-01-01T08:00:00Z"), time.UTC)
	require.Error(t, err)
	require.Less(t, len(err.Error()), 200)
}
