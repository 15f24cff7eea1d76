/** Tasks about commits, branches and tags. */
import { bash, call, forgeLacks, type Task } from "./Task.ts"

const REPO = "ada/tongs"
const github = { owner: "ada", repo: "tongs" }
const lighthouse = { owner: "north-pier", repo: "lighthouse" }
const GLOB = "packages/core/src/text/Glob.ts"
const TABLE = "packages/core/src/text/Table.ts"

export const historyTasks: ReadonlyArray<Task> = [
  {
    name: "list the commits of a file",
    question: "Which are the last 5 commits that changed apps/mcp/src/tools/Compare.ts in ada/tongs?",
    thread: "github/github-mcp-server#2260",
    facts: ["812a0df", "8c8adba", "2a49c42", "cd0a933", "867cc4b", "text: abbreviate commit ids"],
    scripts: {
      tongs: [call("list_commits", { path: "apps/mcp/src/tools/Compare.ts", limit: 5, repo: REPO })],
      "github-mcp-server": [
        call("list_commits", {
          ...github,
          path: "apps/mcp/src/tools/Compare.ts",
          perPage: 5,
          fields: ["sha", "commit"]
        })
      ],
      shell: [bash("git -C tongs log --oneline -5 -- apps/mcp/src/tools/Compare.ts")]
    }
  },
  {
    name: "list the commits since a time",
    question: "Which commits does ada/tongs have since 2026-11-28T11:30:00Z?",
    thread: "github/github-mcp-server#197",
    facts: ["12547fe", "88d4f8e", "comments: name what three comments mean"],
    scripts: {
      tongs: [call("list_commits", { since: "2026-11-28T11:30:00Z", repo: REPO })],
      "github-mcp-server": [
        call("list_commits", { ...github, since: "2026-11-28T11:30:00Z", fields: ["sha", "commit"] })
      ],
      shell: [bash("git -C tongs log --oneline --since=2026-11-28T11:30:00Z")]
    }
  },
  {
    name: "list the commits of an author",
    question: "What did juergen@lighthouse.example commit to north-pier/lighthouse?",
    thread: "github/github-mcp-server#568",
    facts: ["Configure the station", "Test the lamp", "Light the lamp in fog, too"],
    scripts: {
      tongs: [call("list_commits", { author: "juergen@lighthouse.example", repo: "north-pier/lighthouse" })],
      "github-mcp-server": [
        call("list_commits", { ...lighthouse, author: "juergen@lighthouse.example", fields: ["sha", "commit"] })
      ],
      shell: [bash("git -C lighthouse log --oneline --author=juergen@lighthouse.example")]
    }
  },
  {
    name: "find who changed a line",
    question: `Which commits changed lines 29 to 33 of ${TABLE} in ada/tongs last?`,
    thread: "github/github-mcp-server#504",
    facts: ["e357a06", "e59d6dc", "b321272"],
    scripts: {
      tongs: [call("read_file", { path: TABLE, lines: "29-33", blame: true, repo: REPO })],
      "github-mcp-server": "its tool get_file_blame is off by default",
      shell: [bash(`git -C tongs blame -L29,33 ${TABLE}`)]
    }
  },
  {
    name: "list the commits between two tags",
    question: "Which commits of ada/tongs are in v1.1.0 and not in v1.0.0?",
    thread: "github/github-mcp-server#1910",
    facts: ["4c25e24", "a9ad110", "711fa36", "ade8c24", "e7b5b1a", "f248a6c", "8a8be1d", "cbfd623"],
    scripts: {
      tongs: [call("compare", { base: "v1.0.0", head: "v1.1.0", patch: "none", repo: REPO })],
      "github-mcp-server": [
        call("list_tags", github),
        call("list_commits", { ...github, sha: "v1.1.0", fields: ["sha", "commit"] })
      ],
      shell: [bash("git -C tongs log --oneline v1.0.0..v1.1.0")]
    }
  },
  {
    name: "show what changed in a file between two tags",
    question: `What changed in ${GLOB} of ada/tongs from v1.0.0 to v1.1.0?`,
    thread: "github/github-mcp-server#1910",
    facts: ["const MAX_DEPTH = 20", "An invalid glob matches its own text only"],
    scripts: {
      tongs: [call("compare", { base: "v1.0.0", head: "v1.1.0", path: GLOB, patch: "full", repo: REPO })],
      "github-mcp-server": [
        call(
          "list_commits",
          { ...github, sha: "v1.1.0", path: GLOB, perPage: 5, fields: ["sha", "commit"] },
          { sha: /"sha":"(\w{40})"/ }
        ),
        call("get_commit", { ...github, sha: "$sha", detail: "full_patch" })
      ],
      shell: [bash(`git -C tongs diff v1.0.0 v1.1.0 -- ${GLOB}`)]
    }
  },
  {
    name: "summarize a commit",
    question: "What does the commit a9ad1102 of ada/tongs change, and why?",
    facts: ["Two stars in a pattern made a push of many files block all requests", "RulesetValidation.ts", "Glob.ts"],
    scripts: {
      tongs: [call("read_commit", { sha: "a9ad1102", repo: REPO })],
      "github-mcp-server": [call("get_commit", { ...github, sha: "a9ad1102", detail: "stats" })],
      shell: [bash("git -C tongs show --stat a9ad1102")]
    }
  },
  {
    name: "list the branches",
    question: "Which branches does north-pier/lighthouse have?",
    facts: ["dependabot/oil-2.0", "electric-lamp", "mamoru/霧笛", "tilda/ferry-signals"],
    scripts: {
      tongs: [call("list_refs", { repo: "north-pier/lighthouse" })],
      "github-mcp-server": [call("list_branches", lighthouse)],
      shell: [bash("gh api repos/north-pier/lighthouse/branches --paginate --jq '.[].name'")]
    }
  },
  {
    name: "list the tags with their commits",
    question: "Which tags does north-pier/lighthouse have, and at which commits?",
    thread: "github/github-mcp-server#344",
    facts: ["nightly", "cfa2df5", "v1.1.0-rc.1", "4f647ef", "v0.2.0", "76d80c1"],
    scripts: {
      tongs: [call("list_refs", { kind: "tags", repo: "north-pier/lighthouse" })],
      "github-mcp-server": [call("list_tags", lighthouse)],
      shell: [bash("gh api repos/north-pier/lighthouse/tags --paginate --jq '.[] | .name + \" \" + .commit.sha'")]
    }
  },
  {
    name: "find a commit by its message",
    question: "Which commit of ada/tongs speaks of elicitation in its message?",
    thread: "github/github-mcp-server#965",
    facts: ["3cca86a", "mcp: ask the person before calls that cannot be undone"],
    scripts: {
      tongs: [call("search_code", { query: "type:commit elicitation", repo: REPO })],
      "github-mcp-server": forgeLacks("GET /search/commits"),
      shell: [bash("git -C tongs log --oneline -i --grep=elicitation")]
    }
  }
]
