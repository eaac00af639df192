package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"waybill/domain/place"
	loading "waybill/operations/places"
	"waybill/store/places"
	"waybill/store/schema"
)

func newPlacesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "places",
		Short: "Load, list and remove address registers",
		Long: `Loads registers of addresses, by which Waybill turns the addresses of orders into
positions. The registers belong to the installation: all organizations share them.
The commands connect as the owner of the tables (DATABASE_MIGRATE_URL).`,
	}
	cmd.AddCommand(newPlacesLoadCommand(), newPlacesListCommand(), newPlacesRemoveCommand())
	return cmd
}

// asOwnerOfPlaces works on the register as the owner of the tables.
func asOwnerOfPlaces(ctx context.Context, do func(*pgx.Conn) error) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	if c.DatabaseMigrateURL == "" {
		return errors.New("neither DATABASE_MIGRATE_URL nor DATABASE_URL is set, so there is no database to work with")
	}
	conn, err := connectAsOwner(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return do(conn)
}

func newPlacesLoadCommand() *cobra.Command {
	var source, country string
	var again bool
	cmd := &cobra.Command{
		Use:   "load FILE…",
		Short: "Load files of address registers",
		Long: `Load files of address registers, each as a source with the name of the file:

  OpenStreetMap      an extract (.osm.pbf)
  OpenAddresses      GeoJSON lines or CSV, also packed (.gz)
  GeoNames           a list of postal codes (NO.txt), unpacked from its zip file
  Matrikkelen        Kartverket's CSV file of a municipality or the country

A file replaces what its source had before, in one step: until then, addresses are found
in the earlier content. A file that is already loaded is skipped. After an
interruption, run the command again: it continues where it was.

Where two sources have an address, the national register wins over OpenStreetMap.`,
		Example: "  waybill places load norway-latest.osm.pbf\n  waybill places load --country NO --source oslo oslo-center.osm.pbf",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if source != "" && len(files) > 1 {
				return errors.New("--source names the source of one file: pass one file, or leave --source out")
			}
			code := place.CountryCode(country)
			if country != "" && code == "" {
				return fmt.Errorf("%q is not a country: use its code, such as NO", country)
			}
			return asOwnerOfPlaces(cmd.Context(), func(conn *pgx.Conn) error {
				load := &loading.Load{Owner: places.NewOwner(conn), Country: code, Again: again, Said: progressTo(cmd)}
				return loadPlaces(cmd, conn, load, source, files)
			})
		},
	}
	cmd.Flags().StringVar(&source, "source", "", "name of the source (default: the name of the file without its ending)")
	cmd.Flags().StringVar(&country, "country", "", "country of addresses that name none (default: told by the file)")
	cmd.Flags().BoolVar(&again, "again", false, "load files even if they are already loaded")
	return cmd
}

func loadPlaces(cmd *cobra.Command, conn *pgx.Conn, load *loading.Load, source string, files []string) error {
	out := cmd.OutOrStdout()
	for _, file := range files {
		name := source
		if name == "" {
			name = loading.SourceOf(file)
		}
		r, err := load.File(cmd.Context(), file, name)
		load.Said("")
		if errors.Is(err, loading.ErrNoAddresses) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w (what was loaded is kept: run the command again to continue)", err)
		}
		if r.Unchanged {
			say(out, "%s: this file is already loaded (--again loads it again)", r.Source)
			continue
		}
		if r.Resumed > 0 {
			say(out, "%s: continued after %d addresses of an interrupted run", r.Source, r.Resumed)
		}
		say(out, "%s: loaded %d addresses on %d streets in %d towns and postal codes (%s)",
			r.Source, r.Addresses, r.Streets, r.Towns, r.Format)
		if r.Country != "" {
			say(out, "  addresses without a country were assumed to be in %s (use --country to change it)", r.Country)
		}
		say(out, "  show this where the data is shown: %s", r.Attribution)
		err = schema.Record(cmd.Context(), conn, actionOf(cmd, fmt.Sprintf("loaded %d addresses as %s", r.Addresses, r.Source)))
		if err != nil {
			return err
		}
	}
	say(out, "\nWaybill finds these addresses from now on, and places open orders again that it had not found. "+
		"See also: waybill places list")
	return nil
}

func newPlacesListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the sources of the register",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return asOwnerOfPlaces(cmd.Context(), func(conn *pgx.Conn) error {
				sources, err := places.New(conn).Sources(cmd.Context())
				if err != nil {
					return err
				}
				if len(sources) == 0 {
					say(cmd.OutOrStdout(), "No register is loaded: waybill places load FILE loads one.")
					return nil
				}
				table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				say(table, "SOURCE\tFORMAT\tADDRESSES\tSTREETS\tTOWNS\tSKIPPED\tLOADED\tATTRIBUTION")
				for _, s := range sources {
					say(table, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s",
						s.Name, s.Format, s.Addresses, s.Streets, s.Towns, s.Skipped, instant(&s.At), s.Attribution)
				}
				return table.Flush()
			})
		},
	}
}

func newPlacesRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove SOURCE",
		Short: "Remove a source from the register",
		Long: `Remove a source from the register, including a partial load.
Orders keep good positions. Open orders with a guessed position are placed again.`,
		Example: "  waybill places remove norway-latest",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return asOwnerOfPlaces(cmd.Context(), func(conn *pgx.Conn) error {
				removed, err := places.NewOwner(conn).Remove(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if !removed {
					return fmt.Errorf("there is no source %q: waybill places list shows them", args[0])
				}
				say(cmd.OutOrStdout(), "%s is removed", args[0])
				return schema.Record(cmd.Context(), conn, actionOf(cmd, "removed the places of "+args[0]))
			})
		},
	}
}
