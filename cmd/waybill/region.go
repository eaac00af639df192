package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"waybill/domain/place"
	"waybill/domain/region"
	loading "waybill/operations/places"
	"waybill/providers/regions"
	"waybill/store/places"
	"waybill/store/schema"
)

func newRegionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "region",
		Short: "Build, list and remove regions: streets, addresses and maps",
		Long: `Builds the address register, the road data and the map tiles of a region from one extract of
OpenStreetMap. Regions belong to the installation: all organizations share them.

"waybill serve" serves the tiles, and "waybill roads" the travel times. Both use the files in
WAYBILL_REGIONS_DIR. The commands connect as the owner of the tables (DATABASE_MIGRATE_URL).`,
	}
	cmd.AddCommand(newRegionAddCommand(), newRegionListCommand(), newRegionRemoveCommand())
	return cmd
}

// withRegions works on the regions as the owner of the tables.
func withRegions(cmd *cobra.Command, do func(*loading.Regions, *pgx.Conn) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	return asOwnerOfPlaces(cmd.Context(), func(conn *pgx.Conn) error {
		return do(&loading.Regions{
			Owner: places.NewOwner(conn), Register: places.New(conn),
			Folder: regions.NewFolder(c.RegionsDir), Programs: c.regionPrograms(),
			Watch: regions.Watch{Said: progressTo(cmd)}, Now: time.Now, MostProfiles: c.RoadProfiles,
		}, conn)
	})
}

func (c config) regionPrograms() regions.Programs {
	return regions.Programs{OSRM: c.OSRM, Tilemaker: c.Tilemaker}
}

func newRegionAddCommand() *cobra.Command {
	var e loading.Extract
	var box string
	var without []string
	cmd := &cobra.Command{
		Use:   "add FILE.osm.pbf",
		Short: "Build a region from an extract of OpenStreetMap",
		Long: `Build a region from an extract of OpenStreetMap: its addresses, road data and map tiles.
A region of the same name stays in use until all parts are ready, and if anything fails.
Then all parts are replaced at once. A region that is already built from the same extract is
skipped, but for road data that it lacks.

Road data are built for cars, and for the trucks, bikes and vehicle classes that the vehicle
types of all organizations have. "waybill roads" builds those of later classes.

The builders need OSRM (WAYBILL_OSRM) and tilemaker (WAYBILL_TILEMAKER). --without leaves out
what you don't need or cannot build.`,
		Example: "  waybill region add norway-latest.osm.pbf --name norway\n" +
			"  waybill region add liechtenstein.osm.pbf --bbox 9.47,47.04,9.64,47.28 --without tiles",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.Path = args[0]
			if err := readExtract(&e, box, without); err != nil {
				return err
			}
			return withRegions(cmd, func(r *loading.Regions, conn *pgx.Conn) error { return addRegion(cmd, r, conn, e) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&e.Name, "name", "", "name of the region (default: the name of the file without its ending)")
	flags.StringVar(&e.Country, "country", "", "country of addresses that name none (default: told by the file)")
	flags.StringVar(&box, "bbox", "", "west,south,east,north of the region in degrees (default: the bounds of the extract)")
	flags.StringSliceVar(&without, "without", nil, "parts that are not built: roads, tiles")
	flags.BoolVar(&e.Again, "again", false, "build the region even if it is already built from this extract")
	_ = cmd.RegisterFlagCompletionFunc("without",
		cobra.FixedCompletions([]string{string(region.Roads), string(region.Tiles)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// readExtract completes and checks what the flags say.
func readExtract(e *loading.Extract, box string, without []string) error {
	if e.Name == "" {
		e.Name = strings.ToLower(loading.SourceOf(e.Path))
	}
	if code := place.CountryCode(e.Country); e.Country != "" {
		if code == "" {
			return fmt.Errorf("%q is not a country: use its code, such as NO", e.Country)
		}
		e.Country = code
	}
	if box != "" {
		bounds, err := region.ParseBounds(box)
		if err != nil {
			return err
		}
		e.Bounds = &bounds
	}
	for _, name := range without {
		part := region.Part(strings.TrimSpace(name))
		if !slices.Contains([]region.Part{region.Roads, region.Tiles}, part) {
			return fmt.Errorf("%q is not a part of a region that can be left out: use roads or tiles", name)
		}
		e.Without = append(e.Without, part)
	}
	return nil
}

func addRegion(cmd *cobra.Command, r *loading.Regions, conn *pgx.Conn, e loading.Extract) error {
	out := cmd.OutOrStdout()
	added, err := r.Add(cmd.Context(), e)
	r.Watch.Said("")
	var killed *regions.KilledError
	switch {
	case errors.As(err, &killed):
		return fmt.Errorf("region %s was not built, and an earlier one stays in use: %w", e.Name, err)
	case err != nil:
		return fmt.Errorf("add the region %s: %w", e.Name, err)
	case added.Unchanged:
		say(out, "%s: this extract is already built (--again builds it again)", added.Name)
		sayProfiles(out, &added)
		return nil
	}
	say(out, "%s: %d addresses, %s of road data and %s of map tiles are in use from now on",
		added.Name, added.Addresses, megabytes(added.RoadBytes), megabytes(added.TileBytes))
	sayProfiles(out, &added)
	if added.Country != "" {
		say(out, "  addresses without a country were assumed to be in %s (use --country to change it)", added.Country)
	}
	say(out, "  show this where the data is shown: %s", added.Attribution)
	return schema.Record(cmd.Context(), conn, actionOf(cmd, "built the region "+added.Name))
}

func megabytes(size int64) string { return fmt.Sprintf("%.1f MB", float64(size)/1e6) }

// sayProfiles lists the profiles that road data were built for, and those for which they were not.
func sayProfiles(out io.Writer, added *loading.Added) {
	if len(added.Profiles) > 0 {
		say(out, "  road data were built for %s", joined(added.Profiles))
	}
	for _, profile := range slices.Sorted(maps.Keys(added.Failed)) {
		say(out, "  not for %s, whose plans use the times of any car or truck (waybill roads tries again): %v",
			profile, added.Failed[profile])
	}
}

func joined(profiles []region.Profile) string {
	names := make([]string, 0, len(profiles))
	for _, profile := range profiles {
		names = append(names, string(profile))
	}
	return strings.Join(names, ", ")
}

func newRegionRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a region with its addresses and files",
		Long: `Remove a region with its addresses, road data and map tiles. Processes that use its files
close them within seconds, and the last one removes them. Orders keep the positions that they
have.`,
		Example: "  waybill region remove norway",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRegions(cmd, func(r *loading.Regions, conn *pgx.Conn) error {
				removed, err := r.Remove(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if !removed {
					return fmt.Errorf("there is no region %q: waybill region list shows them", args[0])
				}
				say(cmd.OutOrStdout(), "%s is removed", args[0])
				return schema.Record(cmd.Context(), conn, actionOf(cmd, "removed the region "+args[0]))
			})
		},
	}
}
