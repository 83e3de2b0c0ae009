package daemon

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
)

// checkTime is how long the check of a pack may take: many times what it takes on a slow board.
const checkTime = 3 * time.Minute

// CheckPack checks an unpacked set in a process of its own: a network that crashes its runtime must crash nothing else. That process
// is this program again, as `bawab models check DIR`, with environ.
func CheckPack(ctx context.Context, dir string, environ []string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("check models: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "models", "check", dir)
	cmd.Args[0] = "bawab"
	cmd.Env = environ
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	detail := err.Error()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "FAILED") || strings.HasPrefix(line, "bawab: error: ") {
			detail = strings.TrimPrefix(strings.TrimSpace(line), "bawab: error: ")
			break
		}
	}
	return &appliance.Error{
		Code: appliance.CodeBadRequest, Op: "check models", Msg: "the networks of the pack did not pass: " + words.OneLine(detail),
		Hint: "the models in use stay in use; tell the vendor",
	}
}
