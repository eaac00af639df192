package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	shell = regexp.MustCompile("(?s)```(?:sh|bash)\n(.*?)```")
	// onlyGNU and onlyBSD are forms of commands that the other family of systems lacks.
	onlyGNU = regexp.MustCompile(`date (-u )?(-d|--date|-I|-r)\b|date[^)]*%N|sed -i -|readlink -f|stat -c|grep -P|xargs -r|base64 -w|mktemp --`)
	onlyBSD = regexp.MustCompile(`date (-u )?(-v|-j)|sed -i ''|stat -f|base64 -D`)
	// dayAssignments are assignments of days.
	dayAssignments = regexp.MustCompile(`(?m)^(?:TODAY|DAY|WEDNESDAY)=\$\(.*$`)
)

// commandsOf are the commands of each document, by its name.
func commandsOf(t *testing.T) map[string]string {
	t.Helper()
	documents, err := filepath.Glob("*.md")
	require.NoError(t, err)
	below, err := filepath.Glob("*/*.md")
	require.NoError(t, err)
	commands := make(map[string]string)
	for _, document := range append(append(documents, below...), "../README.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, block := range shell.FindAllStringSubmatch(string(text), -1) {
			commands[document] += block[1]
		}
	}
	require.Greater(t, len(commands), 3)
	return commands
}

// TestCommandsWorkOnLinuxAndOnMacOS finds forms of commands that one of the two lacks.
func TestCommandsWorkOnLinuxAndOnMacOS(t *testing.T) {
	t.Parallel()
	for document, commands := range commandsOf(t) {
		require.NotRegexp(t, onlyGNU, commands, document)
		require.NotRegexp(t, onlyBSD, commands, document)
	}
}

// TestDaysOfTheDocumentsAreThoseOfTheOrganization works out the days of the documents at several hours in
// Oslo, on a machine elsewhere: the day of the machine is another one at some of them.
func TestDaysOfTheDocumentsAreThoseOfTheOrganization(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("there is no %s on this machine", needed)
		}
	}
	oslo, err := time.LoadLocation("Europe/Oslo")
	require.NoError(t, err)
	found := 0
	for document, commands := range commandsOf(t) {
		lines := dayAssignments.FindAllString(commands, -1)
		found += len(lines)
		if len(lines) == 0 {
			continue
		}
		for _, clock := range []string{"2026-03-01T03:00", "2026-03-02T14:00", "2026-03-02T23:30", "2026-03-29T00:30", "2026-10-25T00:30"} {
			now, err := time.ParseInLocation("2006-01-02T15:04", clock, oslo)
			require.NoError(t, err)
			for _, zone := range []string{"UTC", "America/Los_Angeles", "Pacific/Auckland"} {
				said := at(t, now, zone, strings.Join(lines, "\n"))
				today := now.Format(time.DateOnly)
				if said["TODAY"] != "" {
					require.Equal(t, today, said["TODAY"], "%s at %s", document, clock)
					require.Equal(t, now.AddDate(0, 0, 1).Format(time.DateOnly), said["DAY"], "%s at %s", document, clock)
				} else {
					require.Equal(t, today, said["DAY"], "%s at %s", document, clock)
				}
				if wednesday := said["WEDNESDAY"]; wednesday != "" {
					day, err := time.Parse(time.DateOnly, wednesday)
					require.NoError(t, err)
					require.Equal(t, time.Wednesday, day.Weekday())
					require.Greater(t, wednesday, today)
				}
			}
		}
	}
	require.GreaterOrEqual(t, found, 5)
}

// at runs assignments when it is now, on a machine in a time zone, and returns the values.
func at(t *testing.T, now time.Time, zone, assignments string) map[string]string {
	t.Helper()
	// The date of the test knows the two forms that the documents use, whatever system the test runs on.
	clock := `date() { if [ "$1" = +%F ]; then jq -nr "$NOW | strflocaltime(\"%Y-%m-%d\")"; else echo "date $*: not a form that the documents use" >&2; exit 1; fi; }` + "\n"
	run := exec.CommandContext(t.Context(), "bash", "-euc", clock+assignments+"\n"+`echo "${TODAY-} ${DAY-} ${WEDNESDAY-}"`)
	run.Env = append(os.Environ(), "TZ="+zone, "NOW="+strconv.FormatInt(now.Unix(), 10))
	printed, err := run.CombinedOutput()
	require.NoError(t, err, string(printed))
	values := append(strings.Split(strings.TrimSuffix(string(printed), "\n"), " "), "", "", "")
	return map[string]string{"TODAY": values[0], "DAY": values[1], "WEDNESDAY": values[2]}
}
