package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"waybill/internal/child"
	"waybill/testing/stack"
)

const (
	readTarget = 0.75
	readers    = 8
)

// measureReads has readers request single orders, as fast as possible, from our
// API and from the bare server in turns.
func measureReads(ctx context.Context, s *site) ([]result, error) {
	org, ids, err := s.readable(ctx)
	if err != nil {
		return nil, err
	}
	bareURL, stop, err := s.startBare(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	ours := request{url: s.url + "/v1/orders/", key: org.key}
	bare := request{url: fmt.Sprintf("%s/organizations/%d/orders/", bareURL, org.id)}
	runs := &pairs{}
	for round := range 1 + s.sizes.ReadRounds {
		oursRate, err := s.readRate(ctx, ours, ids)
		if err != nil {
			return nil, err
		}
		bareRate, err := s.readRate(ctx, bare, ids)
		if err != nil {
			return nil, err
		}
		note("reads: %.0f/s; bare server: %.0f/s", oursRate, bareRate)
		if round > 0 { // the first warms up
			runs.add(oursRate, bareRate)
		}
	}
	ratios := runs.quotients(oursByBare)
	figure := atLeast(readTarget, "GET of one order", "/s", median(runs.ours), median(runs.bare), median(ratios))
	return []result{figure.inRounds(ratios)}, nil
}

// readable returns an organization with orders, and their ids.
func (s *site) readable(ctx context.Context) (*organization, []int64, error) {
	if s.imported == nil {
		org, err := s.newOrganization(ctx, "imported")
		if err != nil {
			return nil, nil, err
		}
		if _, err := s.bulkImport(ctx, org, 0); err != nil {
			return nil, nil, err
		}
		s.imported = org
	}
	var ids []int64
	err := s.owner.QueryRow(ctx, "select array_agg(id) from orders where org_id = $1", s.imported.id).Scan(&ids)
	if err != nil {
		return nil, nil, fmt.Errorf("list the orders: %w", err)
	}
	return s.imported, ids, s.settle(ctx)
}

// startBare runs this program as the bare server.
func (s *site) startBare(ctx context.Context) (url string, stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	port, err := child.FreePort()
	if err != nil {
		return "", nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	process, err := stack.Launch(stack.Command{
		Name: "the bare server", Path: program, Args: []string{"-serve-bare", address},
		Env: append(os.Environ(), bareDatabaseVariable+"="+s.ownerURL), Log: filepath.Join(s.dir, "bare.log"),
	})
	if err != nil {
		return "", nil, err
	}
	if err := s.ready(ctx, process, "http://"+address+"/readyz"); err != nil {
		process.Kill()
		return "", nil, fmt.Errorf("wait for the bare server: %w", err)
	}
	return "http://" + address, func() { _ = process.Stop() }, nil
}

// readRate is how many orders per second the readers get. The request's URL
// lacks the order's id.
func (s *site) readRate(ctx context.Context, r request, ids []int64) (float64, error) {
	var answered atomic.Int64
	start := time.Now()
	end := start.Add(s.sizes.ReadFor)
	group, ctx := errgroup.WithContext(ctx)
	for range readers {
		group.Go(func() error {
			for time.Now().Before(end) {
				one := r
				one.url += fmt.Sprint(ids[rand.IntN(len(ids))])
				if _, err := s.call(ctx, one); err != nil {
					return err
				}
				answered.Add(1)
			}
			return nil
		})
	}
	err := group.Wait()
	return float64(answered.Load()) / time.Since(start).Seconds(), err
}
