// The program pack writes the client in Go as a module proxy serves it, so that `go get` can
// install it from a folder:
//
//	go run ./clients/pack bin/release/go v0.2.0
//	GOPROXY=file://$PWD/bin/release/go GONOSUMDB='*' go get github.com/waybill-tms/waybill-go@v0.2.0
package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"time"
)

const source = "clients/go"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("usage: pack FOLDER VERSION")
	}
	folder, version := arguments[0], arguments[1]
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(string(mod))
	if module == nil {
		return errors.New("go.mod names no module")
	}
	to := filepath.Join(folder, filepath.FromSlash(module[1]), "@v")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".mod": mod, version + ".info": info} {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return pack(filepath.Join(to, version+".zip"), module[1]+"@"+version)
}

// pack writes the files of the module below a prefix.
func pack(file, prefix string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	packed := zip.NewWriter(f)
	defer func() { err = errors.Join(err, packed.Close()) }()
	root := os.DirFS(source)
	return fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		w, err := packed.Create(path.Join(prefix, name))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
}
