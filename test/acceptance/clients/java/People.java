import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.kohsuke.github.GHEmail;
import org.kohsuke.github.GHInvitation;
import org.kohsuke.github.GHMembership;
import org.kohsuke.github.GHOrganization;
import org.kohsuke.github.GHPermissionType;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GHStargazer;
import org.kohsuke.github.GHSubscription;
import org.kohsuke.github.GHTeam;
import org.kohsuke.github.GHThread;
import org.kohsuke.github.GHUser;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;

/** People, teams, stars, watching and notifications, in the organization of people.json. */
final class People {
  /** The owner of the organization. */
  private static final GitHub vera = Clients.as("vera");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("organizations: people", People::organizations);
    groups.put("organizationMembers", People::organizationMembers);
    groups.put("organizationMemberships", People::organizationMemberships);
    groups.put("outsideCollaborators", People::outsideCollaborators);
    groups.put("teams", People::teams);
    groups.put("teams: by id", People::teamsById);
    groups.put("collaborators", People::collaborators);
    groups.put("repositoryInvitations", People::repositoryInvitations);
    groups.put("stars", People::stars);
    groups.put("watching", People::watching);
    groups.put("notifications", People::notifications);
    groups.put("users: profiles", People::profiles);
    groups.put("followers", People::followers);
    groups.put("emails", People::emails);
    return groups;
  }

  private static GHOrganization fleet() throws Exception {
    return vera.getOrganization("fleet");
  }

  private static GHRepository boats() throws Exception {
    return vera.getRepository("fleet/boats");
  }

  private static List<String> logins(Collection<? extends GHUser> users) {
    return users.stream().map(GHUser::getLogin).sorted().toList();
  }

  private static void recent(String name, Instant at) {
    Clients.equal(name, Duration.between(at, Instant.now()).abs().toMinutes() < 10, true);
  }

  /** Expects a call to fail, because the path does not have the method. */
  private static void refused(Clients.Call call) throws Exception {
    try {
      call.run();
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), 405);
      return;
    }
    throw new IllegalStateException("succeeded, expected 405");
  }

  private static void organizations() throws Exception {
    fleet().enableOrganizationProjects(true);
    Clients.equal("name", fleet().getName(), "Fleet");
    Clients.equal("public", vera.getUserPublicOrganizations("walt").keySet(), Set.of("fleet"));
    Clients.equal("private", vera.getUserPublicOrganizations("yuri").keySet(), Set.of());
    List<String> all = vera.listOrganizations().toList().stream().map(GHOrganization::getLogin).sorted().toList();
    Clients.equal("all", all, List.of("fleet", "harbor", "pier", "yard"));
  }

  private static void organizationMembers() throws Exception {
    GHOrganization fleet = fleet();
    List<GHUser> members = fleet.listMembers().withPageSize(1).toList();
    Clients.equal("members", logins(members), List.of("vera", "walt", "yuri", "zoe"));
    Clients.equal("owners", logins(fleet.listMembersWithRole("admin").toList()), List.of("vera"));
    GHUser yuri = vera.getUser("yuri");
    Clients.equal("before", fleet.hasMember(yuri), true);
    fleet.remove(yuri);
    Clients.equal("after", fleet.hasMember(yuri), false);
    Clients.equal("public", logins(fleet.listPublicMembers().toList()), List.of("walt"));
    GHUser own = vera.getUser("vera");
    fleet.publicize(own);
    Clients.equal("publicized", fleet.hasPublicMember(own), true);
    fleet.conceal(own);
    Clients.equal("concealed", fleet.hasPublicMember(own), false);
  }

  private static void organizationMemberships() throws Exception {
    fleet().add(vera.getUser("carl"), GHOrganization.Role.MEMBER);
    Clients.equal("invited", fleet().getMembership("carl").getState(), GHMembership.State.PENDING);
    GitHub carl = Clients.as("carl");
    List<GHMembership> pending = carl.getMyself().listOrgMemberships(GHMembership.State.PENDING).toList();
    Clients.equal("organization", pending.get(0).getOrganization().getLogin(), "fleet");
    GHMembership own = carl.getMyself().getMembership(carl.getOrganization("fleet"));
    Clients.equal("role", own.getRole(), GHMembership.Role.MEMBER);
    Clients.equal("user", own.getUser().getLogin(), "carl");
    // The client sends PATCH to the URL of the membership, which has no such method.
    refused(own::activate);
  }

  private static void outsideCollaborators() throws Exception {
    List<GHUser> outside = fleet().listOutsideCollaborators().withPageSize(1).toList();
    Clients.equal("logins", logins(outside), List.of("adam"));
  }

  private static List<String> slugs(Collection<GHTeam> teams) {
    return teams.stream().map(GHTeam::getSlug).sorted().toList();
  }

  private static void teams() throws Exception {
    Clients.equal("teams", slugs(fleet().listTeams().withPageSize(1).toList()), List.of("divers", "sailors"));
    GHTeam sailors = fleet().getTeamBySlug("sailors");
    Clients.equal("description", sailors.getDescription(), "Hoist sails");
    GHTeam created = fleet().createTeam("Deep Divers").description("Dive").parentTeamId(sailors.getId()).create();
    Clients.equal("slug", created.getSlug(), "deep-divers");
    Clients.equal("privacy", created.getPrivacy(), GHTeam.Privacy.CLOSED);
    Clients.equal("mine", slugs(vera.getMyTeams().get("fleet")), List.of("deep-divers", "sailors"));
    List<GHTeam> ofRepository = List.copyOf(boats().getTeams());
    Clients.equal("of a repository", slugs(ofRepository), List.of("sailors"));
    Clients.equal("permission", ofRepository.get(0).getPermission(), "push");
  }

  /** The client calls these operations with the paths `/organizations/{id}/team/{id}`. */
  private static void teamsById() throws Exception {
    GHTeam divers = fleet().getTeamBySlug("divers");
    GHUser walt = vera.getUser("walt");
    GHRepository docks = vera.getRepository("fleet/docks");
    divers.setDescription("Dive deep");
    Clients.equal("description", fleet().getTeamBySlug("divers").getDescription(), "Dive deep");
    Clients.equal("children", divers.listChildTeams().toList().size(), 0);
    Clients.equal("before", divers.hasMember(walt), false);
    divers.add(walt, GHTeam.Role.MAINTAINER);
    Clients.equal("member", divers.hasMember(walt), true);
    Clients.equal("listed", logins(divers.listMembers().toList()).contains("walt"), true);
    divers.remove(walt);
    Clients.equal("removed", divers.hasMember(walt), false);
    divers.add(docks);
    Clients.equal("added", divers.listRepositories().toList().stream().anyMatch((one) -> one.getName().equals("docks")), true);
    divers.remove(docks);
    Clients.equal("left", divers.listRepositories().toList().stream().anyMatch((one) -> one.getName().equals("docks")), false);
    divers.delete();
    Clients.absent(() -> fleet().getTeamBySlug("divers"));
  }

  private static void collaborators() throws Exception {
    GHRepository boats = boats();
    List<GHUser> direct = boats.listCollaborators(GHRepository.CollaboratorAffiliation.DIRECT).withPageSize(1).toList();
    Clients.equal("direct", logins(direct), List.of("adam", "zoe"));
    GHUser zoe = vera.getUser("zoe");
    Clients.equal("before", boats.isCollaborator(zoe), true);
    Clients.equal("permission", boats.getPermission("adam"), GHPermissionType.READ);
    boats.addCollaborators(GHOrganization.RepositoryRole.from(GHOrganization.Permission.ADMIN), zoe);
    Clients.equal("changed", boats.getPermission(zoe), GHPermissionType.ADMIN);
    GHUser adam = vera.getUser("adam");
    boats.removeCollaborators(adam);
    Clients.equal("after", boats.isCollaborator(adam), false);
  }

  private static void repositoryInvitations() throws Exception {
    GHRepository boats = boats();
    boats.addCollaborators(GHOrganization.RepositoryRole.from(GHOrganization.Permission.TRIAGE), vera.getUser("bela"));
    GHInvitation first = boats.listInvitations().toList().get(0);
    recent("created", first.getCreatedAt());
    List<GHInvitation> invitations = Clients.as("bela").getMyInvitations();
    Clients.equal("count", invitations.size(), 2);
    // The client does not read the ids of invitations.
    for (GHInvitation one : invitations) {
      if (one.getHtmlUrl().equals(first.getHtmlUrl())) one.accept();
      else one.decline();
    }
    Clients.equal("accepted", boats.isCollaborator(vera.getUser("bela")), true);
    Clients.equal("left", Clients.as("bela").getMyInvitations().size(), 0);
  }

  private static void stars() throws Exception {
    GHRepository boats = boats();
    boats.star();
    Clients.equal("count", boats().getStargazersCount(), 2);
    List<GHStargazer> stargazers = boats.listStargazers2().withPageSize(1).toList();
    Clients.equal("login", stargazers.get(0).getUser().getLogin(), "walt");
    Clients.equal("time", stargazers.get(0).getStarredAt(), Instant.parse("2026-01-01T00:00:00Z"));
    recent("starred", stargazers.get(1).getStarredAt());
    List<GHRepository> starred = vera.getUser("walt").listStarredRepositories().toList();
    Clients.equal("starred", starred.get(0).getFullName(), "fleet/boats");
    boats.unstar();
    Clients.equal("unstarred", boats().getStargazersCount(), 1);
  }

  private static void watching() throws Exception {
    GHRepository boats = boats();
    Clients.equal("before", boats.getSubscription(), null);
    Clients.equal("set", boats.subscribe(true, false).isSubscribed(), true);
    GHSubscription subscription = boats.getSubscription();
    Clients.equal("ignored", subscription.isIgnored(), false);
    recent("created", subscription.getCreatedAt());
    Clients.equal("watchers", logins(boats.listSubscribers().withPageSize(1).toList()), List.of("vera", "walt"));
    List<GHRepository> watched = vera.getUser("walt").listSubscriptions().toList();
    Clients.equal("watched", watched.get(0).getFullName(), "fleet/boats");
    subscription.delete();
    Clients.equal("after", boats.getSubscription(), null);
  }

  private static List<GHThread> threads(Iterable<GHThread> stream) {
    return StreamSupport.stream(stream.spliterator(), false).toList();
  }

  private static void notifications() throws Exception {
    List<GHThread> threads = threads(vera.listNotifications().nonBlocking(true));
    List<String> titles = threads.stream().map(GHThread::getTitle).sorted().toList();
    Clients.equal("titles", titles, List.of("Count the oars", "Mend the sails", "Tar the hull"));
    GHThread first = threads.stream().filter(one -> one.getTitle().equals("Tar the hull")).findFirst().orElseThrow();
    Clients.equal("reason", first.getReason(), "assign");
    Clients.equal("read", first.isRead(), false);
    Clients.equal("type", first.getType(), "Issue");
    Clients.equal("issue", first.getBoundIssue().getNumber(), 1);
    first.markAsRead();
    Clients.equal("ignored", first.subscribe(false, true).isIgnored(), true);
    // The client sends POST instead of GET.
    refused(first::getSubscription);
    Clients.equal("unread", threads(boats().listNotifications().nonBlocking(true)).size(), 2);
    // The client sends GET instead of PUT.
    boats().listNotifications().markAsRead();
    vera.listNotifications().markAsRead();
    Clients.equal("not marked", threads(boats().listNotifications().nonBlocking(true)).size(), 2);
    List<GHThread> all = threads(vera.listNotifications().read(true).nonBlocking(true));
    Clients.equal("all", all.size(), 3);
  }

  private static void profiles() throws Exception {
    List<String> all = logins(vera.listUsers().withPageSize(1).toList());
    Clients.equal("all", all.containsAll(List.of("fleet", "vera", "walt")), true);
    Clients.equal("distinct", all.stream().distinct().toList(), all);
  }

  private static void followers() throws Exception {
    GHUser walt = vera.getUser("walt");
    GHUser own = vera.getUser("vera");
    Clients.equal("followers", logins(own.listFollowers().withPageSize(1).toList()), List.of("walt", "zoe"));
    Clients.equal("before", own.getFollows().size(), 0);
    walt.follow();
    Clients.equal("follows", logins(own.getFollows()), List.of("walt"));
    Clients.equal("followers of walt", logins(walt.getFollowers()), List.of("vera", "zoe"));
    walt.unfollow();
    Clients.equal("after", own.getFollows().size(), 0);
  }

  private static void emails() throws Exception {
    List<GHEmail> emails = vera.getMyself().listEmails().withPageSize(1).toList();
    List<String> addresses = emails.stream().map(GHEmail::getEmail).toList();
    Clients.equal("addresses", addresses, List.of("vera@fleet.example", "vera@boats.example"));
    Clients.equal("primary", emails.stream().map(GHEmail::isPrimary).toList(), List.of(true, false));
    Clients.equal("verified", emails.stream().map(GHEmail::isVerified).toList(), List.of(true, true));
  }
}
