import { assert, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as LazyCommand from "./LazyCommand.ts"

it("creates its subcommands once, and not to be listed", () => {
  let count = 0
  const outline = Command.make("tags").pipe(Command.withDescription("API operations: tags"))
  const command = LazyCommand.make(outline, () => {
    count++
    return Command.withSubcommands(outline, [Command.make("list")])
  })
  const root = Command.make("tongs").pipe(Command.withSubcommands([command]))
  assert.deepStrictEqual(
    root.subcommands.flatMap(({ commands }) => commands.map(({ description, name }) => [name, description])),
    [["tags", "API operations: tags"]]
  )
  assert.strictEqual(count, 0)
  const names = () => command.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  assert.deepStrictEqual([names(), names()], [["list"], ["list"]])
  assert.strictEqual(count, 1)
})
