package driving_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/proof"
	"waybill/operations/driving"
)

// TestProofsAreChained has several drivers deliver concurrently, and then
// changes one of the proofs in the database.
func TestProofsAreChained(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	verify := func() (int64, error) {
		found, err := d.Operations.Driving.VerifyProofs(t.Context(), d.Org, nil, d.files)
		return found.Count, err
	}
	count, err := verify()
	require.NoError(t, err)
	require.Zero(t, count)

	var together sync.WaitGroup
	for i := range 4 {
		p := d.phone(fmt.Sprintf("Driver %d", i))
		_, _, delivery := p.give(fmt.Sprintf("A-%d", i))
		deliver := p.did("DELIVER", delivery, minute, object{
			"position": object{"latitude": 59.91, "longitude": 10.75, "accuracyMeters": 12.5},
			"proof": object{
				"type": "IN_PERSON", "signee": "Kåre «K» Ås", "comment": `<"previous":"7">`,
				"signature": strings.Repeat("0f", 32),
				"pictures":  []string{strings.Repeat("ab", 32), strings.Repeat("cd", 32)},
			},
		})
		together.Go(func() { p.says(deliver) })
	}
	together.Wait()
	count, err = verify()
	require.NoError(t, err)
	require.Equal(t, int64(4), count)
	require.Equal(t, "4", d.Text(`select count(*)::text from events e join completion_proofs p
		on p.org_id = e.org_id and p.order_id = e.order_id and e.data ->> 'sha256' = encode(p.hash, 'hex')
		where e.org_id = $1 and e.kind = 'order.proved'`))

	proofs, action := "update completion_proofs set ", "update driver_actions a set "
	pictures, flipped := "update completion_proof_images set ", "hash = set_byte(hash, 7, 255 - get_byte(hash, 7))"
	for _, c := range []struct{ change, back, where string }{
		{proofs + "signee = 'Kari'", proofs + "signee = 'Kåre «K» Ås'", " and seq = 2"},
		{
			proofs + "manifest = replace(manifest, '10.75', '10.76')",
			proofs + "manifest = replace(manifest, '10.76', '10.75')", "",
		},
		{proofs + flipped, proofs + flipped, " and seq = 4"},
		{proofs + `scans = '[{"code": "37"}]'`, proofs + "scans = null", " and seq = 3"},
		{proofs + "seq = 9", proofs + "seq = 4", " and seq in (4, 9)"},
		{pictures + "sha256 = set_byte(sha256, 0, 0)", pictures + "sha256 = set_byte(sha256, 0, 171)", " and seq = 1"},
		{
			action + "device_id = null",
			action + "device_id = (select id from sessions s where s.driver_id = a.driver_id)", "",
		},
	} {
		d.exec(c.change + " where org_id = $1" + c.where)
		_, err = verify()
		var broken *proof.Broken
		require.ErrorAs(t, err, &broken, c.change)
		d.exec(c.back + " where org_id = $1" + c.where)
		_, err = verify()
		require.NoError(t, err, c.back)
	}
	d.exec("delete from completion_proof_images where org_id = $1")
	_, err = verify()
	require.Error(t, err)
}

// TestTruncatedChainIsDetected removes the last proof: first together with the
// stored last hash, then also with the one in the log.
func TestTruncatedChainIsDetected(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	p := d.phone("Nora")
	for _, number := range []string{"A-1", "A-2"} {
		_, _, delivery := p.give(number)
		p.says(p.did("DELIVER", delivery, minute, object{"proof": object{"type": "CONTACTLESS"}}))
	}
	verify := func(noted []byte) (driving.ProofsVerified, error) {
		return d.Operations.Driving.VerifyProofs(t.Context(), d.Org, noted, d.files)
	}
	whole, err := verify(nil)
	require.NoError(t, err)
	require.Equal(t, int64(2), whole.Count)

	var broken *proof.Broken
	d.exec("delete from completion_proofs where org_id = $1 and seq = 2")
	_, err = verify(nil)
	require.ErrorAs(t, err, &broken)
	d.exec("update proof_chains set seq = 1, hash = (select hash from completion_proofs where org_id = $1 and seq = 1) " +
		"where org_id = $1")
	_, err = verify(nil)
	require.ErrorAs(t, err, &broken, "the log tells of it")
	require.Equal(t, int64(2), broken.Seq)
	d.exec("delete from events where org_id = $1 and kind = 'order.proved' and data ->> 'seq' = '2'")
	_, err = verify(nil)
	require.NoError(t, err)
	var absent *proof.Absent
	_, err = verify(whole.Last)
	require.ErrorAs(t, err, &absent, "whoever noted it knows")
}
