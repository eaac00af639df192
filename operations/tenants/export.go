package tenants

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"strings"
	"time"

	"waybill/providers/files"
	"waybill/store/tenants"
)

// Source is the read-only data of organizations.
type Source interface {
	Tables() []string
	Snapshot(ctx context.Context, read func() error) error
	Write(ctx context.Context, org int64, table string, to io.Writer) (rows int64, err error)
}

// Target takes the files of an export.
type Target interface {
	// Create begins a file, which appears when it is closed.
	Create(name string) (io.WriteCloser, error)
	// Sum returns the SHA-256 of a file of this size that an earlier export has left.
	Sum(name string, size int64) (sum string, ok bool)
	// Finish makes the export whole.
	Finish() error
}

// Manifest describes the contents of an export. It is its last file: an export
// without it is incomplete.
type Manifest struct {
	Organization tenants.Organization `json:"organization"`
	ExportedAt   time.Time            `json:"exportedAt"`
	Release      string               `json:"release"`
	Schema       int64                `json:"schema"`
	Tables       []ExportedTable      `json:"tables"`
	Files        ExportedFiles        `json:"files"`
}

// manifestFile is the name of the manifest.
const manifestFile = "manifest.json"

// ExportedTable is a file of rows, one JSON object a line.
type ExportedTable struct {
	Table  string `json:"table"`
	File   string `json:"file"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
	// LeftOut are columns that grant access.
	LeftOut []string `json:"leftOut,omitempty"`
}

// ExportedFiles is the list of the files of the object storage, one JSON object a line.
type ExportedFiles struct {
	List   string `json:"list"`
	Count  int64  `json:"count"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ExportedFile is a line of that list.
type ExportedFile struct {
	Key         string `json:"key"`
	File        string `json:"file"`
	Name        string `json:"name,omitempty"`
	ContentType string `json:"contentType"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256"`
}

// Export writes organizations out.
type Export struct {
	Rows   Source
	Files  Files
	Target Target
	// Said receives the progress of the export.
	Said func(string)
	// Release and Schema are those of the installation.
	Release string
	Schema  int64
}

// Run writes all that is kept of an organization: its rows as they were at one moment,
// and then its files. Files that an earlier export left in the target are not read
// again.
func (e *Export) Run(ctx context.Context, org tenants.Organization, now time.Time) (m Manifest, err error) {
	m = Manifest{Organization: org, ExportedAt: now.UTC(), Release: e.Release, Schema: e.Schema}
	err = e.Rows.Snapshot(ctx, func() error {
		for _, table := range e.Rows.Tables() {
			written, err := e.table(ctx, org.ID, table)
			if err != nil {
				return err
			}
			m.Tables = append(m.Tables, written)
		}
		return nil
	})
	if err != nil {
		return m, err
	}
	if m.Files, err = e.files(ctx, org.ID); err != nil {
		return m, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	manifest, err := e.create(manifestFile)
	if err == nil {
		_, err = manifest.Write(append(text, '\n'))
		err = errors.Join(err, manifest.Close())
	}
	if err != nil {
		return m, err
	}
	return m, e.Target.Finish()
}

func (e *Export) table(ctx context.Context, org int64, table string) (t ExportedTable, err error) {
	t = ExportedTable{Table: table, File: "tables/" + table + ".jsonl", LeftOut: tenants.LeftOut(table)}
	to, err := e.create(t.File)
	if err != nil {
		return t, err
	}
	t.Rows, err = e.Rows.Write(ctx, org, table, to)
	if err = errors.Join(err, to.Close()); err != nil {
		return t, err
	}
	t.SHA256 = to.sum()
	e.Said(fmt.Sprintf("%s: %d rows", table, t.Rows))
	return t, nil
}

func (e *Export) files(ctx context.Context, org int64) (all ExportedFiles, err error) {
	all.List = "files.jsonl"
	list, err := e.create(all.List)
	if err != nil {
		return all, err
	}
	err = eachFile(ctx, e.Files, org, func(f files.Found) error {
		exported, err := e.file(ctx, org, f)
		if err != nil {
			return fmt.Errorf("export the file %s: %w", f.Key, err)
		}
		line, err := json.Marshal(exported)
		if err != nil {
			return err
		}
		if all.Count, all.Bytes = all.Count+1, all.Bytes+f.Size; all.Count%filesShown == 0 {
			e.Said(fmt.Sprintf("files: %d, %d bytes", all.Count, all.Bytes))
		}
		_, err = list.Write(append(line, '\n'))
		return err
	})
	if err = errors.Join(err, list.Close()); err != nil {
		return all, err
	}
	all.SHA256 = list.sum()
	return all, nil
}

// filesShown is the number of files between progress reports.
const filesShown = 10

func (e *Export) file(ctx context.Context, org int64, f files.Found) (x ExportedFile, err error) {
	content, err := e.Files.Read(ctx, f.Key)
	if err != nil {
		return x, err
	}
	defer func() { _ = content.Close() }()
	contentType, disposition, _ := content.Describe()
	_, parameters, _ := mime.ParseMediaType(disposition)
	x = ExportedFile{
		Key: f.Key, File: "files/" + strings.TrimPrefix(f.Key, fmt.Sprintf("%d/", org)), Name: parameters["filename"],
		ContentType: contentType, Size: f.Size,
	}
	if sum, ok := e.Target.Sum(x.File, f.Size); ok {
		x.SHA256 = sum
		return x, nil
	}
	to, err := e.create(x.File)
	if err != nil {
		return x, err
	}
	_, err = io.Copy(to, content)
	err = errors.Join(err, to.Close())
	x.SHA256 = to.sum()
	return x, err
}

// summed is a file of the target that is hashed while it is written.
type summed struct {
	io.WriteCloser
	hash hash.Hash
}

func (e *Export) create(name string) (*summed, error) {
	file, err := e.Target.Create(name)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return &summed{file, sha256.New()}, nil
}

// Write writes and hashes.
func (s *summed) Write(b []byte) (int, error) {
	n, err := s.WriteCloser.Write(b)
	s.hash.Write(b[:n])
	return n, err
}

func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }
