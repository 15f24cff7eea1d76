import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.kohsuke.github.GHBranch;
import org.kohsuke.github.GHCommit;
import org.kohsuke.github.GHCompare;
import org.kohsuke.github.GHContent;
import org.kohsuke.github.GHEvent;
import org.kohsuke.github.GHEventInfo;
import org.kohsuke.github.GHEventPayload;
import org.kohsuke.github.GHRateLimit;
import org.kohsuke.github.GHTag;

/** Groups that only read. */
final class Readings {
  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("root", Clients.olive::checkApiUrlValidity);
    groups.put("rateLimit", Readings::rateLimit);
    groups.put("users", Readings::users);
    groups.put("organizations", Readings::organizations);
    groups.put("branches", Readings::branches);
    groups.put("tags", Readings::tags);
    groups.put("commits", Readings::commits);
    groups.put("search", Readings::search);
    groups.put("events", Readings::events);
    return groups;
  }

  private static void rateLimit() throws Exception {
    GHRateLimit limits = Clients.olive.getRateLimit();
    Clients.equal("limit", limits.getCore().getLimit(), 5000);
    Clients.equal("search", limits.getSearch().getLimit(), 30);
  }

  private static void users() throws Exception {
    Clients.equal("me", Clients.olive.getMyself().getLogin(), "olive");
    Clients.equal("name", Clients.olive.getUser("piers").getName(), "Piers Quay");
    Clients.absent(() -> Clients.olive.getUser("nobody"));
  }

  private static void organizations() throws Exception {
    Clients.equal("mine", Clients.olive.getMyOrganizations().keySet(), Set.of("harbor", "pier"));
    Clients.equal("name", Clients.harbor().getName(), "Harbor Board");
  }

  private static void branches() throws Exception {
    Map<String, GHBranch> branches = Clients.hello().getBranches();
    List<String> names =
        List.of("clash", "greet-danish", "greet-finnish", "greet-late", "greet-swedish", "guarded", "guarded-2", "guarded-3", "guarded-4", "guarded-5", "main", "old", "side");
    Clients.equal("names", branches.keySet().stream().sorted().toList(), names);
    Clients.equal("side", branches.get("side").getSHA1(), Clients.fixture("PARENT"));
    GHBranch branch = Clients.hello().getBranch("main");
    Clients.equal("commit", branch.getSHA1(), Clients.fixture("COMMIT"));
    Clients.equal("protected", branch.isProtected(), false);
  }

  private static void tags() throws Exception {
    List<GHTag> tags = Clients.hello().listTags().withPageSize(1).toList();
    Clients.equal("names", tags.stream().map(GHTag::getName).sorted().toList(), List.of("light", "v1"));
    Clients.equal("commit", tags.get(0).getCommit().getSHA1(), Clients.fixture("COMMIT"));
  }

  private static void commits() throws Exception {
    List<GHCommit> commits = Clients.hello().listCommits().withPageSize(1).toList();
    List<String> ids = commits.stream().map(GHCommit::getSHA1).toList();
    Clients.equal("commits", ids, List.of(Clients.fixture("COMMIT"), Clients.fixture("PARENT")));
    Clients.equal("of a path", Clients.hello().queryCommits().path("docs").list().toList().size(), 1);
    GHCommit commit = Clients.hello().getCommit("main");
    Clients.equal("message", commit.getCommitShortInfo().getMessage(), "Write a manual");
    Clients.equal("parents", commit.getParentSHA1s(), List.of(Clients.fixture("PARENT")));
    List<String> files = commit.listFiles().toList().stream().map(GHCommit.File::getFileName).sorted().toList();
    Clients.equal("files", files, List.of("docs/CODEOWNERS", "docs/manual.md", "link"));
    GHCompare comparison = Clients.hello().getCompare("side", "main");
    Clients.equal("ahead", comparison.getAheadBy(), 1);
    Clients.equal("status", comparison.getStatus(), GHCompare.Status.ahead);
    Clients.equal("merge base", comparison.getMergeBaseCommit().getSHA1(), Clients.fixture("PARENT"));
  }

  private static void search() throws Exception {
    List<GHContent> found = Clients.olive.searchContent().q("ahoy").repo("harbor/hello").list().toList();
    List<String> paths = found.stream().map(GHContent::getPath).sorted().toList();
    Clients.equal("paths", paths, List.of("docs/manual.md", "src/greet.ts"));
    Clients.equal("owner", found.get(0).getOwner().getFullName(), "harbor/hello");
  }

  private static void events() throws Exception {
    List<GHEventInfo> events = Clients.hello().listEvents().withPageSize(1).toList();
    List<GHEvent> types = events.stream().map(GHEventInfo::getType).collect(Collectors.toList());
    for (GHEvent type : List.of(GHEvent.CREATE, GHEvent.DELETE, GHEvent.PUBLIC, GHEvent.PUSH, GHEvent.WATCH)) {
      Clients.equal(type.name(), types.contains(type), true);
    }
    for (GHEventInfo event : events) {
      Clients.equal("repository", event.getRepository().getFullName(), "harbor/hello");
      Clients.equal("actor", List.of("olive", "piers").contains(event.getActorLogin()), true);
      if (event.getType() == GHEvent.PUSH) {
        Clients.equal("reference", event.getPayload(GHEventPayload.Push.class).getRef(), "refs/heads/main");
      }
    }
    Clients.equal("public", Clients.olive.getEvents().isEmpty(), false);
    Clients.equal("organization", Clients.harbor().listEvents().toList().isEmpty(), false);
    Clients.equal("by user", Clients.olive.getUser("piers").listEvents().toList().isEmpty(), false);
    Clients.equal("by user, public", Clients.olive.getUserPublicEvents("piers").isEmpty(), false);
  }
}
