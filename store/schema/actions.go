package schema

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Action is an operator's action on the installation as a whole.
type Action struct {
	Operator, Command string
	// Done are sentences about completed actions.
	Done []string
}

// Record saves an operator's action, as the owner of the tables. It is in no
// organization's log, because removing an organization deletes its log.
func Record(ctx context.Context, owner *pgx.Conn, a Action) error {
	const query = "insert into operator_actions (operator, command, done) select $1, $2, unnest($3::text[])"
	if _, err := owner.Exec(ctx, query, a.Operator, a.Command, a.Done); err != nil {
		return fmt.Errorf("record who ran %s: %w", a.Command, err)
	}
	return nil
}
