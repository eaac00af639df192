package planning_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has the random days be the same ones in each run, unless a seed is given. A test must not fail by chance; to
// look for days that nobody has thought of, run with -rapid.seed and -rapid.checks.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.seed" })
	if !given {
		if err := flag.Set("rapid.seed", "20261130"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
