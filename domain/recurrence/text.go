package recurrence

import "strings"

// maxText is the longest text that is read or written, in bytes.
const maxText = 4096

// line is one content line of the text: a name, its parameters and its value.
type line struct {
	name   string
	params []string
	value  string
}

// readLines splits a text into its content lines. A line that is the bare
// value of an RRULE is given that name.
func readLines(text string) ([]line, error) {
	if err := checkCharacters(text); err != nil {
		return nil, err
	}
	var lines []line
	for raw := range strings.SplitSeq(unfold(text), "\n") {
		raw = strings.TrimSpace(raw)
		if raw == "" {
			continue
		}
		read, err := readLine(raw)
		if err != nil {
			return nil, err
		}
		lines = append(lines, read)
	}
	if len(lines) == 0 {
		return nil, refuse("rruleset", msgEmpty)
	}
	return lines, nil
}

// checkCharacters refuses a text before any work is spent on it.
func checkCharacters(text string) error {
	if len(text) > maxText {
		return refuse("rruleset", msgTooLong, "max", itoa(maxText))
	}
	for i := range len(text) {
		c := text[i]
		if c > '~' || c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return refuse("rruleset", msgNotASCII)
		}
	}
	return nil
}

// unfold joins the lines that were folded to be sent: a line break and one
// space or tab (RFC 5545 3.1).
func unfold(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.TrimSpace(text)
	return strings.NewReplacer("\n ", "", "\n\t", "").Replace(text)
}

// readLine parses one unfolded line, which is not empty.
func readLine(raw string) (line, error) {
	end := strings.IndexAny(raw, ";:")
	if end < 0 {
		end = len(raw)
	}
	name := keyword(raw[:end])
	if strings.Contains(name, "=") {
		return line{name: "RRULE", value: raw}, nil
	}
	colon := strings.IndexByte(raw, ':')
	if name == "" || colon < 0 {
		return line{}, refuse("rruleset", msgMalformed, "value", shown(raw))
	}
	read := line{name: name, value: strings.TrimSpace(raw[colon+1:])}
	if colon > end {
		read.params = strings.Split(raw[end+1:colon], ";")
	}
	return read, nil
}

// keyword returns a name or an enumerated value in the form that we compare.
func keyword(text string) string {
	return strings.ToUpper(strings.TrimSpace(text))
}
