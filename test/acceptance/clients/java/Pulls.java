import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHBranch;
import org.kohsuke.github.GHCheckRun;
import org.kohsuke.github.GHCheckRunBuilder;
import org.kohsuke.github.GHCommit;
import org.kohsuke.github.GHCommitState;
import org.kohsuke.github.GHCommitStatus;
import org.kohsuke.github.GHDirection;
import org.kohsuke.github.GHIssueState;
import org.kohsuke.github.GHPullRequest;
import org.kohsuke.github.GHPullRequestCommitDetail;
import org.kohsuke.github.GHPullRequestFileDetail;
import org.kohsuke.github.GHPullRequestQueryBuilder;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GitHub;

/**
 * Pull requests, statuses and check runs. The pull requests and statuses are in a new repository of otto, and the app of
 * the fixture writes the check runs.
 */
final class Pulls {
  private static final GitHub otto = Clients.as("otto");
  private static final GitHub app = Clients.as("buoy");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("pulls", Pulls::pulls);
    groups.put("pulls: merge", Pulls::merges);
    groups.put("statuses", Pulls::statuses);
    groups.put("checkRuns", Pulls::checkRuns);
    return groups;
  }

  private static GHRepository decks() throws Exception {
    return otto.getRepository("otto/decks");
  }

  private static GHPullRequest pull(int number) throws Exception {
    return decks().getPullRequest(number);
  }

  private static List<Integer> numbers(List<GHPullRequest> pulls) {
    return pulls.stream().map(GHPullRequest::getNumber).toList();
  }

  private static List<String> names(List<GHCheckRun> runs) {
    return runs.stream().map(GHCheckRun::getName).sorted().toList();
  }

  /** Returns the newest commit of the branch main. */
  private static String tip() throws Exception {
    return decks().getBranch("main").getSHA1();
  }

  /** Commits a file to a branch, and returns the id of the commit. */
  private static String write(String branch, String path) throws Exception {
    return decks()
        .createContent()
        .path(path)
        .content("One line\n")
        .message("Write " + path)
        .branch(branch)
        .commit()
        .getCommit()
        .getSHA1();
  }

  /** Creates a branch with a commit, and returns the id of the commit. */
  private static String createBranch(String name) throws Exception {
    decks().createRef("refs/heads/" + name, tip());
    return write(name, name + ".md");
  }

  private static void pulls() throws Exception {
    otto.createRepository("decks").autoInit(true).create();
    String oak = createBranch("oak");
    GHPullRequest created = decks().createPullRequest("Oak decks", "oak", "main", "By **Java**");
    Clients.equal("number", created.getNumber(), 1);
    Clients.equal("body", created.getBody(), "By **Java**");
    Clients.equal("state", created.getState(), GHIssueState.OPEN);
    Clients.equal("author", created.getUser().getLogin(), "otto");
    Clients.equal("label", created.getHead().getLabel(), "otto:oak");
    Clients.equal("head", created.getHead().getSha(), oak);
    Clients.equal("base", created.getBase().getRef(), "main");
    Clients.equal("repository", created.getBase().getRepository().getFullName(), "otto/decks");
    Clients.equal("draft", created.isDraft(), false);
    Clients.equal("commits", created.getCommits(), 1);
    Clients.equal("additions", created.getAdditions(), 1);
    Clients.equal("deletions", created.getDeletions(), 0);
    Clients.equal("changed files", created.getChangedFiles(), 1);
    Issues.recent("created", created.getCreatedAt());
    Repositories.fails(422, () -> decks().createPullRequest("Again", "oak", "main", "Again"));

    createBranch("elm");
    GHPullRequest draft = decks().createPullRequest("Elm decks", "elm", "main", "Later", true, true);
    Clients.equal("draft", draft.isDraft(), true);
    List<GHPullRequest> all =
        decks()
            .queryPullRequests()
            .state(GHIssueState.ALL)
            .sort(GHPullRequestQueryBuilder.Sort.CREATED)
            .direction(GHDirection.ASC)
            .pageSize(1)
            .list()
            .toList();
    Clients.equal("all", numbers(all), List.of(1, 2));
    List<GHPullRequest> chosen = decks().queryPullRequests().head("elm").base("main").list().toList();
    Clients.equal("chosen", numbers(chosen), List.of(2));

    created.setTitle("Decks of oak");
    created.close();
    Clients.equal("title", pull(1).getTitle(), "Decks of oak");
    Clients.equal("closed", pull(1).getState(), GHIssueState.CLOSED);
    Issues.recent("closed", pull(1).getClosedAt());
    created.reopen();
    Clients.equal("reopened", pull(1).getState(), GHIssueState.OPEN);
    decks().createRef("refs/heads/next", tip());
    Clients.equal("new base", pull(2).setBaseBranch("next").getBase().getRef(), "next");

    List<GHPullRequestCommitDetail> commits = pull(1).listCommits().withPageSize(1).toList();
    Clients.equal("commits", commits.stream().map(GHPullRequestCommitDetail::getSha).toList(), List.of(oak));
    Clients.equal("message", commits.get(0).getCommit().getMessage(), "Write oak.md");
    GHPullRequestFileDetail file = pull(1).listFiles().withPageSize(1).toList().get(0);
    Clients.equal("file", file.getFilename(), "oak.md");
    Clients.equal("change", file.getStatus(), "added");
    Clients.equal("patch", file.getPatch(), "@@ -0,0 +1 @@\n+One line");
    GHCommit commit = decks().getCommit(oak);
    Clients.equal("of the commit", numbers(commit.listPullRequests().toList()), List.of(1));
    List<String> branches = commit.listBranchesWhereHead().toList().stream().map(GHBranch::getName).toList();
    Clients.equal("branches", branches, List.of("oak"));
    Clients.absent(() -> pull(9));
  }

  private static void merges() throws Exception {
    Repositories.fails(405, () -> pull(2).merge("Too early"));
    write("main", "deck.md");
    pull(1).updateBranch();
    Clients.equal("commits", pull(1).listCommits().toList().size(), 2);
    Repositories.fails(422, () -> pull(1).updateBranch());
    Repositories.fails(409, () -> pull(1).merge("On all decks", "1".repeat(40)));
    pull(1).merge("On all decks", pull(1).getHead().getSha(), GHPullRequest.MergeMethod.SQUASH);
    GHPullRequest merged = pull(1);
    Clients.equal("merged", merged.isMerged(), true);
    Clients.equal("state", merged.getState(), GHIssueState.CLOSED);
    Clients.equal("merged by", merged.getMergedBy().getLogin(), "otto");
    Clients.equal("commit", merged.getMergeCommitSha(), tip());
    Issues.recent("merged", merged.getMergedAt());
    String message = decks().getCommit(tip()).getCommitShortInfo().getMessage();
    Clients.equal("message", message, "Decks of oak (#1)\n\nOn all decks");
    Clients.equal("not merged", pull(2).isMerged(), false);
    Repositories.fails(405, () -> pull(1).merge("Again"));
  }

  private static void statuses() throws Exception {
    String commit = tip();
    GHCommitStatus passed =
        decks().createCommitStatus(commit, GHCommitState.SUCCESS, "https://tests.example/1", "All passed", "tests");
    Clients.equal("state", passed.getState(), GHCommitState.SUCCESS);
    Clients.equal("context", passed.getContext(), "tests");
    Clients.equal("description", passed.getDescription(), "All passed");
    Clients.equal("URL", passed.getTargetUrl(), "https://tests.example/1");
    Clients.equal("creator", passed.getCreator().getLogin(), "otto");
    Issues.recent("created", passed.getCreatedAt());
    decks().createCommitStatus(commit, GHCommitState.PENDING, null, null, "docs");
    decks().createCommitStatus(commit, GHCommitState.FAILURE, null, null, "docs");
    List<GHCommitState> states = new ArrayList<>();
    for (GHCommitStatus status : decks().listCommitStatuses(commit).withPageSize(1)) states.add(status.getState());
    Clients.equal("states", states, List.of(GHCommitState.FAILURE, GHCommitState.PENDING, GHCommitState.SUCCESS));
    Clients.equal("newest", decks().getCommit(commit).getLastStatus().getContext(), "docs");
    Repositories.fails(422, () -> decks().createCommitStatus("1".repeat(40), GHCommitState.ERROR, null, null));
  }

  private static void checkRuns() throws Exception {
    GHRepository hello = app.getRepository("harbor/hello");
    GHCheckRun created =
        hello
            .createCheckRun("tides", Clients.fixture("COMMIT"))
            .withStatus(GHCheckRun.Status.IN_PROGRESS)
            .withStartedAt(Instant.now())
            .withExternalID("8")
            .withDetailsURL("https://buoy.example/8")
            .create();
    Clients.equal("status", created.getStatus(), GHCheckRun.Status.IN_PROGRESS);
    Clients.equal("id of the app", created.getExternalId(), "8");
    Clients.equal("URL", created.getDetailsUrl().toString(), "https://buoy.example/8");
    Clients.equal("app", created.getApp().getSlug(), "buoy");
    Issues.recent("started", created.getStartedAt());
    GHCheckRunBuilder.Annotation depth =
        new GHCheckRunBuilder.Annotation("README.md", 3, GHCheckRun.AnnotationLevel.WARNING, "Ships need water");
    GHCheckRun completed =
        hello
            .updateCheckRun(created.getId())
            .withStatus(GHCheckRun.Status.COMPLETED)
            .withConclusion(GHCheckRun.Conclusion.NEUTRAL)
            .add(new GHCheckRunBuilder.Output("Tides", "Neither *high* nor low").add(depth.withTitle("Depth")))
            .create();
    Clients.equal("id", completed.getId(), created.getId());
    Clients.equal("completed", completed.getStatus(), GHCheckRun.Status.COMPLETED);
    Clients.equal("conclusion", completed.getConclusion(), GHCheckRun.Conclusion.NEUTRAL);
    Clients.equal("title", completed.getOutput().getTitle(), "Tides");
    Clients.equal("summary", completed.getOutput().getSummary(), "Neither *high* nor low");
    Clients.equal("annotations", completed.getOutput().getAnnotationsCount(), 1);
    Clients.equal("commit", completed.getHeadSha(), Clients.fixture("COMMIT"));
    Issues.recent("completed at", completed.getCompletedAt());
    List<GHCheckRun> ofBranch = hello.getCheckRuns("main").withPageSize(1).toList();
    // The jobs of workflow runs have check runs, too.
    Clients.equal("of the branch", names(ofBranch).containsAll(List.of("build", "links", "spelling", "tides")), true);
    List<GHCheckRun> chosen = hello.getCheckRuns("main", Map.of("check_name", "tides")).toList();
    Clients.equal("chosen", names(chosen), List.of("tides"));
    Clients.equal("suite", chosen.get(0).getCheckSuite().getId(), created.getCheckSuite().getId());
    // Only apps write check runs.
    Repositories.fails(403, () -> Clients.hello().createCheckRun("tides", Clients.fixture("COMMIT")).create());
  }
}
