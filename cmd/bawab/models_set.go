package main

import (
	"strconv"

	"github.com/bawab/bawab/models"
)

// modelSetName is how the journal and the commands name a model set.
func modelSetName(set *models.Set) string { return strconv.FormatUint(set.Version(), 10) }
