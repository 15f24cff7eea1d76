import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHDeployment;
import org.kohsuke.github.GHDeploymentState;
import org.kohsuke.github.GHDeploymentStatus;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GHRepositoryVariable;
import org.kohsuke.github.GHWorkflow;
import org.kohsuke.github.GHWorkflowJob;
import org.kohsuke.github.GHWorkflowRun;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;

/** Workflows, runs, secrets, variables, deployments and apps. */
final class Actions {
  private static final GitHub piers = Clients.as("piers");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("workflows", Actions::workflows);
    groups.put("workflowRuns", Actions::runs);
    groups.put("workflowJobs", Actions::jobs);
    groups.put("repositorySecrets", Actions::secrets);
    groups.put("repositoryVariables", Actions::variables);
    groups.put("deployments", Actions::deployments);
    groups.put("apps", Actions::apps);
    return groups;
  }

  private static GHRepository hello() throws Exception {
    return piers.getRepository("harbor/hello");
  }

  private static List<Long> ids(List<GHWorkflowRun> runs) {
    return runs.stream().map(GHWorkflowRun::getId).sorted().toList();
  }

  private static void workflows() throws Exception {
    GHWorkflow ci = hello().listWorkflows().withPageSize(1).toList().get(0);
    Clients.equal("name", ci.getName(), "CI");
    Clients.equal("path", ci.getPath(), ".github/workflows/ci.yml");
    Clients.equal("by name", hello().getWorkflow("ci.yml").getId(), ci.getId());
    ci.dispatch("main");
    GHWorkflowRun run = hello().queryWorkflowRuns().event("workflow_dispatch").list().toList().get(0);
    Clients.equal("status", run.getStatus(), GHWorkflowRun.Status.QUEUED);
    Clients.equal("actor", run.getActor().getLogin(), "piers");
    ci.disable();
    Clients.equal("disabled", hello().getWorkflow(ci.getId()).getState(), "disabled_manually");
    ci.enable();
    Clients.equal("enabled", hello().getWorkflow(ci.getId()).getState(), "active");
    hello().dispatch("tide", Map.of("height", 3));
  }

  private static void runs() throws Exception {
    List<GHWorkflowRun> failed =
        hello().queryWorkflowRuns().conclusion(GHWorkflowRun.Conclusion.FAILURE).branch("main").list().toList();
    Clients.equal("failed", ids(failed), List.of(7L, 8L, 9L, 10L));
    Clients.equal("of the workflow", ids(hello().getWorkflow("ci.yml").listRuns().toList()).contains(7L), true);
    GHWorkflowRun run = hello().getWorkflowRun(7);
    Clients.equal("conclusion", run.getConclusion(), GHWorkflowRun.Conclusion.FAILURE);
    Clients.equal("commit", run.getHeadSha(), Clients.fixture("COMMIT"));
    Clients.equal("message", run.getHeadCommit().getMessage().strip(), "Write a manual");
    hello().getWorkflowRun(8).rerun();
    Clients.equal("attempt", hello().getWorkflowRun(8).getRunAttempt(), 2L);
    hello().getWorkflowRun(9).rerunFailedJobs();
    hello().getWorkflowRun(11).cancel();
    hello().getWorkflowRun(12).forceCancel();
    Clients.equal("cancelled", hello().getWorkflowRun(12).getConclusion(), GHWorkflowRun.Conclusion.CANCELLED);
    hello().getWorkflowRun(13).approve();
    List<String> files = run.downloadLogs(Clients::filesOf);
    Clients.equal("logs", files.isEmpty(), false);
    hello().getWorkflowRun(15).deleteLogs();
    hello().getWorkflowRun(14).delete();
    Clients.absent(() -> hello().getWorkflowRun(14));
  }

  private static void jobs() throws Exception {
    List<GHWorkflowJob> jobs = hello().getWorkflowRun(7).listJobs().withPageSize(1).toList();
    GHWorkflowJob build = jobs.get(0);
    Clients.equal("names", jobs.stream().map(GHWorkflowJob::getName).toList(), List.of("build", "test"));
    Clients.equal("step", build.getSteps().get(0).getName(), "greet");
    Clients.equal("labels", hello().getWorkflowJob(build.getId()).getLabels(), List.of("ubuntu-latest"));
    String log = build.downloadLogs(Clients::text);
    Clients.equal("log", log.contains("Ahoy"), true);
    Clients.equal("of all attempts", hello().getWorkflowRun(8).listAllJobs().toList().size(), 2);
  }

  private static void secrets() throws Exception {
    String key = Clients.hello().getPublicKey().getKeyId();
    Clients.equal("key", key, Clients.fixture("REPOSITORYKEYID"));
    Clients.hello().createSecret("JAVA", Clients.fixture("REPOSITORYBOX"), key);
  }

  private static void variables() throws Exception {
    GHRepository ropes = Releases.ropes();
    ropes.createVariable("JAVA", "1");
    GHRepositoryVariable variable = ropes.getVariable("JAVA");
    Clients.equal("value", variable.getValue(), "1");
    variable.set().value("2");
    Clients.equal("changed", ropes.getVariable("JAVA").getValue(), "2");
    variable.delete();
    Clients.absent(() -> ropes.getVariable("JAVA"));
  }

  private static void deployments() throws Exception {
    GHDeployment made =
        hello()
            .createDeployment("main")
            .environment("review")
            .description("Try it")
            .payload("{\"by\":\"java\"}")
            .autoMerge(false)
            .requiredContexts(List.of())
            .create();
    Clients.equal("commit", made.getSha(), Clients.fixture("COMMIT"));
    Clients.equal("creator", made.getCreator().getLogin(), "piers");
    GHDeployment listed = hello().listDeployments(null, null, null, "review").toList().get(0);
    Clients.equal("listed", listed.getId(), made.getId());
    GHDeployment read = hello().getDeployment(made.getId());
    Clients.equal("payload", read.getPayload(), "{\"by\":\"java\"}");
    // The client sends `in-progress` instead of `in_progress`.
    GHDeploymentStatus first =
        made.createStatus(GHDeploymentState.QUEUED)
            .logUrl("https://ci.example.com/9")
            .description("On its way")
            .create();
    Clients.equal("state", first.getState(), GHDeploymentState.QUEUED);
    made.createStatus(GHDeploymentState.SUCCESS).environmentUrl("https://review.example.com").create();
    List<GHDeploymentStatus> statuses = made.listStatuses().withPageSize(1).toList();
    Clients.equal("newest", statuses.get(0).getState(), GHDeploymentState.SUCCESS);
    Clients.equal("log", statuses.get(1).getLogUrl().toString(), "https://ci.example.com/9");
    try {
      hello().createDeployment("none").create();
      throw new IllegalStateException("succeeded, expected 422");
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), 422);
    }
  }

  private static void apps() throws Exception {
    Clients.equal("id", Clients.olive.getApp("buoy").getId(), 9L);
    Clients.equal("owner", Clients.olive.getApp("buoy").getOwner().getLogin(), "piers");
  }
}
