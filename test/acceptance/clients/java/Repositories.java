import java.io.BufferedReader;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.kohsuke.github.GHAutolink;
import org.kohsuke.github.GHBranchSync;
import org.kohsuke.github.GHCommit;
import org.kohsuke.github.GHDirection;
import org.kohsuke.github.GHLicense;
import org.kohsuke.github.GHOrganization;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GHRepositorySearchBuilder;
import org.kohsuke.github.GHUser;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;
import org.kohsuke.github.MarkdownMode;
import org.kohsuke.github.PagedSearchIterable;

/** Settings, templates, transfers, forks and searches of repositories, in the organization of people.json. */
final class Repositories {
  /** The owner of the organization. */
  private static final GitHub rosa = Clients.as("rosa");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("search: repositories", Repositories::searchRepositories);
    groups.put("search: users", Repositories::searchUsers);
    groups.put("search: commits", Repositories::searchCommits);
    groups.put("repositories: settings", Repositories::settings);
    groups.put("repositories: templates", Repositories::templates);
    groups.put("repositories: public", Repositories::listPublic);
    groups.put("autolinks", Repositories::autolinks);
    groups.put("licenses", Repositories::licenses);
    groups.put("markdown", Repositories::markdown);
    groups.put("meta", Repositories::meta);
    groups.put("forks", Repositories::forks);
    return groups;
  }

  private static GHOrganization yard() throws Exception {
    return rosa.getOrganization("yard");
  }

  private static GHRepository hulls() throws Exception {
    return rosa.getRepository("yard/hulls");
  }

  private static GHRepository plans() throws Exception {
    return rosa.getRepository("yard/plans");
  }

  private static List<String> fullNames(List<GHRepository> repositories) {
    return repositories.stream().map(GHRepository::getFullName).toList();
  }

  private static String text(Reader reader) {
    return new BufferedReader(reader).lines().collect(Collectors.joining("\n"));
  }

  /** Commits a file to the branch main, and returns the id of the commit. */
  private static String write(GHRepository repository, String path, String content) throws Exception {
    return repository
        .createContent()
        .path(path)
        .content(content)
        .message("Write " + path)
        .branch("main")
        .commit()
        .getCommit()
        .getSHA1();
  }

  /** Expects a call to fail with a status. */
  static void fails(int status, Clients.Call call) throws Exception {
    try {
      call.run();
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), status);
      return;
    }
    throw new IllegalStateException("succeeded, expected " + status);
  }

  private static void searchRepositories() throws Exception {
    PagedSearchIterable<GHRepository> found =
        rosa.searchRepositories()
            .q("hulls")
            .org("yard")
            .sort(GHRepositorySearchBuilder.Sort.STARS)
            .order(GHDirection.DESC)
            .list()
            .withPageSize(1);
    Clients.equal("names", fullNames(found.toList()), List.of("yard/hulls", "yard/plans"));
    Clients.equal("total", found.getTotalCount(), 2);
    Clients.equal("incomplete", found.isIncomplete(), false);
    List<GHRepository> typescript = rosa.searchRepositories().language("typescript").org("yard").list().toList();
    Clients.equal("of a language", fullNames(typescript), List.of("yard/plans"));
  }

  private static void searchUsers() throws Exception {
    List<GHUser> found = rosa.searchUsers().q("reyes").location("rotterdam").type("user").list().toList();
    Clients.equal("logins", found.stream().map(GHUser::getLogin).toList(), List.of("rosa"));
    Clients.equal("name", found.get(0).getName(), "Rosa Reyes");
  }

  private static void searchCommits() throws Exception {
    String id = write(hulls(), "seams.md", "dry\n");
    List<GHCommit> found = rosa.searchCommits().q("seams").repo("yard/hulls").author("rosa").list().toList();
    Clients.equal("ids", found.stream().map(GHCommit::getSHA1).toList(), List.of(id));
    // The client takes the repository from the URL, at the place where it is at api.github.com.
    Clients.equal("repository", found.get(0).getOwner(), null);
  }

  private static void settings() throws Exception {
    GHRepository created =
        yard()
            .createRepository("masts")
            .private_(true)
            .autoInit(true)
            .gitignoreTemplate("Node")
            .licenseTemplate("mit")
            .wiki(false)
            .allowRebaseMerge(false)
            .deleteBranchOnMerge(true)
            .create();
    Clients.equal("private", created.isPrivate(), true);
    Clients.equal("wiki", created.hasWiki(), false);
    Clients.equal("rebase", created.isAllowRebaseMerge(), false);
    Clients.equal("squash", created.isAllowSquashMerge(), true);
    Clients.equal("deletes branches", created.isDeleteBranchOnMerge(), true);
    Clients.equal("license", created.getLicense().getSpdxId(), "MIT");
    Clients.equal("files", created.getDirectoryContent("").size(), 3);
    created.allowMergeCommit(false);
    created.enableProjects(false);
    GHRepository updated = created.update().issues(false).isTemplate(true).private_(false).done();
    Clients.equal("merge commits", updated.isAllowMergeCommit(), false);
    Clients.equal("projects", updated.hasProjects(), false);
    Clients.equal("template", updated.isTemplate(), true);
    Clients.equal("public", updated.isPrivate(), false);
    Clients.equal("issues", rosa.getRepository("yard/masts").hasIssues(), false);
    fails(410, () -> updated.createIssue("Varnish").create());
    fails(422, () -> updated.setDefaultBranch("none"));
    updated.delete();
  }

  private static void templates() throws Exception {
    GHRepository skiff =
        yard()
            .createRepository("skiff")
            .fromTemplateRepository(plans())
            .owner("yard")
            .description("A small boat")
            .includeAllBranches(true)
            .private_(true)
            .create();
    Clients.equal("name", skiff.getFullName(), "yard/skiff");
    Clients.equal("private", skiff.isPrivate(), true);
    Clients.equal("template", skiff.getTemplateRepository().getFullName(), "yard/plans");
    Clients.equal("branches", skiff.getBranches().keySet().stream().sorted().toList(), List.of("draft", "main"));
    Clients.equal("commits", skiff.listCommits().toList().size(), 1);
    fails(422, () -> rosa.createRepository("raft").fromTemplateRepository("yard", "hulls").owner("rosa").create());
  }

  private static void listPublic() throws Exception {
    List<GHRepository> since = rosa.listAllPublicRepositories(String.valueOf(plans().getId() - 1)).toList();
    Clients.equal("since", fullNames(since).subList(0, 2), List.of("yard/plans", "yard/hulls"));
    List<String> every = fullNames(rosa.listAllPublicRepositories().toList());
    Clients.equal("public", every.contains("harbor/hello"), true);
    Clients.equal("private", every.contains("yard/skiff"), false);
  }

  private static List<String> prefixes() throws Exception {
    return hulls().listAutolinks().toList().stream().map(GHAutolink::getKeyPrefix).sorted().toList();
  }

  private static void autolinks() throws Exception {
    Clients.equal("before", prefixes(), List.of("HULL-"));
    GHAutolink created =
        hulls()
            .createAutolink()
            .withKeyPrefix("OAK-")
            .withUrlTemplate("https://oaks.example/<num>")
            .withIsAlphanumeric(false)
            .create();
    GHAutolink read = hulls().readAutolink(created.getId());
    Clients.equal("prefix", read.getKeyPrefix(), "OAK-");
    Clients.equal("URL", read.getUrlTemplate(), "https://oaks.example/<num>");
    Clients.equal("alphanumeric", read.isAlphanumeric(), false);
    hulls().deleteAutolink(created.getId());
    Clients.absent(() -> hulls().readAutolink(created.getId()));
    Clients.equal("after", prefixes(), List.of("HULL-"));
  }

  private static void licenses() throws Exception {
    List<String> keys = rosa.listLicenses().withPageSize(1).toList().stream().map(GHLicense::getKey).toList();
    Clients.equal("keys", keys.containsAll(List.of("apache-2.0", "gpl-3.0", "mit")), true);
    GHLicense mit = rosa.getLicense("mit");
    Clients.equal("name", mit.getName(), "MIT License");
    Clients.equal("featured", mit.isFeatured(), true);
    Clients.equal("text", mit.getBody().contains("Permission is hereby granted"), true);
    Clients.absent(() -> rosa.getLicense("none"));
  }

  private static void markdown() throws Exception {
    String html = text(hulls().renderMarkdown("**Ahoy**", MarkdownMode.MARKDOWN));
    Clients.equal("document", html.contains("<strong>Ahoy</strong>"), true);
    String linked = text(hulls().renderMarkdown("See HULL-12", MarkdownMode.GFM));
    Clients.equal("reference", linked.contains("href=\"https://hulls.example/12\""), true);
    Clients.equal("raw", text(rosa.renderMarkdown("**Ahoy**")).contains("<strong>Ahoy</strong>"), true);
  }

  private static void meta() throws Exception {
    Clients.equal("passwords", rosa.getMeta().isVerifiablePasswordAuthentication(), false);
  }

  private static void forks() throws Exception {
    GHRepository fork = hulls().createFork().create();
    Clients.equal("name", fork.getFullName(), "rosa/hulls");
    Clients.equal("fork", fork.isFork(), true);
    Clients.equal("parent", fork.getParent().getFullName(), "yard/hulls");
    Clients.equal("source", fork.getSource().getFullName(), "yard/hulls");
    GHRepository skiffs =
        rosa.getRepository("fleet/boats").createFork().organization(yard()).name("skiffs").defaultBranchOnly(true).create();
    Clients.equal("of the organization", skiffs.getFullName(), "yard/skiffs");
    List<GHRepository> forks = hulls().listForks(GHRepository.ForkSort.OLDEST).withPageSize(1).toList();
    Clients.equal("forks", fullNames(forks), List.of("rosa/hulls"));

    Clients.equal("nothing", fork.sync("main").getMergeType(), "none");
    String keel = write(hulls(), "keel.md", "oak\n");
    GHBranchSync merged = fork.sync("main");
    Clients.equal("type", merged.getMergeType(), "fast-forward");
    Clients.equal("base", merged.getBaseBranch(), "yard:main");
    Clients.equal("tip", fork.getBranch("main").getSHA1(), keel);
    write(hulls(), "deck.md", "oak\n");
    write(fork, "deck.md", "pine\n");
    fails(409, () -> fork.sync("main"));
    fails(422, () -> hulls().sync("main"));
  }
}
