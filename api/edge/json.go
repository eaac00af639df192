package edge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"iter"
	"net/http"

	"waybill/domain/outward"
)

// MediaJSON is the media type of nearly every answer.
const MediaJSON = "application/json"

// Handle returns a plain handler for one that returns its error. The error gets
// the same response as any other.
func (e *Edge) Handle(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			e.Fail(w, r, err)
		}
	}
}

// WriteJSON encodes a value as the response. If a value can't be encoded, it
// returns an error and has written nothing.
func WriteJSON(w http.ResponseWriter, status int, value any) error {
	var body bytes.Buffer
	encoder := outward.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // people read these answers, and no browser takes them for a page
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return WriteRaw(w, status, bytes.TrimSuffix(body.Bytes(), []byte("\n")))
}

// WriteRaw responds with encoded JSON, such as a view's.
func WriteRaw(w http.ResponseWriter, status int, body []byte) error {
	w.Header().Set("Content-Type", MediaJSON)
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// streamBuffer is how much of a stream is gathered before it is sent.
const streamBuffer = 32 << 10

// StreamArray responds with 200 and a JSON array, element by element, so that a
// list of any length takes little memory. An error before anything was sent
// gets its usual response; after that the response breaks off, which the caller
// notices because the array is not closed.
func StreamArray(w http.ResponseWriter, elements iter.Seq2[json.RawMessage, error]) error {
	return writeStream(w, "[", elements, "]")
}

// StreamObject responds with 200 and an object whose only member is such an
// array.
func StreamObject(w http.ResponseWriter, member string, elements iter.Seq2[json.RawMessage, error]) error {
	return writeStream(w, `{"`+member+`":[`, elements, "]}")
}

// StreamObjectWith is StreamObject with another member after the array.
func StreamObjectWith(
	w http.ResponseWriter, member string, elements iter.Seq2[json.RawMessage, error], other string, value json.RawMessage,
) error {
	return writeStream(w, `{"`+member+`":[`, elements, `],"`+other+`":`+string(value)+"}")
}

func writeStream(w http.ResponseWriter, head string, elements iter.Seq2[json.RawMessage, error], tail string) error {
	out := bufio.NewWriterSize(w, streamBuffer)
	w.Header().Set("Content-Type", MediaJSON)
	_, _ = out.WriteString(head) // errors of a bufio.Writer stay until Flush
	first := true
	for element, err := range elements {
		if err != nil {
			return err
		}
		if !first {
			_ = out.WriteByte(',')
		}
		first = false
		if _, err := out.Write(element); err != nil {
			return err
		}
	}
	_, _ = out.WriteString(tail)
	return out.Flush()
}
