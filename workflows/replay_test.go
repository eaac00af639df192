package workflows_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"

	"waybill/workflows"
)

// histories is where the histories of each release are kept.
const histories = "testdata/histories"

// releases are those whose histories are kept, with the digest of what was
// recorded then. A release is added when `make record` has recorded it; none is
// changed, removed or recorded again: runs that it began may still be alive.
var releases = map[string]string{
	"v0.1.0": "b7d7e4de2a82fe356032c5a9a4cda88ac972bf01eba204bc68b118cd81e65eb0",
}

func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	for release := range releases {
		files, err := filepath.Glob(filepath.Join(histories, release, "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			t.Run(release+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				replayer := worker.NewWorkflowReplayer()
				workflows.Register(replayer)
				require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(quiet, file))
			})
		}
	}
}

func TestHistoriesOfReleasesAreNeverRecordedAgain(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(histories)
	require.NoError(t, err)
	found := map[string]string{}
	for _, e := range entries {
		found[e.Name()] = digest(t, filepath.Join(histories, e.Name()))
	}
	require.Equal(t, releases, found, "what a release left is as it was; a new release is added to the list")
}

// digest tells whether anything in a folder was changed, added or removed.
func digest(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	sum := sha256.New()
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", e.Name(), len(content), content)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
