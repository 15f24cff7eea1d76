import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Repository } from "./Repository.ts"

it("a repository needs no conversion of its JSON, so that its compiled schema reads it", () => {
  assert.strictEqual(Schema.toCodecJson(Repository).ast, Repository.ast)
})
