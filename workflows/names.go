// Package workflows holds the durable lifecycles: what happens and when. It
// computes only from its input and its history; everything that touches the
// world is asked of activities. The small client functions beside each
// workflow are the only way in for the rest of the program.
package workflows

import "fmt"

// TaskQueue names a queue that workers poll. Queues are part of what the
// Temporal server keeps: they never change.
type TaskQueue string

// ImportsQueue is the queue of bulk imports.
const ImportsQueue TaskQueue = "imports"

// ExportsQueue is the queue of order exports.
const ExportsQueue TaskQueue = "exports"

// Queues are all task queues, in the order in which help shows them.
var Queues = []TaskQueue{ImportsQueue, ExportsQueue}

// ImportOrdersType is the workflow type of a bulk import.
const ImportOrdersType = "ImportOrders"

// ExportOrderType is the workflow type of the export of one order.
const ExportOrderType = "ExportOrder"

// ExportChangedSignal tells an export that its order may have changed.
const ExportChangedSignal = "changed"

// AcknowledgeUpdate lets an acknowledgement take effect.
const AcknowledgeUpdate = "acknowledge"

// StatusQuery asks a workflow where it stands.
const StatusQuery = "status"

// ImportID is the workflow ID of an import.
func ImportID(orgID, importID int64) string { return fmt.Sprintf("import/%d/%d", orgID, importID) }

// ExportID is the workflow ID of the export of an order.
func ExportID(orgID, orderID int64) string { return fmt.Sprintf("export/%d/%d", orgID, orderID) }
