package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/proof"
)

func TestLevels(t *testing.T) {
	t.Parallel()

	t.Run("OnlyWhatIsRequiredIsLacking", func(t *testing.T) {
		t.Parallel()
		levels := proof.Levels{
			Name: proof.Required, Signature: proof.Warn, Photo: proof.Required, Scan: proof.Optional, Comment: proof.Off,
		}
		require.Equal(t, []string{"name", "photo"}, levels.Lacks(proof.Brought{}))
		require.Equal(t, []string{"photo"}, levels.Lacks(proof.Brought{Name: true, Signature: true}))
		require.Empty(t, levels.Lacks(proof.Brought{Name: true, Photo: true}))
		all := proof.Levels{
			Name: proof.Required, Signature: proof.Required, Photo: proof.Required, Scan: proof.Required,
			Comment: proof.Required,
		}
		require.Equal(t, []string{"name", "signature", "photo", "scan", "comment"}, all.Lacks(proof.Brought{}))
		require.Empty(t, all.Lacks(proof.Brought{Name: true, Signature: true, Photo: true, Scan: true, Comment: true}))
		require.Empty(t, (&proof.Levels{}).Lacks(proof.Brought{}), "nobody said anything")
	})

	t.Run("NobodySignsWhereNobodyIs", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, proof.Rules{}.Misfits())
		require.Empty(t, proof.Rules{
			InPerson:    &proof.Levels{Name: proof.Off, Signature: proof.Required, Scan: proof.Warn},
			Contactless: &proof.Levels{Photo: proof.Required, Scan: proof.Optional, Comment: proof.Warn},
			Failure:     &proof.Levels{Photo: proof.Required, Comment: proof.Off},
		}.Misfits())
		require.Equal(t, []proof.Misfit{
			{Way: "in_person", Thing: "photo"},
			{Way: "contactless", Thing: "signature", Never: true},
			{Way: "failure", Thing: "name", Never: true},
			{Way: "failure", Thing: "scan", Never: true},
		}, proof.Rules{
			InPerson:    &proof.Levels{Photo: "always"},
			Contactless: &proof.Levels{Signature: proof.Off},
			Failure:     &proof.Levels{Name: proof.Required, Scan: proof.Required},
		}.Misfits())
	})
}
