package main

import (
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/configs"
)

// policyOf is who may call and how often, by the configuration.
func policyOf(cfg *configs.Config) (httpapi.Policy, error) {
	allow, err := httpapi.ParseAllow(cfg.HTTP.Allow)
	return httpapi.Policy{Allow: allow, RequestsPerMinute: cfg.HTTP.RequestsPerMinute, WrongKeysPerMinute: cfg.HTTP.BadKeysPerMinute}, err
}
