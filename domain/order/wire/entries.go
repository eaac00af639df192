package wire

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"waybill/domain/order"
)

// DecodeEntries parses the result of EncodeEntries.
func DecodeEntries(raw []byte) ([]order.Request, error) {
	var kept []keptEntry
	if err := json.Unmarshal(raw, &kept); err != nil {
		return nil, err
	}
	entries := make([]order.Request, len(kept))
	for i := range kept {
		entries[i] = order.Request(kept[i])
	}
	return entries, nil
}

// RequestsOf returns the requests of entries that have just been read.
func RequestsOf(entries []Entry) ([]order.Request, error) {
	requests := make([]order.Request, len(entries))
	for i, e := range entries {
		if err := json.Unmarshal(e.Raw, (*keptEntry)(&requests[i])); err != nil {
			return nil, err
		}
	}
	return requests, nil
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

// NumbersOf are the order numbers of the entries that have a usable one.
func NumbersOf(entries []Entry) []string {
	numbers := make([]string, 0, len(entries))
	for _, e := range entries {
		if order.UsableNumber(e.ExternalID) {
			numbers = append(numbers, e.ExternalID)
		}
	}
	return numbers
}

// keptEntry is the stored form of an entry: the request itself, or a list of the request
// and its unreadable parts. Versions that do not know the list refuse it, so they never
// import an incomplete entry.
type keptEntry order.Request

// UnmarshalJSONFrom reads an entry.
func (e *keptEntry) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	if in.PeekKind() != '[' {
		return json.UnmarshalDecode(in, (*order.Request)(e))
	}
	var parts [2]jsontext.Value
	if err := json.UnmarshalDecode(in, &parts); err != nil {
		return err
	}
	if err := json.Unmarshal(parts[0], (*order.Request)(e)); err != nil {
		return err
	}
	return json.Unmarshal(parts[1], &e.Unreadable)
}

// keepUnreadable is the stored form of an entry with unreadable parts.
func keepUnreadable(request *order.Request, unreadable []order.Reason) (jsontext.Value, error) {
	return json.Marshal([]any{request, unreadable})
}
