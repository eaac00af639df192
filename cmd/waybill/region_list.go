package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"waybill/domain/region"
	loading "waybill/operations/places"
)

func newRegionListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the regions and their road data",
		Long: `List the regions, and the road data of each: for cars, and for the trucks, bikes and vehicle
classes that the vehicle types of all organizations have. The state is that of the files in
WAYBILL_REGIONS_DIR on this host.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRegions(cmd, func(r *loading.Regions, _ *pgx.Conn) error {
				all, err := r.List(cmd.Context())
				if err != nil {
					return err
				}
				if len(all) == 0 {
					say(cmd.OutOrStdout(), "There is no region: waybill region add FILE.osm.pbf builds one.")
					return nil
				}
				wanted, beyond, err := r.Profiles(cmd.Context())
				if err != nil {
					return err
				}
				if err := listRegions(cmd.OutOrStdout(), r, all); err != nil {
					return err
				}
				return listRoads(cmd.OutOrStdout(), r, all, wanted, beyond)
			})
		},
	}
}

func listRegions(out io.Writer, r *loading.Regions, all []region.Region) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "REGION\tADDRESSES\tTILES\tBOUNDS\tBUILT\tFILES\tATTRIBUTION")
	for i := range all {
		one := &all[i]
		say(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s", one.Name, one.Addresses, megabytes(one.TileBytes), one.Bounds,
			instant(&one.BuiltAt), filesOf(r, one), one.Attribution)
	}
	return table.Flush()
}

// filesOf describes in a word whether the files of a region are on this host.
func filesOf(r *loading.Regions, one *region.Region) string {
	version, err := r.Folder.Use(one)
	if err != nil {
		return "missing here"
	}
	_ = version.Close()
	return "present"
}

func listRoads(out io.Writer, r *loading.Regions, all []region.Region, wanted, beyond []region.Profile) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	say(table, "\nREGION\tROADS FOR\tSIZE\tSTATE")
	for i := range all {
		one := &all[i]
		if !one.HasRoads() {
			say(table, "%s\t-\t-\tbuilt without roads", one.Name)
			continue
		}
		states, err := r.RoadStates(one, wanted)
		if err != nil {
			say(table, "%s\t-\t-\t%s", one.Name, filesOf(r, one))
			continue
		}
		for j := range states {
			size := "-"
			if states[j].Phase == region.Ready {
				size = megabytes(states[j].Bytes)
			}
			say(table, "%s\t%s\t%s\t%s", one.Name, states[j].Profile, size, stateOf(&states[j]))
		}
	}
	for _, profile := range beyond {
		say(table, "all\t%s\t-\tnot built: WAYBILL_ROAD_PROFILES allows no more", profile)
	}
	return table.Flush()
}

// stateOf describes how far road data are.
func stateOf(s *region.RoadState) string {
	reason, _, _ := strings.Cut(s.Failure, "\n")
	switch {
	case s.Phase == region.Building:
		return fmt.Sprintf("building, %d %%", s.Percent)
	case s.Phase == region.Failed:
		return fmt.Sprintf("failed %d times: %s", s.Tries, reason)
	case s.Phase == region.Ready && s.Failure != "":
		return "cannot be served: " + reason
	case s.Phase == region.Waiting && s.Failure != "":
		return fmt.Sprintf("failed: %s; waybill roads tries again after %s", reason, instant(&s.Next))
	case s.Phase == region.Waiting:
		return "waits for waybill roads"
	}
	return string(s.Phase)
}
