package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	api "proof/api"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func picture(name string) []byte { return must(os.ReadFile("models/samples/" + name)) }

func main() {
	ctx := context.Background()
	key := api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("ApiKey", os.Getenv("API_KEY"))
		return nil
	})
	c := must(api.NewClientWithResponses(os.Getenv("API_URL")+"/v1", key))
	front := must(c.ReadIDFrontWithResponse(ctx, nil, api.DocumentRequest{Image: picture("id_front.jpg")})).JSON200.Data
	id := front.TransactionId
	back := must(c.ReadIDBackWithResponse(ctx, nil, api.DocumentRequest{TransactionId: &id, Image: picture("id_back.jpg")})).JSON200.Data
	match := must(c.MatchFaceWithResponse(ctx, nil, api.FaceMatchRequest{TransactionId: id, Image: picture("burst/1.jpg")})).JSON200.Data
	live := must(c.CheckLivenessWithResponse(ctx, nil, api.LivenessRequest{
		TransactionId: id, Face1: picture("burst/1.jpg"), Face2: picture("burst/2.jpg"), Face3: picture("burst/3.jpg"),
	})).JSON200.Data
	failure := must(c.ReadIDFrontWithResponse(ctx, nil, api.DocumentRequest{Image: []byte{0, 0, 0}})).JSON400
	fmt.Println(front.IdNumber == back.IdNumber, match.IsMatched, live.IsLive, int(failure.ErrorCode))
}
