// Command planning solves published pickup and delivery problems and compares
// the plans with the best known results. The problems are not part of the
// repository: WAYBILL_PLANNING_DATA names a folder with files in Li and Lim's
// or Sartori and Buriol's format, in folders of any name, and best-known*.tsv
// next to them.
//
//	go run ./bench/planning -seconds 10 'pdp_100/*.txt'
//	go run ./bench/planning -late -seconds 20 'pdp_200/*.txt'
//	go run ./bench/planning -days
//	go run ./bench/planning -roads 'osrm+http://localhost:5000?table=1000' -seconds 20
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"waybill/bench/planning/days"
	"waybill/domain/routing"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "planning:", err)
		os.Exit(1)
	}
}

func run() error {
	seconds := flag.Float64("seconds", 10, "processor seconds for each problem")
	seed := flag.Uint64("seed", 1, "seed of the search")
	way := flag.Bool("way", false, "make the way short, however many vehicles that takes")
	late := flag.Bool("late", false, "let a tenth of the orders come late, and improve for a second; seconds are those of the plans before")
	orders := flag.Int("orders", 0, "with -late, plan the first so many of a problem's orders")
	made := flag.Bool("days", false, "measure days that are made up instead")
	roads := flag.String("roads", "", "compare plans with the times of a server, such as osrm+http://host:5000, with great-circle ones")
	flag.Parse()
	if *roads != "" {
		return measureRoads(*roads, *seconds)
	}
	if *made {
		return measureDays(*seconds)
	}
	folder := os.Getenv("WAYBILL_PLANNING_DATA")
	if folder == "" {
		return errors.New("WAYBILL_PLANNING_DATA must name a folder with problems")
	}
	problems, err := readAll(folder, flag.Args())
	if err != nil {
		return err
	}
	if *late {
		return report(problems, &tenths{}, func(in *instance) (tenth, error) { return in.late(*orders, *seconds) })
	}
	best, err := bestKnown(folder)
	if err != nil {
		return err
	}
	return report(problems, &summary{}, func(in *instance) (line, error) {
		return in.solve(in.problem(*way), best[in.name], *seconds, *seed)
	})
}

// report prints the result of each problem, and a summary.
func report[L any](problems []*instance, sum interface{ add(L) }, measure func(*instance) (L, error)) error {
	for _, in := range problems {
		l, err := measure(in)
		if err != nil {
			return err
		}
		fmt.Println(l)
		sum.add(l)
	}
	fmt.Println(sum)
	return nil
}

// readAll reads the problems that match any of the patterns.
func readAll(folder string, patterns []string) ([]*instance, error) {
	var problems []*instance
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, fmt.Errorf("find problems: %w", err)
		}
		for _, path := range paths {
			in, err := read(path)
			if err != nil {
				return nil, err
			}
			problems = append(problems, in)
		}
	}
	return problems, nil
}

func (in *instance) solve(p *routing.Problem, best known, seconds float64, seed uint64) (line, error) {
	result, err := routing.Improve(p, routing.Frozen(p), routing.Options{Seed: seed, Spent: days.Budget(seconds)})
	if err != nil {
		return line{}, fmt.Errorf("solve %s: %w", in.name, err)
	}
	if broken := routing.Broken(p, result.Plan); len(broken) > 0 {
		return line{}, fmt.Errorf("solve %s: %v", in.name, broken)
	}
	l := line{name: in.name, best: best, iterations: result.Iterations}
	l.vehicles, l.distance, l.err = in.drive(p, result.Plan)
	return l, nil
}

// line is one solved problem.
type line struct {
	name       string
	vehicles   int
	distance   float64
	best       known
	iterations int
	err        error
}

// gap is how much longer the distance is than the best known, in percent.
func (l line) gap() float64 { return 100 * (l.distance/l.best.distance - 1) }

func (l line) String() string {
	state := "holds"
	if l.err != nil {
		state = l.err.Error()
	}
	return fmt.Sprintf("%-12s %4d %10.2f   best known %4d %10.2f   %+3d %+7.2f %%   %8d steps, %s",
		l.name, l.vehicles, l.distance, l.best.vehicles, l.best.distance, l.vehicles-l.best.vehicles, l.gap(),
		l.iterations, state)
}

// summary adds up lines.
type summary struct {
	solved, above, equal, exact, broken, oneMore int
	gaps                                         float64
}

// exactly is the tolerance for equality with the best known distance, which is
// rounded.
const exactly = 0.01

func (s *summary) add(l line) {
	s.solved++
	if l.err != nil {
		s.broken++
	}
	above := l.vehicles - l.best.vehicles
	s.above += max(0, above)
	if above <= 1 {
		s.oneMore++
	}
	if above == 0 {
		s.equal++
		s.gaps += l.gap()
		if l.distance <= l.best.distance+exactly {
			s.exact++
		}
	}
}

func (s summary) String() string {
	return fmt.Sprintf("%d problems: %d vehicles above the best known in all; with as many in %d, %.2f %% longer on average, %d exact; "+
		"at most one more in %d; %d plans do not hold", s.solved, s.above, s.equal, s.gaps/float64(max(1, s.equal)), s.exact, s.oneMore, s.broken)
}
