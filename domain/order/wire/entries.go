package wire

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"waybill/domain/order"
)

// DecodeEntries reads what EncodeEntries wrote.
func DecodeEntries(raw []byte) ([]order.Request, error) {
	var entries []order.Request
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, err
	}
	return entries, nil
}

// EncodeEntries makes one JSON array of entries.
func EncodeEntries(entries []Entry) []byte {
	size := 2
	for _, e := range entries {
		size += len(e.Raw) + 1
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	out.WriteByte('[')
	for i, e := range entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(e.Raw)
	}
	out.WriteByte(']')
	return out.Bytes()
}
