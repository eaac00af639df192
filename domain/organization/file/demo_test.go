package file_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/domain/organization/file"
)

func TestReadTakesTheRulesOfTheDemo(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "demo", "transformations.yaml"))
	require.NoError(t, err)
	d, err := file.Read(text)
	require.NoError(t, err)
	require.Len(t, d.Transformations, 3)
}
