import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Catalog from "@tongs/core/contract/Catalog"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as Presentation from "@tongs/core/contract/Presentation"
import { runner } from "../CommandRunner.test-support.ts"
import * as FieldSelection from "../json/FieldSelection.ts"

const tongs = runner(() => undefined)

describe("help", () => {
  it.live("is also a command", () =>
    Effect.gen(function* () {
      const flag = yield* tongs("branches", "list", "--help")
      assert.match(flag.stdout, /USAGE\n {2}tongs branches list/)
      assert.deepStrictEqual(yield* tongs("help", "branches", "list"), flag)
      assert.deepStrictEqual(yield* tongs("help"), yield* tongs("--help"))
    })
  )

  it.live("reports an unknown command", () =>
    Effect.gen(function* () {
      for (const args of [
        ["branchs", "--help"],
        ["branchs", "-h"],
        ["help", "branchs"],
        ["branches", "lst", "--help"]
      ]) {
        const { code, stderr, stdout } = yield* tongs(...args)
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(
          stderr,
          /^tongs: Unknown command "(branchs|lst)"\.\n\n {2}Did you mean this\?\n {4}(branches|list)\n/
        )
      }
    })
  )

  it.live("does not report the value of an unknown flag", () =>
    Effect.map(tongs("branches", "--limit", "2"), ({ code, stderr }) => {
      assert.strictEqual(code, 2)
      assert.notMatch(stderr, /Unknown command/)
    })
  )

  it.live("has examples of --fields and --jq for each list, with known members", () =>
    Effect.gen(function* () {
      for (const entry of Catalog.entries) {
        const { command, paging } = entry.operation
        if (paging === undefined || command === "") continue
        const name = [toKebabCase(entry.group), command]
        const { stdout } = yield* tongs(...name, "--help")
        const [, fields = "", path = ""] = / --fields (\S+)\n.* --jq '\.\[\]\.(\S+)'/.exec(stdout) ?? []
        const selection = yield* FieldSelection.parse(`${fields},${path}`)
        yield* FieldSelection.check(selection, Presentation.itemSchemas(Catalog.resultSchemas(entry)))
        assert.strictEqual(selection.size > 0, true, name.join(" "))
      }
    })
  )
})
