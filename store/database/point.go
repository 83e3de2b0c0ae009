package database

// Point names a moment of the work on the files of a data folder at which a test may end the process or cut the power. Whatever
// happens there, the next Open goes on from one side of the step or from the other.
type Point string

// The points, in the order in which each piece of work reaches them.
const (
	// PointCommitted: a batch of writes is on disk, and nobody was told.
	PointCommitted Point = "commit: on disk"
	// PointErased: a transaction is erased, and the pages that it lay on are not overwritten yet.
	PointErased Point = "erase: committed"
	// PointZeroed: those pages are overwritten, but not synced yet.
	PointZeroed Point = "erase: overwritten"

	// PointReviewPictures: the pictures of a review are on disk, and the key that opens them is not. PointReviewErased: the keys of
	// reviews are erased, and their pictures are there still.
	PointReviewPictures Point = "review: pictures on disk"
	PointReviewErased   Point = "review: keys erased"

	PointNextKey      Point = "rotate: new key kept"
	PointRewrapped    Point = "rotate: all sealed anew"
	PointKeyInstalled Point = "rotate: new key in its place"
	PointOldKeyWiped  Point = "rotate: old key overwritten"

	PointCopied   Point = "compact: copied"
	PointLinked   Point = "compact: old file has a second name"
	PointSwitched Point = "compact: new file in its place"

	PointBackedUp Point = "backup: copied"

	PointRestoring Point = "restore: taken over"
	PointRestored  Point = "restore: made"
	PointKept      Point = "restore: old file has a second name"
	PointReplaced  Point = "restore: in its place"
)

// Points lists all points.
func Points() []Point {
	return []Point{
		PointCommitted, PointErased, PointZeroed, PointReviewPictures, PointReviewErased,
		PointNextKey, PointRewrapped, PointKeyInstalled, PointOldKeyWiped,
		PointCopied, PointLinked, PointSwitched, PointBackedUp, PointRestoring, PointRestored, PointKept, PointReplaced,
	}
}

// Reach tells a test where the work is.
func (d Folder) Reach(p Point) {
	if d.Reached != nil {
		d.Reached(p)
	}
}
