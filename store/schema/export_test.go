package schema

import (
	"context"
	"io/fs"
)

// MigrateFiles runs migrations of a test's own.
func MigrateFiles(ctx context.Context, ownerURL string, files fs.FS, options Options) (applied []string, err error) {
	m, err := newMigrator(ownerURL, files, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.db.Close() }()
	return m.run(ctx)
}
