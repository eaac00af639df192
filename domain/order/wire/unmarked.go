package wire

import (
	"bytes"
	"io"
)

// byteOrderMark is written by some programs at the start of a UTF-8 file. JSON
// does not allow it.
var byteOrderMark = []byte("\uFEFF")

// unmarked reads a stream without its byte order mark, if any.
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
		n, _ := io.ReadFull(u.Reader, head) // an error occurs again on the next read
		u.ahead = bytes.TrimPrefix(head[:n], byteOrderMark)
	}
	if len(u.ahead) > 0 {
		n := copy(p, u.ahead)
		u.ahead = u.ahead[n:]
		return n, nil
	}
	return u.Reader.Read(p)
}
