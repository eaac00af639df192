package child

import (
	"bytes"
	"strings"
	"sync"
)

// TailBytes is how much of a program's output errors show at most.
const TailBytes = 2000

// Output receives the output of a program line by line, and keeps the end of it.
type Output struct {
	// Keep looks at each line, and reports whether it is kept. If it is nil, all are.
	Keep func(line string) bool

	mu   sync.Mutex
	line []byte // the one that has not ended
	last []byte
}

// Write takes over lines. A line also ends where a terminal would return to its start.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.line = append(o.line, p...)
	for {
		end := bytes.IndexAny(o.line, "\r\n")
		if end < 0 {
			break
		}
		o.take(o.line[:end])
		o.line = o.line[end+1:]
	}
	o.line = o.line[max(0, len(o.line)-TailBytes):]
	return len(p), nil
}

func (o *Output) take(line []byte) {
	text := strings.TrimSpace(string(bytes.ToValidUTF8(line, nil)))
	if text == "" || o.Keep != nil && !o.Keep(text) {
		return
	}
	o.last = append(append(o.last, text...), '\n')
	o.last = o.last[max(0, len(o.last)-2*TailBytes):]
}

// Last returns the last lines that were kept.
func (o *Output) Last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.line) > 0 {
		o.take(o.line)
		o.line = nil
	}
	return LastLines(o.last, TailBytes)
}

// LastLines returns at most limit bytes from the end of a text, without a broken first line.
func LastLines(text []byte, limit int) string {
	if len(text) > limit {
		text = text[len(text)-limit:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return strings.TrimRight(string(text), "\n")
}
