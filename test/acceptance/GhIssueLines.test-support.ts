/** Lines with all commands of `gh issue` and `gh label`, on the repository of the conformance tests. */
import type { GhLine } from "./GhForge.test-support.ts"

const RELATIONS =
  '[.parent.number, .issueType.name, ([.blockedBy.nodes[].number] | join(",")), ([.blocking.nodes[].number] | join(",")), .subIssuesSummary.total] | map(tostring) | join(" ")'

const relations = (number: number | string) =>
  `gh issue view ${number} --json parent,issueType,blockedBy,blocking,subIssuesSummary --jq '${RELATIONS}'`

export const issueLines: ReadonlyArray<GhLine> = [
  ["gh issue list", /^8\t[^]*\n5\t[^]*\n2\t[^]*\n1\tOPEN\tNo ship answers\tbug, question\t/],
  [`gh issue list --state all --json $(fields issue list) --jq '[.[].number] | sort | join(",")'`, "1,2,3,5,8\n"],
  [
    "gh issue view 1 --json $(fields issue view) --jq '.title, .milestone.title, .reactionGroups[0].content'",
    "No ship answers\nBefore winter\nTHUMBS_UP\n"
  ],
  ["gh issue list --type Task --json number --jq .[].number", "1\n", "newest"],
  ["gh issue list --label bug --state all --json number --jq '[.[].number] | sort | join(\",\")'", "1,2,3\n"],
  ["gh issue list --search ship --json number --jq .[].number", "1\n"],
  ["gh issue list --author piers --json number --jq '[.[].number] | sort | join(\",\")'", "1,5\n"],
  ["gh issue list --assignee olive --milestone 'Before winter' --json number --jq .[].number", "1\n"],
  ["gh issue list --mention olive --limit 1", /^$|no issues match/],
  ["gh issue view 1", /title:\tNo ship answers\nstate:\tOPEN\nauthor:\tpiers[^]*They \*\*hear\*\* us\?/],
  ["gh issue view 1 --comments", /author:\tolive\n[^]*_Which_ ships\?/],
  ["gh issue create --title Plain --body B", /\/harbor\/hello\/issues\/24\n$/],
  ["gh issue create --title Full --body B --label bug --assignee @me --milestone 'Before winter'", /\/issues\/25\n$/],
  [
    "gh issue view 25 --json labels,assignees,milestone --jq '.labels[0].name, .assignees[0].login, .milestone.title'",
    "bug\nolive\nBefore winter\n"
  ],
  [
    "gh issue create --title Typed --body B --type Task --parent 24 --blocked-by 25 --blocking 8",
    /\/issues\/26\n$/,
    "newest"
  ],
  [relations(26), "24 Task 25 8 0\n", "newest"],
  ["gh issue edit 24 --remove-sub-issue 26", /issues\/24\n$/, "newest"],
  ["gh issue edit 26 --remove-blocked-by 25 --remove-blocking 8 --remove-type", /issues\/26\n$/, "newest"],
  [relations(26), "null null   0\n", "newest"],
  ["gh issue edit 24 --add-sub-issue 26", /issues\/24\n$/, "newest"],
  [relations(24), "null null   1\n", "newest"],
  ["gh issue edit 26 --remove-parent", /issues\/26\n$/, "newest"],
  ["gh issue edit 26 --parent 25 --add-blocked-by 24 --add-blocking 8 --type Task", /issues\/26\n$/, "newest"],
  [relations(26), "25 Task 24 8 0\n", "newest"],
  [
    "gh issue edit 24 --add-label bug --add-assignee piers --milestone 'Before winter' --title New --body Text",
    /issues\/24\n$/
  ],
  [
    "gh issue view 24 --json title,body,labels,assignees,milestone --jq '.title, .body, .labels[0].name, .assignees[0].login, .milestone.title'",
    "New\nText\nbug\npiers\nBefore winter\n"
  ],
  ["gh issue edit 24 --remove-label bug --remove-assignee piers", /issues\/24\n$/],
  ["gh issue edit 24 --remove-milestone", /issues\/24\n$/, "newest"],
  ["gh issue view 24 --json labels,assignees --jq '(.labels + .assignees) | length'", "0\n"],
  ["gh issue comment 24 --body hi", /issues\/24#issuecomment-\d+\n$/],
  ["gh issue comment 24 --edit-last --body ho", /issuecomment/, "newest"],
  ["gh issue view 24 --json comments --jq '.comments[].body'", "ho\n", "newest"],
  ["gh issue comment 24 --delete-last --yes", /Comment deleted/, "newest"],
  ["gh issue close 24 --reason 'not planned' --comment bye", /Closed issue/],
  ["gh issue view 24 --json state,stateReason --jq '.state, .stateReason'", "CLOSED\nNOT_PLANNED\n", "newest"],
  ["gh issue reopen 24 --comment hello", /Reopened issue/],
  ["gh issue close 25 --duplicate-of 24", /Closed issue/, "newest"],
  ["gh issue view 25 --json stateReason --jq .stateReason", "DUPLICATE\n", "newest"],
  ["gh issue pin 24", /Pinned issue/],
  [
    "gh api graphql -f query='{repository(owner:\"harbor\",name:\"hello\"){pinnedIssues(first:9){nodes{issue{number}}}}}' --jq '.data.repository.pinnedIssues.nodes[].issue.number'",
    /^(\d+\n)*24\n$/
  ],
  ["gh issue unpin 24", /Unpinned issue/],
  ["gh issue lock 24 --reason spam", ""],
  ["gh api repos/harbor/hello/issues/24 --jq '.locked, .active_lock_reason'", "true\nspam\n"],
  ["gh issue unlock 24", ""],
  ["gh issue status", /Issues assigned to you\n[^]*#?1[^]*No ship answers[^]*Issues opened by you\n[^]*New/],
  ["gh issue status --json number,title --jq '.createdBy | length > 1'", "true\n"],
  ["gh issue develop 24 --name develop-24", /hello\/tree\/develop-24\n/, "newest"],
  ["gh issue develop 24 --list", /^develop-24\t/, "newest"],
  ["gh api repos/harbor/hello/branches/develop-24 --jq .name", "develop-24\n", "newest"],
  ["gh issue transfer 24 harbor/empty", /harbor\/empty\/issues\/1\n$/],
  ["gh issue delete 5 --yes || gh issue delete 5 --confirm", /^$|Deleted issue|unknown flag/],
  ["gh api repos/harbor/hello/issues/5 --jq .message || true", /deleted/],
  ["gh issue view 99 || true", /Could not resolve to an issue or pull request with the number of 99/],

  ["gh label list", /^bug\tSomething isn't working\t#d73a4a\n/],
  ["gh label list --json $(fields label list) --jq '.[] | select(.name == \"bug\") | .color'", "d73a4a\n", "newest"],
  ["gh label list --search bug", /^bug\t/],
  ["gh label create odd --color ff0000 --description Odd", ""],
  ["gh label create odd --color 00ff00 --force", ""],
  ["gh label edit odd --name even", ""],
  ["gh api repos/harbor/hello/labels/even --jq .color", "00ff00\n"],
  ["gh label clone harbor/hello --repo $GH_HOST/harbor/empty", ""],
  ["gh label clone harbor/hello --repo $GH_HOST/harbor/empty --force", ""],
  ["gh api repos/harbor/empty/labels/even --jq .name", "even\n"],
  ["gh label delete even --yes || gh label delete even --confirm", /^$|unknown flag/],
  ["gh api repos/harbor/hello/labels/even --jq .message || true", /Not Found/]
]
