package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/domain/export"
	"waybill/domain/fault"
	"waybill/store"
)

func newExportsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "exports",
		Short: "Mark orders for export to a carrier",
	}
	cmd.AddCommand(newExportsMarkCommand())
	return cmd
}

func newExportsMarkCommand() *cobra.Command {
	var org string
	var orders []string
	cmd := &cobra.Command{
		Use:   "mark --org SLUG --order NUMBER",
		Short: "Put orders into the export feed",
		Long: `Put orders into the export feed, regardless of their type. Orders of a type with an
export carrier enter the feed without this command. Identify an order by its number
(externalId) or its id.

An order that was exported before returns as an update, even if it is unchanged. An
order that is already in the feed stays as it is. An order that has used its five
acknowledgements cannot return.`,
		Example: "  waybill exports mark --org nordfrakt --order NF-2026-0001\n" +
			"  waybill exports mark --org nordfrakt --order NF-2026-0001,NF-2026-0002",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return forOrganization(cmd, org, func(of tenant) error {
				for _, name := range orders {
					if err := markExport(cmd.Context(), of, strings.TrimSpace(name)); err != nil {
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

// markExport marks one order and explains in plain words why it can't.
func markExport(ctx context.Context, of tenant, name string) error {
	id, err := orderNamed(ctx, of, name)
	if err == nil {
		err = of.operations.Exports.MarkExport(ctx, of.by, id)
	}
	switch {
	case errors.Is(err, store.ErrNotFound), fault.KindOf(err) == fault.NotFound:
		return fmt.Errorf("order %q not found", name)
	case errors.Is(err, export.ErrSpent):
		return fmt.Errorf("order %s has used all of its %d acknowledgements", name, export.Limit)
	case errors.Is(err, export.ErrCancelled):
		return fmt.Errorf("order %s is cancelled and was never exported", name)
	}
	return err
}

// orderNamed finds an order by its number, or else by its id.
func orderNamed(ctx context.Context, of tenant, name string) (int64, error) {
	id, err := of.store.OrderIDByNumber(ctx, of.by.OrgID, name)
	if err == nil || fault.KindOf(err) != fault.NotFound {
		return id, err
	}
	if id, notANumber := strconv.ParseInt(name, 10, 64); notANumber == nil {
		return id, nil
	}
	return 0, err
}
