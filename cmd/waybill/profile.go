package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
)

// startProfile begins a CPU profile of the process, in a new file in an
// existing folder. stop ends it; without a folder it does nothing. `make
// profile` merges such files into waybill.pgo, with which releases are
// compiled.
func startProfile(folder, name string) (stop func() error, err error) {
	if folder == "" {
		return func() error { return nil }, nil
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("WAYBILL_CPU_PROFILE: %w", err)
	}
	file, err := root.Create(fmt.Sprintf("%s-%d.pprof", name, os.Getpid()))
	if err = errors.Join(err, root.Close()); err != nil {
		return nil, fmt.Errorf("WAYBILL_CPU_PROFILE: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}
