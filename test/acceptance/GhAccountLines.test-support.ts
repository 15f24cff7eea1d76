/** Lines with the commands of gh for workflows, searches, secrets, rulesets and accounts. */
import type { GhLine } from "./GhForge.test-support.ts"

const LIST =
  'query($endCursor:String){repositoryOwner(login:"harbor"){repositories(first:1,after:$endCursor){nodes{nameWithOwner} pageInfo{hasNextPage endCursor}}}}'

const FAILED_JOB = "gh api repos/harbor/hello/actions/runs/7/jobs --jq '.jobs[] | select(.name == \"test\").id'"

export const accountLines: ReadonlyArray<GhLine> = [
  ["gh run list", /completed\tfailure\t[^\n]*\t7\t/],
  ["gh run list --json $(fields run list) --jq '[.[].databaseId] | index(7) != null'", "true\n"],
  [
    "gh run list --branch main --status success --user olive --event push --commit $COMMIT --workflow ci.yml --json status --jq '[.[].status] | unique | join(\",\")'",
    "completed\n",
    "newest"
  ],
  ["gh run view 7", /✓ build[^]*X test[^]*ARTIFACTS\nreport/],
  ["gh run view 7 --verbose", /✓ greet/],
  ["gh run view --job $(gh api repos/harbor/hello/actions/runs/7/jobs --jq '.jobs[0].id') --log", /greet\tAhoy/],
  ["gh run view 7 --log-failed || true", /log not found|^$/],
  [
    "gh run view 7 --json jobs,status,attempt --jq '.jobs[0].name, .status, .attempt'",
    "build\ncompleted\n1\n",
    "newest"
  ],
  ["gh run view 7 --exit-status || echo $?", /\n1\n$/],
  ["gh run watch 7", /has already completed with 'failure'/],
  ["gh run download 7 --name report --dir ../report && cat ../report/report.txt", "all is well\n"],
  ["gh run rerun 7", /^$|Requested rerun/],
  ["gh run view 7 --json status --jq .status", "queued\n"],
  ["gh run cancel 7", /Request to cancel workflow/],
  ["gh run view 7 --attempt 1", /X test/, "newest"],
  ["gh run rerun 7 --failed", /^$|Requested rerun/],
  ["gh run cancel 7 --force", /Request to force cancel workflow/, "newest"],
  ["gh run cancel 7 || true", /^/],
  [`gh run rerun --job $(${FAILED_JOB})`, /^$|Requested rerun/, "newest"],
  ["gh run cancel 7 || true", /^/],
  ["gh run delete 7", /Request to delete workflow run submitted/, "newest"],
  ["gh api repos/harbor/hello/actions/runs/7 --jq .message || true", /Not Found/, "newest"],
  ["gh workflow list --all", /^CI\tactive\t1\n/],
  ["gh workflow list --json $(fields workflow list) --jq .[].path", ".github/workflows/ci.yml\n", "newest"],
  ["gh workflow view ci.yml", /^CI - ci\.yml\nID: 1\n/],
  ["gh workflow view ci.yml --yaml", "name: CI\non: [push, workflow_dispatch]\njobs: {}\n"],
  ["gh workflow run ci.yml --ref main", /actions\/runs\/\d+|^$|Created workflow_dispatch event/],
  ["gh api 'repos/harbor/hello/actions/runs?event=workflow_dispatch' --jq .total_count", "1\n"],
  ["gh workflow disable ci.yml && gh workflow list --all", /disabled_manually/],
  ["gh workflow enable ci.yml && gh workflow list", /^CI\tactive|\nCI\tactive/],

  ["gh search issues ship --repo harbor/hello", /harbor\/hello\t1\topen\tNo ship answers/],
  ["gh search issues --owner harbor --json $(fields search issues) --jq '[.[].number] | index(1) != null'", "true\n"],
  [
    "gh search prs ships --repo harbor/hello --state open --json $(fields search prs) --jq '[.[].title] | index(\"Late ships\") != null'",
    "true\n"
  ],
  ["gh search prs --author olive --draft=false --review none --json number --jq length", /^\d+\n$/],
  ["gh search repos hello --owner harbor --json $(fields search repos) --jq .[].fullName", "harbor/hello\n"],
  ["gh search commits greet --repo harbor/hello", /Greet/, "newest"],
  [
    "gh search commits greet --repo harbor/hello --json $(fields search commits) --jq '[.[].commit.message] | index(\"Greet\") != null'",
    "true\n",
    "newest"
  ],
  ["gh search code ahoy --repo harbor/hello", /harbor\/hello:src\/greet\.ts/, "newest"],
  [
    "gh search code ahoy --owner harbor --json $(fields search code) --jq '[.[].path] | index(\"src/greet.ts\") != null'",
    "true\n",
    "newest"
  ],

  ["gh secret set S1 --body x && gh secret list", /S1\t/],
  ["gh secret list --json $(fields secret list) --jq '[.[].name] | join(\",\")'", "OLD,S1,TOKEN\n", "newest"],
  ["gh secret delete S1 && gh secret list | cut -f 1", "OLD\nTOKEN\n"],
  [
    "gh secret set S2 --env production --body x && gh secret list --env production && gh secret delete S2 --env production",
    /S2\t/
  ],
  [
    "gh secret set S3 --org harbor --repos hello --body x && gh secret list --org harbor && gh secret delete S3 --org harbor",
    /S3\t.*SELECTED/
  ],
  [
    "printf 'A=1\\nB=2\\n' > ../env && gh secret set --env-file ../env && gh secret list | cut -f 1",
    /A\nB\nOLD\nTOKEN\n$/
  ],
  ["gh variable set V1 --body x && gh variable set V1 --body y && gh variable get V1", /y\n$/, "newest"],
  ["gh variable list --json $(fields variable list) --jq '.[] | select(.name == \"V1\").value'", "y\n", "newest"],
  ["gh variable delete V1 && gh variable list | cut -f 1", /^OLD\nREGION\n$/, "newest"],
  ["gh variable set V2 --env production --body x && gh variable get V2 --env production", /x\n$/, "newest"],
  [
    "gh variable set V3 --org harbor --repos hello --body x && gh variable list --org harbor && gh variable delete V3 --org harbor",
    /V3\tx\t/,
    "newest"
  ],

  ["gh ruleset list", /\tOwn\tharbor\/hello \(repo\)\tactive\t1\n/, "newest"],
  ["gh ruleset list --org harbor", /\tKeep what was released\tharbor \(org\)\tactive\t2\n/, "newest"],
  [
    "gh ruleset view $(gh api repos/harbor/hello/rulesets --jq '.[0].id')",
    /Own\nID: \d+\n[^]*non_fast_forward/,
    "newest"
  ],
  ["gh ruleset view 1 --org harbor", /Keep what was released\n/, "newest"],
  ["gh ruleset check guarded", /non_fast_forward/, "newest"],
  [
    "gh cache list --json $(fields cache list) --key npm --ref refs/heads/main --sort size_in_bytes --order asc --jq '[.[].key] | join(\",\")'",
    "npm-1,npm-2,npm-3\n",
    "newest"
  ],
  ["gh cache delete npm-1 && gh cache list | cut -f 2", "npm-3\nnpm-2\n", "newest"],
  ["gh cache delete --all && gh api repos/harbor/hello/actions/caches --jq .total_count", /0\n$/, "newest"],

  ["gh org list", "harbor\npier\n", "newest"],
  ["gh status", /Assigned Issues[^]*Review Requests[^]*Late ships/],
  ["gh status --org harbor", /Assigned Issues/],
  ["gh ssh-key list", /^lamp\tssh-ed25519 /],
  ["ssh-keygen -q -t ed25519 -N '' -f ../user-key && gh ssh-key add ../user-key.pub --title k1", /^$|Public key added/],
  [
    "gh ssh-key add ../user-key.pub --type signing --title k2 && gh api user/ssh_signing_keys --jq '[.[].title] | index(\"k2\") != null'",
    /true\n$/,
    "newest"
  ],
  [
    "gh ssh-key delete $(gh api user/keys --jq '.[] | select(.title == \"k1\").id') --yes || gh ssh-key delete $(gh api user/keys --jq '.[] | select(.title == \"k1\").id') --confirm",
    /^$|SSH key|unknown flag/
  ],
  ["gh api user/keys --jq '[.[].title] | join(\",\")'", "lamp,spare\n"],
  ["gh gpg-key list", /olive@harbor\.example/],
  ["gh auth status --hostname $GH_HOST", /Logged in to \S+ (as|account) olive/],
  ["gh auth token --hostname $GH_HOST", "olive\n"],
  ["gh browse --no-browser", /\/harbor\/hello\n$/],
  ["gh browse --no-browser 1", /\/harbor\/hello\/issues\/1\n$/],
  ["gh browse --no-browser README.md:2 --branch main", /\/harbor\/hello\/blob\/main\/README\.md\?plain=1#L2\n$/],
  ["gh browse --no-browser --settings", /\/harbor\/hello\/settings\n$/],
  [
    `gh api graphql --paginate --jq '.data.repositoryOwner.repositories.nodes[].nameWithOwner' -f query='${LIST}'`,
    /^harbor\/crewed\nharbor\/empty\nharbor\/hello\n/
  ],
  [`gh api graphql --paginate --slurp -f query='${LIST}' | grep -c '^\\[{"data"'`, "1\n", "newest"]
]
