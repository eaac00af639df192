package tenants_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/domain/attachment"
	leaving "waybill/operations/tenants"
	"waybill/providers/files"
	"waybill/store/catalogue"
	"waybill/store/tenants"
)

// export writes the first organization out.
func (p *premises) export(storage leaving.Files, to string) (leaving.Manifest, error) {
	p.t.Helper()
	target, err := leaving.OpenTarget(to)
	require.NoError(p.t, err)
	org, err := p.tenants.Find(p.t.Context(), "leaves")
	require.NoError(p.t, err)
	e := leaving.Export{
		Rows: p.tenants, Files: storage, Target: target, Said: func(string) {}, Release: "v1", Schema: 7,
	}
	return e.Run(p.t.Context(), org, time.Now())
}

// exported are the files of an export, by their names.
func exported(t *testing.T, path string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	if !strings.HasSuffix(path, ".tar.gz") {
		require.NoError(t, filepath.WalkDir(path, func(at string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(path, at)
			require.NoError(t, err)
			all[filepath.ToSlash(name)], err = os.ReadFile(at)
			return err
		}))
		return all
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	zip, err := gzip.NewReader(bytes.NewReader(text))
	require.NoError(t, err)
	for r := tar.NewReader(zip); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all[header.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// TestAnExportHasEverything compares an export with the database and the storage.
func TestAnExportHasEverything(t *testing.T) {
	t.Parallel()
	p := newPremises(t)
	for _, path := range []string{filepath.Join(t.TempDir(), "leaves.tar.gz"), filepath.Join(t.TempDir(), "leaves")} {
		before := p.all(p.orgs[0])
		_, err := p.export(p.files, path)
		require.NoError(t, err)
		require.Equal(t, before, p.all(p.orgs[0]))
		all := exported(t, path)
		var m leaving.Manifest
		require.NoError(t, json.Unmarshal(all["manifest.json"], &m))
		require.Equal(t, "leaves", m.Organization.Slug)

		c, err := catalogue.Read(t.Context(), p.owner)
		require.NoError(t, err)
		require.Len(t, m.Tables, len(c.Tables)+1)
		counts, err := p.tenants.Counts(t.Context(), p.orgs[0])
		require.NoError(t, err)
		rows := map[string]int64{catalogue.Organizations: 1}
		for _, count := range counts {
			rows[count.Table] = count.Rows
		}
		for _, table := range m.Tables {
			text, ok := all[table.File]
			require.True(t, ok, table.File)
			require.Equal(t, sum(text), table.SHA256, table.Table)
			require.Equal(t, rows[table.Table], table.Rows, table.Table)
			require.Equal(t, int(table.Rows), bytes.Count(text, []byte("\n")), table.Table)
			for line := range strings.Lines(string(text)) {
				var row map[string]any
				require.NoError(t, json.Unmarshal([]byte(line), &row), table.Table)
				if table.Table != catalogue.Organizations {
					require.InDelta(t, p.orgs[0], row["org_id"], 0, table.Table)
				}
			}
		}
		require.Equal(t, int64(7), m.Files.Count)
		require.Equal(t, sum(all["files.jsonl"]), m.Files.SHA256)
		for line := range strings.Lines(string(all["files.jsonl"])) {
			var f leaving.ExportedFile
			require.NoError(t, json.Unmarshal([]byte(line), &f))
			require.Equal(t, "hello", string(all[f.File]))
			require.Equal(t, sum([]byte("hello")), f.SHA256)
			require.Equal(t, "text/plain", f.ContentType)
			require.Contains(t, f.Name, "note ")
		}
		for name := range all {
			require.NotContains(t, name, ".partial")
		}
	}
}

// failing is a storage that can be read so many times.
type failing struct {
	*files.Storage
	reads int
}

func (f *failing) Read(ctx context.Context, key string) (attachment.Content, error) {
	if f.reads--; f.reads < 0 {
		return nil, errStopped
	}
	return f.Storage.Read(ctx, key)
}

// TestInterruptedExportResumes stops an export among its files: it is not whole, and
// the next one makes it so.
func TestInterruptedExportResumes(t *testing.T) {
	t.Parallel()
	p := newPremises(t)
	folder, archive := filepath.Join(t.TempDir(), "leaves"), filepath.Join(t.TempDir(), "leaves.tar.gz")
	for _, path := range []string{folder, archive} {
		_, err := p.export(&failing{p.files, 3}, path)
		require.ErrorIs(t, err, errStopped)
	}
	require.NoFileExists(t, filepath.Join(folder, "manifest.json"))
	require.NoFileExists(t, archive)
	left := exported(t, folder)
	require.Contains(t, left, "tables/orders.jsonl")

	for _, path := range []string{folder, archive} {
		m, err := p.export(p.files, path)
		require.NoError(t, err)
		require.Equal(t, int64(7), m.Files.Count)
		require.Len(t, exported(t, path), len(m.Tables)+7+2)
	}
}

var _ leaving.Source = (*tenants.Owner)(nil)
