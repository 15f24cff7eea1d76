/** Twenty jobs in the demonstration with at most 6 keys each, of the table in `docs/tui.md`, and five longer tasks. */
import { assert, describe, it } from "@effect/vitest"
import * as ChildProcess from "node:child_process"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { sample } from "../LongTests.test-support.ts"
import { program } from "./TongsCommand.test-support.ts"
import * as TuiTerminal from "./TuiTerminal.test-support.ts"

/** Maximum number of keys of a job, without text typed into an input. */
const MAX_KEYS = 6

/** Maximum of the median number of keys. */
const MAX_MEDIAN = 4

/** A step of a task: a key, or text for an input, and the words on the screen after the step. */
interface Input {
  readonly _tag: "Key" | "Text"
  readonly value: string
  /** The text in the documentation. */
  readonly label: string
  readonly sees: ReadonlyArray<string>
}

/** Checks the effect of the previous steps. Throws on failure. */
interface Check {
  readonly _tag: "Check"
  readonly check: (results: Results) => void
}

interface Results {
  /** Returns the result of a command of `tongs`. */
  readonly ask: <A>(schema: Schema.Codec<A, unknown>, ...command: ReadonlyArray<string>) => A
  readonly screen: () => string
  readonly folder: string
}

interface Task {
  readonly name: string
  readonly steps: ReadonlyArray<Input | Check>
  /** Keys of lazygit 0.66.2 and of tig 2.5.5 for the job, tried by hand. Absent if the program cannot do the job. */
  readonly lazygit?: number
  readonly tig?: number
}

const labels: Readonly<Record<string, string>> = { BTab: "Shift-Tab", "C-s": "Ctrl-S", Right: "→" }

/** A key by tmux name. */
const press = (value: string, ...sees: ReadonlyArray<string>): Input => ({
  _tag: "Key",
  value,
  label: labels[value] ?? (value.length === 1 ? `\`${value}\`` : value),
  sees
})

const type = (value: string, ...sees: ReadonlyArray<string>): Input => ({
  _tag: "Text",
  value,
  label: `“${value}”`,
  sees
})

const check = (check: Check["check"]): Check => ({ _tag: "Check", check })

const repository = ["--owner", "north-pier", "--repo", "lighthouse"]
const organization = ["--org", "north-pier"]

const Delivery = Schema.Struct({ event: Schema.String, redelivery: Schema.Boolean })
const Blocked = Schema.Array(Schema.Struct({ login: Schema.String }))
const Permissions = Schema.Struct({ enabled_repositories: Schema.String })
const Branches = Schema.Array(Schema.Struct({ name: Schema.String }))
const Commits = Schema.Array(Schema.Struct({ commit: Schema.Struct({ message: Schema.String }) }))

/** A valid public key without a comment. */
const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGV2xaRk3vrvMiAAnLbIwzJdbtG40HokOmjaEtFP9E9K"

/** Opens a screen of the organization by its name in the palette. */
const openOfOrganization = (name: string, ...sees: ReadonlyArray<string>): ReadonlyArray<Input> => [
  press(":", "Go to"),
  type(name, `❯ ${name}`),
  press("Enter", "Name of the organization."),
  type("north-pier"),
  press("C-s", ...sees)
]

const jobs: ReadonlyArray<Task> = [
  {
    name: "Read the history of a file",
    lazygit: 5,
    steps: [
      press("@", "branch, tag or commit:"),
      type(":src/lamp.ts", "branch, tag or commit: :src/lamp.ts"),
      press("Enter", "export const isLit"),
      press("f", "lamp.ts history", "Light the lamp in fog, too", "Light the lamp in the dark")
    ]
  },
  {
    name: "Find the commit that changed a line",
    tig: 10,
    steps: [
      press("s", "search code here:"),
      type("isLit"),
      press("Enter", "❯ src/lamp.ts", "matches, 3 files"),
      press("Enter", "❯ 7 export const isLit", "isLit  function"),
      press("b", "a4a3232 Jürgen Möwe"),
      press(
        "Enter",
        "Light the lamp in fog, too",
        "a4a323263098de1dc29ad84893eb1700a0cc22cd",
        "weather.visibilityKm < 5"
      ),
      check(({ ask }) => {
        const Blame = Schema.Struct({
          ranges: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int, commit: Schema.String }))
        })
        const { ranges } = ask(Blame, "history", "blame", ...repository, "--path", "src/lamp.ts")
        const line = ranges.find(({ from, to }) => from <= 7 && 7 <= to)
        assert.strictEqual(line?.commit, "a4a323263098de1dc29ad84893eb1700a0cc22cd")
      })
    ]
  },
  {
    name: "Go from a search hit to the definition",
    steps: [
      press("s", "search code here:"),
      type("path:lamp.test isLit"),
      press("Enter", "❯ test/lamp.test.ts"),
      press("Enter", "files › test › lamp.test.ts", "import { isLit }"),
      press("g"),
      press("d", "7 export const isLit", "7/7 lines")
    ]
  },
  {
    name: "Go from the definition to the uses",
    steps: [
      press("@", "branch, tag or commit:"),
      type(":src/lamp.ts", "branch, tag or commit: :src/lamp.ts"),
      press("Enter", "export const isLit"),
      press("G", "7/7 lines"),
      press("g"),
      press("r", "uses of isLit")
    ]
  },
  {
    name: "Compare two branches",
    lazygit: 4,
    steps: [
      press("Tab", "[branches]", "1/27 branches"),
      press("Space", "1 marked"),
      press("Space", "2 marked"),
      press("=", "dependabot/oil-2.0 compared with main")
    ]
  },
  {
    name: "Start a branch at a commit",
    lazygit: 4,
    steps: [
      press("j", "2/11 commits"),
      press("c", "ew branch here", "refs/heads/"),
      type("storm", "refs/heads/storm"),
      press("C-s", "refs/heads/storm"),
      check(({ ask }) =>
        assert.include(
          ask(Branches, "branches", "list", ...repository).map(({ name }) => name),
          "storm"
        )
      )
    ]
  },
  {
    name: "Rename a branch",
    lazygit: 5,
    steps: [
      press("Tab", "[branches]", "1/27 branches"),
      press("j", "❯ dependabot/oil-2.0"),
      press("m", "ename this branch"),
      type(".1", "dependabot/oil-2.0.1"),
      press("C-s", "Done"),
      check(({ ask }) =>
        assert.include(
          ask(Branches, "branches", "list", ...repository).map(({ name }) => name),
          "dependabot/oil-2.0.1"
        )
      )
    ]
  },
  {
    name: "Delete a branch, and undo it",
    steps: [
      press("Tab", "[branches]", "1/27 branches"),
      press("j", "❯ dependabot/oil-2.0"),
      press("D", "u creates it again"),
      press("Enter", "u undoes it", "❯ docs/glossary"),
      check(({ ask }) =>
        assert.notInclude(
          ask(Branches, "branches", "list", ...repository).map(({ name }) => name),
          "dependabot/oil-2.0"
        )
      ),
      press("u", "dependabot/oil-2.0"),
      check(({ ask }) =>
        assert.include(
          ask(Branches, "branches", "list", ...repository).map(({ name }) => name),
          "dependabot/oil-2.0"
        )
      )
    ]
  },
  {
    name: "Edit a file, and commit it",
    tig: 13,
    steps: [
      press("@", "branch, tag or commit:"),
      type(":src/lamp.ts", "branch, tag or commit: :src/lamp.ts"),
      press("Enter", "export const isLit"),
      press("m", "Commit src/lamp.ts", "+// edited", "message"),
      press("C-s", "Update src/lamp.ts"),
      check(({ ask }) => {
        const [latest] = ask(Commits, "commits", "list", ...repository, "--path", "src/lamp.ts")
        assert.strictEqual(latest?.commit.message.split("\n", 1)[0], "Update src/lamp.ts")
      })
    ]
  },
  {
    name: "See what changed since yesterday in all repositories",
    steps: [press("i", "In the last 24 hours: ", "south-pier/ferry", "north-pier/keepers-log")]
  },
  {
    name: "Copy a link",
    lazygit: 3,
    steps: [press("y", "Copy", "link"), press("l", "/commit/4f647ef")]
  },
  {
    name: "Send a failed delivery again",
    steps: [
      press("5", "1/3 webhooks"),
      press("Enter", "Recent deliveries", "3 failed"),
      press("t", "Repeat a delivery of a webhook", "Enter confirms"),
      press("Enter", "Done: repeat a delivery of a webhook: failed again", "4 failed"),
      check(({ ask }) => {
        const [latest] = ask(Schema.Array(Delivery), "repository-hooks", "deliveries", ...repository, "--hook-id", "1")
        assert.deepStrictEqual(latest, { event: "push", redelivery: true })
      })
    ]
  },
  {
    name: "Find the caller that used up the budget",
    steps: [
      ...openOfOrganization("by caller", "CALLER", "LIMITED", "1/6 callers"),
      check(({ ask, screen }) => {
        const Caller = Schema.Struct({
          subject_name: Schema.String,
          total_request_count: Schema.Int,
          rate_limited_request_count: Schema.Int
        })
        const from = ["--min-timestamp", "2020-01-01T00:00:00Z"]
        const callers = ask(Schema.Array(Caller), "insights", "subject-stats", ...organization, ...from)
        const [first] = callers.toSorted((a, b) => b.total_request_count - a.total_request_count)
        assert.match(screen(), new RegExp(`❯ ${first?.subject_name} .*[1-9][\\d,]* +[1-9][\\d,]* `, "u"))
        assert.isAbove(first?.rate_limited_request_count ?? 0, 0)
      })
    ]
  },
  {
    name: "Download an artifact, and verify its digest",
    steps: [
      press("4", "1/4 artifacts", "❯ lamp-readings-raw"),
      press("Enter", "❯ Download ›"),
      press("Enter", "Download an artifact", "path *"),
      press("C-s", "verified sha256:"),
      check(({ ask, folder, screen }) => {
        const Artifact = Schema.Struct({ digest: Schema.String })
        const { digest } = ask(Artifact, "artifacts", "get", ...repository, "--artifact-id", "3")
        const bytes = Fs.readFileSync(Path.join(folder, "lamp-readings-raw.zip"))
        assert.strictEqual(`sha256:${Crypto.createHash("sha256").update(bytes).digest("hex")}`, digest)
        assert.include(screen(), `verified ${digest}`)
      })
    ]
  },
  {
    name: "Refine a search that finds nothing",
    steps: [
      press("S", "search all code:"),
      type("isLitt"),
      press("Enter", "No matches for isLitt"),
      press("S", "search all code:"),
      press("Up", "isLitt"),
      press("BSpace", "search all code: isLit"),
      press("Enter", "matches", "north-pier/lighthouse")
    ]
  },
  {
    name: "Read a file at a tag",
    tig: 10,
    steps: [
      press("@", "branch, tag or commit:"),
      type("v1.0.0:src/lamp.ts", "v1.0.0:src/lamp.ts"),
      press("Enter", "files at v1.0.0 › src › lamp.ts", "export const isLit")
    ]
  },
  {
    name: "Open a file in the editor",
    tig: 7,
    steps: [
      press("@", "branch, tag or commit:"),
      type(":src/lamp.ts", "branch, tag or commit: :src/lamp.ts"),
      press("Enter", "export const isLit"),
      press("e", "changes in the editor are not saved"),
      check(({ folder }) =>
        assert.include(Fs.readFileSync(Path.join(folder, "edited.txt"), "utf8"), "export const isLit")
      )
    ]
  },
  {
    name: "Switch to another profile",
    steps: [
      press(":", "Go to"),
      type("profile work", "❯ switch to profile work"),
      press("Enter", "tongs › home", "Your repositories")
    ]
  },
  {
    name: "Block a user",
    steps: [
      press(":", "Go to"),
      type("block a user", "❯ Block a user"),
      press("Enter", "username"),
      type("tilda"),
      press("C-s", "Done"),
      check(({ ask }) => assert.deepInclude(ask(Blocked, "blocks", "list"), { login: "tilda" }))
    ]
  },
  {
    name: "Read a rule in words",
    steps: [...openOfOrganization("rulesets", "What was released stays", "Nobody may delete matching references")]
  }
]

/** Longer tasks, which the documentation does not list. */
const tasks: ReadonlyArray<Task> = [
  {
    name: "Edit a review comment",
    steps: [
      press("3", "[pull requests]"),
      press("Tab", "[review comments]", "src/lamp.ts:7"),
      press("G", "39/39 lines"),
      press("m", "Update a review comment", "no more questions"),
      type(" Thanks!", "no more questions. Thanks!"),
      press("C-s", "Done: update a review comment", "no more questions. Thanks!"),
      check(({ ask }) => {
        const Comments = Schema.Array(Schema.Struct({ body: Schema.String }))
        const comments = ask(Comments, "review-comments", "list", ...repository)
        assert.lengthOf(
          comments.filter(({ body }) => body.endsWith("no more questions. Thanks!")),
          1
        )
      })
    ]
  },
  {
    name: "Compare the costs of the last two months",
    steps: [
      ...openOfOrganization("usage", "[ earlier", "DIFFERENCE", "Total"),
      press("[", "Esc back", "north-pier › usage, "),
      check(({ screen }) => {
        const [, month, previous] = /PRODUCT +([A-Z]+) +([A-Z]+) +DIFFERENCE/.exec(screen()) ?? []
        assert.match(screen(), new RegExp(`❯ ${month}`, "iu"))
        assert.notStrictEqual(month, previous)
        const [, total, before, sign, difference] =
          /Total +\$([\d.]+) +\$([\d.]+) +([+-])\$([\d.]+)/.exec(screen()) ?? []
        const expected = Math.abs(Number(total) - Number(before))
        assert.closeTo(Number(difference), expected, 0.011)
        assert.strictEqual(sign, Number(total) < Number(before) ? "-" : "+")
      })
    ]
  },
  {
    name: "Replace an SSH key",
    steps: [
      press(":", "Go to"),
      type("keys", "❯ keys"),
      press("Enter", "[keys]", "❯ lamp room", "1/2"),
      press("c", "Add an SSH key"),
      { ...type(PUBLIC_KEY, PUBLIC_KEY.slice(-20)), label: "the public key" },
      press("BTab"),
      type("lamp room, new"),
      press("C-s", "Add an SSH key", "Anyone with the private key", "Type yes to confirm"),
      type("yes"),
      press("Enter", "Done: add an ssh key", "lamp room, new"),
      press("D", "Remove an SSH key", "This cannot be undone", "Type lamp room to confirm"),
      type("lamp room"),
      press("Enter", "Done: remove an ssh key"),
      check(({ ask }) => {
        const keys = ask(Schema.Array(Schema.Struct({ key: Schema.String, title: Schema.String })), "keys", "mine")
        assert.deepInclude(keys, { key: PUBLIC_KEY, title: "lamp room, new" })
        assert.notInclude(
          keys.map(({ title }) => title),
          "lamp room"
        )
      })
    ]
  },
  {
    name: "Ping all webhooks",
    steps: [
      press("5", "1/3 webhooks"),
      press("*", "3 marked"),
      press("t", "Ping a webhook", "3 items", "Enter confirms"),
      press("Enter", "3 of 3 done", "✓ https://bells", "✓ https://old-bells", "✓ https://charts"),
      check(({ ask }) => {
        for (const id of ["1", "2", "3"]) {
          const hook = ["--hook-id", id]
          const [latest] = ask(Schema.Array(Delivery), "repository-hooks", "deliveries", ...repository, ...hook)
          assert.strictEqual(latest?.event, "ping", `the latest delivery of webhook ${id}`)
        }
      })
    ]
  },
  {
    name: "Change a policy of an organization, and undo it",
    steps: [
      ...openOfOrganization("policies", "workflows run in", "all repositories"),
      press("m", "Set the permissions for workflows", "‹ all ›"),
      press("Right", "‹ none ›"),
      press("C-s", "Done: set the permissions for workflows", "u undoes it", "no repositories"),
      check(({ ask }) => assert.strictEqual(permissionsOf(ask), "none")),
      press("u", "Type north-pier to confirm"),
      type("north-pier"),
      press("Enter", "Done: set the permissions for workflows", "all repositories"),
      check(({ ask }) => assert.strictEqual(permissionsOf(ask), "all"))
    ]
  }
]

const permissionsOf = (ask: Results["ask"]) =>
  ask(Permissions, "workflow-policies", "get-permissions", ...organization).enabled_repositories

const inputsOf = ({ steps }: Task): ReadonlyArray<Input> => steps.filter((step) => step._tag !== "Check")

const keysOf = (task: Task): ReadonlyArray<Input> => inputsOf(task).filter(({ _tag }) => _tag === "Key")

/** Returns the rows of the table in the documentation. */
const rows = jobs.map((job) => {
  const inputs = inputsOf(job).map(({ label }) => label)
  const { lazygit = "–", tig = "–" } = job
  return `| ${job.name} | ${inputs.join(" ")} | ${keysOf(job).length} | ${lazygit} | ${tig} |`
})

/** Writes a config file with a second profile, and an editor that keeps a copy of the text and changes the text. */
const prepare = (home: string): string => {
  const folder = Path.join(home, "work")
  Fs.mkdirSync(folder)
  Fs.mkdirSync(Path.join(home, "config/tongs"), { recursive: true })
  const data = Path.join(home, "work-data")
  Fs.writeFileSync(Path.join(home, "config/tongs/config.json"), JSON.stringify({ profiles: { work: { data } } }))
  const copy = Path.join(folder, "edited.txt")
  Fs.writeFileSync(
    Path.join(home, "editor"),
    `#!/bin/sh\nfor file; do :; done\ncp "$file" '${copy}'\necho '// edited' >> "$file"\n`,
    { mode: 0o755 }
  )
  return folder
}

const run = (task: Task) =>
  Effect.gen(function* () {
    let folder = ""
    const terminal = yield* TuiTerminal.start({
      command: ["sh", "-c", `EDITOR=$HOME/editor exec '${process.execPath}' "$TONGS" --demo`],
      columns: 120,
      rows: 40,
      folder: (home) => {
        folder = prepare(home)
        return folder
      }
    })
    const results: Results = {
      folder,
      screen: terminal.capture,
      ask: (schema, ...command) => {
        const args = [program, "--demo", "--json", ...command]
        const env = {
          PATH: process.env["PATH"],
          HOME: terminal.home,
          XDG_CACHE_HOME: Path.join(terminal.home, "cache"),
          XDG_DATA_HOME: Path.join(terminal.home, "data"),
          XDG_CONFIG_HOME: Path.join(terminal.home, "config"),
          XDG_STATE_HOME: Path.join(terminal.home, "state")
        }
        const answer = ChildProcess.execFileSync(process.execPath, args, { env, encoding: "utf8" })
        return Schema.decodeUnknownSync(schema)(JSON.parse(answer))
      }
    }
    yield* terminal.waitFor("[log]", "1/11 commits", "north-pier/lighthouse")
    for (const step of task.steps) {
      if (step._tag === "Check") {
        // Deliveries are listed after the operation has returned.
        yield* Effect.try(() => step.check(results)).pipe(
          Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 20 }),
          Effect.catch(({ cause }) => Effect.die(cause))
        )
        continue
      }
      if (step._tag === "Key") terminal.keys(step.value)
      else terminal.text(step.value)
      yield* terminal.waitFor(...step.sees)
    }
  }).pipe(Effect.scoped)

describe("the twenty jobs", () => {
  it("need at most 4 keys in the median, and at most 6 each", () => {
    assert.lengthOf(jobs, 20)
    for (const job of jobs) assert.isAtMost(keysOf(job).length, MAX_KEYS, job.name)
    const sorted = jobs.map((job) => keysOf(job).length).toSorted((a, b) => a - b)
    assert.isAtMost(((sorted[9] ?? 0) + (sorted[10] ?? 0)) / 2, MAX_MEDIAN)
  })

  it("are those of the documentation", () => {
    const page = Fs.readFileSync(fileURLToPath(new URL("../../docs/tui.md", import.meta.url)), "utf8")
    const section = page.split("\n## ").find((part) => part.startsWith("Twenty jobs\n")) ?? ""
    const table = section.split("\n").filter((line) => line.startsWith("| "))
    assert.deepStrictEqual(table, ["| Job | Keys | tongs | lazygit | tig |", ...rows])
  })
})

describe.skipIf(!hasPrograms("tmux"))("a task in the demonstration (needs tmux)", () => {
  for (const task of sample([...jobs, ...tasks])) it.live(task.name, () => run(task))
})
