package schema

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Action is what an operator did to the installation as a whole.
type Action struct {
	Operator, Command string
	// Done are sentences about completed actions.
	Done []string
}

// Record keeps what an operator did, as the owner of the tables. No organization's log holds
// it: a removed organization takes its log along.
func Record(ctx context.Context, owner *pgx.Conn, a Action) error {
	const query = "insert into operator_actions (operator, command, done) select $1, $2, unnest($3::text[])"
	if _, err := owner.Exec(ctx, query, a.Operator, a.Command, a.Done); err != nil {
		return fmt.Errorf("record who ran %s: %w", a.Command, err)
	}
	return nil
}
