import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHAsset;
import org.kohsuke.github.GHRelease;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GitHub;

/** Releases and their assets, in a new repository of the organization `yard`. */
final class Releases {
  static final GitHub kai = Clients.as("kai");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("releases", Releases::releases);
    groups.put("releaseAssets", Releases::assets);
    return groups;
  }

  static GHRepository ropes() throws Exception {
    return kai.getRepository("yard/ropes");
  }

  private static List<String> tags(GHRepository repository) throws Exception {
    List<String> tags = new ArrayList<>();
    for (GHRelease release : repository.listReleases().withPageSize(1)) tags.add(release.getTagName());
    return tags.stream().sorted().toList();
  }

  private static void releases() throws Exception {
    GHRepository hello = Clients.hello();
    Clients.equal("tags", tags(hello), List.of("v0.1", "v1"));
    GHRelease latest = hello.getLatestRelease();
    Clients.equal("latest", List.of(latest.getTagName(), latest.getName()), List.of("v1", "First"));
    Clients.equal(
        "assets",
        latest.getAssets().stream().map(GHAsset::getName).sorted().toList(),
        List.of("greet.txt", "spare.txt"));
    Clients.equal("by tag", hello.getReleaseByTagName("v1").getId(), latest.getId());
    Clients.equal("unknown tag", hello.getReleaseByTagName("v9"), null);

    kai.getOrganization("yard").createRepository("ropes").autoInit(true).create();
    GHRelease made =
        ropes().createRelease("v1.0").name("Spliced").body("Of hemp.").commitish("main").prerelease(true).create();
    Clients.equal("body", made.getBody(), "Of hemp.");
    Clients.equal("published", made.getPublishedAt() != null, true);
    Clients.equal("tag", ropes().getRef("tags/v1.0").getObject().getSha(), ropes().getBranch("main").getSHA1());
    GHRelease edited = made.update().name("Spliced again").prerelease(false).update();
    Clients.equal("edited", edited.getName(), "Spliced again");
    Clients.equal("read", ropes().getRelease(made.getId()).isPrerelease(), false);
    GHRelease draft = ropes().createRelease("v2.0").draft(true).create();
    Clients.equal("draft", draft.isDraft(), true);
    draft.delete();
    Clients.equal("left", tags(ropes()), List.of("v1.0"));
  }

  private static void assets() throws Exception {
    GHRelease release = ropes().getReleaseByTagName("v1.0");
    byte[] content = new byte[200_000];
    GHAsset made = release.uploadAsset("rope.bin", new ByteArrayInputStream(content), "application/x-rope");
    Clients.equal("name", made.getName(), "rope.bin");
    Clients.equal("size", made.getSize(), (long) content.length);
    Clients.equal("type", made.getContentType(), "application/x-rope");
    Clients.equal("state", made.getState(), "uploaded");
    made.setLabel("A rope");
    List<GHAsset> listed = release.listAssets().withPageSize(1).toList();
    Clients.equal("label", listed.get(0).getLabel(), "A rope");
    listed.get(0).delete();
    Clients.equal("left", release.listAssets().toList().size(), 0);
  }
}
