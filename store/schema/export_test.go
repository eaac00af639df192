package schema

import (
	"context"
	"io/fs"
)

// MigrateFiles runs migrations of a test's own.
func MigrateFiles(ctx context.Context, ownerURL string, files fs.FS, options Options) (applied []string, err error) {
	done, err := migrateFiles(ctx, ownerURL, files, nil, options)
	return done.Migrations, err
}

// DefineFiles applies definitions of a test's own after migrations, and returns the files
// of those that it applied.
func DefineFiles(
	ctx context.Context, ownerURL string, files, definitions fs.FS, options Options,
) (applied []string, err error) {
	read, err := readDefinitions(definitions)
	if err != nil {
		return nil, err
	}
	done, err := migrateFiles(ctx, ownerURL, files, read, options)
	return done.Definitions, err
}

func migrateFiles(
	ctx context.Context, ownerURL string, files fs.FS, definitions []definition, options Options,
) (done Done, err error) {
	m, err := newMigrator(ownerURL, files, definitions, options)
	if err != nil {
		return done, err
	}
	defer func() { _ = m.db.Close() }()
	return m.run(ctx)
}

// DefinedObjects are the objects that the definitions of this program create, such as
// "VIEW v1_orders", with how many of each.
func DefinedObjects() (counts map[string]int, err error) {
	definitions, err := presentDefinitions()
	counts = map[string]int{}
	for _, d := range definitions {
		counts[d.key()] = d.creates
	}
	return counts, err
}

// OrderOf returns the files of definitions in the order in which they are applied.
func OrderOf(definitions fs.FS) (files []string, err error) {
	read, err := readDefinitions(definitions)
	for _, d := range read {
		files = append(files, d.file)
	}
	return files, err
}
