/** Lines with all commands of `gh pr`, on the repository of the conformance tests. */
import type { GhLine } from "./GhForge.test-support.ts"

/** Pushes a branch with one file. */
const push = (name: string) =>
  `git switch -q -c ${name} origin/main && echo ${name} > ${name}.txt && git add . && git commit -q -m 'Add ${name}' && git push -q -u origin ${name}`

const MEMBERS = `[.title, ([.reviewRequests[] | .login // .slug] | sort | join(",")), ([.labels[].name] | join(",")), ([.assignees[].login] | join(",")), (.milestone.title // "-")] | join(" ")`

const SHOW_MEMBERS = `gh pr view topic --json title,reviewRequests,labels,assignees,milestone --jq '${MEMBERS}'`

/** Waits until the merge of a pull request was tried. */
const tested = (head: string) =>
  `for attempt in $(seq 100); do test "$(gh pr view ${head} --json mergeable --jq .mergeable)" = MERGEABLE && break; sleep 0.1; done`

export const pullRequestLines: ReadonlyArray<GhLine> = [
  ["gh pr list", /^22\tLate ships\tgreet-late\t[^]*\n21\t[^]*\n20\tDanish ships\t/],
  [
    "gh pr list --json $(fields pr list) --jq '.[] | [.number, .headRefName, .reviews[0].state] | map(tostring) | join(\" \")'",
    /^22 greet-late \w+\n[^]*20 greet-danish APPROVED\n$/
  ],
  [
    "gh pr view 20 --json $(fields pr view) --jq '.author.login, .files[0].path, .commits[0].messageHeadline'",
    "piers\nsrc/danish.ts\nGreet in danish\n"
  ],
  ["gh pr view 20", /title:\tDanish ships\nstate:\tOPEN\nauthor:\tpiers[^]*They \*\*hear\*\* us/],
  ["gh pr view 20 --comments", /author:\tolive\n[^]*Ohoj/],
  ["gh pr list --label bug --draft", /^$|no pull requests match/],
  ["gh pr list --search 'review-requested:@me' --json number --jq .[].number", "22\n"],
  ["gh pr list --app buoy", /^$|no pull requests match/],
  ["gh pr list --author piers --base main --json number --jq .[].number", "20\n"],
  [push("topic"), ""],
  [
    "gh pr create --title T --body B --head topic --base main --label bug --assignee @me --reviewer piers,harbor/crew --milestone 'Before winter'",
    /harbor\/hello\/pull\/\d+\n$/
  ],
  [SHOW_MEMBERS, /^T (harbor\/)?crew,piers bug olive Before winter\n$/],
  [push("dry"), ""],
  ["gh pr create --head dry --fill --dry-run", /title:\tAdd dry/, "newest"],
  ["gh pr create --head dry --title Dry --body '' --draft", /harbor\/hello\/pull\/\d+\n$/],
  ["gh pr view dry --json isDraft,title --jq '.isDraft, .title'", "true\nDry\n"],
  ["gh pr status", /Created by you\n[^]*T \[topic\][^]*Requesting a code review from you\n[^]*Late ships/],
  ["gh pr status --json number,title,statusCheckRollup --jq '[.needsReview[].number] | sort | .[0]'", "22\n"],
  ["gh pr checks topic || true", /no checks reported/],
  ["gh api --silent -X POST repos/harbor/hello/statuses/$(git rev-parse topic) -f state=success -f context=ci", ""],
  ["gh pr checks topic", /^ci\tpass/],
  ["gh pr checks topic --watch", /ci\tpass/],
  ["gh pr checks topic --json $(fields pr checks) --jq '.[].bucket'", "pass\n", "newest"],
  ["gh pr checks topic --required || true", /no required checks/],
  ["gh pr diff topic", /^diff --git a\/topic.txt b\/topic.txt\n[^]*\+topic\n$/],
  ["gh pr diff topic --name-only", "topic.txt\n"],
  ["gh pr diff topic --patch", /^From [0-9a-f]{40} [^]*Subject: \[PATCH\] Add topic/],
  ["gh pr review 20 --approve", /^$|Approved/],
  ["gh pr review 20 --request-changes --body no", /^$|Requested changes/],
  ["gh pr review 20 --comment --body hm", /^$|Reviewed/],
  [
    "gh api repos/harbor/hello/pulls/20/reviews --jq '[.[].state] | .[-3:] | join(\",\")'",
    "APPROVED,CHANGES_REQUESTED,COMMENTED\n"
  ],
  ["gh pr comment 20 --body hi", /pull\/20#issuecomment-\d+\n$/],
  ["gh pr comment 20 --edit-last --body ho", /issuecomment/, "newest"],
  ["gh pr comment 20 --delete-last --yes", /Comment deleted/, "newest"],
  [
    "gh pr edit topic --title New --body Text --add-label question --remove-label bug --add-assignee piers --remove-assignee olive",
    /pull\/\d+\n$/
  ],
  // As Enterprise, gh 2.103 sends the names of the present reviewers instead of their logins.
  ["gh pr edit topic --add-reviewer finn --remove-reviewer piers", /pull\/\d+\n$/, "github.localhost"],
  [SHOW_MEMBERS, /^New (finn,(harbor\/)?crew|crew,finn|(harbor\/)?crew,piers) question piers Before winter\n$/],
  ["gh pr edit topic --remove-milestone", /pull\/\d+\n$/, "newest"],
  ["gh pr edit topic --base side", /pull\/\d+\n$/],
  ["gh pr view topic --json baseRefName --jq .baseRefName", "side\n"],
  ["gh pr edit topic --base main", /pull\/\d+\n$/],
  ["gh pr ready dry", /ready for review/],
  ["gh pr ready dry --undo", /converted to "draft"/, "newest"],
  ["gh pr ready dry", /ready for review/],
  ["gh pr close dry --comment bye", /Closed pull request/],
  ["gh pr reopen dry --comment hello", /Reopened pull request/],
  ["gh pr lock 20 --reason spam", ""],
  ["gh api repos/harbor/hello/issues/20 --jq '.locked, .active_lock_reason'", "true\nspam\n"],
  ["gh pr unlock 20", ""],
  ["git switch -q main && gh pr checkout 20 && git branch --show-current", /greet-danish\n$/],
  ["gh pr checkout 20 --detach && git log -1 --format=%s", /Greet in danish\n$/],
  ["git switch -q main", ""],
  [`${tested("topic")}; gh pr merge topic --squash --subject S --body SB`, /^$|Squashed and merged/],
  [
    "gh pr view topic --json state,mergedBy,mergeCommit --jq '.state, .mergedBy.login, (.mergeCommit.oid | length)'",
    "MERGED\nolive\n40\n"
  ],
  ["gh api repos/harbor/hello/commits/main --jq .commit.message", "S\n\nSB\n"],
  ["gh pr update-branch dry", /PR branch updated/, "newest"],
  ["gh api repos/harbor/hello/commits/dry --jq '.parents | length'", "2\n", "newest"],
  [`${tested("dry")}; gh pr merge dry --merge --delete-branch`, /^$|Merged pull request[^]*Deleted/],
  ["gh api repos/harbor/hello/branches/dry --jq .message || true", /Branch not found|Not Found/],
  ["gh pr revert topic --title Undo --body U", /pull\/\d+\n$/, "newest"],
  ["gh pr list --search 'Undo in:title' --json title --jq .[].title", "Undo\n", "newest"],
  ["gh api --silent -X PATCH repos/harbor/hello -F allow_auto_merge=true", ""],
  [push("waits"), ""],
  ["gh pr create --head waits --base guarded --title Waits --body ''", /pull\/\d+\n$/],
  ["gh pr merge waits --auto --squash", /^$|will be automatically merged/],
  ["gh pr view waits --json autoMergeRequest --jq .autoMergeRequest.mergeMethod", "SQUASH\n", "newest"],
  ["gh pr merge waits --disable-auto", /^$|Auto-merge disabled/],
  ["gh pr view waits --json state --jq .state", "OPEN\n"],
  [`${tested("21")}; gh pr merge 21 --rebase`, /^$|Rebased and merged/],
  ["gh pr view 21 --json state --jq .state", "MERGED\n"],
  ["gh co 22", /greet-late/, "newest"],
  ["gh pr view 99 || true", /Could not resolve to a PullRequest with the number of 99/],
  ["git switch -q main", ""]
]
