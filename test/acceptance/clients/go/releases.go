package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/google/go-github/v92/github"
)

// An owner of the organization `yard`.
var kai = as("kai")

const ropes = "ropes"

// Merges a pull request of yard/ropes with a new file, and returns its line in release notes.
func mergedRope(name string) string {
	tip := get(kai.Git.GetRef(ctx, yard, ropes, "heads/main")).GetObject().GetSHA()
	get(kai.Git.CreateRef(ctx, yard, ropes, github.CreateRef{Ref: "refs/heads/" + name, SHA: tip}))
	options := &github.RepositoryContentFileOptions{Message: github.Ptr("Add " + name), Content: []byte("hemp\n"), Branch: &name}
	get(kai.Repositories.CreateFile(ctx, yard, ropes, name+".md", options))
	pull := get(kai.PullRequests.Create(ctx, yard, ropes, github.CreatePullRequest{Title: github.Ptr("Add " + name), Head: name, Base: "main"}))
	get(kai.PullRequests.Merge(ctx, yard, ropes, pull.GetNumber(), "", &github.PullRequestOptions{MergeMethod: "squash"}))
	return fmt.Sprintf("* Add %s by @kai in %s", name, pull.GetHTMLURL())
}

func tagNames(releases []*github.RepositoryRelease) []string {
	return sorted(releases, func(one *github.RepositoryRelease) string { return one.TagName })
}

// Releases, their assets and reactions, and custom properties.
var releases = []group{
	{"releases", func() {
		found := all(func(page github.ListOptions) ([]*github.RepositoryRelease, *github.Response, error) {
			return olive.Repositories.ListReleases(ctx, owner, repo, &page)
		})
		equal("tags", tagNames(found), []string{"v0.1", "v1"})
		first := get(olive.Repositories.GetLatestRelease(ctx, owner, repo))
		equal("latest", []string{first.TagName, first.GetName(), first.GetBody(), first.GetAuthor().GetLogin()}, []string{"v1", "First", "Greets *every* ship.", "olive"})
		equal("assets", sorted(first.Assets, (*github.ReleaseAsset).GetName), []string{"greet.txt", "spare.txt"})
		equal("by tag", get(olive.Repositories.GetReleaseByTag(ctx, owner, repo, "v1")).ID, first.ID)
		equal("without drafts", tagNames(get(as("nell").Repositories.ListReleases(ctx, owner, repo, nil))), []string{"v1"})
		_, response, err := olive.Repositories.GetReleaseByTag(ctx, owner, repo, "v9")
		status(404, response, err)

		get(kai.Repositories.Create(ctx, yard, &github.Repository{Name: github.Ptr(ropes), AutoInit: github.Ptr(true)}))
		get(kai.Repositories.CreateRelease(ctx, yard, ropes, github.CreateReleaseRequest{TagName: "v0.9", Prerelease: github.Ptr(true)}))
		halyard, sheet := mergedRope("halyard"), mergedRope("sheet")
		notes := get(kai.Repositories.GenerateReleaseNotes(ctx, yard, ropes, github.GenerateNotesRequest{
			TagName: "v1.0", PreviousTagName: github.Ptr("v0.9"), TargetCommitish: github.Ptr("main"),
		}))
		equal("name", notes.Name, "v1.0")
		equal("changes", strings.Contains(notes.Body, halyard) && strings.Contains(notes.Body, sheet), true)
		made := get(kai.Repositories.CreateRelease(ctx, yard, ropes, github.CreateReleaseRequest{
			TagName: "v1.0", Name: github.Ptr("Spliced"), Body: github.Ptr("Of hemp."), GenerateReleaseNotes: github.Ptr(true),
		}))
		equal("body", made.GetBody(), "Of hemp.\n\n"+notes.Body)
		recent("published", made.GetPublishedAt())
		equal("tag", get(kai.Git.GetRef(ctx, yard, ropes, "tags/v1.0")).GetObject().GetSHA(), get(kai.Git.GetRef(ctx, yard, ropes, "heads/main")).GetObject().GetSHA())
		edited := get(kai.Repositories.UpdateRelease(ctx, yard, ropes, made.ID, github.UpdateReleaseRequest{Name: github.Ptr("Spliced again"), Prerelease: github.Ptr(true)}))
		equal("edited", edited.GetName(), "Spliced again")
		equal("prerelease", get(kai.Repositories.GetRelease(ctx, yard, ropes, made.ID)).Prerelease, true)
		_, response, err = kai.Repositories.CreateRelease(ctx, yard, ropes, github.CreateReleaseRequest{TagName: "v1.0"})
		status(422, response, err)
		draft := get(kai.Repositories.CreateRelease(ctx, yard, ropes, github.CreateReleaseRequest{TagName: "v2.0", Draft: github.Ptr(true)}))
		equal("not published", draft.PublishedAt, nil)
		done(kai.Repositories.DeleteRelease(ctx, yard, ropes, draft.ID))
		equal("left", tagNames(get(kai.Repositories.ListReleases(ctx, yard, ropes, nil))), []string{"v0.9", "v1.0"})
	}},
	{"releaseAssets", func() {
		release := get(kai.Repositories.GetReleaseByTag(ctx, yard, ropes, "v1.0"))
		content := bytes.Repeat([]byte("hemp\n\x00\xff"), 30_000)
		options := &github.UploadOptions{Name: "rope.bin", Label: "A rope", MediaType: "application/x-rope"}
		made := get(kai.Repositories.UploadReleaseAssetFromRelease(ctx, release, options, bytes.NewReader(content), int64(len(content))))
		equal("texts", []string{made.GetName(), made.GetLabel(), made.GetContentType(), made.GetState()}, []string{"rope.bin", "A rope", "application/x-rope", "uploaded"})
		equal("size", made.GetSize(), len(content))
		equal("digest", made.GetDigest(), fmt.Sprintf("sha256:%x", sha256.Sum256(content)))
		equal("uploader", made.GetUploader().GetLogin(), "kai")
		body, _, err := kai.Repositories.DownloadReleaseAsset(ctx, yard, ropes, made.GetID(), http.DefaultClient)
		equal("error", err, nil)
		downloaded, _ := io.ReadAll(body)
		equal("content", bytes.Equal(downloaded, content), true)
		renamed := get(kai.Repositories.UpdateReleaseAsset(ctx, yard, ropes, made.GetID(), github.UpdateReleaseAssetRequest{Name: github.Ptr("line.bin")}))
		equal("renamed", renamed.GetName(), "line.bin")
		equal("downloads", get(kai.Repositories.GetReleaseAsset(ctx, yard, ropes, made.GetID())).GetDownloadCount(), 1)

		// The address for uploads of GitHub Enterprise Server.
		file, err := os.CreateTemp("", "*.txt")
		equal("error", err, nil)
		defer os.Remove(file.Name())
		file.WriteString("manila\n")
		file.Seek(0, io.SeekStart)
		small := get(kai.Repositories.UploadReleaseAsset(ctx, yard, ropes, release.ID, &github.UploadOptions{Name: "small.txt"}, file))
		equal("media type", strings.HasPrefix(small.GetContentType(), "text/plain"), true)
		assets := all(func(page github.ListOptions) ([]*github.ReleaseAsset, *github.Response, error) {
			return kai.Repositories.ListReleaseAssets(ctx, yard, ropes, release.ID, &page)
		})
		equal("names", sorted(assets, (*github.ReleaseAsset).GetName), []string{"line.bin", "small.txt"})
		done(kai.Repositories.DeleteReleaseAsset(ctx, yard, ropes, small.GetID()))
		_, response, err := kai.Repositories.GetReleaseAsset(ctx, yard, ropes, small.GetID())
		status(404, response, err)
	}},
	{"reactions: releases", func() {
		id := get(kai.Repositories.GetReleaseByTag(ctx, yard, ropes, "v1.0")).ID
		made := get(kai.Reactions.CreateReleaseReaction(ctx, yard, ropes, id, "rocket"))
		equal("content", made.GetContent(), "rocket")
		equal("user", made.GetUser().GetLogin(), "kai")
		listed := get(kai.Reactions.ListReleaseReactions(ctx, yard, ropes, id, &github.ListReactionOptions{Content: "rocket"}))
		equal("listed", listed[0].GetID(), made.GetID())
		done(kai.Reactions.DeleteReleaseReaction(ctx, yard, ropes, id, made.GetID()))
		equal("left", len(get(kai.Reactions.ListReleaseReactions(ctx, yard, ropes, id, nil))), 0)
		equal("of the fixture", get(olive.Repositories.GetLatestRelease(ctx, owner, repo)).GetReactions().GetHeart(), 1)
	}},
	{"immutableReleases", func() {
		equal("before", get(kai.Organizations.GetImmutableReleasesSettings(ctx, yard)).GetEnforcedRepositories(), "none")
		first, second := get(kai.Repositories.Get(ctx, yard, ropes)).GetID(), get(kai.Repositories.Get(ctx, yard, sloops)).GetID()
		policy := github.ImmutableReleasePolicy{EnforcedRepositories: github.Ptr("selected"), SelectedRepositoryIDs: []int64{first}}
		done(kai.Organizations.UpdateImmutableReleasesSettings(ctx, yard, policy))
		equal("after", get(kai.Organizations.GetImmutableReleasesSettings(ctx, yard)).GetEnforcedRepositories(), "selected")
		selected := func() []string {
			return namesOf(get(kai.Organizations.ListImmutableReleaseRepositories(ctx, yard, nil)).Repositories)
		}
		equal("selected", selected(), []string{"yard/ropes"})
		done(kai.Organizations.SetImmutableReleaseRepositories(ctx, yard, []int64{second}))
		equal("set", selected(), []string{"yard/sloops"})
		done(kai.Organizations.EnableRepositoryForImmutableRelease(ctx, yard, first))
		equal("enforced", get(kai.Repositories.AreImmutableReleasesEnabled(ctx, yard, ropes)).GetEnforcedByOwner(), true)
		done(kai.Organizations.DisableRepositoryForImmutableRelease(ctx, yard, second))
		equal("removed", selected(), []string{"yard/ropes"})
		done(kai.Organizations.UpdateImmutableReleasesSettings(ctx, yard, github.ImmutableReleasePolicy{EnforcedRepositories: github.Ptr("none")}))
		done(kai.Repositories.EnableImmutableReleases(ctx, yard, ropes))
		equal("enabled", get(kai.Repositories.AreImmutableReleasesEnabled(ctx, yard, ropes)).GetEnabled(), true)
		fixed := get(kai.Repositories.CreateRelease(ctx, yard, ropes, github.CreateReleaseRequest{TagName: "v3.0"}))
		equal("immutable", fixed.GetImmutable(), true)
		response, err := kai.Git.DeleteRef(ctx, yard, ropes, "tags/v3.0")
		status(422, response, err)
		done(kai.Repositories.DisableImmutableReleases(ctx, yard, ropes))
	}},
	{"customProperties", func() {
		names := sorted(get(mara.Organizations.GetAllCustomProperties(ctx, owner)), (*github.CustomProperty).GetPropertyName)
		equal("names", names, []string{"doomed", "tier"})
		wood := &github.CustomProperty{ValueType: github.PropertyValueTypeSingleSelect, AllowedValues: []string{"oak", "elm"}}
		made := get(mara.Organizations.CreateOrUpdateCustomProperty(ctx, owner, "wood", wood))
		equal("values", made.AllowedValues, []string{"oak", "elm"})
		flag := &github.CustomProperty{PropertyName: github.Ptr("flag"), ValueType: github.PropertyValueTypeTrueFalse, Required: github.Ptr(true), DefaultValue: "true"}
		get(mara.Organizations.CreateOrUpdateCustomProperties(ctx, owner, []*github.CustomProperty{flag}))
		read, _ := get(mara.Organizations.GetCustomProperty(ctx, owner, "flag")).DefaultValueBool()
		equal("default", read, true)
		done(mara.Organizations.CreateOrUpdateRepoCustomPropertyValues(ctx, owner, []string{"empty"}, []*github.CustomPropertyValue{{PropertyName: "wood", Value: "elm"}}))
		values := get(mara.Organizations.ListCustomPropertyValues(ctx, owner, &github.ListCustomPropertyValuesOptions{RepositoryQuery: "empty"}))
		equal("repository", values[0].RepositoryFullName, "harbor/empty")
		of := func(values []*github.CustomPropertyValue) []string {
			return sorted(values, func(one *github.CustomPropertyValue) string { return fmt.Sprintf("%s=%v", one.PropertyName, one.Value) })
		}
		equal("of the repository", of(values[0].Properties), []string{"flag=true", "wood=elm"})
		done(mara.Repositories.CreateOrUpdateCustomProperties(ctx, owner, repo, []*github.CustomPropertyValue{{PropertyName: "wood", Value: "oak"}}))
		equal("of hello", of(get(mara.Repositories.GetAllCustomPropertyValues(ctx, owner, repo))), []string{"flag=true", "tier=gold", "wood=oak"})
		for _, name := range []string{"wood", "flag"} {
			done(mara.Organizations.RemoveCustomProperty(ctx, owner, name))
		}
		_, response, err := mara.Organizations.GetCustomProperty(ctx, owner, "wood")
		status(404, response, err)
	}},
}
