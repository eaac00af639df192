package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"waybill/api/apitest"
	"waybill/api/contract"
)

// declare is a request to declare one text of a size.
func declare(name string, size int) object {
	return object{"documents": []object{{"name": name, "content_type": "text/plain", "size": size}}}
}

// path is a URL without its host, on which a test must not depend.
func uri(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.RequestURI()
}

// declared declares a text document and returns its id and upload URL.
func (o *organization) declared(t testing.TB, name string, size int) (id int64, address string) {
	t.Helper()
	a := o.expect(t, http.StatusOK, http.MethodPost, "/v1/documents", declare(name, size))
	require.NotContains(t, string(a.body), `\u0026`, "addresses can be copied as they stand")
	d := read[contract.CreateDocumentsResponse](t, a).Documents[0]
	require.Equal(t, name, d.Name)
	require.WithinDuration(t, time.Now().Add(time.Hour), d.ExpiresAt, time.Minute)
	require.True(t, strings.HasPrefix(d.UploadURL, "http://"+o.address+"/v1/files?"), d.UploadURL)
	return d.DocumentID, uri(t, d.UploadURL)
}

// put sends bytes to a signed address.
func (i *installation) put(t testing.TB, address string, body any, headers ...string) answer {
	t.Helper()
	return i.anonymous(t, http.MethodPut, address, body, append([]string{"Content-Type", "text/plain"}, headers...)...)
}

// upload brings a text all the way in.
func (o *organization) upload(t testing.TB, name, content string) int64 {
	t.Helper()
	id, address := o.declared(t, name, len(content))
	a := o.put(t, address, content)
	require.Equal(t, http.StatusNoContent, a.status, string(a.body))
	return id
}

func (o *organization) document(t testing.TB, id int64) contract.StoredDocument {
	t.Helper()
	return read[contract.StoredDocument](t, o.get(t, fmt.Sprintf("/v1/documents/%d", id)))
}

// attach attaches documents and returns the reason of a failure, or "".
func (o *organization) attach(t testing.TB, number string, behavior any, ids ...int64) string {
	t.Helper()
	body := object{"externalId": number, "documentIds": append([]int64{}, ids...)}
	if behavior != nil {
		body["attachBehavior"] = behavior
	}
	r := read[contract.AttachDocumentsResponse](t, o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/attach-documents", body))
	require.Equal(t, r.Failure.Reason.IsNull(), !r.Success.IsNull())
	if r.Failure.Reason.IsNull() {
		return ""
	}
	return string(r.Failure.Reason.MustGet())
}

// attached are the names of the documents of an order.
func (o *organization) attached(t testing.TB, number string) []string {
	t.Helper()
	order := read[contract.Order](t, o.get(t, "/v1/orders/internal/"+number+"?loads=Documents"))
	names := []string{}
	for _, d := range *order.Documents {
		names = append(names, d.Name)
	}
	return names
}

// blobs counts the files in the storage of an organization.
func (o *organization) blobs(t testing.TB) int {
	t.Helper()
	count := 0
	root := filepath.Join(o.dir, "blobs", fmt.Sprint(o.id))
	err := filepath.WalkDir(root, func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(entry.Name()) != ".attrs" {
			count++
		}
		return nil
	})
	require.NoError(t, err)
	return count
}

func TestUpload(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)

	t.Run("ADocumentComesBackAsItWasSent", func(t *testing.T) {
		t.Parallel()
		const name, content = "følge seddel, \"1\".txt", "to paller\r\nen sofa"
		id, address := o.declared(t, name, len(content))
		before := o.document(t, id)
		require.True(t, before.UploadedAt.IsNull())
		require.True(t, before.DownloadURL.IsNull())
		require.Equal(t, http.StatusNoContent, o.put(t, address, content, "Content-Type", "Text/Plain; charset=utf-8").status)
		d := o.document(t, id)
		require.False(t, d.UploadedAt.IsNull())
		require.WithinDuration(t, time.Now().Add(15*time.Minute), d.ExpiresAt.MustGet(), time.Minute)
		a := o.anonymous(t, http.MethodGet, uri(t, d.DownloadURL.MustGet()), nil)
		require.Equal(t, http.StatusOK, a.status)
		require.Equal(t, content, string(a.body))
		require.Equal(t, "text/plain", a.header.Get("Content-Type"))
		require.Contains(t, a.header.Get("Content-Disposition"), "attachment;")
		require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"))
		require.Contains(t, a.header.Get("Cache-Control"), "no-store")
		part := o.anonymous(t, http.MethodGet, uri(t, d.DownloadURL.MustGet()), nil, "Range", "bytes=3-8")
		require.Equal(t, http.StatusPartialContent, part.status)
		require.Equal(t, "paller", string(part.body))
	})

	t.Run("ARepetitionDoesNoHarmAndOtherBytesAreRefused", func(t *testing.T) {
		t.Parallel()
		id, address := o.declared(t, "a.txt", 4)
		require.Equal(t, http.StatusNoContent, o.put(t, address, "good").status)
		require.Equal(t, http.StatusNoContent, o.put(t, address, "good").status)
		require.Equal(t, http.StatusConflict, o.put(t, address, "evil").status)
		d := o.document(t, id)
		require.Equal(t, "good", string(o.anonymous(t, http.MethodGet, uri(t, d.DownloadURL.MustGet()), nil).body))
		require.Equal(t, 1, one[int](t, shared, "select count(*) from events where org_id = $1 and document_id = $2 and kind = 'document.uploaded'", o.id, id))
	})

	t.Run("ASignedAddressIsGoodForNothingElse", func(t *testing.T) {
		t.Parallel()
		id, address := o.declared(t, "a.txt", 4)
		other, _ := o.declared(t, "b.txt", 4)
		for _, wrong := range []string{
			strings.Replace(address, fmt.Sprint(id), fmt.Sprint(other), 1),
			strings.Replace(address, "expiry=", "expiry=9", 1),
			strings.Replace(address, "text%2Fplain", "text%2Fhtml", 1),
			strings.Replace(address, "signature=", "signature=x", 1),
			"/v1/files", "/v1/files?obj=documents/1/1",
		} {
			require.NotEqual(t, address, wrong)
			require.Equal(t, http.StatusForbidden, o.put(t, wrong, "good").status, wrong)
		}
		require.Equal(t, http.StatusForbidden, o.anonymous(t, http.MethodGet, address, nil).status)
		require.Equal(t, http.StatusForbidden, o.anonymous(t, http.MethodGet, strings.Replace(address, "method=PUT", "method=GET", 1), nil).status)
		require.True(t, o.document(t, id).UploadedAt.IsNull())
	})
}

func TestPartialUploadIsDiscarded(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	const content = "twelve bytes"
	id, address := o.declared(t, "a.txt", len(content))
	require.Equal(t, http.StatusBadRequest, o.put(t, address, content[:6]).status)
	require.Equal(t, http.StatusBadRequest, o.put(t, address, content+"!").status)
	require.Equal(t, http.StatusBadRequest, o.put(t, address, io.MultiReader(strings.NewReader(content+"!"))).status, "without a length")
	require.Equal(t, http.StatusBadRequest, o.put(t, address, io.MultiReader(strings.NewReader(content[:6]))).status, "without a length")
	require.Equal(t, http.StatusBadRequest, o.put(t, address, content, "Content-Type", "text/html").status)
	require.Equal(t, http.StatusBadRequest, o.put(t, address, nil).status)
	large := bytes.Repeat([]byte("x"), 26<<20)
	require.Equal(t, http.StatusBadRequest, o.put(t, address, io.MultiReader(bytes.NewReader(large))).status)

	conn, err := net.Dial("tcp", o.address)
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: waybill\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", address, len(content), content[:6])
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	text, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(text), "HTTP/1.1 400 ")

	require.True(t, o.document(t, id).UploadedAt.IsNull())
	require.Zero(t, o.blobs(t), "nothing of it lies in the storage")
	o.importOrders(t, orders(newOrder("HALF")))
	require.Equal(t, "DOCUMENT_NOT_FOUND", o.attach(t, "HALF", nil, id))
	require.Equal(t, http.StatusNoContent, o.put(t, address, content).status)
	require.Equal(t, 1, o.blobs(t))
	require.Empty(t, o.attach(t, "HALF", nil, id))
}

func TestAttachDocuments(t *testing.T) {
	t.Parallel()
	o, other := shared.organization(t), shared.organization(t)
	o.importOrders(t, orders(newOrder("A-1"), newOrder("A-DRAFT", object{"date": nil})))
	note, photo, newNote := o.upload(t, "note.txt", "1"), o.upload(t, "photo.txt", "2"), o.upload(t, "note.txt", "3")

	require.Empty(t, o.attach(t, "A-1", nil, note))
	require.Empty(t, o.attach(t, "A-1", "APPEND", photo, note, photo))
	require.Equal(t, []string{"note.txt", "photo.txt"}, o.attached(t, "A-1"))
	events := func() int {
		return one[int](t, shared, "select count(*) from events where org_id = $1 and kind in ('document.attached', 'document.detached')", o.id)
	}
	require.Equal(t, 2, events())

	require.Empty(t, o.attach(t, "A-1", "REPLACE_SAME_NAME", newNote))
	require.Equal(t, []string{"photo.txt", "note.txt"}, o.attached(t, "A-1"))
	require.Equal(t, 4, events())
	require.Empty(t, o.attach(t, "A-1", "REPLACE_SAME_NAME", newNote))
	require.Equal(t, 4, events(), "a repetition changes nothing")
	require.Empty(t, o.attach(t, "A-1", "REPLACE_ALL", note))
	require.Equal(t, []string{"note.txt"}, o.attached(t, "A-1"))
	require.Empty(t, o.attach(t, "A-1", "REPLACE_ALL"))
	require.Empty(t, o.attached(t, "A-1"))
	require.False(t, o.document(t, note).UploadedAt.IsNull(), "detached documents are not deleted")

	theirs := other.upload(t, "theirs.txt", "x")
	require.Equal(t, "DOCUMENT_NOT_FOUND", o.attach(t, "A-1", nil, note, theirs))
	require.Equal(t, "DOCUMENT_NOT_FOUND", o.attach(t, "A-1", nil, 1<<60))
	require.Equal(t, "ORDER_OR_DRAFT_NOT_FOUND", other.attach(t, "A-1", nil, theirs))
	require.Equal(t, "ORDER_OR_DRAFT_NOT_FOUND", o.attach(t, "unheard-of", nil, note))
	require.Empty(t, o.attached(t, "A-1"), "all or none")

	a := o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/attach-documents", object{"externalId": "A-DRAFT", "documentIds": []int64{note, photo}})
	success := read[contract.AttachDocumentsResponse](t, a).Success.MustGet()
	require.True(t, success.OrderID.IsNull())
	require.NotZero(t, success.OrderDraftID.MustGet())
	require.Empty(t, o.attach(t, "A-DRAFT", "REPLACE_SAME_NAME", newNote))
	require.NotNil(t, o.importOrders(t, orders(newOrder("A-DRAFT")))[0].OrderCreated)
	require.Equal(t, []string{"photo.txt", "note.txt"}, o.attached(t, "A-DRAFT"), "a draft's documents go with it")
	require.Zero(t, o.rowCounts(t)["draft_documents"])
}

// TestAttachingTakesTurns lets many callers replace each other's documents.
func TestAttachingTakesTurns(t *testing.T) {
	t.Parallel()
	const callers, rounds = 12, 5
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("RACE-ALL"), newOrder("RACE-NAME"), newOrder("RACE-APPEND"), newOrder("RACE-DRAFT", object{"date": nil})))
	var group errgroup.Group
	for range callers {
		first, second := o.upload(t, "same.txt", "1"), o.upload(t, "same.txt", "2")
		group.Go(func() error {
			for range rounds {
				o.attach(t, "RACE-ALL", "REPLACE_ALL", first, second)
				o.attach(t, "RACE-NAME", "REPLACE_SAME_NAME", first)
				o.attach(t, "RACE-APPEND", "APPEND", first, second)
				o.attach(t, "RACE-DRAFT", "APPEND", first)
			}
			return nil
		})
	}
	group.Go(func() error {
		o.importOrders(t, orders(newOrder("RACE-DRAFT")))
		return nil
	})
	require.NoError(t, group.Wait())
	require.Len(t, o.attached(t, "RACE-ALL"), 2)
	require.Len(t, o.attached(t, "RACE-NAME"), 1)
	require.Len(t, o.attached(t, "RACE-APPEND"), 2*callers)
	require.Len(t, o.attached(t, "RACE-DRAFT"), callers)
	const balance = `
		select count(*) from orders o where o.org_id = $1 and
			(select count(*) from order_documents a where a.org_id = o.org_id and a.order_id = o.id) <>
			(select coalesce(sum(case e.kind when 'document.attached' then 1 else -1 end), 0) from events e
			 where e.org_id = o.org_id and e.external_id = o.number and e.kind in ('document.attached', 'document.detached'))`
	require.Zero(t, one[int](t, shared, balance, o.id), "the log tells what is attached")
}

func TestBadDocuments(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	o.importOrders(t, orders(newOrder("B-1")))
	one := func(edits object) object {
		d := object{"name": "a.txt", "content_type": "text/plain", "size": 1}
		for k, v := range edits {
			d[k] = v
		}
		return object{"documents": []object{{"name": "fine.txt", "content_type": "text/plain", "size": 1}, d}}
	}
	many := object{"documents": make([]object, 101)}
	const create, attach = "/v1/documents", "/v2/orders/attach-documents"
	for _, r := range []refusal{
		{"NoDocuments", http.MethodPost, create, object{}, nil, 400, "documents"},
		{"TooManyDocuments", http.MethodPost, create, many, nil, 400, "documents"},
		{"ANameThatIsEmpty", http.MethodPost, create, one(object{"name": ""}), nil, 400, "documents[1].name"},
		{"ANameThatClimbs", http.MethodPost, create, one(object{"name": "../a.txt"}), nil, 400, "documents[1].name"},
		{"ANameWithNUL", http.MethodPost, create, one(object{"name": "a\x00b"}), nil, 400, "documents[1].name"},
		{"ANameThatIsHuge", http.MethodPost, create, one(object{"name": strings.Repeat("å", 200)}), nil, 400, "documents[1].name"},
		{"ANameThatIsANumber", http.MethodPost, create, one(object{"name": 7}), nil, 400, ""},
		{"APage", http.MethodPost, create, one(object{"content_type": "text/html"}), nil, 400, "documents[1].content_type"},
		{"ATypeThatIsNone", http.MethodPost, create, one(object{"content_type": "\x00;;"}), nil, 400, "documents[1].content_type"},
		{"NoSize", http.MethodPost, create, one(object{"size": 0}), nil, 400, "documents[1].size"},
		{"TooLarge", http.MethodPost, create, one(object{"size": 26214401}), nil, 400, "documents[1].size"},
		{"ASizeOutOfRange", http.MethodPost, create, one(object{"size": 1e30}), nil, 400, ""},
		{"AttachingToNothing", http.MethodPost, attach, object{"documentIds": []int{1}}, nil, 400, "externalId"},
		{"AttachingToNUL", http.MethodPost, attach, object{"externalId": "\x00", "documentIds": []int{1}}, nil, 400, "externalId"},
		{"AttachingNothing", http.MethodPost, attach, object{"externalId": "B-1", "documentIds": []int{}}, nil, 400, "documentIds"},
		{"ReplacingByNothingSaid", http.MethodPost, attach, object{"externalId": "B-1", "attachBehavior": "REPLACE_ALL"}, nil, 400, "documentIds"},
		{"AttachingTooMany", http.MethodPost, attach, object{"externalId": "B-1", "documentIds": make([]int, 1001)}, nil, 400, "documentIds"},
		{"AttachingPerhaps", http.MethodPost, attach, object{"externalId": "B-1", "documentIds": []int{1}, "attachBehavior": "PERHAPS"}, nil, 400, "attachBehavior"},
		{"AttachingAText", http.MethodPost, attach, object{"externalId": "B-1", "documentIds": []string{"1"}}, nil, 400, ""},
		{"ADocumentThatIsText", http.MethodGet, "/v1/documents/x", nil, nil, 400, "documentId"},
		{"ADocumentThatIsNot", http.MethodGet, "/v1/documents/4711", nil, nil, 404, ""},
	} {
		t.Run(r.name, func(t *testing.T) { o.requireRefused(t, r) })
	}
	a := o.expect(t, http.StatusBadRequest, http.MethodPost, create, one(object{"size": 0}), "Accept-Language", "da")
	detail, err := apitest.Status(t, a.body).Details[0].AsBadRequestDetail()
	require.NoError(t, err)
	require.Equal(t, "Størrelsen skal være et antal byte fra 1 til 26214400.", detail.FieldViolations[0].Description)
}

// proveCompletion records, as a driver's device will, how an order ended.
func (o *organization) proveCompletion(t testing.TB, orderID string) {
	t.Helper()
	for _, statement := range []string{
		`with p as (
			insert into completion_proofs (org_id, order_id, type, signature_key, signee, comment, created_at)
			values ($1, $2::bigint, 'IN_PERSON', 'proofs/signature', 'Ola Hansen', 'At the gate', now() - interval '1 minute')
		), q as (
			insert into completion_proofs (org_id, order_id, type) values ($1, $2::bigint, 'CONTACTLESS') returning org_id, id
		)
		insert into completion_proof_images (org_id, proof_id, seq, storage_key)
		select org_id, id, n, 'proofs/image-' || n from q, generate_series(1, 2) n`,
		`insert into order_documentations (org_id, order_id, stop_id, type, comment)
		select org_id, order_id, id, 'damage', 'One corner is crushed' from order_stops
		where org_id = $1 and order_id = $2::bigint and kind = 'pickup'`,
	} {
		_, err := o.admin.Exec(t.Context(), statement, o.id, orderID)
		require.NoError(t, err)
	}
	folder := filepath.Join(o.dir, "blobs", "proofs")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "signature"), []byte("a signature"), 0o600))
}

func TestCompletionProofAndDocumentations(t *testing.T) {
	t.Parallel()
	o := shared.organization(t)
	results := o.importOrders(t, orders(newOrder("P-1"), newOrder("P-2")))
	with, without := fmt.Sprint(orderID(t, results[0])), fmt.Sprint(orderID(t, results[1]))
	o.proveCompletion(t, with)

	proof := read[contract.CompletionProof](t, o.get(t, "/v2/orders/"+with+"/completion-proof"))
	require.Equal(t, contract.CompletionProofProofTypeContactless, proof.ProofType, "the latest")
	inPerson, contactless := proof.InPersonProof.MustGet(), proof.ContactlessProof.MustGet()
	require.Equal(t, "Ola Hansen", inPerson.Signee.MustGet())
	require.Equal(t, "At the gate", inPerson.Comment.MustGet())
	require.Empty(t, inPerson.ImageUrls)
	require.True(t, contactless.SignatureURL.IsNull())
	require.Len(t, contactless.ImageUrls, 2)
	signature, err := url.Parse(inPerson.SignatureURL.MustGet())
	require.NoError(t, err)
	var expiry int64
	_, err = fmt.Sscan(signature.Query().Get("expiry"), &expiry)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(15*time.Minute), time.Unix(expiry, 0), time.Minute)
	a := o.anonymous(t, http.MethodGet, signature.RequestURI(), nil)
	require.Equal(t, "a signature", string(a.body))
	require.Equal(t, http.StatusNotFound, o.anonymous(t, http.MethodGet, uri(t, contactless.ImageUrls[0]), nil).status, "signed, but lost")
	o.expect(t, http.StatusNotFound, http.MethodGet, "/v2/orders/"+without+"/completion-proof", nil)

	list := read[[]contract.OrderDocumentation](t, o.get(t, "/v1/orders/"+with+"/documentations"))
	require.Len(t, list, 1)
	require.Equal(t, "damage", list[0].Type)
	order := read[contract.Order](t, o.get(t, "/v1/orders/"+with+"?loads=Documentations"))
	require.True(t, list[0].Position.IsNull(), "no phone said where it was")
	list[0].Position = nil // which the relation does not have
	require.Equal(t, list, *order.Documentations)
	require.JSONEq(t, "[]", string(o.get(t, "/v1/orders/"+without+"/documentations").body))
}

// pictured has a driver picture why an order was not delivered, and names the picture.
func (o *organization) pictured(t *testing.T, order string) map[string]string {
	t.Helper()
	const sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	_, err := o.admin.Exec(t.Context(), `insert into driver_actions (org_id, id, driver_id, type, order_id, occurred_at, device_at,
			sent_at, received_at, data, outcome)
		select $1, gen_random_uuid(), min(d.id), 'FAIL', $2::text::bigint, now(), now(), now(), now(),
			jsonb_build_object('pictures', jsonb_build_array($3::text)), 'RECORDED'
		from drivers d where d.org_id = $1`, o.id, order, sum)
	require.NoError(t, err)
	return map[string]string{"orderId": order, "sha256": sum}
}
