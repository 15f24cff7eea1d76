import { assert, describe, it } from "@effect/vitest"
import * as KeyBindings from "./KeyBindings.ts"

const everywhere: ReadonlyArray<KeyBindings.Where | undefined> = [undefined]

describe("KeyBindings", () => {
  it("binds each default key to one command, and in files and diffs to one more", () => {
    for (const place of [undefined, "file", "diff"] as const) {
      const keys = KeyBindings.commands.flatMap(({ keys, where = everywhere }) => (where.includes(place) ? keys : []))
      assert.strictEqual(new Set(keys).size, keys.length)
    }
    assert.deepStrictEqual(KeyBindings.make().problems, [])
    for (const { id, keys, where = everywhere } of KeyBindings.commands)
      for (const place of where)
        for (const key of keys) assert.strictEqual(KeyBindings.make().commandFor(key, place), id)
    assert.strictEqual(KeyBindings.make().commandFor("<"), "narrowPane")
    assert.strictEqual(KeyBindings.make().commandFor("<", "file"), "blameBack")
    assert.strictEqual(KeyBindings.make().commandFor("<", "diff"), "narrowPane")
    assert.isTrue(KeyBindings.make().isAvailable("card", "diff"))
    assert.isFalse(KeyBindings.make().isAvailable("blame", "diff"))
  })

  it("binds sequences of two keys, of which the first waits only where a sequence exists", () => {
    const bindings = KeyBindings.make({ refresh: ["zz"], help: ["up"], quit: ["f1"] })
    assert.strictEqual(bindings.commandFor("zz"), "refresh")
    assert.isTrue(bindings.isPrefix("z"))
    assert.isTrue(bindings.isPrefix("g", "file"))
    assert.isTrue(bindings.isPrefix("g", "diff"))
    assert.isFalse(bindings.isPrefix("g"))
    // Names of keys are no sequences.
    assert.isFalse(bindings.isPrefix("u"))
    assert.isFalse(bindings.isPrefix("f"))
  })

  it("lets a key of the settings win over a default key in files, too", () => {
    const bindings = KeyBindings.make({ refresh: ["b"], card: ["j"] })
    assert.strictEqual(bindings.commandFor("b", "file"), "refresh")
    assert.strictEqual(bindings.keyOf("blame"), undefined)
    assert.strictEqual(bindings.commandFor("j", "file"), "card")
    assert.strictEqual(bindings.commandFor("j"), "down")
    assert.deepStrictEqual(bindings.problems, [])
  })

  it("leaves keys without a command alone", () => {
    assert.strictEqual(KeyBindings.make().commandFor("x"), undefined)
    assert.strictEqual(KeyBindings.make().commandFor("ctrl-c"), undefined)
  })

  it("replaces the keys of a command, and takes them from the command that has them by default", () => {
    const bindings = KeyBindings.make({ delete: ["d"], refresh: ["j"] })
    assert.strictEqual(bindings.commandFor("d"), "delete")
    assert.strictEqual(bindings.commandFor("D"), undefined)
    assert.strictEqual(bindings.commandFor("j"), "refresh")
    assert.strictEqual(bindings.commandFor("down"), "down")
    assert.strictEqual(bindings.keyOf("delete"), "d")
    assert.strictEqual(bindings.keyOf("down"), "down")
    assert.deepStrictEqual(bindings.problems, [])
  })

  it("reports two settings with the same key, and the first command keeps it", () => {
    const bindings = KeyBindings.make({ refresh: ["x"], copy: ["x", "y"] })
    assert.strictEqual(bindings.commandFor("x"), "refresh")
    assert.strictEqual(bindings.keyOf("copy"), "y")
    assert.deepStrictEqual(
      bindings.problems.map((problem) => problem.replace(/copy|refresh/g, "COMMAND")),
      ["The key x of COMMAND is already bound to COMMAND."]
    )
  })

  it("reports unknown commands and reserved keys", () => {
    const bindings = KeyBindings.make({ explode: ["x"], quit: ["ctrl-c", "ctrl-z"] })
    assert.deepStrictEqual(bindings.problems, [
      "The config file binds keys to explode, which is no command.",
      "The key ctrl-c of quit cannot be bound.",
      "The key ctrl-z of quit cannot be bound."
    ])
    assert.strictEqual(bindings.keyOf("quit"), undefined)
  })

  it("takes all keys from a command that is bound to none", () => {
    assert.strictEqual(KeyBindings.make({ delete: [] }).commandFor("D"), undefined)
  })

  it("writes keys as people do", () => {
    assert.strictEqual(KeyBindings.label("ctrl-d"), "Ctrl-d")
    assert.strictEqual(KeyBindings.label(" "), "Space")
    assert.strictEqual(KeyBindings.label("alt-left"), "Alt-←")
  })
})
