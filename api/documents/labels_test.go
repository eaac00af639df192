package documents_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/stretchr/testify/require"

	"waybill/api/apitest"
	"waybill/domain/caller"
	"waybill/domain/label"
	"waybill/domain/order"
	"waybill/domain/proof/paper/papertest"
)

type object = map[string]any

// packer is an office with a user who packs.
type packer struct {
	*apitest.Office

	dispatcher string
}

func newPacker(t *testing.T, prefix string) packer {
	t.Helper()
	o := apitest.NewOffice(t)
	if prefix != "" {
		o.ID("update organizations set sscc_prefix = $2 where id = $1 returning id", prefix)
	}
	return packer{o, o.AsRole(o.Org, caller.Dispatcher)}
}

func (p packer) labels(body any) *httptest.ResponseRecorder {
	p.T.Helper()
	text, err := json.Marshal(body)
	require.NoError(p.T, err)
	return p.Send(http.MethodPost, "/v2/orders/labels", string(text), "Authorization", p.dispatcher)
}

// barcodes are those of an order's products.
func (p packer) barcodes(id int64) string {
	return p.Text(`select string_agg(coalesce(barcode_id, '-'), ' ' order by seq)
		from order_products where org_id = $1 and order_id = $2`, id)
}

// events are how often an order was updated.
func (p packer) events(id int64) int64 {
	return p.ID(`select count(*) from events
		where org_id = $1 and subject_type = 'order' and subject_id = $2 and kind = 'order.updated'`, id)
}

// scanned returns what a scanner reads from each page of a PDF.
func scanned(t *testing.T, pdf []byte) (codes []string) {
	t.Helper()
	for _, page := range papertest.Barcodes(t, pdf) {
		bitmap, err := gozxing.NewBinaryBitmapFromImage(page)
		require.NoError(t, err)
		hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_ASSUME_GS1: true}
		read, err := oned.NewCode128Reader().Decode(bitmap, hints)
		require.NoError(t, err)
		codes = append(codes, read.GetText())
	}
	return codes
}

// two sets the products of an order: a box with its own code and one without.
func two(r *order.Request) {
	r.Products = []order.ProductRequest{
		{Name: "Box", ExternalID: "B-1", BarcodeID: "BOX-7"}, {Name: "Pallet", ExternalID: "B-2"},
	}
}

func TestLabelsAreDrawn(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "0614141")
	first, second := p.Import("A-1", two), p.Import("A-2")
	w := p.labels(object{"externalIds": []string{"A-2"}, "orderIds": []int64{first}})
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, "application/pdf", w.Header().Get("Content-Type"))

	codes := scanned(t, w.Body.Bytes())
	require.Len(t, codes, 3)
	drawn := p.barcodes(second)
	require.True(t, label.IsSSCC(drawn), drawn)
	require.Equal(t, "0614141", drawn[1:8])
	require.Equal(t, "]C100"+drawn, codes[0], "GS1-128, by the character at its beginning")
	require.Equal(t, "BOX-7", codes[1])
	require.Equal(t, "BOX-7 "+strings.TrimPrefix(codes[2], "]C100"), p.barcodes(first), "no code is drawn twice")
	require.NotEqual(t, codes[0], codes[2])

	page := strings.ReplaceAll(papertest.Pages(t, w.Body.Bytes())[0], " ", "")
	for _, said := range []string{"A-2", "1/1", "150kg", "(00)" + drawn, strings.ReplaceAll(p.Text(
		"select name from order_stops where org_id = $1 and order_id = $2 and kind = 'delivery'", second), " ", "")} {
		require.Contains(t, page, said)
	}
	require.Equal(t, int64(1), p.events(first))

	t.Run("AgainTheyAreTheSame", func(t *testing.T) {
		again := p.labels(object{"externalIds": []string{"A-2", "A-1"}})
		require.Equal(t, codes, scanned(t, again.Body.Bytes()))
		require.Equal(t, int64(1), p.events(first), "nothing has changed")
	})
	t.Run("AnImportLeavesThemAlone", func(t *testing.T) {
		require.Equal(t, second, p.Import("A-2"))
		require.Equal(t, drawn, p.barcodes(second))
	})
	t.Run("ForPrinters", func(t *testing.T) {
		zpl := p.labels(object{"externalIds": []string{"A-2"}, "format": "ZPL", "size": "4x6"})
		require.Equal(t, http.StatusOK, zpl.Code, zpl.Body)
		require.Equal(t, 1, strings.Count(zpl.Body.String(), "^XA"))
		require.Contains(t, zpl.Body.String(), "^FD>;>800"+drawn+"^FS")
		require.Contains(t, zpl.Body.String(), "^PW813^LL1219")
	})
	t.Run("OnePerOrder", func(t *testing.T) {
		whole := p.labels(object{"orderIds": []int64{first}, "level": "ORDER"})
		serial := p.ID("select serial from orders where org_id = $1 and id = $2", first)
		require.Equal(t, []string{fmt.Sprintf("WB-%d", serial)}, scanned(t, whole.Body.Bytes()))
	})
}

// TestUnitsOfALineHaveTheirOwnCodes changes the quantity of a line from three to
// four and to two: each unit keeps its code, and can be found by it.
func TestUnitsOfALineHaveTheirOwnCodes(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "0614141")
	of := func(quantity float64) func(*order.Request) {
		return func(r *order.Request) {
			r.Products = []order.ProductRequest{
				{Name: "Crate", ExternalID: "C", Quantity: &quantity},
				{Name: "Box", ExternalID: "B", BarcodeID: "BOX", Quantity: &quantity},
			}
		}
	}
	draw := func() (crates []string) {
		w := p.labels(object{"externalIds": []string{"A-1"}, "level": "COLLI"})
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		for _, code := range scanned(t, w.Body.Bytes()) {
			if code != "BOX" {
				crates = append(crates, strings.TrimPrefix(code, "]C100"))
			}
		}
		return crates
	}
	id := p.Import("A-1", of(3))
	three := draw()
	require.Len(t, three, 3)
	for i, code := range three {
		require.True(t, label.IsSSCC(code), code)
		require.NotContains(t, three[:i], code)
	}
	require.Equal(t, int64(1), p.events(id))
	require.Equal(t, three, draw(), "they are the same when they are drawn again")
	require.Equal(t, int64(1), p.events(id))
	require.Equal(t, "- BOX", p.barcodes(id), "the line itself has none")

	p.Import("A-1", of(4))
	four := draw()
	require.Equal(t, three, four[:3])
	require.Len(t, four, 4)
	p.Import("A-1", of(2))
	require.Equal(t, three[:2], draw())

	find := func(as, code string) *httptest.ResponseRecorder {
		return p.Send(http.MethodGet, "/v1/atoms/by-barcode/"+code, "", "Authorization", as)
	}
	found := find(p.dispatcher, "00"+three[1])
	require.Equal(t, http.StatusOK, found.Code, found.Body)
	require.Contains(t, found.Body.String(), `"name":"Crate"`)
	require.Contains(t, found.Body.String(), fmt.Sprintf(`"unit_barcode_ids":["%s"]`, strings.Join(four, `","`)))
	require.Equal(t, http.StatusNotFound, find(p.AsRole(p.Other, caller.Dispatcher), three[1]).Code)
	scan := p.Send(http.MethodPost, "/v1/atoms/scan", `{"barcode_id": "`+three[0]+`", "event": "LOADED"}`,
		"Authorization", p.dispatcher)
	require.Equal(t, http.StatusOK, scan.Code, scan.Body)

	p.Import("A-2", of(3))
	p.ID("update orders set status_id = 4 where org_id = $1 and number = 'A-2' returning id")
	w := p.labels(object{"externalIds": []string{"A-2"}, "level": "COLLI"})
	require.Equal(t, http.StatusConflict, w.Code, "what is on the road gets no new codes")
}

// Two users who request the labels of the same orders at the same time get the
// same ones.
func TestLabelsAreDrawnAtOnce(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "0614141")
	var numbers []string
	for i := range 5 {
		numbers = append(numbers, fmt.Sprintf("A-%d", i))
		p.Import(numbers[i])
	}
	answers := make(chan string, 4)
	for range cap(answers) {
		go func() { answers <- p.labels(object{"externalIds": numbers, "format": "ZPL"}).Body.String() }()
	}
	first := <-answers
	for range cap(answers) - 1 {
		require.Equal(t, first, <-answers)
	}
	require.Equal(t, int64(5), p.ID("select drawn from sscc_counters where org_id = $1"))
}

func TestLabelsAreRefused(t *testing.T) {
	t.Parallel()
	p := newPacker(t, "")
	open, gone := p.Import("A-1"), p.Import("GONE")
	p.ID("update orders set status_id = 8, cancelled_at = now() where org_id = $1 and id = $2 returning id", gone)
	p.Import("WORDY", func(r *order.Request) { r.Products[0].BarcodeID = "Ærfugl" })
	many := make([]string, 501)
	for i := range many {
		many[i] = "A-1"
	}
	for _, c := range []struct {
		body   object
		status int
		reason string
	}{
		{object{}, http.StatusBadRequest, "externalIds LABEL_NONE_NAMED"},
		{object{"externalIds": many}, http.StatusBadRequest, "externalIds LABEL_NONE_NAMED"},
		{object{"externalIds": []string{"A-1"}}, http.StatusUnprocessableEntity, "LABEL_NO_SSCC_PREFIX"},
		{object{"externalIds": []string{"WORDY"}}, http.StatusUnprocessableEntity, "LABEL_BAD_CODE"},
		{object{"externalIds": []string{"A-1", "NONE"}}, http.StatusNotFound, ""},
		{object{"orderIds": []int64{999_999_999}}, http.StatusNotFound, ""},
		{object{"externalIds": []string{"GONE"}}, http.StatusConflict, "ORDER_ALREADY_CANCELLED"},
		{object{"externalIds": []string{"A-1"}, "format": "PNG"}, http.StatusBadRequest, "format REQUEST_NOT_ONE_OF"},
		{object{"externalIds": []string{"A-1"}, "size": "A0"}, http.StatusBadRequest, "size REQUEST_NOT_ONE_OF"},
		{object{"externalIds": []string{"A-1"}, "level": "CRATE"}, http.StatusBadRequest, "level REQUEST_NOT_ONE_OF"},
	} {
		w := p.labels(c.body)
		require.Equal(t, c.status, w.Code, "%v: %s", c.body, w.Body)
		if c.reason != "" {
			require.Equal(t, c.reason, apitest.Refusal(t, w))
		}
	}
	require.Equal(t, "-", p.barcodes(open), "nothing is drawn without a prefix")
	w := p.Send(http.MethodPost, "/v2/orders/labels", fmt.Sprintf(`{"orderIds": [%d], "level": "ORDER"}`, open),
		"Authorization", p.AsRole(p.Other, caller.Dispatcher))
	require.Equal(t, http.StatusNotFound, w.Code)
}
