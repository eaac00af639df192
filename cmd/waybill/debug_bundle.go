package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"waybill/workflows"
)

// bundled is one file of a bundle.
type bundled struct {
	Name string `json:"name"`
	// Missing is why it is not there; empty when it is.
	Missing string `json:"missing,omitempty"`

	collect func(context.Context) ([]byte, error)
	limit   time.Duration
}

// writeBundle collects everything and writes it to a file that only its owner may read.
func writeBundle(
	ctx context.Context, to string, d *doctor, from []string, cpu time.Duration, said func(string),
) (entries []bundled, err error) {
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	packed := gzip.NewWriter(file)
	archive := tar.NewWriter(packed)
	entries = append(d.bundle(), processesOf(from, cpu)...)
	for i := range entries {
		said(entries[i].Name)
		entries[i].add(ctx, archive, d)
	}
	said("")
	err = addFile(archive, "manifest.json", indented(map[string]any{"version": version, "files": entries}))
	return entries, errors.Join(err, archive.Close(), packed.Close(), file.Close())
}

// add collects one file. A failure does not affect the others.
func (b *bundled) add(ctx context.Context, archive *tar.Writer, d *doctor) {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	content, err := b.collect(ctx)
	if err == nil {
		err = addFile(archive, b.Name, content)
	}
	if err != nil {
		b.Missing = oneLineOf(d.withoutSecrets(err.Error()))
	}
}

func addFile(archive *tar.Writer, name string, content []byte) error {
	header := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: time.Now()}
	if err := archive.WriteHeader(header); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	_, err := archive.Write(content)
	return err
}

func indented(value any) []byte {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return []byte(err.Error())
	}
	return append(text, '\n')
}

// bundleLimit is how long one file may take.
const bundleLimit = 20 * time.Second

// bundle are the files that are not of a single process.
func (d *doctor) bundle() []bundled {
	jsonOf := func(name string, collect func(context.Context) (any, error)) bundled {
		return bundled{Name: name, limit: bundleLimit, collect: func(ctx context.Context) ([]byte, error) {
			value, err := collect(ctx)
			return indented(value), err
		}}
	}
	all := []bundled{
		jsonOf("version.json", func(context.Context) (any, error) {
			return map[string]string{
				"version": version, "revision": revision, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
			}, nil
		}),
		jsonOf("settings.json", func(context.Context) (any, error) { return bundledSettings(d.config), d.invalid }),
		jsonOf("doctor.json", func(ctx context.Context) (any, error) { return d.examine(ctx), nil }),
		jsonOf("workflows.json", d.countWorkflows),
	}
	for _, name := range slices.Sorted(maps.Keys(bundledQueries)) {
		all = append(all, jsonOf("postgres/"+name+".json", func(ctx context.Context) (any, error) {
			return d.rows(ctx, bundledQueries[name])
		}))
	}
	return all
}

// harmless are the settings whose values a bundle shows. Of all others,
// including future ones, it shows only whether they are set.
var harmless = map[string]bool{
	"WAYBILL_DATABASE_CONNS": true, "WAYBILL_CHECK_CONNS": true, "TEMPORAL_NAMESPACE": true, "TEMPORAL_TLS": true,
	"WAYBILL_DEPLOYMENT": true, "WAYBILL_BUILD_ID": true, "WAYBILL_RATE_LIMIT": true, "WAYBILL_RATE_BURST": true,
	"TEMPORAL_DEPLOYMENT_NAME": true, "TEMPORAL_WORKER_BUILD_ID": true,
	"WAYBILL_IMPORT_WAIT": true, "WAYBILL_EXPORT_WINDOW": true, "WAYBILL_KEEP_EVENTS": true, "GOMEMLIMIT": true,
	"WAYBILL_HEAVY_SHARE": true, "WAYBILL_IMPORTERS": true, "WAYBILL_BODY_BYTES": true, "WAYBILL_BODY_SHARE": true,
	"WAYBILL_DOCUMENT_MAX_BYTES": true, "WAYBILL_DOCUMENT_TYPES": true, "WAYBILL_TRACKING_RATE_LIMIT": true,
	"WAYBILL_TRACKING_RATE_BURST": true, "WAYBILL_REPORT_WAIT": true, "WAYBILL_SANDBOX_SENDS": true,
	"WAYBILL_EMAILS_PER_DAY": true, "WAYBILL_EMAILS_PER_RECEIVER": true, "WAYBILL_SMS_PER_DAY": true,
	"WAYBILL_SMS_PER_RECEIVER": true, "WAYBILL_PLANNING_DAYS": true, "WAYBILL_PLANNERS": true,
	"WAYBILL_SIGN_IN_ALLOW_PRIVATE": true, "WAYBILL_WEBHOOK_ALLOW_PRIVATE": true, "WAYBILL_LOG_LEVEL": true,
	"WAYBILL_LOG_FORMAT": true, "WAYBILL_SHUTDOWN_TIMEOUT": true, "WAYBILL_HTTP_ADDR": true,
	"WAYBILL_WORK_HTTP_ADDR": true, "WAYBILL_PRIVATE_HTTP_ADDR": true,
}

// bundledSettings are all settings as a bundle shows them.
func bundledSettings(c config) map[string]string {
	shown := map[string]string{}
	values := reflect.ValueOf(c)
	for _, s := range settings() {
		value := written(values.Field(s.field).Interface())
		switch {
		case value == "":
			value = "(not set)"
		case !harmless[s.name]:
			value = "(set, not shown)"
		}
		shown[s.name] = value
	}
	return shown
}

// countWorkflows counts the workflows of the namespace by type and status.
func (d *doctor) countWorkflows(ctx context.Context) (any, error) {
	if d.temporal == nil {
		return nil, errors.New("invalid Temporal settings")
	}
	executions := workflows.Executions{Temporal: d.temporal, Namespace: d.config.TemporalNamespace}
	counts := map[string]map[string]int64{}
	for _, name := range workflows.Types {
		byStatus, err := executions.CountByStatus(ctx, name)
		if err != nil {
			return counts, err
		}
		counts[name] = byStatus
	}
	return counts, nil
}

// privateAddresses are where the processes of this host answer operators.
func privateAddresses(c config) (all []string) {
	for _, address := range []string{c.PrivateHTTPAddr, c.WorkHTTPAddr} {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			continue
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "127.0.0.1"
		}
		all = append(all, "http://"+net.JoinHostPort(host, port))
	}
	return all
}

// processesOf are the files of processes that answer at private addresses.
func processesOf(from []string, cpu time.Duration) (all []bundled) {
	paths := map[string]string{
		"metrics.txt": "/metrics", "ready.json": "/readyz", "goroutines.txt": "/debug/pprof/goroutine?debug=2",
		"heap.pprof": "/debug/pprof/heap", "log-level.txt": "/debug/log-level",
	}
	if cpu > 0 {
		paths["cpu.pprof"] = fmt.Sprintf("/debug/pprof/profile?seconds=%d", max(int(cpu.Seconds()), 1))
	}
	for _, address := range from {
		folder := address
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			folder = u.Host
		}
		folder = "processes/" + strings.NewReplacer(":", "-", "/", "-").Replace(folder) + "/"
		for _, name := range slices.Sorted(maps.Keys(paths)) {
			all = append(all, bundled{Name: folder + name, limit: bundleLimit + cpu, collect: func(ctx context.Context) ([]byte, error) {
				return fetched(ctx, strings.TrimSuffix(address, "/")+paths[name])
			}})
		}
	}
	return all
}

// mostFetched is how much of an answer is kept.
const mostFetched = 64 << 20

func fetched(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusServiceUnavailable {
		return nil, fmt.Errorf("unexpected answer %s", response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, mostFetched))
}
