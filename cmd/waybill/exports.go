package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/domain/caller"
	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

func newExportsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "exports",
		Short: "Marks orders for export to a carrier",
	}
	cmd.AddCommand(newExportsMarkCommand())
	return cmd
}

func newExportsMarkCommand() *cobra.Command {
	var org string
	var orders []string
	cmd := &cobra.Command{
		Use:   "mark --org SLUG --order NUMBER",
		Short: "Puts orders into the export feed",
		Long: `Puts orders into the export feed, whatever their type; orders of a type with an
export carrier are there without it. An order is named by its number, that is its
externalId, or by its id.

An order that was exported before comes back as an update, changed or not. One that
is in the feed already stays as it is. One whose five acknowledgements are spent
cannot come back.`,
		Example: "  waybill exports mark --org nordfrakt --order NF-2026-0001\n  waybill exports mark --org nordfrakt --order NF-2026-0001,NF-2026-0002",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := readConfig()
			if err != nil {
				return err
			}
			return withOrganization(cmd.Context(), org, func(s *store.Store, orgID int64) error {
				for _, name := range orders {
					if err := markExport(cmd.Context(), s, orgID, strings.TrimSpace(name), c); err != nil {
						return err
					}
					say(cmd.OutOrStdout(), "order %s is in the export feed", name)
				}
				return nil
			})
		},
	}
	orgFlags(cmd, &org, nil)
	cmd.Flags().StringSliceVar(&orders, "order", nil, "numbers or ids of orders")
	_ = cmd.MarkFlagRequired("order")
	return cmd
}

// markExport marks one order and says in plain words when it cannot.
func markExport(ctx context.Context, s *store.Store, org int64, name string, c config) error {
	id, err := orderNamed(ctx, s, org, name)
	if err == nil {
		err = s.MarkExport(ctx, caller.Service(org, "waybill exports mark"), id, c.ExportWindow)
	}
	switch {
	case errors.Is(err, store.ErrNotFound), fault.KindOf(err) == fault.NotFound:
		return fmt.Errorf("there is no order %q", name)
	case errors.Is(err, export.ErrSpent):
		return fmt.Errorf("order %s has had all of its %d acknowledgements", name, export.Limit)
	case errors.Is(err, export.ErrCancelled):
		return fmt.Errorf("order %s is cancelled, and was never exported", name)
	}
	return err
}

// orderNamed finds an order by its number, or else by its id.
func orderNamed(ctx context.Context, s *store.Store, org int64, name string) (int64, error) {
	id, err := s.OrderIDByNumber(ctx, org, name)
	if err == nil || fault.KindOf(err) != fault.NotFound {
		return id, err
	}
	if id, notANumber := strconv.ParseInt(name, 10, 64); notANumber == nil {
		return id, nil
	}
	return 0, err
}
