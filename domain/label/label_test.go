package label_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/domain/label"
	"waybill/domain/order"
)

// The code is the example of GS1's Tag Data Standard.
func TestSSCCs(t *testing.T) {
	t.Parallel()
	require.Equal(t, "106141412345678908", label.SSCC("0614141", 1234567890))
	require.True(t, label.IsSSCC("106141412345678908"))
	for _, wrong := range []string{
		"", "106141412345678909", "10614141234567890", "1061414123456789080", "10614141234567890x",
	} {
		require.False(t, label.IsSSCC(wrong), wrong)
	}
	require.Equal(t, label.Code{Text: "106141412345678908", SSCC: true}, label.CodeOf("00106141412345678908"))
	require.Equal(t, label.Code{Text: "106141412345678908", SSCC: true}, label.CodeOf("106141412345678908"))
	require.Equal(t, label.Code{Text: "BOX 7"}, label.CodeOf("BOX 7"))
}

// Numbers make valid and distinct codes for any prefix.
func TestSSCCsDiffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringMatching(`[0-9]{7,12}`).Draw(t, "prefix")
		first := rapid.Int64Range(0, 99_998).Draw(t, "first")
		a, b := label.SSCC(prefix, first), label.SSCC(prefix, first+1)
		require.True(t, label.IsSSCC(a), a)
		require.Equal(t, prefix, a[1:1+len(prefix)])
		require.NotEqual(t, a, b)
		wrong := []byte(a)
		place := rapid.IntRange(0, len(wrong)-1).Draw(t, "place")
		wrong[place] = '0' + (wrong[place]-'0'+1)%10
		require.False(t, label.IsSSCC(string(wrong)), "one wrong digit is found")
	})
}

func TestParcels(t *testing.T) {
	t.Parallel()
	pallet := &order.Product{Name: "Pallet", Quantity: 1, BarcodeID: "106141412345678908"}
	o := &order.Order{Products: []*order.Product{
		pallet,
		{Name: "Sofa", Quantity: 4, Parent: pallet, BarcodeID: "INSIDE"},
		{Name: "Box", Quantity: 2.5, BarcodeID: "BOX"},
	}}
	var got []string
	for _, p := range label.Parcels(o, 7, label.ByColli, nil) {
		got = append(got, fmt.Sprintf("%d/%d %s", p.Unit, p.Units, p.Code.Readable()))
	}
	require.Equal(t, []string{"1/4 (00) 106141412345678908", "2/4 BOX", "3/4 BOX", "4/4 BOX"}, got)
	whole := label.Parcels(o, 7, label.ByOrder, nil)
	require.Len(t, whole, 1)
	require.Equal(t, "WB-7", whole[0].Code.Text)

	for text, writable := range map[string]bool{"BOX": true, "": false, "Ø": false, fmt.Sprintf("%033d", 1): false} {
		require.Equal(t, writable, label.Code{Text: text}.Writable(), text)
	}
	endless := &order.Order{Products: []*order.Product{{Quantity: 1e12, BarcodeID: "X"}}}
	require.Greater(t, len(label.Parcels(endless, 1, label.ByColli, nil)), label.Most)
	require.Less(t, len(label.Parcels(endless, 1, label.ByColli, nil)), 2*label.Most)
}
