package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"waybill/testing/stack"
)

// regionTools are the installed programs for regions.
type regionTools struct {
	// osrm is OSRM's folder, and tilemaker the program; each is empty if it is missing.
	osrm, tilemaker string
}

func findRegionTools() (tools regionTools) {
	if home, err := stack.FindOSRM(); err == nil {
		if tools.osrm, err = filepath.Abs(home); err != nil {
			tools.osrm = ""
		}
	}
	tools.tilemaker, _ = exec.LookPath("tilemaker") // empty if there is none
	return tools
}

// missing are the parts of a region that cannot be built, and what that means.
func (t regionTools) missing() (parts, meaning []string) {
	if t.osrm == "" {
		parts = append(parts, "roads")
		meaning = append(meaning, "OSRM is not installed: travel times are estimates as the crow flies (make deps installs it)")
	}
	if t.tilemaker == "" {
		parts = append(parts, "tiles")
		meaning = append(meaning, "tilemaker is not installed: maps show coastlines without streets (make deps installs it)")
	}
	return parts, meaning
}

// hasRoads reports whether travel times come from the region.
func (r *run) hasRoads() bool { return r.options.extract != "" && r.tools.osrm != "" }

// describeRegion lists the settings of the region.
func (r *run) describeRegion() []variable {
	travel := ""
	if r.hasRoads() {
		travel = "osrm+http://" + r.settings.RoadsHTTPAddr + "?table=6000&classes=yes"
	}
	return []variable{
		{"WAYBILL_REGIONS_DIR", r.state.path("regions")},
		{"WAYBILL_ROADS_HTTP_ADDR", r.settings.RoadsHTTPAddr},
		r.file.chosen("WAYBILL_OSRM", r.tools.osrm),
		r.file.chosen("WAYBILL_TILEMAKER", r.tools.tilemaker),
		r.file.chosen("WAYBILL_TRAVEL_URL", travel),
	}
}

// prepareRegion builds the region, unless an earlier run has built it. Without it, Waybill works
// with its addresses only, and says so.
func (r *run) prepareRegion(ctx context.Context) error {
	if r.options.extract == "" {
		return nil
	}
	parts, meaning := r.tools.missing()
	for _, text := range meaning {
		fmt.Fprintln(os.Stderr, text)
	}
	return r.progress.step("Region (the first run builds it)", func() error {
		args := []string{"region", "add", r.options.extract}
		if len(parts) > 0 {
			args = append(args, "--without", strings.Join(parts, ","))
		}
		_, err := r.waybill.call(ctx, args...)
		if err == nil || ctx.Err() != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "The region was not built, so only its addresses are used: %v\n", err)
		_, err = r.waybill.call(ctx, "places", "load", r.options.extract)
		return err
	})
}
