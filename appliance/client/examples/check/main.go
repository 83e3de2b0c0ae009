// Command check makes one identity check: check FOLDER-OF-PICTURES, with API_URL and API_KEY in the environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/bawab/bawab/appliance/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := check(ctx, os.Args[1])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(ctx context.Context, folder string) error {
	c := client.New(os.Getenv("API_URL"), os.Getenv("API_KEY"))
	c.Language = "ar"
	var pictures [5][]byte
	for i, name := range []string{"burst/1.jpg", "burst/2.jpg", "burst/3.jpg", "id_front.jpg", "id_back.jpg"} {
		var err error
		if pictures[i], err = os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("read picture: %w", err)
		}
	}
	front, err := c.IDFront(ctx, pictures[3], client.Options{})
	if err != nil {
		return fmt.Errorf("read front: %w", err)
	}
	same := client.Options{TransactionID: front.Data.TransactionID}
	back, err := c.IDBack(ctx, pictures[4], same)
	if err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	match, err := c.MatchFace(ctx, pictures[0], same)
	if err != nil {
		return fmt.Errorf("match face: %w", err)
	}
	live, err := c.Liveness(ctx, [3][]byte(pictures[:3]), same)
	if err != nil {
		return fmt.Errorf("check liveness: %w", err)
	}
	fmt.Println("name:", front.Data.Name)
	fmt.Println("born:", *front.Data.DateOfBirth)
	fmt.Println("the back has the same number:", back.Data.IdNumber == front.Data.IdNumber)
	fmt.Println("matched:", match.Data.IsMatched)
	fmt.Println("live:", live.Data.IsLive)
	_, err = c.IDFront(ctx, []byte("no picture"), client.Options{})
	var failure *client.Error
	if !errors.As(err, &failure) || failure.Code != client.CodePictureKind {
		return fmt.Errorf("no picture was answered: %w", err)
	}
	fmt.Println(int(failure.Code), failure.Message)
	return nil
}
