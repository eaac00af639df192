package wire

import (
	"bytes"
	"io"
)

// byteOrderMark is how some programs begin a file in UTF-8. JSON does not know it.
var byteOrderMark = []byte("\uFEFF")

// unmarked reads what follows a byte order mark, or all where there is none.
type unmarked struct {
	io.Reader

	begun bool
	ahead []byte
}

// Read reads on.
func (u *unmarked) Read(p []byte) (int, error) {
	if !u.begun {
		u.begun = true
		head := make([]byte, len(byteOrderMark))
		n, _ := io.ReadFull(u.Reader, head) // what kept it from reading on says so again
		u.ahead = bytes.TrimPrefix(head[:n], byteOrderMark)
	}
	if len(u.ahead) > 0 {
		n := copy(p, u.ahead)
		u.ahead = u.ahead[n:]
		return n, nil
	}
	return u.Reader.Read(p)
}
