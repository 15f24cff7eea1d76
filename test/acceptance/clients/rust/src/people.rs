//! People, teams, stars, watching and notifications, in the organization of people.json.

use crate::{Outcome, equal, recent, sorted, status, with_token};
use octocrab::{
    Octocrab,
    models::{
        Author,
        memberships::Role,
        orgs::{OrgMembershipState, Organization},
        repos::InvitationPermission,
    },
    params::{
        orgs::Role as OrgRole,
        teams::{Permission, Privacy},
        users::emails::EmailVisibilityState,
    },
    repos::RepoHandler,
};
use serde_json::json;

const FLEET: &str = "fleet";
const BOATS: &str = "boats";

fn boats(client: &Octocrab) -> RepoHandler<'_> {
    client.repos(FLEET, BOATS)
}

fn logins(accounts: &[Author]) -> Vec<String> {
    sorted(accounts, |one| one.login.clone())
}

fn organization_logins(organizations: &[Organization]) -> Vec<String> {
    sorted(organizations, |one| one.login.clone())
}

pub async fn organizations(client: &Octocrab) -> Outcome {
    let change = json!({ "description": "Sails", "default_repository_permission": "write" });
    let updated = client.orgs(FLEET).update(&change).await?;
    equal("description", updated.description.as_deref(), Some("Sails"))?;
    let public = client.users("walt").list_orgs().send().await?;
    equal("public", organization_logins(&public.items), [FLEET])?;
    let private = client.users("yuri").list_orgs().send().await?;
    equal("private", private.items.len(), 0)?;
    let all = client.all_organizations().send().await?;
    equal("all", organization_logins(&all.items), ["fleet", "harbor", "pier", "yard"])
}

pub async fn organization_members(client: &Octocrab) -> Outcome {
    let org = client.orgs(FLEET);
    let page = org.list_members().per_page(1).send().await?;
    let members = client.all_pages(page).await?;
    equal("members", logins(&members), ["vera", "walt", "yuri", "zoe"])?;
    equal("before", org.check_membership("yuri").await?, true)?;
    org.remove_member("yuri").await?;
    equal("after", org.check_membership("yuri").await?, false)?;
    let public = org.list_public_members().send().await?;
    equal("public", logins(&public.items), ["walt"])?;
    org.publicize_membership("vera").await?;
    equal("publicized", org.check_public_membership("vera").await?, true)?;
    org.conceal_membership("vera").await?;
    equal("concealed", org.check_public_membership("vera").await?, false)
}

pub async fn organization_memberships(client: &Octocrab) -> Outcome {
    let org = client.orgs(FLEET);
    let set = org.add_or_update_membership("carl", Some(OrgRole::Member)).await?;
    equal("state", set.state, "pending")?;
    equal("user", set.user.login, "carl")?;
    let carl = with_token("carl");
    let own = carl
        .current()
        .list_org_memberships_for_authenticated_user()
        .send()
        .await?;
    equal("organization", own.items[0].organization.login.as_str(), FLEET)?;
    let accepted = carl
        .current()
        .update_org_membership(FLEET, OrgMembershipState::Active)
        .await?;
    equal("accepted", accepted.state, OrgMembershipState::Active)?;
    equal("own", carl.current().get_org_membership(FLEET).await?.role, "member")?;
    equal("of a user", org.get_membership("carl").await?.state, "active")?;
    org.remove_membership("carl").await?;
    status(404, org.get_membership("carl").await)
}

pub async fn organization_invitations(client: &Octocrab) -> Outcome {
    let org = client.orgs(FLEET);
    let invitations = org.invitations();
    let page = invitations.list().per_page(1).send().await?;
    let listed = client.all_pages(page).await?;
    equal("login", listed[0].login.as_deref(), Some("xena"))?;
    equal(
        "inviter",
        listed[0].inviter.as_ref().map(|one| one.login.as_str()),
        Some("vera"),
    )?;
    recent("created", listed[0].created_at)?;
    let teams = invitations.list_teams(listed[0].id).send().await?.items;
    equal("teams", sorted(&teams, |one| one.slug.clone()), ["sailors"])?;
    let created = invitations
        .create()
        .email("carl@fleet.example")
        .role("admin")
        .team_ids(vec![teams[0].id.0])
        .send()
        .await?;
    equal("role", created.role, "admin")?;
    equal("team count", created.team_count, Some(1))?;
    invitations.cancel(created.id).await?;
    equal("count", invitations.list().send().await?.items.len(), 1)
}

pub async fn outside_collaborators(client: &Octocrab) -> Outcome {
    let org = client.orgs(FLEET);
    let page = org.list_outside_collaborators().per_page(1).send().await?;
    equal("before", logins(&client.all_pages(page).await?), ["adam"])?;
    org.convert_to_outside_collaborator("zoe").await?;
    let converted = org.list_outside_collaborators().send().await?;
    equal("converted", logins(&converted.items), ["adam", "zoe"])?;
    org.remove_outside_collaborator("adam").await?;
    let removed = org.list_outside_collaborators().send().await?;
    equal("removed", logins(&removed.items), ["zoe"])
}

pub async fn teams(client: &Octocrab) -> Outcome {
    let teams = client.teams(FLEET);
    let page = teams.list().per_page(1).send().await?;
    let listed = client.all_pages(page).await?;
    equal("teams", sorted(&listed, |one| one.slug.clone()), ["divers", "sailors"])?;
    let created = teams
        .create("Deep Divers")
        .description("Dive")
        .privacy(Privacy::Closed)
        .send()
        .await?;
    equal("slug", created.slug, "deep-divers")?;
    let sailors = teams.get("sailors").await?;
    equal("description", sailors.description.as_deref(), Some("Hoist sails"))?;
    equal(
        "counts",
        (sailors.members_count, sailors.repos_count),
        (Some(2), Some(1)),
    )?;
    let edited = teams
        .edit("deep-divers", "Deep Divers")
        .description("Dive deep")
        .parent_team_id(sailors.id)
        .send()
        .await?;
    equal("edited", edited.description.as_deref(), Some("Dive deep"))?;
    let page = teams.list_children("sailors").per_page(1).send().await?;
    let children = client.all_pages(page).await?;
    equal(
        "children",
        sorted(&children, |one| one.slug.clone()),
        ["deep-divers", "divers"],
    )?;
    let mine = client.current().list_all_teams_for_auth_user().send().await?.items;
    equal(
        "mine",
        sorted(&mine, |one| one.slug.clone()),
        ["deep-divers", "sailors"],
    )?;
    let of_repository = boats(client).list_teams().send().await?.items;
    equal(
        "of a repository",
        sorted(&of_repository, |one| one.slug.clone()),
        ["sailors"],
    )?;
    equal("permission", of_repository[0].permission.as_str(), "push")?;
    teams.delete("deep-divers").await?;
    status(404, teams.get("deep-divers").await)
}

pub async fn team_members(client: &Octocrab) -> Outcome {
    let teams = client.teams(FLEET);
    let memberships = teams.memberships("divers");
    memberships.add_or_update("walt", Role::Maintainer).await?;
    equal("role", memberships.get("walt").await?.role, Role::Maintainer)?;
    let members = teams.members("divers").send().await?;
    equal("members", logins(&members.items), ["walt"])?;
    memberships.remove("walt").await?;
    status(404, memberships.get("walt").await)
}

pub async fn team_repositories(client: &Octocrab) -> Outcome {
    let teams = client.teams(FLEET);
    let repos = teams.repos("divers");
    repos.add_or_update(FLEET, "docks", Permission::Maintain).await?;
    // octocrab expects a repository, which it does not ask for.
    let checked = repos.check_manages(FLEET, "docks").await;
    equal("error", matches!(checked, Err(octocrab::Error::Json { .. })), true)?;
    let page = repos.list().per_page(1).send().await?;
    let listed = client.all_pages(page).await?;
    equal(
        "repositories",
        sorted(&listed, |one| one.name.clone()),
        ["boats", "docks"],
    )?;
    repos.remove(FLEET, "docks").await?;
    equal("removed", repos.check_manages(FLEET, "docks").await?.is_none(), true)
}

pub async fn collaborators(client: &Octocrab) -> Outcome {
    let repo = boats(client);
    let page = repo.list_collaborators().per_page(1).send().await?;
    let collaborators = client.all_pages(page).await?;
    let zoe = collaborators
        .iter()
        .find(|one| one.author.login == "zoe")
        .ok_or("no zoe")?;
    equal("triage", (zoe.permissions.triage, zoe.permissions.push), (true, false))?;
    equal("before", repo.is_collaborator("zoe").await?, true)?;
    // octocrab does not know the permissions `read` and `write`.
    let permission = repo.get_contributor_permission("vera").send().await?;
    equal("role", permission.role_name.as_str(), "admin")?;
    repo.remove_collaborator("zoe").await?;
    equal("after", repo.is_collaborator("zoe").await?, false)
}

pub async fn repository_invitations(client: &Octocrab) -> Outcome {
    let repo = boats(client);
    let add = || repo.add_collaborator("bela").permission(Permission::Triage).send();
    let added = add().await?.ok_or("no invitation")?;
    equal("invitee", added.invitee.map(|one| one.login), Some("bela".to_string()))?;
    recent("created", added.created_at)?;
    let invitations = repo.invitations();
    equal("id", invitations.list().send().await?.items[0].id, added.id)?;
    let updated = invitations.update(added.id).permissions("write").send().await?;
    equal("updated", updated.permissions, InvitationPermission::Write)?;
    let bela = with_token("bela");
    let page = bela.current().list_repository_invitations().per_page(1).send().await?;
    let own = bela.all_pages(page).await?;
    equal(
        "repositories",
        sorted(&own, |one| one.repository.name.clone()),
        ["boats", "docks"],
    )?;
    for invitation in own {
        if invitation.id == added.id {
            bela.current().decline_repository_invitation(invitation.id).await?;
        } else {
            bela.current().accept_repository_invitation(invitation.id).await?;
        }
    }
    equal(
        "accepted",
        client.repos(FLEET, "docks").is_collaborator("bela").await?,
        true,
    )?;
    let again = add().await?.ok_or("no invitation")?;
    invitations.delete(again.id).await?;
    equal("count", invitations.list().send().await?.items.len(), 0)
}

pub async fn stars(client: &Octocrab) -> Outcome {
    let activity = client.activity();
    let starring = activity.starring();
    equal("before", starring.check(FLEET, BOATS).await?, false)?;
    starring.star(FLEET, BOATS).await?;
    equal("after", starring.check(FLEET, BOATS).await?, true)?;
    equal("count", starring.count(FLEET, BOATS).await?.count, 2)?;
    let mine = client
        .current()
        .list_repos_starred_by_authenticated_user()
        .send()
        .await?;
    equal("mine", mine.items[0].full_name.as_deref(), Some("fleet/boats"))?;
    let starred = starring.list_repos_starred_by_user("walt").send().await?;
    equal("of a user", starred.items[0].repo.stargazers_count, Some(2))?;
    let stargazers = boats(client).list_stargazers().send().await?.items;
    equal(
        "stargazers",
        sorted(&stargazers, |one| {
            one.user.as_ref().map(|user| user.login.clone()).unwrap_or_default()
        }),
        ["vera", "walt"],
    )?;
    recent("starred", stargazers[1].starred_at.ok_or("no time")?)?;
    starring.unstar(FLEET, BOATS).await?;
    equal("at last", starring.check(FLEET, BOATS).await?, false)
}

pub async fn watching(client: &Octocrab) -> Outcome {
    let activity = client.activity();
    let watching = activity.watching();
    let set = watching
        .set_repository_subscription(FLEET, BOATS)
        .subscribed(true)
        .send()
        .await?;
    equal("subscribed", (set.subscribed, set.ignored), (true, false))?;
    recent(
        "created",
        watching.get_repository_subscription(FLEET, BOATS).await?.created_at,
    )?;
    let page = watching.list_watchers(FLEET, BOATS).per_page(1).send().await?;
    equal("watchers", logins(&client.all_pages(page).await?), ["vera", "walt"])?;
    let mine = watching.list_watched_repos_for_authenticated_user().send().await?;
    equal("mine", mine.items[0].full_name.as_deref(), Some("fleet/boats"))?;
    let of_user = watching.list_watched_repos_for_user("walt").send().await?;
    equal("of a user", of_user.items[0].full_name.as_deref(), Some("fleet/boats"))?;
    watching.delete_repository_subscription(FLEET, BOATS).await?;
    status(404, watching.get_repository_subscription(FLEET, BOATS).await)
}

pub async fn notifications(client: &Octocrab) -> Outcome {
    let activity = client.activity();
    let notifications = activity.notifications();
    let page = notifications.list().per_page(1).send().await?;
    let threads = client.all_pages(page).await?;
    let titles: Vec<&str> = threads.iter().map(|one| one.subject.title.as_str()).collect();
    equal("titles", titles, ["Count the oars", "Mend the sails", "Tar the hull"])?;
    equal("reason", threads[1].reason.as_str(), "mention")?;
    let (third, second, first) = (threads[0].id, threads[1].id, threads[2].id);
    notifications.mark_as_read(first).await?;
    let read = notifications.get(first).await?;
    equal("unread", read.unread, false)?;
    equal("type", read.subject.r#type.as_str(), "Issue")?;
    recent("read", read.last_read_at.ok_or("no time")?)?;
    let thread = second.0.into();
    equal(
        "ignored",
        notifications.set_thread_subscription(thread, true).await?.ignored,
        true,
    )?;
    equal(
        "subscribed",
        notifications.get_thread_subscription(thread).await?.subscribed,
        false,
    )?;
    notifications.delete_thread_subscription(thread).await?;
    notifications.mark_as_done(third).await?;
    let of_repository = notifications.list_for_repo(FLEET, BOATS).send().await?;
    equal("of a repository", of_repository.items.len(), 1)?;
    notifications.mark_repo_as_read(FLEET, BOATS, None).await?;
    let left = notifications.list_for_repo(FLEET, BOATS).send().await?;
    equal("left", left.items.len(), 0)?;
    notifications.mark_all_as_read(None).await?;
    equal("all", notifications.list().all(true).send().await?.items.len(), 2)
}

pub async fn profiles(client: &Octocrab) -> Outcome {
    let vera = client.users("vera").profile().await?;
    // octocrab sends null for a missing member, which only `twitter_username` can have.
    let change = json!({
        "name": "Vera Voss",
        "email": "vera@fleet.example",
        "blog": "",
        "company": "",
        "location": "",
        "hireable": true,
        "bio": "Mends sails",
    });
    let updated = client.current().update_user(serde_json::from_value(change)?).await?;
    equal("updated", updated.login.as_str(), "vera")?;
    let page = client.all_users().per_page(1).send().await?;
    let all = logins(&client.all_pages(page).await?);
    for login in ["fleet", "vera", "walt"] {
        equal(login, all.contains(&login.to_string()), true)?;
    }
    let since = client.all_users().since(vera.id).send().await?;
    equal("since", since.items.iter().all(|one| one.id > vera.id), true)?;
    let by_id = client.users_by_id(vera.id).profile().await?;
    equal("by id", by_id.login.as_str(), "vera")?;
    equal("bio", by_id.bio.as_deref(), Some("Mends sails"))?;
    equal("followers", (by_id.followers, by_id.following), (2, 0))
}

pub async fn followers(client: &Octocrab) -> Outcome {
    let own = client.current();
    let page = own.list_followers().per_page(1).send().await?;
    let mine = client.all_pages(page).await?;
    equal("mine", sorted(&mine, |one| one.login.clone()), ["walt", "zoe"])?;
    let of_user = client.users("walt").followers().send().await?.items;
    equal("of a user", sorted(&of_user, |one| one.login.clone()), ["zoe"])?;
    equal("before", own.is_following("walt").await?, false)?;
    own.follow("walt").await?;
    equal("after", own.is_following("walt").await?, true)?;
    let followed = own.follows().send().await?.items;
    equal("followed by me", sorted(&followed, |one| one.login.clone()), ["walt"])?;
    let page = client.users("zoe").following().per_page(1).send().await?;
    let by_user = client.all_pages(page).await?;
    equal(
        "followed by a user",
        sorted(&by_user, |one| one.login.clone()),
        ["vera", "walt"],
    )?;
    let vera = client.users("vera");
    equal("user", vera.is_following("walt").await?, true)?;
    own.unfollow("walt").await?;
    equal("at last", vera.is_following("walt").await?, false)
}

pub async fn emails(client: &Octocrab) -> Outcome {
    let vera = client.users("vera");
    let page = vera.emails().per_page(1).list().await?;
    let emails = client.all_pages(page).await?;
    equal(
        "emails",
        sorted(&emails, |one| one.email.clone()),
        ["vera@boats.example", "vera@fleet.example"],
    )?;
    equal("primary", (emails[0].primary, emails[0].verified), (true, true))?;
    let docks = vec!["vera@docks.example".to_string()];
    let added = vera.emails().add(docks.clone()).await?;
    equal("added", sorted(&added, |one| one.email.clone()), docks.clone())?;
    equal("verified", added[0].verified, false)?;
    vera.emails().delete(docks).await?;
    equal("count", vera.emails().list().await?.items.len(), 2)?;
    let public = vera.emails().list_public().await?.items;
    equal("public", public[0].email.as_str(), "vera@fleet.example")?;
    // octocrab sends the visibility with additional quotation marks.
    status(
        422,
        vera.set_primary_email_visibility(EmailVisibilityState::Private).await,
    )
}

/// octocrab reads no key, because it expects a number instead of null as `primary_key_id`.
pub async fn gpg_keys(client: &Octocrab) -> Outcome {
    let vera = client.users("vera");
    let unread = |result| {
        let is_unread = matches!(
            result,
            Err(octocrab::Error::Json { .. } | octocrab::Error::Serde { .. })
        );
        equal("error", is_unread, true)
    };
    unread(vera.gpg_keys().list().await.map(drop))?;
    unread(vera.list_user_gpg_keys().send().await.map(drop))?;
    let response = client._get("/user/gpg_keys").await?;
    let keys: serde_json::Value = serde_json::from_str(&client.body_to_string(response).await?)?;
    let id = keys[0]["id"].as_u64().ok_or("no id")?;
    let raw_key = keys[0]["raw_key"].as_str().ok_or("no key")?;
    unread(vera.gpg_keys().get(id).await.map(drop))?;
    vera.gpg_keys().delete(id).await?;
    equal("public", vera.list_user_gpg_keys().send().await?.items.len(), 0)?;
    unread(
        vera.gpg_keys()
            .add("again".to_string(), raw_key.to_string())
            .await
            .map(drop),
    )
}

pub async fn ssh_signing_keys(client: &Octocrab) -> Outcome {
    let vera = client.users("vera");
    let page = vera.ssh_signing_keys().per_page(1).list().await?;
    let keys = client.all_pages(page).await?;
    equal("title", keys[0].title.as_str(), "boats")?;
    recent("created", keys[0].created_at)?;
    vera.ssh_signing_keys().delete(keys[0].id).await?;
    equal("count", vera.list_user_ssh_signing_keys().send().await?.items.len(), 0)?;
    let added = vera
        .ssh_signing_keys()
        .add("again".to_string(), keys[0].key.clone())
        .await?;
    let again = vera.ssh_signing_keys().get(added.id).await?;
    equal(
        "again",
        (again.title, again.key),
        ("again".to_string(), keys[0].key.clone()),
    )?;
    let public = vera.list_user_ssh_signing_keys().send().await?.items;
    equal("public", public[0].id, added.id)
}

pub async fn blocks(client: &Octocrab) -> Outcome {
    let org = client.orgs(FLEET);
    equal("before", org.check_blocked_user("xena").await?, false)?;
    org.block_user("xena").await?;
    equal("after", org.check_blocked_user("xena").await?, true)?;
    let page = org.list_blocked_users().per_page(1).send().await?;
    equal("logins", logins(&client.all_pages(page).await?), ["dora", "xena"])?;
    org.unblock_user("xena").await?;
    let unblocked = org.list_blocked_users().send().await?;
    equal("unblocked", logins(&unblocked.items), ["dora"])
}
