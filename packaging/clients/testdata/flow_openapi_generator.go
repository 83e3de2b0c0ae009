package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func picture(name string) string {
	b, err := os.ReadFile("models/samples/" + name)
	check(err)
	return base64.StdEncoding.EncodeToString(b)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	cfg := api.NewConfiguration()
	cfg.Servers = api.ServerConfigurations{{URL: os.Getenv("API_URL") + "/v1"}}
	cfg.AddDefaultHeader("ApiKey", os.Getenv("API_KEY"))
	c := api.NewAPIClient(cfg)
	front, _, err := c.DocumentsAPI.ReadIDFront(ctx).DocumentRequest(*api.NewDocumentRequest(picture("id_front.jpg"))).Execute()
	check(err)
	id := front.Data.TransactionId
	request := api.NewDocumentRequest(picture("id_back.jpg"))
	request.SetTransactionId(id)
	back, _, err := c.DocumentsAPI.ReadIDBack(ctx).DocumentRequest(*request).Execute()
	check(err)
	match, _, err := c.FacesAPI.MatchFace(ctx).FaceMatchRequest(*api.NewFaceMatchRequest(id, picture("burst/1.jpg"))).Execute()
	check(err)
	three := api.NewLivenessRequest(id, picture("burst/1.jpg"), picture("burst/2.jpg"), picture("burst/3.jpg"))
	live, _, err := c.FacesAPI.CheckLiveness(ctx).LivenessRequest(*three).Execute()
	check(err)
	_, _, err = c.DocumentsAPI.ReadIDFront(ctx).DocumentRequest(*api.NewDocumentRequest("AAAA")).Execute()
	var failed *api.GenericOpenAPIError
	if !errors.As(err, &failed) {
		panic(err)
	}
	failure := failed.Model().(api.Failure)
	fmt.Println(front.Data.IdNumber == back.Data.IdNumber, match.Data.IsMatched, live.Data.IsLive, int(failure.ErrorCode))
}
