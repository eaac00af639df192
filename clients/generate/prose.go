package main

import (
	"fmt"
	"strings"
)

// third puts the summary of an operation into the third person: "Read an order" becomes
// "reads an order".
func third(summary string) string {
	verb, rest, _ := strings.Cut(strings.TrimSuffix(summary, "."), " ")
	verb = strings.ToLower(verb[:1]) + verb[1:]
	for _, second := range []string{"create", "get", "read", "update"} {
		for _, joined := range []string{" and ", " or "} {
			rest = strings.Replace(" "+rest, joined+second+" ", joined+inflected(second)+" ", 1)[1:]
		}
	}
	return strings.TrimSpace(inflected(verb) + " " + rest)
}

func inflected(verb string) string {
	for _, ending := range []string{"s", "sh", "ch", "x"} {
		if strings.HasSuffix(verb, ending) {
			return verb + "es"
		}
	}
	if before, isY := strings.CutSuffix(verb, "y"); isY && !strings.ContainsAny(before[len(before)-1:], "aeiou") {
		return before + "ies"
	}
	return verb + "s"
}

// comment writes a text with a mark before each line.
func comment(mark, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		b.WriteString(strings.TrimRight(mark+" "+line, " ") + "\n")
	}
	return b.String()
}

// paragraphs joins those that are not empty.
func paragraphs(all ...string) string {
	var kept []string
	for _, p := range all {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// writer collects the text of a file.
type writer struct{ strings.Builder }

// p writes a line; a format without arguments is the line itself.
func (w *writer) p(format string, arguments ...any) {
	if len(arguments) == 0 {
		w.WriteString(format + "\n")
		return
	}
	fmt.Fprintf(w, format+"\n", arguments...)
}
