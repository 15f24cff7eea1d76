import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as HelpText from "./HelpText.ts"

const flag = (name: string, type: string, description: string): FlagDoc => ({
  name,
  type,
  description: Option.some(description),
  aliases: [],
  required: false
})

const subcommand = (name: string, description: string) => ({
  name,
  description,
  alias: undefined,
  shortDescription: undefined
})

const doc: HelpDoc = {
  annotations: Context.empty(),
  commandPath: ["tongs"],
  description: "Work with a forge.\nA second paragraph that is longer than a narrow terminal has columns.",
  usage: "tongs <subcommand> [flags]",
  flags: [
    flag("a", "boolean", "Short"),
    flag("completions", "<bash|zsh|fish|powershell|sh|pwsh>", "Print a script (choices: bash, zsh)"),
    flag("raw-field", "key=value-of-an-extremely-long-name", "Add a text field")
  ],
  globalFlags: [flag("jq", "EXPRESSION", "Print the results of a jq expression")],
  subcommands: [
    {
      group: undefined,
      commands: [
        subcommand("grep", "Search code\nExit code: 0 if a line matches"),
        subcommand("list-for-organization", "List public events of an organization")
      ]
    }
  ],
  examples: [
    { command: "tongs grep a" },
    { command: "tongs api -X PATCH /repos/octo/hello", description: "Sends a request whose body has a field" },
    { command: "tongs limits" }
  ]
}

describe("format", () => {
  it("aligns descriptions, with one line for each subcommand", () => {
    assert.strictEqual(
      HelpText.format({ ...doc, flags: [], globalFlags: [], examples: [] }, { columns: 80, hasColor: false }),
      `DESCRIPTION
  Work with a forge.
  A second paragraph that is longer than a narrow terminal has columns.

USAGE
  tongs <subcommand> [flags]

SUBCOMMANDS
  grep                   Search code
  list-for-organization  List public events of an organization`
    )
  })

  it("gives long flags their own line, and lists choices once", () => {
    assert.include(
      HelpText.format(doc, { columns: 80, hasColor: false }),
      `FLAGS
  --a                  Short
  --completions VALUE  Print a script (choices: bash, zsh)
  --raw-field key=value-of-an-extremely-long-name
                       Add a text field`
    )
  })

  it("fits a narrow terminal, except for examples, which stay on one line", () => {
    const text = HelpText.format(doc, { columns: 40, hasColor: false })
    const wide = text.split("\n").filter((line) => line.length > 40)
    assert.deepStrictEqual(wide, ["  --raw-field key=value-of-an-extremely-long-name"])
    assert.include(
      text,
      "\n\n  # Sends a request whose body has a\n  # field\n  tongs api -X PATCH /repos/octo/hello\n\n  tongs limits"
    )
  })

  it("lists global flags only for the root command", () => {
    const text = HelpText.format(
      { ...doc, commandPath: ["tongs", "grep"], globalFlagsScope: ["tongs"] },
      { columns: 80, hasColor: false }
    )
    assert.notInclude(text, "--jq")
    assert.include(text, "Run 'tongs --help' for global flags")
  })

  it("uses colors only on request", () => {
    assert.notInclude(HelpText.format(doc, { columns: 80, hasColor: false }), "\u001b")
    assert.include(HelpText.format(doc, { columns: 80, hasColor: true }), "\u001b[1mUSAGE\u001b[0m")
  })
})
