import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Effect from "effect/Effect"
import { findEntry } from "@tongs/core/contract/CatalogEntry"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as Verbs from "../screens/Verbs.ts"

/** Words of people, and the label of the first entry that the palette must find for them. */
const wanted: ReadonlyArray<readonly [words: string, label: string]> = [
  ["blame", "blame"],
  ["annotate", "blame"],
  ["who wrote", "blame"],
  ["history of this file", "history of this file or folder"],
  ["function history", "history of this function"],
  ["definition", "go to the definition"],
  ["find usages", "uses of this name"],
  ["rename branch", "Rename a branch"],
  ["edit file", "edit this file"],
  ["new branch", "new branch here"],
  ["create a branch", "new branch here"],
  ["new tag", "new tag here"],
  ["release", "latest release"],
  ["releases", "releases"],
  ["changelog", "releases"],
  ["ci", "runs"],
  ["compare", "compare"],
  ["diff", "compare"],
  ["checkout", "go to a branch, tag or commit"],
  ["switch branch", "go to a branch, tag or commit"],
  ["browse files", "files at this commit"],
  ["what is new", "changes since the last look"],
  ["since yesterday", "changes since the last look"],
  ["grep", "search code here"],
  ["search everywhere", "search all repositories"],
  ["undo", "undo the last change"],
  ["vim", "open in $EDITOR"],
  ["clipboard", "copy"],
  ["copy link", "copy"],
  ["quota", "rate limits"],
  ["reload", "refresh"],
  ["exit", "quit"],
  ["shortcuts", "help"],
  ["log", "log"],
  ["branches", "branches"],
  ["tags", "tags"],
  ["files", "files"],
  ["readme", "readme"],
  ["webhooks", "webhooks"],
  ["artifacts", "artifacts"],
  ["events", "events"],
  ["settings", "settings"],
  ["whoami", "profile"],
  ["ssh keys", "keys"],
  ["organizations", "organizations"],
  ["repositories", "repositories"],
  ["costs", "usage"],
  ["bill", "usage"],
  ["rules", "rulesets"],
  ["top callers", "by caller"],
  ["redeliver", "Repeat a delivery of a webhook"],
  ["send again", "Repeat a delivery of a webhook"],
  ["ban", "Block a user"],
  ["unblock", "Unblock a user"],
  ["add key", "Add an SSH key"],
  ["new repo", "Create a repository"],
  ["make private", "Update a repository"],
  ["archive", "Update a repository"],
  ["sync fork", "Update a branch of a fork from its upstream repository"],
  ["protect branch", "Protect a branch"],
  ["new webhook", "Create a webhook"],
  ["sign in as another account", "switch to profile work"]
]

const nonsense = [
  "xyzzy", "qwrt", "asdf", "zzz", "plugh", "blorp", "frobnicate", "wibble", "quux", "snark", "jabberwocky", "vlkj",
  "hjkl", "lorem", "ipsum", "foobar", "gnusto", "mxyzptlk", "qq", "tralala"
] // prettier-ignore

describe("Verbs", () => {
  it("names operations that exist", () => {
    for (const { deed, label } of Verbs.all)
      if (deed._tag === "Operation") assert.isDefined(findEntry(deed.operation), label)
    const labels = Verbs.all.map(({ label }) => label)
    assert.lengthOf(new Set(labels), labels.length)
  })
})

/** Returns the row of a verb in the table of the documentation. */
const row = ({ deed, isUndone, label, on }: Verbs.Verb): string => {
  const command = deed._tag === "Command" ? deed.command : undefined
  const [key] = KeyBindings.commands.find(({ id }) => id === command)?.keys ?? []
  const undo = isUndone === true ? "`u`" : ""
  return `| ${label} | ${key === undefined ? "" : `\`${key}\``} | ${on === "anything" ? "" : on} | ${undo} |`
}

it("documents all verbs", () => {
  const page = Fs.readFileSync(new URL("../../../../docs/tui.md", import.meta.url), "utf8")
  const section = page.split("\n## ").find((part) => part.startsWith("Verbs\n")) ?? ""
  const table = section.split("\n").filter((line) => line.startsWith("| "))
  assert.deepStrictEqual(table, ["| Verb | Key | Of | Undone by |", ...Verbs.all.map(row)])
})

describe("the palette", () => {
  it.live("finds first what people mean, and nothing for nonsense", () =>
    Effect.gen(function* () {
      const { press, until, window } = yield* ModelDriver.start({ profiles: ["work"] }, 100, 40)
      yield* until("1/251 commits", "  API")
      const choicesOf = (words: string) => {
        press(":", ...words)
        const choices = window().slice(3)
        press("escape")
        return choices
      }
      const wrong = wanted.flatMap(([words, label]) => {
        const [first = "", ...others] = choicesOf(words)
        return first.startsWith(`❯ ${label}  `) ? [] : [[`${words} finds:`, first, ...others.slice(0, 3)].join("\n")]
      })
      assert.deepStrictEqual(wrong, [])
      const found = nonsense.filter((words) => choicesOf(words)[0] !== "Nothing matches")
      assert.deepStrictEqual(found, [])
    })
  )
})
