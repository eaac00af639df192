package osrm_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/osrm"
	"waybill/testing/stack"
)

// TestContractedAndPartitionedRoadsAreAsLong builds the data of one extract as if it were a small
// and a large one, serves both, and compares a table.
func TestContractedAndPartitionedRoadsAreAsLong(t *testing.T) {
	t.Parallel()
	home, err := stack.FindOSRM()
	if errors.Is(err, osrm.ErrMissing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	programs := osrm.Programs{Home: home}
	contracted, files := table(t, programs, 1)
	require.Contains(t, files, osrm.Data+".hsgr")
	require.NotContains(t, files, osrm.Data+".mldgr")
	partitioned, files := table(t, programs, 1<<40)
	require.Contains(t, files, osrm.Data+".mldgr")
	require.NotContains(t, files, osrm.Data+".hsgr")
	for i, row := range contracted {
		for j, seconds := range row {
			require.InDelta(t, partitioned[i][j], seconds, 1)
			require.Equal(t, i == j, seconds == 0)
		}
	}
}

// table builds the data for an extract of a size, and returns a table of times in seconds between
// places in Liechtenstein, and the files of the data.
func table(t *testing.T, programs osrm.Programs, size int64) (seconds [][]float64, files []string) {
	t.Helper()
	dir := t.TempDir()
	extract, err := filepath.Abs("../../demo/regions/liechtenstein.osm.pbf")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(extract, filepath.Join(dir, osrm.Source)))
	profile, err := programs.Profile(osrm.Car)
	require.NoError(t, err)
	for _, step := range osrm.Steps(profile, size) {
		cmd, err := programs.Command(step.Program, step.Args...)
		require.NoError(t, err)
		cmd.Dir = dir
		printed, err := cmd.CombinedOutput()
		require.NoError(t, err, string(printed))
	}
	server, err := stack.StartOSRM(t.Context(), filepath.Join(dir, osrm.Data), filepath.Join(dir, "log"))
	require.NoError(t, err)
	defer server.Kill()
	question, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+server.Address()+
		"/table/v1/driving/9.5209,47.1410;9.5095,47.1660;9.5233,47.1000;9.5040,47.0667;9.5590,47.2140", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(question)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Durations [][]float64 `json:"durations"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	require.Len(t, answer.Durations, 5)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		files = append(files, entry.Name())
	}
	return answer.Durations, files
}
