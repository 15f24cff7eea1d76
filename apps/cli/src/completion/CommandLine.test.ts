import { assert, describe, it } from "@effect/vitest"
import * as Candidates from "./Candidates.ts"
import * as CommandLine from "./CommandLine.ts"

const flag = (name: string, type: CommandLine.Flag["type"], aliases: ReadonlyArray<string> = []): CommandLine.Flag => ({
  name,
  aliases,
  description: undefined,
  type
})

const argument = (name: string) =>
  ({ name, description: undefined, required: false, variadic: false, type: { _tag: "String" } }) as const // a literal

const command = (name: string, parts: Partial<CommandLine.Command> = {}): CommandLine.Command => ({
  name,
  description: undefined,
  flags: [],
  arguments: [],
  subcommands: [],
  ...parts
})

const globals = [
  flag("url", { _tag: "String" }),
  flag("json", { _tag: "Boolean" }),
  flag("limits", { _tag: "Choice", values: ["off", "spec"] })
]

const get = command("get", {
  arguments: [argument("OWNER/REPO"), argument("branch")],
  flags: [flag("repo", { _tag: "String" }, ["R"]), flag("all", { _tag: "Boolean" })]
})
const root = command("tongs", { subcommands: [command("branches", { subcommands: [get] })] })

const parse = (text: string) => CommandLine.parse(root, globals, CommandLine.split(text).slice(1))

const at = (text: string) => {
  const line = parse(text)
  return Candidates.of(line, [...(line.commands.at(-1)?.flags ?? []), ...globals])
}

describe("split", () => {
  it.each([
    ["tongs ", ["tongs", ""]],
    ["tongs br", ["tongs", "br"]],
    [`tongs "a b" 'c d'  e\\ f`, ["tongs", "a b", "c d", "e f"]],
    [`tongs "" x`, ["tongs", "", "x"]],
    [`tongs "open wo`, ["tongs", "open wo"]]
  ])("%s", (text, words) => {
    assert.deepStrictEqual(CommandLine.split(text), words)
  })
})

describe("parse", () => {
  it("tells flags and their values from arguments", () => {
    const line = parse("tongs --url http://a branches get -R o/r --json ma")
    assert.deepStrictEqual(
      line.commands.map(({ name }) => name),
      ["tongs", "branches", "get"]
    )
    assert.deepStrictEqual(
      line.flags.map(({ flag, value }) => [flag.name, value]),
      [
        ["url", "http://a"],
        ["repo", "o/r"],
        ["json", undefined]
      ]
    )
    assert.strictEqual(line.current, "ma")
  })

  it("finds the flag whose value is at the cursor", () => {
    assert.strictEqual(parse("tongs --url ").open?.name, "url")
    assert.strictEqual(parse("tongs --limits=o").open?.name, "limits")
    assert.strictEqual(parse("tongs --limits=o").prefix, "--limits=")
    assert.isUndefined(parse("tongs --json ").open)
  })

  it("has no flags after two hyphens", () => {
    assert.strictEqual(at("tongs branches get -- --l").known.length, 0)
  })
})

describe("candidates", () => {
  it("offers a repository or the first field, then the field", () => {
    assert.deepStrictEqual(at("tongs branches get ").wanted, ["repositories", "references"])
    assert.deepStrictEqual(at("tongs branches get o/r ").wanted, ["references"])
    assert.deepStrictEqual(at("tongs branches get main ").wanted, [])
    assert.deepStrictEqual(at("tongs branches get --repo ").wanted, ["repositories"])
  })

  it("offers the values and the negation of flags", () => {
    assert.deepStrictEqual(
      at("tongs branches get --limits ").known.map(({ value }) => value),
      ["off", "spec"]
    )
    assert.includeMembers(
      at("tongs branches get --").known.map(({ value }) => value),
      ["--repo", "--all", "--no-all", "--json"]
    )
  })
})
