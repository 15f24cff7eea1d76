import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.kohsuke.github.GHFileNotFoundException;
import org.kohsuke.github.GHOrganization;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubBuilder;

/**
 * Calls all groups of the contract with the GitHub API for Java, and prints one line of JSON per group.
 *
 * <p>Environment: FORGE_URL, and the values of the fixture, for example FORGE_COMMIT.
 */
final class Clients {
  static final GitHub olive = as("olive");

  /** A new repository, with a first commit, that the groups after `repositories` write into. */
  static final String MADE = "java-made";

  interface Call {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Map<String, Call> groups = new LinkedHashMap<>();
    groups.putAll(Readings.groups());
    groups.putAll(Writings.groups());
    groups.putAll(Account.groups());
    groups.putAll(People.groups());
    groups.putAll(Repositories.groups());
    groups.putAll(Issues.groups());
    groups.putAll(Pulls.groups());
    groups.putAll(Reviews.groups());
    groups.putAll(Releases.groups());
    groups.putAll(Actions.groups());
    for (Map.Entry<String, Call> group : groups.entrySet()) run(group.getKey(), group.getValue());
    System.exit(0);
  }

  private static void run(String group, Call call) throws Exception {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("group", group);
    try {
      call.run();
      result.put("ok", true);
      result.put("detail", "");
    } catch (Throwable failure) {
      result.put("ok", false);
      result.put("detail", failure + " at " + failure.getStackTrace()[0]);
      failure.printStackTrace();
    }
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }

  /** Returns a client that sends a token. */
  static GitHub as(String token) {
    try {
      return new GitHubBuilder()
          .withEndpoint(System.getenv("FORGE_URL") + "/api/v3")
          .withOAuthToken(token)
          .build();
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Returns a value of the fixture. */
  static String fixture(String name) {
    return System.getenv("FORGE_" + name);
  }

  static GHRepository hello() throws IOException {
    return olive.getRepository("harbor/hello");
  }

  static GHRepository made() throws IOException {
    return olive.getRepository("harbor/" + MADE);
  }

  static GHOrganization harbor() throws IOException {
    return olive.getOrganization("harbor");
  }

  static void equal(String name, Object got, Object want) {
    if (!Objects.equals(got, want)) {
      throw new IllegalStateException(name + " is " + got + ", expected " + want);
    }
  }

  /** Expects a call to fail with 404. */
  static void absent(Call call) throws Exception {
    try {
      call.run();
    } catch (GHFileNotFoundException expected) {
      return;
    }
    throw new IllegalStateException("succeeded, expected 404");
  }

  static String text(InputStream stream) throws IOException {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the names of the files in a ZIP archive. */
  static List<String> filesOf(InputStream stream) throws IOException {
    List<String> names = new ArrayList<>();
    ZipInputStream archive = new ZipInputStream(new ByteArrayInputStream(stream.readAllBytes()));
    for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
      names.add(entry.getName());
    }
    return names;
  }
}
