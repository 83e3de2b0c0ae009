package daemon

import "time"

// patience bounds every wait for something that must come.
const patience = 20 * time.Second
