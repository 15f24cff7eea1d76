import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kohsuke.github.GHCommitComment;
import org.kohsuke.github.GHDirection;
import org.kohsuke.github.GHIssue;
import org.kohsuke.github.GHIssueComment;
import org.kohsuke.github.GHIssueEvent;
import org.kohsuke.github.GHIssueQueryBuilder;
import org.kohsuke.github.GHIssueSearchBuilder;
import org.kohsuke.github.GHIssueState;
import org.kohsuke.github.GHIssueStateReason;
import org.kohsuke.github.GHLabel;
import org.kohsuke.github.GHMilestone;
import org.kohsuke.github.GHMilestoneState;
import org.kohsuke.github.GHReaction;
import org.kohsuke.github.GHUser;
import org.kohsuke.github.PagedSearchIterable;
import org.kohsuke.github.Reactable;
import org.kohsuke.github.ReactionContent;

/** Issues and everything that belongs to them. */
final class Issues {
  static Map<String, Clients.Call> groups() {
    Map<String, Clients.Call> groups = new LinkedHashMap<>();
    groups.put("issues", Issues::issues);
    groups.put("issues: search", Issues::search);
    groups.put("issueComments", Issues::comments);
    groups.put("issueEvents", Issues::events);
    groups.put("assignees", Issues::assignees);
    groups.put("labels", Issues::labels);
    groups.put("milestones", Issues::milestones);
    groups.put("reactions", Issues::reactions);
    return groups;
  }

  private static GHIssue create(String title) throws Exception {
    return Clients.hello()
        .createIssue(title)
        .body("By **Java**")
        .label("bug")
        .label("question")
        .assignee("piers")
        .milestone(Clients.hello().getMilestone(1))
        .create();
  }

  private static List<String> names(Collection<GHLabel> labels) {
    return labels.stream().map(GHLabel::getName).sorted().toList();
  }

  private static List<String> logins(Collection<GHUser> users) {
    return users.stream().map(GHUser::getLogin).sorted().toList();
  }

  /** Expects a time of this test. */
  static void recent(String name, Instant at) {
    Clients.equal(name, Duration.between(at, Instant.now()).abs().compareTo(Duration.ofMinutes(10)) < 0, true);
  }

  private static void issues() throws Exception {
    GHIssue issue = create("Java ashore");
    Clients.equal("body", issue.getBody(), "By **Java**");
    Clients.equal("state", issue.getState(), GHIssueState.OPEN);
    Clients.equal("author", issue.getUser().getLogin(), "olive");
    Clients.equal("labels", names(issue.getLabels()), List.of("bug", "question"));
    Clients.equal("assignees", logins(issue.getAssignees()), List.of("piers"));
    Clients.equal("milestone", issue.getMilestone().getTitle(), "Before winter");
    recent("created", issue.getCreatedAt());
    recent("updated", issue.getUpdatedAt());
    issue.setTitle("Java at sea");
    issue.setBody("Changed");
    issue.close(GHIssueStateReason.NOT_PLANNED);
    GHIssue closed = Clients.hello().getIssue(issue.getNumber());
    Clients.equal("title", closed.getTitle(), "Java at sea");
    Clients.equal("new body", closed.getBody(), "Changed");
    Clients.equal("new state", closed.getState(), GHIssueState.CLOSED);
    Clients.equal("reason", closed.getStateReason(), GHIssueStateReason.NOT_PLANNED);
    Clients.equal("closed by", closed.getClosedBy().getLogin(), "olive");
    recent("closed", closed.getClosedAt());
    issue.reopen();
    Clients.equal("reopened", Clients.hello().getIssue(issue.getNumber()).getStateReason(), GHIssueStateReason.REOPENED);
    issue.setMilestone(null);
    Clients.equal("no milestone", Clients.hello().getIssue(issue.getNumber()).getMilestone(), null);
    issue.lock();
    Clients.equal("locked", Clients.hello().getIssue(issue.getNumber()).isLocked(), true);
    issue.unlock();
    Clients.equal("unlocked", Clients.hello().getIssue(issue.getNumber()).isLocked(), false);
    List<GHIssue> all =
        Clients.hello()
            .queryIssues()
            .state(GHIssueState.ALL)
            .sort(GHIssueQueryBuilder.Sort.CREATED)
            .direction(GHDirection.DESC)
            .pageSize(1)
            .list()
            .toList();
    Clients.equal("first", all.get(0).getNumber(), issue.getNumber());
    Clients.equal("last", all.get(all.size() - 1).getTitle(), "No ship answers");
    List<GHIssue> chosen = Clients.hello().queryIssues().creator("piers").milestone("1").list().toList();
    Clients.equal("chosen", chosen.stream().map(GHIssue::getNumber).toList(), List.of(1));
    Clients.absent(() -> Clients.hello().getIssue(999));
  }

  private static void search() throws Exception {
    PagedSearchIterable<GHIssue> found =
        Clients.olive
            .searchIssues()
            .q("greet repo:harbor/hello")
            .isOpen()
            .sort(GHIssueSearchBuilder.Sort.CREATED)
            .order(GHDirection.ASC)
            .list();
    Clients.equal("numbers", found.toList().stream().map(GHIssue::getNumber).toList(), List.of(2, 5));
    Clients.equal("total", found.getTotalCount(), 2);
    Clients.equal("incomplete", found.isIncomplete(), false);
    Clients.equal("author", found.toList().get(1).getUser().getLogin(), "piers");
  }

  private static void comments() throws Exception {
    GHIssue issue = create("Comments of Java");
    GHIssueComment first = issue.comment("First");
    GHIssueComment second = issue.comment("Second");
    Clients.equal("author", first.getUser().getLogin(), "olive");
    recent("created", first.getCreatedAt());
    first.update("Third");
    List<GHIssueComment> comments = issue.listComments().withPageSize(1).toList();
    Clients.equal("bodies", comments.stream().map(GHIssueComment::getBody).toList(), List.of("Third", "Second"));
    second.delete();
    Instant before = first.getCreatedAt().minusSeconds(1);
    Clients.equal("since", issue.queryComments().since(before).list().toList().size(), 1);
    Clients.equal("count", Clients.hello().getIssue(issue.getNumber()).getCommentsCount(), 1);
  }

  private static void events() throws Exception {
    GHIssue issue = create("Events of Java");
    issue.setTitle("Renamed by Java");
    List<GHIssueEvent> events = issue.listEvents().withPageSize(1).toList();
    GHIssueEvent event = events.get(events.size() - 1);
    Clients.equal("event", event.getEvent(), "renamed");
    Clients.equal("from", event.getRename().getFrom(), "Events of Java");
    Clients.equal("actor", event.getActor().getLogin(), "olive");
    recent("created", event.getCreatedAt());
    GHIssueEvent labeled = events.stream().filter(one -> one.getEvent().equals("labeled")).findFirst().orElseThrow();
    Clients.equal("label", List.of("bug", "question").contains(labeled.getLabel().getName()), true);
    Clients.equal("issue", Clients.hello().getIssueEvent(event.getId()).getIssue().getNumber(), issue.getNumber());
    Clients.equal("latest", Clients.hello().listIssueEvents().toList().get(0).getId(), event.getId());
  }

  private static void assignees() throws Exception {
    GHIssue issue = create("Assignees of Java");
    Clients.equal("logins", logins(Clients.hello().listAssignees().toList()), List.of("finn", "greta", "hugo", "olive", "piers"));
    Clients.equal("member", Clients.hello().hasAssignee(Clients.olive.getUser("piers")), true);
    Clients.equal("no member", Clients.hello().hasAssignee(Clients.olive.getUser("nell")), false);
    issue.addAssignees(Clients.olive.getMyself());
    Clients.equal("added", logins(issue.getAssignees()), List.of("olive", "piers"));
    issue.removeAssignees(Clients.olive.getUser("piers"));
    Clients.equal("removed", issue.getAssignee().getLogin(), "olive");
  }

  private static void labels() throws Exception {
    GHIssue issue = create("Labels of Java");
    GHLabel label = Clients.hello().createLabel("jö", "b07219", "Big");
    Clients.equal("color", label.getColor(), "b07219");
    GHLabel updated = label.update().description("Small").done();
    Clients.equal("name", updated.getName(), "jö");
    Clients.equal("description", Clients.hello().getLabel("jö").getDescription(), "Small");
    Clients.equal("default", Clients.hello().getLabel("bug").isDefault(), true);
    Clients.equal("count", Clients.hello().listLabels().withPageSize(1).toList().size(), 10);
    Clients.equal("added", names(issue.addLabels("jö")), List.of("bug", "jö", "question"));
    Clients.equal("removed", names(issue.removeLabel("bug")), List.of("jö", "question"));
    issue.setLabels("jö");
    Clients.equal("set", names(Clients.hello().getIssue(issue.getNumber()).getLabels()), List.of("jö"));
    updated.delete();
    Clients.absent(() -> Clients.hello().getLabel("jö"));
  }

  private static void milestones() throws Exception {
    GHMilestone milestone = Clients.hello().createMilestone("By Java", "Soon");
    Clients.equal("creator", milestone.getCreator().getLogin(), "olive");
    recent("created", milestone.getCreatedAt());
    Instant due = Instant.parse("2030-03-04T08:00:00Z");
    milestone.setDueOn(due);
    milestone.close();
    GHMilestone read = Clients.hello().getMilestone(milestone.getNumber());
    Clients.equal("description", read.getDescription(), "Soon");
    Clients.equal("due", read.getDueOn(), due);
    Clients.equal("state", read.getState(), GHMilestoneState.CLOSED);
    recent("closed", read.getClosedAt());
    List<GHMilestone> closed = Clients.hello().listMilestones(GHIssueState.CLOSED).withPageSize(1).toList();
    List<String> titles = closed.stream().map(GHMilestone::getTitle).sorted().toList();
    Clients.equal("titles", titles, List.of("By Java", "To be deleted"));
    read.delete();
    Clients.absent(() -> Clients.hello().getMilestone(milestone.getNumber()));
  }

  private static void reactions() throws Exception {
    GHIssue issue = create("Reactions of Java");
    react("issue", issue);
    react("comment", issue.comment("Ahoy"));
    for (GHCommitComment comment : Clients.hello().listCommitComments().toList()) {
      if (comment.getBody().startsWith("**Well**")) react("commit comment", comment);
    }
  }

  private static void react(String name, Reactable subject) throws Exception {
    GHReaction reaction = subject.createReaction(ReactionContent.ROCKET);
    Clients.equal(name + ": content", reaction.getContent(), ReactionContent.ROCKET);
    Clients.equal(name + ": user", reaction.getUser().getLogin(), "olive");
    recent(name + ": created", reaction.getCreatedAt());
    List<GHReaction> reactions = subject.listReactions().toList();
    Clients.equal(name + ": listed", reactions.stream().anyMatch(one -> one.getId() == reaction.getId()), true);
    subject.deleteReaction(reaction);
    reactions = subject.listReactions().toList();
    Clients.equal(name + ": deleted", reactions.stream().anyMatch(one -> one.getId() == reaction.getId()), false);
  }
}
