package driving_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/proof/paper/papertest"
)

// hashed is the SHA-256 of bytes in hex.
func hashed(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// bring brings the bytes of a picture, and returns its hash.
func (p *phone) bring(content, kind string) string {
	p.T.Helper()
	path := "/v1/driver/proofs/" + hashed(content)
	w := p.Send(http.MethodPut, path, content, "Authorization", p.header, "Content-Type", kind)
	require.Equal(p.T, http.StatusNoContent, w.Code, w.Body)
	return hashed(content)
}

func photo(t *testing.T) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 1600, 1200))
	for i := range m.Pix {
		m.Pix[i] = byte(i / 4801)
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, m, nil))
	return out.String()
}

func signature(t *testing.T) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 100))
	for x := range 280 {
		m.Set(x+10, 50+(x*7%40)-20, color.Black)
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, m))
	return out.String()
}

// proved is a delivered order whose proof has everything possible, with one
// picture that has not arrived and one that is invalid.
func proved(t *testing.T, d depot) (id int64, nora *phone, action string) {
	t.Helper()
	nora = d.phone("Nora Ødegård")
	id, pickup, delivery := nora.give("A-1")
	d.exec("update order_stops set latitude = 59.9127, longitude = 10.7461 where org_id = $1 and id = $2", delivery)
	d.exec("update order_stops set name = 'Bakeriet på hjørnet', address1 = 'Ærfuglveien 7', city = 'Tromsø' "+
		"where org_id = $1 and id = $2", delivery)
	product := d.ID("select id from order_products where org_id = $1 and order_id = $2", id)
	nora.says(
		nora.did("SCAN", pickup, 9*minute, object{"scans": []object{{"code": "AT-PICKUP"}}}),
		nora.did("SCAN", delivery, 3*minute, object{
			"scans": []object{{"code": "37071", "productId": product}, {"code": "37072"}},
		}),
	)
	deliver := nora.did("DELIVER", delivery, minute, object{
		"position": object{"latitude": 59.9130, "longitude": 10.7461, "accuracyMeters": 12.5},
		"proof": object{
			"type": "IN_PERSON", "signee": "Олена Ковальчук 王小明", "comment": "Lagt på trappen",
			"signature": nora.bring(signature(t), "image/png"),
			"pictures": []string{
				nora.bring(photo(t), "image/jpeg"),
				hashed("\xff\xd8\xfflate"),
				nora.bring("RIFF1234WEBPVPno picture", "image/webp"),
			},
		},
	})
	nora.says(deliver)
	return id, nora, deliver["id"].(string)
}

func TestProofHasPositionAndScans(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	id, nora, action := proved(t, d)
	read := func() contract.Proof {
		w := d.Send(http.MethodGet, ofOrder(id, "/completion-proof"), "", "Authorization", d.dispatcher)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var all contract.CompletionProof
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &all))
		require.True(t, all.ContactlessProof.IsNull())
		return all.InPersonProof.MustGet()
	}
	p := read()
	require.Equal(t, int64(33), p.DistanceMeters.MustGet())
	require.InDelta(t, 12.5, p.Position.MustGet().AccuracyMeters.MustGet(), 0)
	require.Equal(t, nora.driver, p.DriverID.MustGet())
	require.Equal(t, "Nora Ødegård", p.DriverName.MustGet())
	require.Equal(t, []int{3, 2}, []int{p.PicturesNamed, p.PicturesArrived})
	require.Len(t, p.ImageUrls, 2)
	require.Equal(t, hashed(signature(t)), p.SignatureSha256.MustGet())
	require.Len(t, p.Scans, 2, "those at the delivery")
	require.Equal(t, "37071", p.Scans[0].Code)
	require.NotZero(t, *p.Scans[0].ProductID)
	require.Nil(t, p.Scans[1].ProductID)
	require.Equal(t, int64(1), p.Sequence.MustGet())
	require.Equal(t, hashed(p.Manifest.MustGet()), p.ManifestSha256.MustGet())
	for _, said := range []string{action, `"scans":[{"code":"37071","product":`, `},{"code":"37072"}]`, `"version":2}`} {
		require.Contains(t, p.Manifest.MustGet(), said)
	}
	nora.bring("\xff\xd8\xfflate", "image/jpeg")
	require.Equal(t, 3, read().PicturesArrived)
}

// TestProofIsPrinted reads only the PDF.
func TestProofIsPrinted(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	id, _, _ := proved(t, d)
	d.exec("update organizations set name = 'Nordfrakt Æ' where id = $1")
	ask := func(id int64, language string) (int, string) {
		w := d.Send(http.MethodGet, ofOrder(id, "/completion-proof.pdf"), "",
			"Authorization", d.dispatcher, "Accept-Language", language)
		if w.Code == http.StatusOK {
			require.Equal(t, "application/pdf", w.Header().Get("Content-Type"))
			require.Less(t, w.Body.Len(), 1<<20)
		}
		return w.Code, w.Body.String()
	}
	code, file := ask(id, "nb")
	require.Equal(t, http.StatusOK, code, file)
	if at := os.Getenv("WAYBILL_TEST_KEEP"); at != "" { // for eyes
		require.NoError(t, os.WriteFile(filepath.Join(at, "proof.pdf"), []byte(file), 0o600))
	}
	text := papertest.Text(t, []byte(file))
	hash := d.Text("select encode(hash, 'hex') from completion_proofs where org_id = $1")
	for _, said := range []string{
		"Nordfrakt Æ", "A-1", "Bakeriet på hjørnet", "Ærfuglveien 7", "Tromsø", "Overlevert personlig",
		"Олена Ковальчук 王小明", "Nora Ødegård", "59.913000, 10.746100 ± 12 m", "33 m", "Lagt på trappen",
		"37071, 37072", "Bilder: 2 av 3 mottatt", "Ikke mottatt ennå", hashed("\xff\xd8\xfflate"),
		"kan ikke vises",
		hash, "waybill proofs verify --org office", "manifest-1.json",
	} {
		require.Contains(t, text, strings.ReplaceAll(said, " ", ""))
	}
	require.Regexp(t, regexp.MustCompile(`\d\.\w+20\d\d\d\d:\d\d:\d\dUTC`), text)
	require.NotContains(t, text, "AT-PICKUP")
	require.Equal(t, 2, strings.Count(file, "/Subtype /Image"), "the signature and the picture that is one")

	_, file = ask(id, "en")
	require.Contains(t, papertest.Text(t, []byte(file)), "Proofofdelivery")
	without, _, _ := d.phone("Jens").give("A-2")
	code, _ = ask(without, "en")
	require.Equal(t, http.StatusNotFound, code)
	outsider := d.AsRole(d.Other, "dispatcher")
	w := d.Send(http.MethodGet, ofOrder(id, "/completion-proof.pdf"), "", "Authorization", outsider)
	require.Equal(t, http.StatusNotFound, w.Code)
}

// TestExternalPicturesAreReported deletes one picture and changes another one
// in the storage: the paper and the verification report both.
func TestExternalPicturesAreReported(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	id, _, _ := proved(t, d)
	verified, err := d.Operations.Driving.VerifyProofs(t.Context(), d.Org, nil, d.files)
	require.NoError(t, err)
	require.Equal(t, []int{4, 3}, []int{verified.Named, verified.Arrived})
	read := func() string {
		w := d.Send(http.MethodGet, ofOrder(id, "/completion-proof.pdf"), "", "Authorization", d.dispatcher)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		return papertest.Text(t, w.Body.Bytes())
	}
	file := filepath.Join(d.folder, d.Text(
		"select storage_key from proof_pictures where org_id = $1 and encode(sha256, 'hex') = $2", hashed(photo(t))))
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	require.NoError(t, os.WriteFile(file, flipped, 0o600))
	_, err = d.Operations.Driving.VerifyProofs(t.Context(), d.Org, nil, d.files)
	require.ErrorContains(t, err, "proof 1 was changed: its picture "+hashed(photo(t))+" has different bytes")
	_, err = d.Operations.Driving.VerifyProofs(t.Context(), d.Org, nil, nil)
	require.NoError(t, err, "the chain alone")
	require.Contains(t, read(), "storedpicturedoesnotmatchthehash")

	require.NoError(t, os.Remove(file))
	_, err = d.Operations.Driving.VerifyProofs(t.Context(), d.Org, nil, d.files)
	require.ErrorContains(t, err, "is gone")
	require.Contains(t, read(), "nolongerinstorage")
}
