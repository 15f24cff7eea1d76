import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHArtifact;
import org.kohsuke.github.GHBlob;
import org.kohsuke.github.GHCommit;
import org.kohsuke.github.GHCommitComment;
import org.kohsuke.github.GHContent;
import org.kohsuke.github.GHContentUpdateResponse;
import org.kohsuke.github.GHRef;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GHTagObject;
import org.kohsuke.github.GHTree;
import org.kohsuke.github.GHTreeEntry;
import org.kohsuke.github.HttpException;

/** Groups that write into repositories. */
final class Writings {
  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("repositories", Writings::repositories);
    groups.put("gitRefs", Writings::gitRefs);
    groups.put("gitBlobs", Writings::gitBlobs);
    groups.put("gitTrees", Writings::gitTrees);
    groups.put("gitCommits", Writings::gitCommits);
    groups.put("gitTags", Writings::gitTags);
    groups.put("contents", Writings::contents);
    groups.put("contents: write", Writings::contentsWrite);
    groups.put("branches: write", Writings::branchesWrite);
    groups.put("archives", Writings::archives);
    groups.put("artifacts", Writings::artifacts);
    groups.put("commitComments", Writings::commitComments);
    return groups;
  }

  private static void repositories() throws Exception {
    List<String> mine =
        Clients.olive.getMyself().listRepositories(1).toList().stream().map(GHRepository::getFullName).sorted().toList();
    Clients.equal("mine", mine, List.of("harbor/empty", "harbor/hello", "harbor/secret", "olive/hello", "olive/own"));
    Clients.equal("of harbor", Clients.harbor().listRepositories().toList().size(), 3);
    Clients.equal("of olive", Clients.olive.getUser("olive").listRepositories().toList().get(1).isArchived(), true);
    Clients.equal("description", Clients.hello().getDescription(), "Greets every ship");
    Clients.absent(() -> Clients.as("nell").getRepository("harbor/secret"));
    GHRepository made = Clients.harbor().createRepository(Clients.MADE).autoInit(true).create();
    Clients.equal("description", made.set().description("Made").getDescription(), "Made");
    GHRepository own = Clients.olive.createRepository("java-own").private_(true).create();
    Clients.equal("private", own.isPrivate(), true);
    own.delete();
    Clients.hello().listLanguages();
    Clients.equal("contributions", Clients.hello().listContributors(true).toList().get(0).getContributions() > 0, true);
    made.setTopics(List.of("boats", "ships"));
    Clients.equal("topics", made.listTopics(), List.of("boats", "ships"));
  }

  private static void gitRefs() throws Exception {
    String name = "refs/heads/größe/java";
    GHRef ref = Clients.hello().createRef(name, Clients.fixture("PARENT"));
    ref.updateTo(Clients.fixture("COMMIT"));
    Clients.equal("moved", Clients.hello().getRef("heads/größe/java").getObject().getSha(), Clients.fixture("COMMIT"));
    try {
      ref.updateTo(Clients.fixture("PARENT"));
      throw new IllegalStateException("succeeded, expected 422");
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), 422);
    }
    ref.updateTo(Clients.fixture("PARENT"), true);
    Clients.equal("matching", Clients.hello().listMatchingRefs("heads/größe").toList().size(), 1);
    ref.delete();
    Clients.absent(() -> Clients.hello().getRef("heads/größe/java"));
    Clients.equal("type", Clients.hello().getRef("tags/v1").getObject().getType(), "tag");
  }

  private static void gitBlobs() throws Exception {
    GHBlob blob = Clients.hello().getBlob(Clients.fixture("BLOB"));
    Clients.equal("size", blob.getSize(), 15L);
    Clients.equal("text", Clients.text(blob.read()), "# Hello\n\nships\n");
    Clients.equal("raw", Clients.text(Clients.hello().readBlob(Clients.fixture("BLOB"))), "# Hello\n\nships\n");
    GHBlob created = Clients.hello().createBlob().textContent("# Hello\n\nships\n").create();
    Clients.equal("id", created.getSha(), Clients.fixture("BLOB"));
  }

  private static void gitTrees() throws Exception {
    GHTree tree = Clients.hello().getTreeRecursive("main", 1);
    List<String> paths = tree.getTree().stream().map(GHTreeEntry::getPath).sorted().toList();
    Clients.equal("paths", paths, List.of(".github", ".github/workflows", ".github/workflows/ci.yml", "LICENSE", "README.md", "docs", "docs/CODEOWNERS", "docs/manual.md", "link", "src", "src/README.md", "src/greet.ts"));
    Clients.equal("id", Clients.hello().getTree("main").getSha(), Clients.fixture("TREE"));
    GHTree changed =
        Clients.hello()
            .createTree()
            .baseTree(Clients.fixture("TREE"))
            .add("deep/new.txt", "new\n", false)
            .delete("README.md")
            .create();
    List<String> names = changed.getTree().stream().map(GHTreeEntry::getPath).sorted().toList();
    Clients.equal("changed", names, List.of(".github", "LICENSE", "deep", "docs", "link", "src"));
  }

  private static void gitCommits() throws Exception {
    GHCommit commit =
        Clients.hello()
            .createCommit()
            .message("By Java")
            .tree(Clients.fixture("TREE"))
            .parent(Clients.fixture("COMMIT"))
            .author("Olive Marsh", "olive@harbor.example", Instant.parse("2026-01-02T03:04:05Z"))
            .create();
    GHCommit read = Clients.hello().getCommit(commit.getSHA1());
    Clients.equal("message", read.getCommitShortInfo().getMessage(), "By Java");
    Clients.equal("date", read.getAuthoredDate(), Instant.parse("2026-01-02T03:04:05Z"));
    Clients.equal("author", read.getAuthor().getLogin(), "olive");
  }

  private static void gitTags() throws Exception {
    Clients.equal(
        "message", Clients.hello().getTagObject(Clients.fixture("TAG")).getMessage(), "The first season\n");
    GHTagObject tag =
        Clients.hello().createTag("second", "The second season\n", Clients.fixture("COMMIT"), "commit");
    Clients.equal("object", tag.getObject().getSha(), Clients.fixture("COMMIT"));
    Clients.equal("read", Clients.hello().getTagObject(tag.getSha()).getTag(), "second");
  }

  private static void contents() throws Exception {
    GHContent file = Clients.hello().getFileContent("README.md");
    Clients.equal("text", Clients.text(file.read()), "# Hello\n\nships\n");
    List<GHContent> folder = Clients.hello().getDirectoryContent("docs", "main");
    Clients.equal("folder", folder.get(1).getPath(), "docs/manual.md");
    Clients.equal("file", Clients.text(folder.get(1).read()), "Ahoy, 世界\n");
    Clients.absent(() -> Clients.hello().getFileContent("none"));
    Clients.equal("readme", Clients.hello().getReadme().getPath(), "README.md");
    Clients.equal("license", Clients.hello().getLicense().getSpdxId(), "ISC");
  }

  private static void contentsWrite() throws Exception {
    String path = "docs/größe.md";
    GHContentUpdateResponse created =
        Clients.made().createContent().path(path).content("one\n").message("Create").branch("main").commit();
    Clients.equal("message", created.getCommit().getMessage(), "Create");
    GHContent file = Clients.made().getFileContent(path);
    Clients.equal("text", Clients.text(file.read()), "one\n");
    GHContentUpdateResponse updated = file.createUpdate().content("two\n").message("Update").branch("main").commit();
    Clients.equal("parent", updated.getCommit().getParentSHA1s(), List.of(created.getCommit().getSHA1()));
    Clients.made().getFileContent(path).createDelete().message("Delete").branch("main").commit();
    Clients.absent(() -> Clients.made().getFileContent(path));
  }

  private static void branchesWrite() throws Exception {
    String tip = Clients.made().getBranch("main").getSHA1();
    Clients.made().createRef("refs/heads/topic", tip);
    Clients.made().createContent().path("topic.txt").content("topic\n").message("On a topic").branch("topic").commit();
    GHCommit merge = Clients.made().getBranch("main").merge(Clients.made().getBranch("topic"), "Merge it");
    Clients.equal("merge", merge.getCommitShortInfo().getMessage(), "Merge it");
    Clients.equal("again", Clients.made().getBranch("main").merge("topic", "Merge it"), null);
  }

  private static void archives() throws Exception {
    Clients.equal("files", Clients.hello().<List<String>>readZip(Clients::filesOf, "main").size() >= 4, true);
    Clients.equal("bytes", Clients.hello().<Integer>readTar(tar -> tar.readAllBytes().length, "main") > 100, true);
  }

  private static void artifacts() throws Exception {
    List<GHArtifact> artifacts = Clients.hello().listArtifacts().withPageSize(1).toList();
    List<String> names = artifacts.stream().map(GHArtifact::getName).sorted().toList();
    Clients.equal("names", names, List.of("old", "report", "spare"));
    for (GHArtifact artifact : artifacts) {
      GHArtifact read = Clients.hello().getArtifact(artifact.getId());
      Clients.equal("expired", read.isExpired(), read.getName().equals("old"));
      if (read.getName().equals("report")) {
        Clients.equal("files", read.<List<String>>download(Clients::filesOf), List.of("report.txt"));
      }
      if (read.getName().equals("spare")) read.delete();
    }
  }

  private static void commitComments() throws Exception {
    List<GHCommitComment> comments = Clients.hello().listCommitComments().withPageSize(1).toList();
    Clients.equal("count", comments.size(), 3);
    Clients.equal("author", comments.get(0).getUser().getLogin(), "piers");
    comments.get(1).update("On one line.");
    Clients.equal("updated", comments.get(1).getBody(), "On one line.");
    comments.get(2).delete();
    GHCommit head = Clients.hello().getCommit(Clients.fixture("COMMIT"));
    GHCommitComment created = head.createComment("Well done", "docs/manual.md", 1, 1);
    Clients.equal("path", created.getPath(), "docs/manual.md");
    Clients.equal("commit", created.getSHA1(), head.getSHA1());
    List<GHCommitComment> ofCommit = head.listComments().toList();
    Clients.equal("of a commit", ofCommit.get(ofCommit.size() - 1).getId(), created.getId());
  }
}
