package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// ErrNoPostgres is returned if Postgres' server programs are not installed.
var ErrNoPostgres = errors.New("Postgres server programs (initdb, postgres; version 15 or newer) not found: " +
	"run `make deps`, or install them: Debian and Ubuntu `apt-get install postgresql`, macOS `brew install postgresql@17`")

const oldestPostgres = 15

// Where Postgres is installed when it is not on PATH.
var postgresFolders = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// postgresPrograms is a folder with the server programs of one version.
type postgresPrograms struct {
	dir     string
	version int
}

// FindPostgres returns the folder that holds Postgres' server programs, or
// ErrNoPostgres.
func FindPostgres() (string, error) {
	found := findPostgres()
	if len(found) == 0 {
		return "", ErrNoPostgres
	}
	return found[0].dir, nil
}

// findPostgres lists the usable installations: the one on PATH, then the
// newest.
func findPostgres() []postgresPrograms {
	var dirs []string
	for _, pattern := range postgresFolders {
		matches, _ := filepath.Glob(pattern) // the patterns are well-formed
		dirs = append(dirs, matches...)
	}
	sort.SliceStable(dirs, func(i, j int) bool { return folderVersion(dirs[i]) > folderVersion(dirs[j]) })
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append([]string{filepath.Dir(real)}, dirs...)
		}
	}
	var found []postgresPrograms
	for _, dir := range dirs {
		if version := postgresVersion(dir); version >= oldestPostgres {
			found = append(found, postgresPrograms{dir, version})
		}
	}
	return found
}

// programsFor returns the programs that can open a data folder: those of its
// version, or the first found for a new one.
func programsFor(data string) (postgresPrograms, error) {
	found := findPostgres()
	if len(found) == 0 {
		return postgresPrograms{}, ErrNoPostgres
	}
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return found[0], nil
	}
	if err != nil {
		return postgresPrograms{}, fmt.Errorf(
			"read the version of %s (only the account that created it can use it): %w", data, err,
		)
	}
	made := strings.TrimSpace(string(text))
	for _, programs := range found {
		if strconv.Itoa(programs.version) == made {
			return programs, nil
		}
	}
	return postgresPrograms{}, fmt.Errorf("%s was created by Postgres %s, but this machine has version %d: "+
		"install Postgres %s, or delete the data with `make clean`", data, made, found[0].version, made)
}

func (p postgresPrograms) path(name string) string { return filepath.Join(p.dir, name) }

var versionDigits = regexp.MustCompile(`\d+`)

// folderVersion reads a version from a path such as /usr/lib/postgresql/15/bin.
func folderVersion(dir string) int {
	version, _ := strconv.Atoi(versionDigits.FindString(dir))
	return version
}

// postgresVersion returns the major version of the server program, or zero.
func postgresVersion(dir string) int {
	out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output() //nolint:noctx // it ends at once
	if err != nil {
		return 0
	}
	return folderVersion(string(out))
}
