// Package e2e_test tests the whole of Waybill from outside: the built program
// in separate processes, on a real Postgres and a real Temporal server, with
// every response checked against the contract. What can be tested within one
// package is tested there.
package e2e_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// shared is the installation of all tests that don't stop its servers. Each
// test has its own organizations in it.
var shared *installation

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if migrated, err = newMigrated(ctx); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, migrated.Close()) }()
	if os.Getenv("WAYBILL_TEST_HOSTS") != "" {
		return m.Run(), nil // on hosts of their own
	}
	shared, err = newInstallation(ctx, newTemporalOfAll, "serve", "work")
	defer func() { err = errors.Join(err, shared.close()) }()
	if err != nil {
		return 1, err
	}
	if err := moreAtOnce(); err != nil {
		return 1, err
	}
	code = m.Run()
	return code, shared.complaints()
}

// moreAtOnce lets one test more run at once than there are processors: the tests wait for servers and browsers
// for much of their time.
func moreAtOnce() error {
	atOnce := flag.Lookup("test.parallel")
	if atOnce.Value.String() != fmt.Sprint(runtime.GOMAXPROCS(0)) { // somebody has chosen a number
		return nil
	}
	return flag.Set(atOnce.Name, fmt.Sprint(runtime.GOMAXPROCS(0)+1))
}
