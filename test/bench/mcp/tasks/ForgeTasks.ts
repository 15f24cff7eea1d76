/** Tasks about the forge: webhooks, rules, milestones, artifacts, events, rights and limits. */
import { bash, call, forgeLacks, NO_TOOL, type Task } from "./Task.ts"

const REPO = "north-pier/lighthouse"

export const forgeTasks: ReadonlyArray<Task> = [
  {
    name: "find failed deliveries of webhooks",
    question: "Which deliveries of the webhooks of north-pier/lighthouse failed, and why?",
    thread: "github/roadmap#196",
    facts: ["Bad Gateway", "410", "Internal Server Error", "bells.lighthouse.example"],
    scripts: {
      tongs: [call("list_deliveries", { failed: true, repo: REPO })],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash("gh api repos/north-pier/lighthouse/hooks --jq '.[] | [.id, .config.url] | @tsv'", {
          a: /^(\d+)/m,
          b: /^\d+.*\n(\d+)/m,
          c: /^\d+.*\n\d+.*\n(\d+)/m
        }),
        bash(
          "for h in $a $b $c; do gh api repos/north-pier/lighthouse/hooks/$h/deliveries --jq '.[] | select(.status_code >= 400 or .status_code == 0) | [.id, .event, .status, .status_code, .delivered_at] | @tsv'; done"
        )
      ]
    }
  },
  {
    name: "list the webhooks",
    question: "Which webhooks does north-pier/lighthouse have, for which events, and are they active?",
    thread: "github/roadmap#196",
    facts: ["bells.lighthouse.example/push", "charts.lighthouse.example/hook", "commit_comment", "false"],
    scripts: {
      tongs: [
        call("run_operation", {
          operation: "GET /repos/north-pier/lighthouse/hooks",
          fields: ["id", "config.url", "events", "active"]
        })
      ],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash(
          "gh api repos/north-pier/lighthouse/hooks --jq '.[] | [.id, .config.url, (.events | join(\",\")), .active] | @tsv'"
        )
      ]
    }
  },
  {
    name: "read the rules of an organization",
    question: "Which rulesets does the organization north-pier have? Which rules has the first one?",
    thread: "github/github-mcp-server#820",
    facts: ["What was released stays", "Gold is kept straight", "evaluate", "disabled", "deletion", "update"],
    scripts: {
      tongs: [
        call("run_operation", { operation: "GET /orgs/north-pier/rulesets" }, { id: /^(\d+)\t/m }),
        call("run_operation", { operation: "GET /orgs/north-pier/rulesets/$id" })
      ],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash("gh api orgs/north-pier/rulesets --jq '.[] | [.id, .name, .target, .enforcement] | @tsv'", {
          id: /^(\d+)/
        }),
        bash("gh api orgs/north-pier/rulesets/$id")
      ]
    }
  },
  {
    name: "list the milestones",
    question: "Which open milestones does north-pier/lighthouse have, and when are they due?",
    thread: "github/github-mcp-server#258",
    facts: ["Winter season", "A second lamp"],
    scripts: {
      tongs: [call("run_operation", { operation: "GET /repos/north-pier/lighthouse/milestones" })],
      "github-mcp-server": NO_TOOL,
      shell: [bash("gh api repos/north-pier/lighthouse/milestones --jq '.[] | [.number, .title, .due_on] | @tsv'")]
    }
  },
  {
    name: "create a milestone",
    question: 'Create the milestone "Spring paint" in north-pier/lighthouse, due 2027-03-20T12:00:00Z.',
    thread: "github/github-mcp-server#258",
    facts: ["Spring paint"],
    outcome: { path: `/repos/${REPO}/milestones`, facts: ["Spring paint", "2027-03-20"] },
    scripts: {
      tongs: [
        call("change", {
          operation: "POST /repos/north-pier/lighthouse/milestones",
          arguments: { title: "Spring paint", due_on: "2027-03-20T12:00:00Z" }
        })
      ],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash(
          'gh api repos/north-pier/lighthouse/milestones -f title="Spring paint" -f due_on=2027-03-20T12:00:00Z --jq .number,.title,.due_on'
        )
      ]
    }
  },
  {
    name: "list the artifacts of a run",
    question: "Which artifacts does the workflow run 42 of north-pier/lighthouse have, and when do they expire?",
    thread: "github/github-mcp-server#268",
    facts: ["lamp-readings-raw", "lamp-readings", "205"],
    scripts: {
      tongs: [call("list_artifacts", { repo: REPO })],
      "github-mcp-server": [
        call("actions_list", {
          method: "list_workflow_run_artifacts",
          owner: "north-pier",
          repo: "lighthouse",
          resource_id: "42"
        })
      ],
      shell: [
        bash(
          "gh api repos/north-pier/lighthouse/actions/runs/42/artifacts --jq '.artifacts[] | [.name, .size_in_bytes, .expires_at] | @tsv'"
        )
      ]
    }
  },
  {
    name: "list the events of a repository",
    question: "Who did what in north-pier/lighthouse lately? List its events.",
    thread: "ldraney/github-mcp#52",
    facts: ["PushEvent", "mamoru", "ReleaseEvent", "CommitCommentEvent", "oyvind"],
    scripts: {
      tongs: [call("run_operation", { operation: "GET /repos/north-pier/lighthouse/events" })],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash("gh api repos/north-pier/lighthouse/events --jq '.[] | [.id, .type, .actor.login, .created_at] | @tsv'")
      ]
    }
  },
  {
    name: "list my repositories",
    question: "Which repositories do I have, and which are private or archived?",
    thread: "github/github-mcp-server#279",
    facts: ["ada/knots", "north-pier/keepers-log", "south-pier/ferry", "private", "archived"],
    scripts: {
      tongs: [call("list_repositories")],
      "github-mcp-server": forgeLacks("GET /search/repositories"),
      shell: [
        bash(
          'gh api user/repos --paginate --jq \'.[] | [.full_name, .description, (if .private then "private" else "public" end), (if .archived then "archived" else "" end)] | @tsv\''
        )
      ]
    }
  },
  {
    name: "read the comments on commits",
    question: "What do people say in comments on commits of north-pier/lighthouse?",
    thread: "github/github-mcp-server#698",
    facts: ["loud", "灯りは大丈夫です", "Should the title say which lighthouse?", "Fixed in the next tag."],
    scripts: {
      tongs: [call("list_comments", { kind: "commit", repo: REPO })],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash(
          "gh api repos/north-pier/lighthouse/comments --jq '.[] | [.id, .user.login, .commit_id[:7], .path, .line, .body, .created_at] | @tsv'"
        )
      ]
    }
  },
  {
    name: "explain the rate limits",
    question: "How many requests may I still send, and when are they full again?",
    thread: "ldraney/github-mcp#41",
    facts: ["core"],
    scripts: {
      tongs: [call("limits")],
      "github-mcp-server": NO_TOOL,
      shell: [bash("gh api rate_limit --jq .resources")]
    }
  }
]
