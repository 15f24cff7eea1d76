import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHAppInstallation;
import org.kohsuke.github.GHDeployKey;
import org.kohsuke.github.GHEvent;
import org.kohsuke.github.GHHook;
import org.kohsuke.github.GHKey;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;

/** Hooks, keys and installations. */
final class Account {
  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("repositoryHooks", Account::repositoryHooks);
    groups.put("organizationHooks", Account::organizationHooks);
    groups.put("keys", Account::keys);
    groups.put("deployKeys", Account::deployKeys);
    groups.put("installations", Account::installations);
    return groups;
  }

  private static Map<String, String> config() {
    return Map.of("url", Clients.fixture("RECEIVER") + "/java", "content_type", "json", "secret", "s");
  }

  private static void check(GHHook hook) throws Exception {
    Clients.equal("secret", hook.getConfig().get("secret"), "********");
    Clients.equal("events", List.copyOf(hook.getEvents()), List.of(GHEvent.PUSH));
    hook.ping();
  }

  private static void repositoryHooks() throws Exception {
    GHHook hook = Clients.hello().createHook("web", config(), List.of(GHEvent.PUSH), true);
    check(hook);
    Clients.equal("count", Clients.hello().getHooks().size(), 3);
    Clients.equal("active", Clients.hello().getHook((int) hook.getId()).isActive(), true);
    hook.delete();
    Clients.absent(() -> Clients.hello().getHook((int) hook.getId()));
  }

  private static void organizationHooks() throws Exception {
    GHHook hook = Clients.harbor().createHook("web", config(), List.of(GHEvent.PUSH), true);
    check(hook);
    Clients.equal("count", Clients.harbor().getHooks().size(), 3);
    Clients.equal("active", Clients.harbor().getHook((int) hook.getId()).isActive(), true);
    Clients.harbor().deleteHook((int) hook.getId());
    Clients.absent(() -> Clients.harbor().getHook((int) hook.getId()));
  }

  private static void keys() throws Exception {
    List<GHKey> keys = Clients.olive.getMyself().getPublicKeys();
    Clients.equal("titles", keys.stream().map(GHKey::getTitle).sorted().toList(), List.of("lamp", "spare"));
    keys.get(1).delete();
    GHKey again = Clients.olive.getMyself().addPublicKey("again", keys.get(1).getKey());
    Clients.equal("title", again.getTitle(), "again");
    Clients.equal("public", Clients.olive.getUser("olive").getKeys().size(), 2);
  }

  private static void deployKeys() throws Exception {
    List<GHDeployKey> keys = Clients.hello().getDeployKeys();
    Clients.equal("titles", keys.stream().map(GHDeployKey::getTitle).sorted().toList(), List.of("To be deleted", "deploy"));
    keys.get(1).delete();
    GHDeployKey again = Clients.hello().addDeployKey("again", keys.get(1).getKey(), true);
    Clients.equal("title", again.getTitle(), "again");
    Clients.equal("read-only", again.isRead_only(), true);
    Clients.equal("added by", again.getAdded_by(), "olive");
  }

  private static void installations() throws Exception {
    List<GHAppInstallation> installations = Clients.olive.getMyself().getAppInstallations().toList();
    Clients.equal("app", installations.get(0).getAppId(), 9L);
    GitHub app = Clients.as("spent");
    List<GHRepository> reached = app.getInstallation().listRepositories().toList();
    Clients.equal("repositories", reached.get(0).getFullName(), "harbor/hello");
    try {
      Clients.as("none").getInstallation().listRepositories().toList();
      throw new IllegalStateException("succeeded, expected 401");
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), 401);
    }
  }
}
