package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachProcessWritesItsOwnProfile begins one and ends it: not in parallel, since
// a process has one at a time.
func TestEachProcessWritesItsOwnProfile(t *testing.T) {
	folder := t.TempDir()
	stop, err := startProfile(folder, "serve")
	require.NoError(t, err)
	_, err = startProfile(folder, "second")
	require.Error(t, err, "a process has one profile at a time")
	require.NoError(t, stop())
	written, err := os.ReadFile(filepath.Join(folder, "serve-"+strconv.Itoa(os.Getpid())+".pprof"))
	require.NoError(t, err)
	require.Equal(t, []byte{0x1f, 0x8b}, written[:2], "a profile is compressed by gzip")

	_, err = startProfile(filepath.Join(folder, "missing"), "serve")
	require.ErrorContains(t, err, "WAYBILL_CPU_PROFILE")
	stop, err = startProfile("", "serve")
	require.NoError(t, err)
	require.NoError(t, stop())
}
