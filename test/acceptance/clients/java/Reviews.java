import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHBranch;
import org.kohsuke.github.GHBranchProtection;
import org.kohsuke.github.GHCodeownersError;
import org.kohsuke.github.GHPullRequest;
import org.kohsuke.github.GHPullRequestReview;
import org.kohsuke.github.GHPullRequestReviewComment;
import org.kohsuke.github.GHPullRequestReviewEvent;
import org.kohsuke.github.GHPullRequestReviewState;
import org.kohsuke.github.GHReaction;
import org.kohsuke.github.GHRepository;
import org.kohsuke.github.GHRepositoryRule;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;
import org.kohsuke.github.ReactionContent;

/** Reviews and branch protection, in a new repository of the organization `yard`. */
final class Reviews {
  private static final GitHub ines = Clients.as("ines");
  private static final GitHub otto = Clients.as("otto");

  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("reviews", Reviews::reviews);
    groups.put("reviewComments", Reviews::comments);
    groups.put("reviewRequests", Reviews::requests);
    groups.put("branchProtections", Reviews::protection);
    groups.put("codeOwners", Reviews::codeOwners);
    groups.put("repositoryRulesets", Reviews::rules);
    return groups;
  }

  private static GHRepository sloops() throws Exception {
    return ines.getRepository("yard/sloops");
  }

  private static void createBranch(String name) throws Exception {
    sloops().createRef("refs/heads/" + name, sloops().getBranch("main").getSHA1());
    sloops().createContent().path(name + ".md").content("oak\n").message("Add " + name).branch(name).commit();
  }

  private static GHPullRequest propose(String name) throws Exception {
    createBranch(name);
    return sloops().createPullRequest("Add " + name, name, "main", "");
  }

  private static List<GHPullRequestReviewState> states(GHPullRequest pull) throws Exception {
    List<GHPullRequestReviewState> states = new ArrayList<>();
    for (GHPullRequestReview review : pull.listReviews().withPageSize(1)) states.add(review.getState());
    return states;
  }

  private static void reviews() throws Exception {
    ines.getOrganization("yard").createRepository("sloops").autoInit(true).create();
    GHPullRequest keelson = propose("keelson");
    GHPullRequest ofOtto = otto.getRepository("yard/sloops").getPullRequest(keelson.getNumber());
    GHPullRequestReview made =
        ofOtto
            .createReview()
            .body("Not yet")
            .event(GHPullRequestReviewEvent.REQUEST_CHANGES)
            .singleLineComment("Of _ash_?", "keelson.md", 1)
            .create();
    Clients.equal("state", made.getState(), GHPullRequestReviewState.CHANGES_REQUESTED);
    Clients.equal("body", made.getBody(), "Not yet");
    Clients.equal("user", made.getUser().getLogin(), "otto");
    Clients.equal("commit", made.getCommitId(), keelson.getHead().getSha());
    Clients.equal("submitted", made.getSubmittedAt() != null, true);
    GHPullRequestReview.ReviewComment remark = made.listReviewComments().toList().get(0);
    Clients.equal("comment", remark.getBody(), "Of _ash_?");
    Clients.equal("review of the comment", remark.getPullRequestReviewId(), made.getId());
    Clients.equal("whole comment", remark.readPullRequestReviewComment().getLine(), 1);
    keelson.listReviews().toList().get(0).dismiss("It is oak");
    Clients.equal("dismissed", states(keelson), List.of(GHPullRequestReviewState.DISMISSED));
    GHPullRequestReview pending = ofOtto.createReview().body("Perhaps").create();
    Clients.equal("pending", pending.getState(), GHPullRequestReviewState.PENDING);
    pending.delete();
    ofOtto.createReview().body("It floats").create().submit("It floats", GHPullRequestReviewEvent.APPROVE);
    Clients.equal(
        "states", states(keelson), List.of(GHPullRequestReviewState.DISMISSED, GHPullRequestReviewState.APPROVED));
    Clients.equal(
        "of the fixture", Clients.hello().getPullRequest(20).listReviews().toList().get(0).getBody(), "Ohoj");
  }

  private static void comments() throws Exception {
    GHPullRequest stern = propose("stern");
    GHPullRequestReviewComment made =
        // `side` would send a side in lower case.
        stern
            .createReviewComment()
            .body("Plane it")
            .commitId(stern.getHead().getSha())
            .path("stern.md")
            .line(1)
            .create();
    Clients.equal("line", made.getLine(), 1);
    Clients.equal("side", made.getSide(), GHPullRequestReviewComment.Side.RIGHT);
    Clients.equal("hunk", made.getDiffHunk(), "@@ -0,0 +1 @@\n+oak");
    GHPullRequestReviewComment reply = made.reply("It is planed");
    Clients.equal("reply", reply.getInReplyToId(), made.getId());
    made.update("Plane it, *twice*");
    List<String> bodies = new ArrayList<>();
    for (GHPullRequestReviewComment one : stern.listReviewComments().withPageSize(1)) bodies.add(one.getBody());
    Clients.equal("bodies", bodies, List.of("Plane it, *twice*", "It is planed"));
    GHReaction reaction = made.createReaction(ReactionContent.ROCKET);
    Clients.equal("reactions", made.listReactions().toList().get(0).getId(), reaction.getId());
    made.deleteReaction(reaction);
    Clients.equal("no reactions", made.listReactions().toList().size(), 0);
    reply.delete();
    Clients.equal("left", stern.listReviewComments().toList().size(), 1);
  }

  private static void requests() throws Exception {
    GHPullRequest bow = propose("bow");
    bow.requestReviewers(List.of(ines.getUser("otto")));
    GHPullRequest read = sloops().getPullRequest(bow.getNumber());
    Clients.equal("requested", read.getRequestedReviewers().get(0).getLogin(), "otto");
    GHPullRequest late = Clients.hello().getPullRequest(22);
    Clients.equal("teams", late.getRequestedTeams().get(0).getSlug(), "crew");
  }

  private static void protection() throws Exception {
    createBranch("helm");
    Clients.absent(() -> sloops().getBranch("helm").getProtection());
    GHBranchProtection made =
        sloops()
            .getBranch("helm")
            .enableProtection()
            .addRequiredChecks(
                new GHBranchProtection.Check("carve", -1), new GHBranchProtection.Check("paint", null))
            .requireBranchIsUpToDate()
            .requiredReviewers(2)
            .dismissStaleReviews()
            .includeAdmins()
            .requiredLinearHistory()
            .allowForcePushes()
            .userPushAccess(ines.getUser("ines"))
            .enable();
    Clients.equal("checks", List.copyOf(made.getRequiredStatusChecks().getContexts()), List.of("carve", "paint"));
    Clients.equal("up to date", made.getRequiredStatusChecks().isRequiresBranchUpToDate(), true);
    Clients.equal("history", made.getRequiredLinearHistory().isEnabled(), true);
    Clients.equal("deletions", made.getAllowDeletions().isEnabled(), false);
    GHBranch helm = sloops().getBranch("helm");
    Clients.equal("protected", helm.isProtected(), true);
    GHBranchProtection read = helm.getProtection();
    Clients.equal("reviewers", read.getRequiredReviews().getRequiredReviewers(), 2);
    Clients.equal("stale", read.getRequiredReviews().isDismissStaleReviews(), true);
    Clients.equal("admins", read.getEnforceAdmins().isEnabled(), true);
    Clients.equal("users", read.getRestrictions().getUsers().iterator().next().getLogin(), "ines");
    try {
      sloops().createContent().path("tiller.md").content("ash\n").message("Add a tiller").branch("helm").commit();
      throw new IllegalStateException("succeeded, expected 422");
    } catch (HttpException failure) {
      Clients.equal("status", failure.getResponseCode(), 422);
    }
    Clients.equal("signatures", read.getRequiredSignatures(), false);
    read.enabledSignedCommits();
    Clients.equal("signatures now", read.getRequiredSignatures(), true);
    read.disableSignedCommits();
    helm.disableProtection();
    Clients.equal("unprotected", sloops().getBranch("helm").isProtected(), false);
  }

  private static void codeOwners() throws Exception {
    List<GHCodeownersError> found = Clients.hello().listCodeownersErrors();
    Clients.equal("place", Arrays.asList(found.get(0).getLine(), found.get(0).getColumn()), List.of(1, 10));
    Clients.equal("kind", found.get(0).getKind(), "Unknown owner");
    Clients.equal("path", found.get(0).getPath(), "docs/CODEOWNERS");
  }

  private static void rules() throws Exception {
    GHRepositoryRule rule = Clients.hello().listRulesForBranch("guarded").toList().get(0);
    Clients.equal("type", rule.getType(), GHRepositoryRule.Type.NON_FAST_FORWARD);
    Clients.equal("source", rule.getRulesetSource(), "harbor/hello");
    Clients.equal("source type", rule.getRulesetSourceType(), GHRepositoryRule.RulesetSourceType.REPOSITORY);
  }
}
