/** Tasks that change repositories. */
import { bash, call, NO_TOOL, type Task } from "./Task.ts"

const REPO = "north-pier/lighthouse"
const github = { owner: "north-pier", repo: "lighthouse" }
const contents = (path: string, ref: string) => `/repos/${REPO}/contents/${path}?ref=${ref}`
const HEAD_OF_MAIN = "4f647efcf57ebc342d5b8b8d3e87d6acf77b7bed"

/** Commits and pushes the changes of a shell in a clone. */
const push = (folder: string, message: string) =>
  `git -C ${folder} add -A && git -C ${folder} commit -m "${message}" && git -C ${folder} push -u origin HEAD`

export const writeTasks: ReadonlyArray<Task> = [
  {
    name: "create a branch",
    question: "Create the branch try/horn at main in north-pier/lighthouse.",
    facts: ["try/horn"],
    outcome: { path: `/repos/${REPO}/git/ref/heads/try/horn`, facts: [HEAD_OF_MAIN] },
    scripts: {
      tongs: [
        call("change", {
          operation: `POST /repos/${REPO}/git/refs`,
          arguments: { ref: "refs/heads/try/horn", sha: "main" }
        })
      ],
      "github-mcp-server": [call("create_branch", { ...github, branch: "try/horn", from_branch: "main" })],
      shell: [bash("git -C lighthouse push origin origin/main:refs/heads/try/horn")]
    }
  },
  {
    name: "edit one line of a file on a new branch",
    question:
      'In CONTRIBUTING.md of ada/tongs, change the heading "# Contributing" to "# How to contribute", on the new branch heading, with the message "docs: change the heading".',
    thread: "github/github-mcp-server#3231",
    facts: ["heading"],
    outcome: { path: "/repos/ada/tongs/compare/main...heading", facts: ["-# Contributing\\n+# How to contribute"] },
    scripts: {
      tongs: [
        call("commit", {
          repo: "ada/tongs",
          branch: "heading",
          message: "docs: change the heading",
          files: [{ path: "CONTRIBUTING.md", edits: [{ old: "# Contributing\n", new: "# How to contribute\n" }] }]
        })
      ],
      "github-mcp-server": [
        call("create_branch", { owner: "ada", repo: "tongs", branch: "heading" }),
        call(
          "get_file_contents",
          { owner: "ada", repo: "tongs", path: "CONTRIBUTING.md", ref: "refs/heads/heading" },
          { sha: /\(SHA: (\w+)\)/, rest: /# Contributing\n([\s\S]*)$/ }
        ),
        call("create_or_update_file", {
          owner: "ada",
          repo: "tongs",
          branch: "heading",
          path: "CONTRIBUTING.md",
          sha: "$sha",
          message: "docs: change the heading",
          content: "# How to contribute\n$rest"
        })
      ],
      shell: [
        bash(
          "git -C tongs switch -c heading && sed -i 's/^# Contributing$/# How to contribute/' tongs/CONTRIBUTING.md && " +
            push("tongs", "docs: change the heading")
        )
      ]
    }
  },
  {
    name: "add a file to a branch",
    question:
      'Add docs/oil.md with the line "Whale oil." to the branch docs/glossary of north-pier/lighthouse, with the message "Explain oil".',
    facts: ["docs/"],
    outcome: { path: contents("docs/oil.md", "docs/glossary"), facts: ["V2hhbGUgb2lsLgo="] },
    scripts: {
      tongs: [
        call("commit", {
          repo: REPO,
          branch: "docs/glossary",
          message: "Explain oil",
          files: [{ path: "docs/oil.md", text: "Whale oil.\n" }]
        })
      ],
      "github-mcp-server": [
        call("create_or_update_file", {
          ...github,
          branch: "docs/glossary",
          path: "docs/oil.md",
          content: "Whale oil.\n",
          message: "Explain oil"
        })
      ],
      shell: [
        bash(
          `git -C lighthouse switch docs/glossary && mkdir -p lighthouse/docs && echo "Whale oil." > lighthouse/docs/oil.md && ${push("lighthouse", "Explain oil")}`
        )
      ]
    }
  },
  {
    name: "add two files in one commit on a new branch",
    question:
      'On the new branch try/birds from main of north-pier/lighthouse, add docs/gulls.md ("Loud.") and docs/terns.md ("Quiet.") in one commit "Describe birds".',
    thread: "github/github-mcp-server#595",
    facts: ["try/birds"],
    outcome: {
      path: `/repos/${REPO}/compare/main...try/birds`,
      facts: ["docs/gulls.md", "docs/terns.md", '"ahead_by":1']
    },
    scripts: {
      tongs: [
        call("commit", {
          repo: REPO,
          branch: "try/birds",
          from: "main",
          message: "Describe birds",
          files: [
            { path: "docs/gulls.md", text: "Loud.\n" },
            { path: "docs/terns.md", text: "Quiet.\n" }
          ]
        })
      ],
      "github-mcp-server": [
        call("create_branch", { ...github, branch: "try/birds", from_branch: "main" }),
        call("push_files", {
          ...github,
          branch: "try/birds",
          message: "Describe birds",
          files: [
            { path: "docs/gulls.md", content: "Loud.\n" },
            { path: "docs/terns.md", content: "Quiet.\n" }
          ]
        })
      ],
      shell: [
        bash(
          `git -C lighthouse switch -c try/birds origin/main && echo "Loud." > lighthouse/docs/gulls.md && echo "Quiet." > lighthouse/docs/terns.md && ${push("lighthouse", "Describe birds")}`
        )
      ]
    }
  },
  {
    name: "delete a file",
    question: 'Delete src/log.c on the branch feature/radio-beacon of north-pier/lighthouse: "Drop the log".',
    thread: "modelcontextprotocol/servers#1143",
    facts: [],
    outcome: { path: contents("src/log.c", "feature/radio-beacon"), status: 404, facts: [] },
    scripts: {
      tongs: [
        call("commit", {
          repo: REPO,
          branch: "feature/radio-beacon",
          message: "Drop the log",
          files: [{ path: "src/log.c", delete: true }]
        })
      ],
      "github-mcp-server": [
        call("delete_file", { ...github, branch: "feature/radio-beacon", path: "src/log.c", message: "Drop the log" })
      ],
      shell: [
        bash(
          `git -C lighthouse switch feature/radio-beacon && rm lighthouse/src/log.c && ${push("lighthouse", "Drop the log")}`
        )
      ]
    }
  },
  {
    name: "move a file",
    question:
      'Move src/horn.py to src/fog/horn.py on the branch oyvind/paint of north-pier/lighthouse, with the message "Move the horn".',
    facts: ["horn.py"],
    outcome: { path: contents("src/fog/horn.py", "oyvind/paint"), facts: ['"type":"file"'] },
    scripts: {
      tongs: [
        call("commit", {
          repo: REPO,
          branch: "oyvind/paint",
          message: "Move the horn",
          files: [{ path: "src/horn.py", move: "src/fog/horn.py" }]
        })
      ],
      "github-mcp-server": [
        call(
          "get_file_contents",
          { ...github, path: "src/horn.py", ref: "refs/heads/oyvind/paint" },
          { text: /\(SHA: \w+\)\n([\s\S]*)$/ }
        ),
        call("create_or_update_file", {
          ...github,
          branch: "oyvind/paint",
          path: "src/fog/horn.py",
          content: "$text",
          message: "Move the horn"
        }),
        call("delete_file", { ...github, branch: "oyvind/paint", path: "src/horn.py", message: "Move the horn" })
      ],
      shell: [
        bash(
          `git -C lighthouse switch oyvind/paint && mkdir lighthouse/src/fog && git -C lighthouse mv src/horn.py src/fog/horn.py && ${push("lighthouse", "Move the horn")}`
        )
      ]
    }
  },
  {
    name: "delete a branch",
    question: "Delete the branch experiment/laser of north-pier/lighthouse.",
    thread: "github/github-mcp-server#1476",
    facts: [],
    outcome: { path: `/repos/${REPO}/git/ref/heads/experiment/laser`, status: 404, facts: [] },
    scripts: {
      tongs: [call("change", { operation: `DELETE /repos/${REPO}/git/refs/heads/experiment/laser` })],
      "github-mcp-server": NO_TOOL,
      shell: [bash("git -C lighthouse push origin --delete experiment/laser")]
    }
  },
  {
    name: "create a tag",
    question: "Tag main of north-pier/lighthouse as stable.",
    facts: ["stable"],
    outcome: { path: `/repos/${REPO}/git/ref/tags/stable`, facts: [HEAD_OF_MAIN] },
    scripts: {
      tongs: [
        call("change", {
          operation: `POST /repos/${REPO}/git/refs`,
          arguments: { ref: "refs/tags/stable", sha: "main" }
        })
      ],
      "github-mcp-server": NO_TOOL,
      shell: [bash("git -C lighthouse push origin origin/main:refs/tags/stable")]
    }
  },
  {
    name: "describe a repository",
    question: 'Set the description of ada/knots to "Knots, with pictures".',
    facts: ["knots"],
    outcome: { path: "/repos/ada/knots", facts: ["Knots, with pictures"] },
    scripts: {
      tongs: [
        call("change", {
          operation: "PATCH /repos/ada/knots",
          arguments: { description: "Knots, with pictures" }
        })
      ],
      "github-mcp-server": NO_TOOL,
      shell: [
        bash('gh api -X PATCH repos/ada/knots -f description="Knots, with pictures" --jq .full_name,.description')
      ]
    }
  },
  {
    name: "create a repository",
    question: "Create the private repository notes of ada, with a README.",
    facts: ["ada/notes"],
    outcome: { path: "/repos/ada/notes", facts: ['"private":true'] },
    scripts: {
      tongs: [
        call("change", { operation: "POST /user/repos", arguments: { name: "notes", private: true, auto_init: true } })
      ],
      "github-mcp-server": [call("create_repository", { name: "notes", private: true, autoInit: true })],
      shell: [bash("gh repo create ada/notes --private --add-readme")]
    }
  }
]
