// The program generate writes the parts of the clients that follow from the contract: the
// types, and a method for each operation that a key may call, grouped by resource. What
// retries, reads pages, follows the feed, verifies webhooks and waits is written by hand, in
// the folders of the clients.
//
//	go run ./clients/generate [-verify]
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	from := flag.String("contract", "api/contract/openapi.yaml", "the bundled contract")
	to := flag.String("to", "clients", "the folder of the clients")
	verify := flag.Bool("verify", false, "write nothing, and fail if a file is not up to date")
	flag.Parse()
	if err := run(*from, *to, *verify); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// files are texts by their path in the folder of the clients.
type files map[string]string

// generated are the patterns of the files that this program writes. It removes those that it
// no longer writes.
var generated = []string{"go/*.gen.go", "typescript/src/generated/*.ts", "python/waybill_client/models/*.py", "python/waybill_client/resources/*.py"}

func run(from, to string, verify bool) error {
	c, err := readContract(from)
	if err != nil {
		return err
	}
	a, err := build(c)
	if err != nil {
		return err
	}
	all := files{}
	if err := writeGo(a, all); err != nil {
		return err
	}
	writeTypeScript(a, all)
	writePython(a, all)
	if verify {
		return all.verify(to)
	}
	return all.write(to)
}

// stale are the files of an earlier contract.
func (f files) stale(to string) (found []string, err error) {
	for _, pattern := range generated {
		old, err := filepath.Glob(filepath.Join(to, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range old {
			if name, _ := filepath.Rel(to, file); f[filepath.ToSlash(name)] == "" {
				found = append(found, file)
			}
		}
	}
	return found, nil
}

func (f files) write(to string) error {
	stale, err := f.stale(to)
	if err != nil {
		return err
	}
	for _, file := range stale {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for name, text := range f {
		file := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (f files) verify(to string) error {
	wrong, err := f.stale(to)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		file := filepath.Join(to, name)
		if text, err := os.ReadFile(file); err != nil || string(text) != f[name] {
			wrong = append(wrong, file)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("not up to date: %s", strings.Join(wrong, ", "))
	}
	return nil
}
