import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as QueryNames from "./QueryNames.ts"

const names = (query: string) => QueryNames.names(Result.getOrThrow(CodeQueryParser.parse(query)))

describe("QueryNames", () => {
  it("takes the identifiers that every match of an expression contains", () => {
    assert.deepStrictEqual(names(String.raw`/\bmutex_lock\(/`), ["mutex_lock"])
    assert.deepStrictEqual(names(String.raw`/struct\s+inode\s*\{/`), ["inode"])
    assert.deepStrictEqual(names("/get|set_name/"), ["get", "set_name", "getset_name"])
    assert.deepStrictEqual(names(String.raw`/\w+/`), [])
  })

  it("drops keywords and punctuation of code", () => {
    assert.deepStrictEqual(names("struct file_operations"), ["file_operations"])
    assert.deepStrictEqual(names('"mutex_lock("'), ["mutex_lock"])
    assert.deepStrictEqual(names("class"), ["class"])
  })

  it("joins the words of a query", () => {
    assert.deepStrictEqual(names("rate limiter"), ["rate", "limiter", "ratelimiter"])
    assert.deepStrictEqual(names("problem+json"), ["problem+json"])
  })
})
