package eval

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
)

// ReadFigures reads figures that an earlier call printed with --json into figures, and refuses those of another form.
func ReadFigures(name, form string, figures any) error {
	refuse := func(msg string, err error) error {
		return &appliance.Error{
			Op:   "read earlier figures",
			Msg:  msg,
			Hint: "name a file of what the same command printed with --json",
			Err:  err,
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return refuse("there are none to compare with", err)
	}
	var head struct{ Form string }
	if err := json.Unmarshal(text, &head); err != nil {
		return refuse(name+" holds no figures", err)
	}
	if head.Form != form {
		return refuse(fmt.Sprintf("%s has form %q, not %s", name, head.Form, form), nil)
	}
	if err := json.Unmarshal(text, figures); err != nil {
		return refuse(name+" holds no figures", err)
	}
	return nil
}
