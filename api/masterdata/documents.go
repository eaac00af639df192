package masterdata

import (
	"encoding/json"

	"waybill/api/edge"
	"waybill/store"
)

// document is JSON that a view has shaped.
type document json.RawMessage

// list is a page of such documents, with its limit.
type list edge.Page

func newList(items []json.RawMessage, total int64, page store.Page) list {
	out := edge.NewPage(items, total, page)
	out.Limit = page.Size
	return list(out)
}
