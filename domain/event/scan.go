package event

// Scan is a barcode that was read, as the event of its product has it.
type Scan struct {
	Event     string `json:"event"`
	Barcode   string `json:"barcodeId"`
	ScannedAt string `json:"scannedAt"`            // as RFC 3339
	Location  int64  `json:"locationId,omitempty"` // 0 if unknown
}
