package driving

// What the phone of a driver may send in 24 hours: some eight pictures and signatures at
// each of 120 stops, and room for what is sent again.
const (
	MostPicturesADay     = 1_000
	MostPictureBytesADay = 1 << 30
)
