// Calls all groups of the contract with go-github, and prints one line of JSON per group.
//
// Environment: FORGE_URL, and the values of the fixture, for example FORGE_COMMIT.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-github/v92/github"
)

const (
	owner = "harbor"
	repo  = "hello"
)

var ctx = context.Background()

// The fixture's owner.
var olive = as("olive")

// Returns a client that sends a token.
func as(token string) *github.Client {
	url := os.Getenv("FORGE_URL")
	client, err := github.NewClient(github.WithAuthToken(token), github.WithEnterpriseURLs(url, url))
	if err != nil {
		panic(err)
	}
	return client
}

// Returns a value of the fixture.
func fixture(name string) string { return os.Getenv("FORGE_" + name) }

// Returns the result of a call that must succeed.
func get[T any](value T, _ *github.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Expects a call without a result to succeed.
func done(_ *github.Response, err error) {
	if err != nil {
		panic(err)
	}
}

// Expects the status of a call that must fail.
func status(want int, response *github.Response, err error) {
	if err == nil {
		panic(fmt.Sprintf("succeeded, expected %d", want))
	}
	equal("status", response.StatusCode, want)
}

func equal[T any](name string, got, want T) {
	if !reflect.DeepEqual(got, want) {
		panic(fmt.Sprintf("%s is %#v, expected %#v", name, got, want))
	}
}

// Returns all items of a list with one item per page.
func all[T any](list func(github.ListOptions) ([]T, *github.Response, error)) []T {
	var items []T
	options := github.ListOptions{PerPage: 1}
	for {
		page, response, err := list(options)
		if err != nil {
			panic(err)
		}
		items = append(items, page...)
		if response.NextPage == 0 {
			return items
		}
		options.Page = response.NextPage
	}
}

// Returns one value of each item, sorted.
func sorted[T any](items []T, of func(T) string) []string {
	values := make([]string, 0, len(items))
	for _, item := range items {
		values = append(values, of(item))
	}
	slices.Sort(values)
	return values
}

// Calls until the condition is true.
func eventually(name string, condition func() bool) {
	for range 200 {
		if condition() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic(name + ": not within 20 seconds")
}

func run(group string, call func()) {
	result := map[string]any{"group": group, "ok": true, "detail": ""}
	defer func() {
		if failure := recover(); failure != nil {
			result["ok"], result["detail"] = false, fmt.Sprint(failure)
		}
		line, _ := json.Marshal(result)
		fmt.Println(string(line))
	}()
	call()
}

func main() {
	for _, groups := range [][]group{readings, writings, settings, account, people, repositories, issues, pulls, reviews, releases, actions} {
		for _, group := range groups {
			run(group.name, group.call)
		}
	}
}

type group struct {
	name string
	call func()
}
