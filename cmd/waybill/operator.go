package main

import (
	"fmt"
	"os"
	"os/user"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"waybill/domain/caller"
	"waybill/store/schema"
)

const operatorFlag = "operator"

// longestOperator is how much of an operator's name is kept.
const longestOperator = 64

// commandOf is a command as the caller of operations: the events of its changes
// name the command and the operator.
func commandOf(cmd *cobra.Command, org int64) caller.Caller {
	return caller.Service(org, fmt.Sprintf("%s by %s", cmd.CommandPath(), operatorOf(cmd)))
}

// actionOf is a command's action on the installation as a whole.
func actionOf(cmd *cobra.Command, done ...string) schema.Action {
	return schema.Action{Operator: operatorOf(cmd), Command: cmd.CommandPath(), Done: done}
}

// operatorOf is the operator of a command: --operator, WAYBILL_OPERATOR, or
// else the account of this host, also behind sudo.
func operatorOf(cmd *cobra.Command) string {
	given, _ := cmd.Flags().GetString(operatorFlag)
	for _, name := range []string{given, os.Getenv("WAYBILL_OPERATOR"), os.Getenv("SUDO_USER"), accountName()} {
		if name = cleanOperator(name); name != "" {
			return name
		}
	}
	return fmt.Sprintf("uid %d", os.Getuid())
}

func accountName() string {
	account, err := user.Current()
	if err != nil {
		return ""
	}
	return account.Username
}

// cleanOperator removes characters that don't belong in a name.
func cleanOperator(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .-_@+", r) {
			return r
		}
		return -1
	}, name)
	if runes := []rune(name); len(runes) > longestOperator {
		name = string(runes[:longestOperator])
	}
	return strings.TrimSpace(name)
}
