package main

import (
	"strconv"
	"time"

	"github.com/google/go-github/v92/github"
)

const (
	fleet = "fleet"
	boats = "boats"
)

// The owner of the organization of people.json.
var vera = as("vera")

func logins(users []*github.User) []string { return sorted(users, (*github.User).GetLogin) }

func slugs(teams []*github.Team) []string { return sorted(teams, (*github.Team).GetSlug) }

func fullNames(repositories []*github.Repository) []string {
	return sorted(repositories, (*github.Repository).GetFullName)
}

// People, teams, stars, watching and notifications.
var people = []group{
	{"organizations: people", func() {
		edited := get(vera.Organizations.Edit(ctx, fleet, &github.Organization{Description: github.Ptr("Sails"), DefaultRepoPermission: github.Ptr("write")}))
		equal("description", edited.GetDescription(), "Sails")
		equal("permission", edited.GetDefaultRepoPermission(), "write")
		login := (*github.Organization).GetLogin
		equal("public", sorted(get(vera.Organizations.List(ctx, "walt", nil)), login), []string{fleet})
		equal("private", sorted(get(vera.Organizations.List(ctx, "yuri", nil)), login), []string{})
		equal("all", sorted(get(vera.Organizations.ListAll(ctx, nil)), login), []string{"fleet", "harbor", "pier", "yard"})
	}},
	{"organizationMembers", func() {
		members := all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
			return vera.Organizations.ListMembers(ctx, fleet, &github.ListMembersOptions{ListOptions: page})
		})
		equal("members", logins(members), []string{"vera", "walt", "yuri", "zoe"})
		owners := get(vera.Organizations.ListMembers(ctx, fleet, &github.ListMembersOptions{Role: "admin"}))
		equal("owners", logins(owners), []string{"vera"})
		equal("before", get(vera.Organizations.IsMember(ctx, fleet, "yuri")), true)
		done(vera.Organizations.RemoveMember(ctx, fleet, "yuri"))
		equal("after", get(vera.Organizations.IsMember(ctx, fleet, "yuri")), false)
		public := get(vera.Organizations.ListMembers(ctx, fleet, &github.ListMembersOptions{PublicOnly: true}))
		equal("public", logins(public), []string{"walt"})
		done(vera.Organizations.PublicizeMembership(ctx, fleet, "vera"))
		equal("publicized", get(vera.Organizations.IsPublicMember(ctx, fleet, "vera")), true)
		done(vera.Organizations.ConcealMembership(ctx, fleet, "vera"))
		equal("concealed", get(vera.Organizations.IsPublicMember(ctx, fleet, "vera")), false)
	}},
	{"organizationMemberships", func() {
		set := get(vera.Organizations.EditOrgMembership(ctx, "carl", fleet, &github.Membership{Role: github.Ptr("member")}))
		equal("invited", []string{set.GetState(), set.GetRole(), set.GetUser().GetLogin()}, []string{"pending", "member", "carl"})
		carl := as("carl").Organizations
		pending := get(carl.ListOrgMemberships(ctx, &github.ListOrgMembershipsOptions{State: "pending"}))
		equal("organizations", sorted(pending, func(one *github.Membership) string { return one.GetOrganization().GetLogin() }), []string{fleet})
		accepted := get(carl.EditOrgMembership(ctx, "", fleet, &github.Membership{State: github.Ptr("active")}))
		equal("accepted", accepted.GetState(), "active")
		equal("own", get(carl.GetOrgMembership(ctx, "", fleet)).GetRole(), "member")
		equal("of a user", get(vera.Organizations.GetOrgMembership(ctx, "carl", fleet)).GetState(), "active")
		done(vera.Organizations.RemoveOrgMembership(ctx, "carl", fleet))
		_, response, err := vera.Organizations.GetOrgMembership(ctx, "carl", fleet)
		status(404, response, err)
	}},
	{"organizationInvitations", func() {
		list := func() []*github.Invitation { return get(vera.Organizations.ListPendingOrgInvitations(ctx, fleet, nil)) }
		first := list()[0]
		equal("login", first.GetLogin(), "xena")
		equal("inviter", first.GetInviter().GetLogin(), "vera")
		recent("created", first.GetCreatedAt())
		teams := all(func(page github.ListOptions) ([]*github.Team, *github.Response, error) {
			return vera.Organizations.ListOrgInvitationTeams(ctx, fleet, strconv.FormatInt(first.GetID(), 10), &page)
		})
		equal("teams", slugs(teams), []string{"sailors"})
		body := &github.CreateOrgInvitationOptions{Email: github.Ptr("carl@fleet.example"), Role: github.Ptr("admin"), TeamID: []int64{teams[0].GetID()}}
		created := get(vera.Organizations.CreateOrgInvitation(ctx, fleet, body))
		equal("role", created.GetRole(), "admin")
		equal("team count", created.GetTeamCount(), 1)
		done(vera.Organizations.CancelInvite(ctx, fleet, created.GetID()))
		equal("count", len(list()), 1)
	}},
	{"outsideCollaborators", func() {
		list := func() []string {
			return logins(all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
				return vera.Organizations.ListOutsideCollaborators(ctx, fleet, &github.ListOutsideCollaboratorsOptions{ListOptions: page})
			}))
		}
		equal("before", list(), []string{"adam"})
		done(vera.Organizations.ConvertMemberToOutsideCollaborator(ctx, fleet, "zoe"))
		equal("converted", list(), []string{"adam", "zoe"})
		done(vera.Organizations.RemoveOutsideCollaborator(ctx, fleet, "adam"))
		equal("removed", list(), []string{"zoe"})
	}},
	{"teams", func() {
		teams := all(func(page github.ListOptions) ([]*github.Team, *github.Response, error) {
			return vera.Teams.ListTeams(ctx, fleet, &page)
		})
		equal("teams", slugs(teams), []string{"divers", "sailors"})
		created := get(vera.Teams.CreateTeam(ctx, fleet, github.CreateTeamRequest{Name: "Deep Divers", Privacy: github.Ptr("closed")}))
		equal("slug", created.GetSlug(), "deep-divers")
		equal("privacy", created.GetPrivacy(), "closed")
		equal("organization", created.GetOrganization().GetLogin(), fleet)
		sailors := get(vera.Teams.GetTeamBySlug(ctx, fleet, "sailors"))
		equal("description", sailors.GetDescription(), "Hoist sails")
		equal("counts", []int{sailors.GetMembersCount(), sailors.GetReposCount()}, []int{2, 1})
		change := github.UpdateTeamRequest{Name: github.Ptr("Deep Divers"), ParentTeamID: sailors.ID}
		equal("parent", get(vera.Teams.UpdateTeamBySlug(ctx, fleet, "deep-divers", change)).GetParent().GetSlug(), "sailors")
		children := all(func(page github.ListOptions) ([]*github.Team, *github.Response, error) {
			return vera.Teams.ListChildTeamsByParentSlug(ctx, fleet, "sailors", &page)
		})
		equal("children", slugs(children), []string{"deep-divers", "divers"})
		equal("own", slugs(get(vera.Teams.ListUserTeams(ctx, nil))), []string{"deep-divers", "sailors"})
		ofRepository := get(vera.Repositories.ListTeams(ctx, fleet, boats, nil))
		equal("of a repository", slugs(ofRepository), []string{"sailors"})
		equal("permission", ofRepository[0].GetPermission(), "push")
		done(vera.Teams.DeleteTeamBySlug(ctx, fleet, "deep-divers"))
		_, response, err := vera.Teams.GetTeamBySlug(ctx, fleet, "deep-divers")
		status(404, response, err)
	}},
	{"teamMembers", func() {
		role := &github.TeamAddTeamMembershipOptions{Role: "maintainer"}
		added := get(vera.Teams.AddTeamMembershipBySlug(ctx, fleet, "divers", "walt", role))
		equal("state", added.GetState(), "active")
		equal("role", get(vera.Teams.GetTeamMembershipBySlug(ctx, fleet, "divers", "walt")).GetRole(), "maintainer")
		maintainers := &github.TeamListTeamMembersOptions{Role: "maintainer"}
		equal("members", logins(get(vera.Teams.ListTeamMembersBySlug(ctx, fleet, "divers", maintainers))), []string{"walt"})
		done(vera.Teams.RemoveTeamMembershipBySlug(ctx, fleet, "divers", "walt"))
		_, response, err := vera.Teams.GetTeamMembershipBySlug(ctx, fleet, "divers", "walt")
		status(404, response, err)
	}},
	{"teamRepositories", func() {
		done(vera.Teams.AddTeamRepoBySlug(ctx, fleet, "divers", fleet, "docks", &github.TeamAddTeamRepoOptions{Permission: "maintain"}))
		checked := get(vera.Teams.IsTeamRepoBySlug(ctx, fleet, "divers", fleet, "docks"))
		equal("name", checked.GetFullName(), "fleet/docks")
		equal("maintain", checked.GetPermissions().GetMaintain(), true)
		equal("admin", checked.GetPermissions().GetAdmin(), false)
		listed := all(func(page github.ListOptions) ([]*github.Repository, *github.Response, error) {
			return vera.Teams.ListTeamReposBySlug(ctx, fleet, "divers", &page)
		})
		equal("repositories", fullNames(listed), []string{"fleet/boats", "fleet/docks"})
		done(vera.Teams.RemoveTeamRepoBySlug(ctx, fleet, "divers", fleet, "docks"))
		_, response, err := vera.Teams.IsTeamRepoBySlug(ctx, fleet, "divers", fleet, "docks")
		status(404, response, err)
	}},
	{"collaborators", func() {
		direct := all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
			return vera.Repositories.ListCollaborators(ctx, fleet, boats, &github.ListCollaboratorsOptions{Affiliation: "direct", ListOptions: page})
		})
		equal("logins", logins(direct), []string{"zoe"})
		equal("role", direct[0].GetRoleName(), "triage")
		equal("triage", direct[0].GetPermissions().GetTriage(), true)
		equal("push", direct[0].GetPermissions().GetPush(), false)
		equal("before", get(vera.Repositories.IsCollaborator(ctx, fleet, boats, "zoe")), true)
		level := get(vera.Repositories.GetPermissionLevel(ctx, fleet, boats, "zoe"))
		equal("level", []string{level.GetPermission(), level.GetRoleName(), level.GetUser().GetLogin()}, []string{"read", "triage", "zoe"})
		done(vera.Repositories.RemoveCollaborator(ctx, fleet, boats, "zoe"))
		equal("after", get(vera.Repositories.IsCollaborator(ctx, fleet, boats, "zoe")), false)
	}},
	{"repositoryInvitations", func() {
		invite := func() *github.CollaboratorInvitation {
			return get(vera.Repositories.AddCollaborator(ctx, fleet, boats, "bela", &github.RepositoryAddCollaboratorOptions{Permission: "triage"}))
		}
		added := invite()
		equal("invitee", added.GetInvitee().GetLogin(), "bela")
		recent("created", added.GetCreatedAt())
		list := func() []*github.RepositoryInvitation {
			return get(vera.Repositories.ListInvitations(ctx, fleet, boats, nil))
		}
		equal("id", list()[0].GetID(), added.GetID())
		equal("permissions", get(vera.Repositories.UpdateInvitation(ctx, fleet, boats, added.GetID(), "write")).GetPermissions(), "write")
		bela := as("bela").Users
		invitations := all(func(page github.ListOptions) ([]*github.RepositoryInvitation, *github.Response, error) {
			return bela.ListInvitations(ctx, &page)
		})
		equal("repositories", sorted(invitations, func(one *github.RepositoryInvitation) string { return one.GetRepo().GetName() }), []string{"boats", "docks"})
		done(bela.DeclineInvitation(ctx, added.GetID()))
		done(bela.AcceptInvitation(ctx, get(vera.Repositories.ListInvitations(ctx, fleet, "docks", nil))[0].GetID()))
		equal("role", get(vera.Repositories.GetPermissionLevel(ctx, fleet, "docks", "bela")).GetRoleName(), "read")
		done(vera.Repositories.DeleteInvitation(ctx, fleet, boats, invite().GetID()))
		equal("count", len(list()), 0)
	}},
	{"stars", func() {
		equal("before", get(vera.Activity.IsStarred(ctx, fleet, boats)), false)
		done(vera.Activity.Star(ctx, fleet, boats))
		equal("after", get(vera.Activity.IsStarred(ctx, fleet, boats)), true)
		mine := get(vera.Activity.ListStarred(ctx, "", nil))
		equal("mine", mine[0].GetRepository().GetFullName(), "fleet/boats")
		recent("starred", mine[0].GetStarredAt())
		equal("of a user", get(vera.Activity.ListStarred(ctx, "walt", nil))[0].GetRepository().GetStargazersCount(), 2)
		stargazers := all(func(page github.ListOptions) ([]*github.Stargazer, *github.Response, error) {
			return vera.Activity.ListStargazers(ctx, fleet, boats, &page)
		})
		equal("stargazers", sorted(stargazers, func(one *github.Stargazer) string { return one.GetUser().GetLogin() }), []string{"vera", "walt"})
		equal("year", stargazers[0].GetStarredAt().Year(), 2026)
		done(vera.Activity.Unstar(ctx, fleet, boats))
		equal("at last", get(vera.Activity.IsStarred(ctx, fleet, boats)), false)
	}},
	{"watching", func() {
		set := get(vera.Activity.SetRepositorySubscription(ctx, fleet, boats, &github.Subscription{Subscribed: github.Ptr(true)}))
		equal("subscribed", set.GetSubscribed(), true)
		recent("created", get(vera.Activity.GetRepositorySubscription(ctx, fleet, boats)).GetCreatedAt())
		watchers := all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
			return vera.Activity.ListWatchers(ctx, fleet, boats, &page)
		})
		equal("watchers", logins(watchers), []string{"vera", "walt"})
		equal("mine", fullNames(get(vera.Activity.ListWatched(ctx, "", nil))), []string{"fleet/boats"})
		equal("of a user", fullNames(get(vera.Activity.ListWatched(ctx, "walt", nil))), []string{"fleet/boats"})
		done(vera.Activity.DeleteRepositorySubscription(ctx, fleet, boats))
		// go-github returns nil for 404.
		equal("deleted", get(vera.Activity.GetRepositorySubscription(ctx, fleet, boats)), nil)
	}},
	{"notifications", func() {
		threads := all(func(page github.ListOptions) ([]*github.Notification, *github.Response, error) {
			return vera.Activity.ListNotifications(ctx, &github.NotificationListOptions{ListOptions: page})
		})
		title := func(one *github.Notification) string { return one.GetSubject().GetTitle() }
		equal("titles", sorted(threads, title), []string{"Count the oars", "Mend the sails", "Tar the hull"})
		equal("reason", threads[1].GetReason(), "mention")
		third, second, first := threads[0].GetID(), threads[1].GetID(), threads[2].GetID()
		done(vera.Activity.MarkThreadRead(ctx, first))
		read := get(vera.Activity.GetThread(ctx, first))
		equal("unread", read.GetUnread(), false)
		equal("type", read.GetSubject().GetType(), "Issue")
		recent("read", read.GetLastReadAt())
		equal("ignored", get(vera.Activity.SetThreadSubscription(ctx, second, &github.Subscription{Ignored: github.Ptr(true)})).GetIgnored(), true)
		equal("subscription", get(vera.Activity.GetThreadSubscription(ctx, second)).GetSubscribed(), false)
		done(vera.Activity.DeleteThreadSubscription(ctx, second))
		equal("deleted", get(vera.Activity.GetThreadSubscription(ctx, second)).GetIgnored(), false)
		done(vera.Activity.MarkThreadDone(ctx, third))
		ofRepository := func() []string {
			return sorted(get(vera.Activity.ListRepositoryNotifications(ctx, fleet, boats, nil)), title)
		}
		equal("of a repository", ofRepository(), []string{"Mend the sails"})
		now := github.Timestamp{Time: time.Now()}
		done(vera.Activity.MarkRepositoryNotificationsRead(ctx, fleet, boats, now))
		equal("read", ofRepository(), []string{})
		done(vera.Activity.MarkNotificationsRead(ctx, now))
		equal("all", len(get(vera.Activity.ListNotifications(ctx, &github.NotificationListOptions{All: true}))), 2)
	}},
	{"users: profiles", func() {
		change := github.UserUpdateRequest{Bio: github.Ptr("Mends sails"), Hireable: github.Ptr(true)}
		updated := get(vera.Users.Update(ctx, change))
		equal("updated", []string{updated.GetBio(), updated.GetName()}, []string{"Mends sails", "Vera Voss"})
		equal("hireable", updated.GetHireable(), true)
		listed := get(vera.Users.ListAll(ctx, &github.UserListOptions{Since: updated.GetID(), PerPage: 2}))
		equal("count", len(listed), 2)
		equal("order", updated.GetID() < listed[0].GetID() && listed[0].GetID() < listed[1].GetID(), true)
		byID := get(vera.Users.GetByID(ctx, updated.GetID()))
		equal("by id", []string{byID.GetLogin(), byID.GetBio()}, []string{"vera", "Mends sails"})
		equal("followers", byID.GetFollowers(), 2)
	}},
	{"followers", func() {
		followers := func(login string) []string {
			return logins(all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
				return vera.Users.ListFollowers(ctx, login, &page)
			}))
		}
		following := func(login string) []string {
			return logins(all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
				return vera.Users.ListFollowing(ctx, login, &page)
			}))
		}
		equal("mine", followers(""), []string{"walt", "zoe"})
		equal("of a user", followers("walt"), []string{"zoe"})
		equal("before", get(vera.Users.IsFollowing(ctx, "", "walt")), false)
		done(vera.Users.Follow(ctx, "walt"))
		equal("after", get(vera.Users.IsFollowing(ctx, "", "walt")), true)
		equal("followed by me", following(""), []string{"walt"})
		equal("followed by a user", following("zoe"), []string{"vera", "walt"})
		equal("user", get(vera.Users.IsFollowing(ctx, "vera", "walt")), true)
		done(vera.Users.Unfollow(ctx, "walt"))
		equal("at last", get(vera.Users.IsFollowing(ctx, "vera", "walt")), false)
	}},
	{"emails", func() {
		addresses := func(emails []*github.UserEmail) []string { return sorted(emails, (*github.UserEmail).GetEmail) }
		list := func() []*github.UserEmail {
			return all(func(page github.ListOptions) ([]*github.UserEmail, *github.Response, error) {
				return vera.Users.ListEmails(ctx, &page)
			})
		}
		before := list()
		equal("before", addresses(before), []string{"vera@boats.example", "vera@fleet.example"})
		equal("primary", before[0].GetPrimary() && before[0].GetVerified(), true)
		equal("visibility", before[0].GetVisibility(), "public")
		docks := []string{"vera@docks.example"}
		added := get(vera.Users.AddEmails(ctx, docks))
		equal("added", addresses(added), docks)
		equal("verified", added[0].GetVerified(), false)
		equal("count", len(list()), 3)
		done(vera.Users.DeleteEmails(ctx, docks))
		equal("deleted", list(), before)
		hidden := get(vera.Users.SetEmailVisibility(ctx, "private"))
		equal("hidden", addresses(hidden), []string{"vera@fleet.example"})
		equal("private", hidden[0].GetVisibility(), "private")
	}},
	{"gpgKeys", func() {
		list := func(login string) []*github.GPGKey {
			return all(func(page github.ListOptions) ([]*github.GPGKey, *github.Response, error) {
				return vera.Users.ListGPGKeys(ctx, login, &page)
			})
		}
		key := list("")[0]
		equal("key id", key.GetKeyID(), "67D789D6632A1DB8")
		equal("email", *key.Emails[0], github.GPGEmail{Email: github.Ptr("vera@fleet.example"), Verified: github.Ptr(true)})
		equal("year", key.GetExpiresAt().Year(), 2036)
		done(vera.Users.DeleteGPGKey(ctx, key.GetID()))
		equal("count", len(list("vera")), 0)
		again := get(vera.Users.CreateGPGKey(ctx, key.GetRawKey()))
		equal("again", again.GetKeyID(), key.GetKeyID())
		equal("key", get(vera.Users.GetGPGKey(ctx, again.GetID())), again)
		equal("public", list("vera"), []*github.GPGKey{again})
	}},
	{"sshSigningKeys", func() {
		list := func(login string) []*github.SSHSigningKey {
			return all(func(page github.ListOptions) ([]*github.SSHSigningKey, *github.Response, error) {
				return vera.Users.ListSSHSigningKeys(ctx, login, &page)
			})
		}
		key := list("")[0]
		equal("title", key.GetTitle(), "boats")
		recent("created", key.GetCreatedAt())
		done(vera.Users.DeleteSSHSigningKey(ctx, key.GetID()))
		equal("count", len(list("vera")), 0)
		again := get(vera.Users.CreateSSHSigningKey(ctx, github.CreateSSHSigningKeyRequest{Title: github.Ptr("again"), Key: key.GetKey()}))
		equal("again", []string{again.GetTitle(), again.GetKey()}, []string{"again", key.GetKey()})
		equal("key", get(vera.Users.GetSSHSigningKey(ctx, again.GetID())), again)
		equal("public", list("vera"), []*github.SSHSigningKey{again})
	}},
	{"blocks: organization", func() {
		list := func() []string {
			return logins(all(func(page github.ListOptions) ([]*github.User, *github.Response, error) {
				return vera.Organizations.ListBlockedUsers(ctx, fleet, &page)
			}))
		}
		equal("before", get(vera.Organizations.IsBlocked(ctx, fleet, "xena")), false)
		done(vera.Organizations.BlockUser(ctx, fleet, "xena"))
		equal("after", get(vera.Organizations.IsBlocked(ctx, fleet, "xena")), true)
		equal("logins", list(), []string{"dora", "xena"})
		done(vera.Organizations.UnblockUser(ctx, fleet, "xena"))
		equal("unblocked", list(), []string{"dora"})
	}},
	{"users: administration", func() {
		nora := as("nora")
		done(nora.Users.Suspend(ctx, "dora", nil))
		recent("suspended", get(vera.Users.Get(ctx, "dora")).GetSuspendedAt())
		done(nora.Users.Unsuspend(ctx, "dora"))
		equal("unsuspended", get(vera.Users.Get(ctx, "dora")).SuspendedAt, nil)
		done(nora.Admin.DeleteUser(ctx, "dora"))
		_, response, err := vera.Users.Get(ctx, "dora")
		status(404, response, err)
	}},
}
