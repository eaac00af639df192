package documents_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/caller"
)

func (p packer) send(method, path string) *httptest.ResponseRecorder {
	return p.Send(method, path, "", "Authorization", p.dispatcher)
}

// document attaches a document that is not uploaded yet to an order.
func (p packer) document(order int64) int64 {
	id := p.ID(`insert into documents (org_id, name, content_type, size)
		values ($1, 'note.pdf', 'application/pdf', 7) returning id`)
	return p.ID(
		`insert into order_documents (org_id, order_id, document_id) values ($1, $2, $3) returning document_id`, order, id,
	)
}

// told returns the events of a document.
func (p packer) told(document int64) string {
	return p.Text(`select coalesce(string_agg(kind, ' ' order by id), '') from events
		where org_id = $1 and document_id = $2`, document)
}

func TestDocumentsAreListedAndDetached(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "")
	order, other := p.Import("A-1"), p.Import("A-2")
	document := p.document(order)
	list := fmt.Sprintf("/v1/orders/%d/documents", order)
	one := fmt.Sprintf("%s/%d", list, document)

	w := p.send(http.MethodGet, list)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"name":"note.pdf"`)
	require.Contains(t, w.Body.String(), `"download_url":null`)
	require.JSONEq(t, `{"items": []}`, p.send(http.MethodGet, fmt.Sprintf("/v1/orders/%d/documents", other)).Body.String())
	require.Equal(t, http.StatusNotFound, p.send(http.MethodGet, "/v1/orders/999999/documents").Code)
	require.Equal(
		t, http.StatusNotFound, p.send(http.MethodDelete, fmt.Sprintf("/v1/orders/%d/documents/%d", other, document)).Code,
	)
	outsider := p.AsRole(p.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, p.Send(http.MethodDelete, one, "", "Authorization", outsider).Code)

	require.Equal(t, http.StatusNoContent, p.send(http.MethodDelete, one).Code)
	require.Equal(t, http.StatusNotFound, p.send(http.MethodDelete, one).Code, "only once")
	require.JSONEq(t, `{"items": []}`, p.send(http.MethodGet, list).Body.String())
	require.Equal(t, "document.detached", p.told(document))
}

func TestDocumentsAreForgotten(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "")
	order := p.Import("A-1")
	document := p.document(order)
	path := fmt.Sprintf("/v1/documents/%d", document)
	attached := p.send(http.MethodDelete, path)
	require.Equal(t, http.StatusConflict, attached.Code)
	require.Equal(t, "DOCUMENT_ATTACHED", apitest.Refusal(t, attached))
	require.Equal(
		t, http.StatusNoContent, p.send(http.MethodDelete, fmt.Sprintf("/v1/orders/%d/documents/%d", order, document)).Code,
	)
	outsider := p.AsRole(p.Other, caller.Dispatcher)
	require.Equal(t, http.StatusNotFound, p.Send(http.MethodDelete, path, "", "Authorization", outsider).Code)
	require.Equal(t, http.StatusNoContent, p.send(http.MethodDelete, path).Code)
	require.Equal(t, http.StatusNotFound, p.send(http.MethodDelete, path).Code)
	require.Equal(t, "document.detached document.deleted", p.told(document))
}
