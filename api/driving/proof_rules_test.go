package driving_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/domain/caller"
)

// sets changes the rules for proofs as an administrator.
func (d depot) sets(said string) int {
	d.T.Helper()
	w := d.Send(http.MethodPut, "/v1/organization", said, "Authorization", d.AsRole(d.Org, caller.Admin))
	return w.Code
}

// today returns the route that a driver's phone reads.
func (p *phone) today() (route contract.DriverRoute) {
	p.T.Helper()
	w := p.Send(http.MethodGet, "/v1/driver/route", "", "Authorization", p.header)
	require.Equal(p.T, http.StatusOK, w.Code, w.Body)
	require.NoError(p.T, json.Unmarshal(w.Body.Bytes(), &route))
	return route
}

// TestProofRulesAreEnforced has drivers collect less than required, all of it,
// and less than required before the rule existed.
func TestProofRulesAreEnforced(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	sum := strings.Repeat("ab", 32)
	const rule = `{"in_person": {"signature": "required", "scan": "required", "photo": "warn"},
		"failure": {"photo": "required"}}`

	_, _, before := nora.give("BEFORE")
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(nora.did("DELIVER", before, 0))), "nobody said anything")
	require.Equal(t, http.StatusOK, d.sets(`{"proof": `+rule+`}`))
	_, _, late := nora.give("LATE")
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(nora.did("DELIVER", late, minute))),
		"it was done before anybody wanted more")
	d.exec("update organizations set proof_since = now() - interval '1 day' where id = $1")

	id, _, delivery := nora.give("RULED")
	name := object{"type": "IN_PERSON", "signee": "Kari"}
	signed := object{"type": "IN_PERSON", "signee": "Kari", "signature": sum}
	require.Equal(t, []string{
		"REJECTED PROOF_MISSING 2", "REJECTED PROOF_MISSING 2", "REJECTED PROOF_MISSING 2", "APPLIED 2",
		"REJECTED PROOF_MISSING 2", "REJECTED PROOF_MISSING 2", "APPLIED 6",
	}, outcomes(nora.says(
		nora.did("DELIVER", delivery, 3*minute),
		nora.did("DELIVER", delivery, 3*minute, object{"proof": name}),
		nora.did("DELIVER", delivery, 3*minute, object{"proof": signed}),
		nora.did("SCAN", delivery, 3*minute, object{"scans": []object{{"code": "37"}}}),
		nora.did("DELIVER", delivery, 2*minute, object{"proof": name}),
		nora.did("DELIVER", delivery, 2*minute, object{"proof": object{"type": "IN_PERSON", "signature": sum}}),
		nora.did("DELIVER", delivery, minute, object{"proof": signed}),
	)))
	require.Equal(t, "6 driver="+fmt.Sprint(nora.driver)+" completed completed IN_PERSON", d.stand(id))
	found := d.exceptions(fmt.Sprintf("orderId=%d", id))
	require.Len(t, found.Items, 1)
	require.Equal(t, int64(5), found.Items[0].Times)
	require.Equal(t, contract.ExceptionKind("PROOF_MISSING"), found.Items[0].Kind)
	require.Equal(t, []contract.ResolutionOfException{"DISMISSED"}, found.Items[0].Resolutions)
	require.Contains(t, found.Items[0].Text, "Nora reported an action for order RULED at ")

	_, _, delivery = nora.give("LEFT")
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(
		nora.did("DELIVER", delivery, 0, object{"proof": object{"type": "CONTACTLESS"}}))), "nobody said that of contactless")

	// The order's type overrides the organization's rules.
	d.exec("insert into order_types (org_id, name, proof) values ($1, 'Easy', $2)",
		`{"in_person": {"signature": "off", "scan": "optional", "name": "optional"}}`)
	d.exec("update order_types set proof_since = now() - interval '1 day' where org_id = $1")
	id, _, delivery = nora.give("EASY")
	d.exec(`update orders set order_type_id = (select id from order_types where org_id = $1 and name = 'Easy')
		where org_id = $1 and id = $2`, id)
	require.Equal(t, []string{"APPLIED 6"}, outcomes(nora.says(nora.did("DELIVER", delivery, 0))))
}

// TestFailureHasPhotos has a driver photograph why a delivery failed; the office sees
// the photo once it is uploaded.
func TestFailureHasPhotos(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	require.Equal(t, http.StatusOK, d.sets(`{"proof": {"failure": {"photo": "required"}}}`))
	d.exec("update organizations set proof_since = now() - interval '1 day' where id = $1")
	picture := "\xff\xd8\xffa gate that is shut"
	hash := sha256.Sum256([]byte(picture))
	sum := hex.EncodeToString(hash[:])
	id, _, delivery := nora.give("SHUT")
	require.Equal(t, []string{"REJECTED PROOF_MISSING 2", "APPLIED 7"}, outcomes(nora.says(
		nora.did("FAIL", delivery, minute, object{"reason": "No access"}),
		nora.did("FAIL", delivery, 0, object{
			"reason": "No access", "pictures": []string{sum},
			"position": object{"latitude": 59.9139, "longitude": 10.7522, "accuracyMeters": 12},
		}),
	)))
	require.Equal(t, http.StatusBadRequest, nora.post(
		nora.did("FAIL", delivery, 0, object{"pictures": []string{"no sum"}})).Code)

	var recorded []contract.OrderDocumentation
	w := d.Send(http.MethodGet, fmt.Sprintf("/v1/orders/%d/documentations", id), "", "Authorization", d.dispatcher)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &recorded), w.Body)
	require.Len(t, recorded, 1, "what did not count is no documentation")
	require.Equal(t, []string{sum}, recorded[0].Pictures)
	where := recorded[0].Position.MustGet()
	require.Equal(t, []float64{59.9139, 10.7522, 12},
		[]float64{where.Latitude, where.Longitude, where.AccuracyMeters.MustGet()})

	path := fmt.Sprintf("/v1/orders/%d/pictures/", id)
	get := func(path, as string) (found contract.OrderPicture, code int) {
		w := d.Send(http.MethodGet, path, "", "Authorization", as)
		if w.Code == http.StatusOK {
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &found))
		}
		return found, w.Code
	}
	shown, code := get(path+sum, d.dispatcher)
	require.Equal(t, http.StatusOK, code)
	require.True(t, shown.URL.IsNull(), "its bytes have yet to come")
	require.Equal(t, http.StatusNoContent, d.Send(http.MethodPut, "/v1/driver/proofs/"+sum, picture,
		"Authorization", nora.header, "Content-Type", "image/jpeg").Code)
	shown, _ = get(path+sum, d.dispatcher)
	_, file, _ := strings.Cut(shown.URL.MustGet(), "localhost")
	require.Equal(t, picture, d.Send(http.MethodGet, file, "").Body.String())
	for _, other := range []string{path + strings.Repeat("ab", 32), "/v1/orders/987654321/pictures/" + sum} {
		_, code = get(other, d.dispatcher)
		require.Equal(t, http.StatusNotFound, code, other)
	}
	_, code = get(path+"no-sum", d.dispatcher)
	require.Equal(t, http.StatusBadRequest, code)
	_, code = get(path+sum, nora.header)
	require.Equal(t, http.StatusForbidden, code, "drivers do not read orders")
}

// TestOfficeSetsProofRules sets valid and invalid rules as an administrator, and reads
// the result on a phone.
func TestOfficeSetsProofRules(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	require.True(t, nora.today().OfficePhone.IsNull())
	for _, wrong := range []string{
		`{"office_phone": "call us"}`, `{"office_phone": "+47 22 00 00 00 00 00 00 00 00 00 00 00 00"}`,
		`{"proof": {"in_person": {"photo": "always"}}}`, `{"proof": {"contactless": {"signature": "required"}}}`,
		`{"proof": {"failure": {"scan": "off"}}}`, `{"proof": 7}`, `{"goods_apart": [{"one": "", "other": "ADR"}]}`,
		`{"load_dimensions": [{"name": ""}]}`, `{"load_dimensions": [{"name": "A"}, {"name": "A"}]}`,
		`{"costs": {"per_hour": 0}}`, `{"costs": {"per_km": 4.5}}`, `{"costs": {"overtime_minutes": 721}}`,
		`{"costs": {"overtime_price": 2}}`, `{"costs": {"per_hour": 540, "per_shift": -1}}`,
		`{"rush_hours": [{"from": "07:00", "until": "07:00", "factor": 2}]}`,
		`{"rush_hours": [{"from": "07:00", "until": "09:00", "factor": 0.4}]}`,
		`{"rush_hours": [{"days": ["MON"], "from": "07:00", "until": "09:00", "factor": 2}]}`,
		`{"rush_hours": [{"from": "07:00", "until": "09:00", "factor": 2, "areas": [{"country": "Norway"}]}]}`,
	} {
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, d.sets(wrong), wrong)
	}
	w := d.Send(http.MethodPut, "/v1/organization", `{"office_phone": "112"}`, "Authorization", d.dispatcher)
	require.Equal(t, http.StatusForbidden, w.Code)
	require.Zero(t, d.ID("select count(*) from events where org_id = $1 and kind = 'organization.updated'"))

	require.Equal(t, http.StatusOK, d.sets(`{"office_phone": " +47 22 00 00 00 "}`))
	require.Equal(t, "+47 22 00 00 00", nora.today().OfficePhone.MustGet())
	require.Equal(t, http.StatusOK, d.sets(`{"proof": {"failure": {"photo": "required"}}}`))
	require.Equal(t, http.StatusOK, d.sets(`{"proof": {"failure": {"photo": "required"}}}`))
	require.Equal(t, "+47 22 00 00 00", nora.today().OfficePhone.MustGet(), "what is left out stays")
	require.Equal(t, `{"changed": ["office_phone"]}; {"changed": ["proof"]}`, d.Text(`select
			string_agg(data::text, '; ' order by id) from events
			where org_id = $1 and kind = 'organization.updated'`), "what is so already is no news")
	require.Equal(t, http.StatusOK, d.sets(`{"office_phone": null, "proof": null}`))
	require.True(t, nora.today().OfficePhone.IsNull())
	require.Equal(t, "0", d.Text(
		"select num_nonnulls(proof, proof_since, office_phone)::text from organizations where id = $1"))

	counted := `{"load_dimensions": [{"name": " PALLETS ", "unit": "pallet places"}, {"name": "ADR"}]}`
	for range 2 {
		require.Equal(t, http.StatusOK, d.sets(counted))
	}
	require.Equal(t, "PALLETS pallet places, ADR ", d.Text(`
		select string_agg(concat_ws(' ', a->>'name', a->>'unit'), ', ' order by n)
		from organizations, jsonb_array_elements(load_dimensions) with ordinality x (a, n) where id = $1`))
	require.Equal(t, http.StatusOK, d.sets(`{"load_dimensions": []}`))
	require.Equal(t, 2, int(d.ID(`
		select count(*) from events where org_id = $1 and data->'changed' = '["load_dimensions"]'`)))

	apart := `{"goods_apart": [{"one": "FOOD", "other": "ADR"}, {"one": "ADR", "other": "ADR", "same_time": true}]}`
	for range 2 {
		require.Equal(t, http.StatusOK, d.sets(apart))
	}
	require.Equal(t, `ADR true, FOOD false`, d.Text(`
		select string_agg(concat_ws(' ', a->>'one', a->>'same_time'), ', ' order by a->>'one')
		from organizations, jsonb_array_elements(goods_apart) a where id = $1`))
	require.Equal(t, http.StatusOK, d.sets(`{"goods_apart": []}`))
	require.Equal(t, 2, int(d.ID(`select count(*) from events where org_id = $1 and data->'changed' = '["goods_apart"]'`)))

	for range 2 {
		require.Equal(t, http.StatusOK, d.sets(`{"costs": {"per_hour": 540, "overtime_minutes": 60}}`))
	}
	require.Equal(t, "540 60", d.Text(
		`select concat_ws(' ', costs->>'per_hour', costs->>'per_km', costs->>'overtime_minutes')
			from organizations where id = $1`))
	require.Equal(t, http.StatusOK, d.sets(`{"costs": {}}`))
	require.Equal(t, "1", d.Text("select (costs is null)::int::text from organizations where id = $1"))
	require.Equal(t, 2, int(d.ID(`select count(*) from events where org_id = $1 and data->'changed' = '["costs"]'`)))

	rush := `{"rush_hours": [{"days": ["MO", "FR"], "from": "07:00", "until": "09:30", "factor": 1.5,
		"areas": [{"country": "NO", "prefix": "01"}]}, {"from": "15:00", "until": "24:00", "factor": 1.2}]}`
	for range 2 {
		require.Equal(t, http.StatusOK, d.sets(rush))
	}
	require.Equal(t, "1.5 MO 01, 1.2", d.Text(`
		select string_agg(concat_ws(' ', h->>'factor', h#>>'{days,0}', h#>>'{areas,0,to}'), ', ' order by n)
		from organizations, jsonb_array_elements(rush_hours) with ordinality x (h, n) where id = $1`))
	require.Equal(t, http.StatusOK, d.sets(`{"rush_hours": []}`))
	require.Equal(t, 2, int(d.ID(`select count(*) from events where org_id = $1 and data->'changed' = '["rush_hours"]'`)))
}

// TestPictureLosesItsPlace sends a picture with a camera's metadata.
func TestPictureLosesItsPlace(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	nora := d.phone("Nora")
	var drawn bytes.Buffer
	require.NoError(t, jpeg.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8)), nil))
	const position = "59 54 51 N 10 44 34 E"
	picture := string(drawn.Bytes()[:2]) + "\xff\xfe\x00" + string(rune(2+len(position))) + position +
		string(drawn.Bytes()[2:])
	hash := sha256.Sum256([]byte(picture))
	sum := hex.EncodeToString(hash[:])
	id, _, delivery := nora.give("SHUT")
	require.Equal(t, []string{"APPLIED 7"}, outcomes(nora.says(
		nora.did("FAIL", delivery, 0, object{"reason": "No access", "pictures": []string{sum}}))))
	put := func(name, content string) int {
		return d.Send(http.MethodPut, "/v1/driver/proofs/"+name, content,
			"Authorization", nora.header, "Content-Type", "image/jpeg").Code
	}
	require.Equal(t, http.StatusUnprocessableEntity, put(strings.Repeat("ab", 32), picture),
		"the name is that of the bytes as they come")
	require.Equal(t, http.StatusNoContent, put(sum, picture))
	w := d.Send(http.MethodGet, fmt.Sprintf("/v1/orders/%d/pictures/%s", id, sum), "", "Authorization", d.dispatcher)
	var shown contract.OrderPicture
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &shown))
	_, file, _ := strings.Cut(shown.URL.MustGet(), "localhost")
	require.Equal(t, drawn.String(), d.Send(http.MethodGet, file, "").Body.String())
	require.EqualValues(t, drawn.Len(), shown.Size.MustGet())
}
