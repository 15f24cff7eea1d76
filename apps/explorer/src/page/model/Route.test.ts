import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Route from "./Route.ts"

const parse = (url: string) => Route.parse(new URL(url, "http://127.0.0.1:4181/"))

describe("Route", () => {
  it("parses URLs", () => {
    assert.deepStrictEqual(parse("/"), { _tag: "Home" })
    assert.deepStrictEqual(parse("/search?q=a+b%20%22c%22"), { _tag: "Search", q: 'a b "c"' })
    assert.deepStrictEqual(parse("/search"), { _tag: "Home" })
    assert.deepStrictEqual(parse("/tree?repo=octo/hello&ref=feature/x"), {
      _tag: "Tree",
      owner: "octo",
      repo: "hello",
      path: "",
      ref: "feature/x"
    })
    assert.deepStrictEqual(parse("/under/a/prefix/file?repo=octo/hello&path=src/a.ts&q=x#L10-L20"), {
      _tag: "File",
      owner: "octo",
      repo: "hello",
      path: "src/a.ts",
      q: "x",
      lines: { first: 10, last: 20 }
    })
  })

  it("falls back to the start page", () => {
    for (const url of [
      "/nothing",
      "/file",
      "/file?repo=octo",
      "/file?repo=/x&path=a",
      "/tree?repo=",
      "/issue?repo=octo/hello&number=0"
    ]) {
      assert.deepStrictEqual(parse(url), Route.home, url)
    }
    assert.strictEqual(parse("/file?repo=octo/hello")._tag, "Tree")
  })

  it("parses line ranges in either order and ignores other fragments", () => {
    const lines = (hash: string) => {
      const route = parse(`/file?repo=octo/hello&path=a${hash}`)
      return route._tag === "File" ? route.lines : undefined
    }
    assert.deepStrictEqual(lines("#L7"), { first: 7, last: 7 })
    assert.deepStrictEqual(lines("#L9-L7"), { first: 7, last: 9 })
    for (const hash of ["", "#", "#L0", "#L1-", "#7", "#L1-L", "#L12345678901"]) assert.isUndefined(lines(hash), hash)
  })

  it("keeps paths readable", () => {
    assert.strictEqual(
      Route.href({ _tag: "File", owner: "octo", repo: "hello", path: "src/a b.ts", lines: { first: 3, last: 3 } }),
      "file?repo=octo/hello&path=src/a+b.ts#L3"
    )
  })

  it("parses the name whose uses are listed", () => {
    const uses = (text: string) => {
      const route = parse(`/file?repo=octo/hello&path=a&uses=${text}`)
      return route._tag === "File" ? route.uses : undefined
    }
    assert.deepStrictEqual(uses("hit"), { name: "hit" })
    assert.deepStrictEqual(uses("hit@src/a:b.ts:3:7"), { name: "hit", at: { path: "src/a:b.ts", line: 3, column: 7 } })
    for (const text of ["", "7", "a b", "hit@", "hit@a.ts", "hit@a.ts:0:1", "hit@:1:1"])
      assert.isUndefined(uses(text), text)
  })

  const Name = Schema.String.check(Schema.isPattern(/^[\w.-]{1,12}$/))
  const Text = Schema.NonEmptyString.check(Schema.makeFilter((text: string) => text.isWellFormed()))
  const Line = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999 }))
  const Place = { owner: Name, repo: Name, ref: Schema.optionalKey(Text), q: Schema.optionalKey(Text) }
  const DiffView = {
    owner: Name,
    repo: Name,
    path: Schema.optionalKey(Text),
    file: Schema.optionalKey(Text),
    line: Schema.optionalKey(Schema.Struct({ side: Schema.Literals(["L", "R"]), number: Line })),
    ignoreWhitespace: Schema.optionalKey(Schema.Literal(true))
  }

  it.prop(
    "round-trips",
    [
      Schema.Union([
        Schema.TaggedStruct("Home", {}),
        Schema.TaggedStruct("Search", {
          q: Text,
          sort: Schema.optionalKey(Schema.Literals(Route.sortOrders))
        }),
        Schema.TaggedStruct("Compare", {
          ...DiffView,
          base: Schema.optionalKey(Text),
          head: Schema.optionalKey(Text)
        }),
        Schema.TaggedStruct("History", {
          owner: Name,
          repo: Name,
          path: Schema.optionalKey(Text),
          ref: Schema.optionalKey(Text)
        }),
        Schema.TaggedStruct("Commit", { ...DiffView, ref: Text }),
        Schema.TaggedStruct("Issue", { owner: Name, repo: Name, number: Line, comment: Schema.optionalKey(Line) }),
        Schema.TaggedStruct("Issues", {
          owner: Name,
          repo: Name,
          state: Schema.optionalKey(Schema.Literal("closed")),
          page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 99_999 })))
        }),
        Schema.TaggedStruct("Pull", { owner: Name, repo: Name, number: Line, comment: Schema.optionalKey(Line) }),
        Schema.TaggedStruct("Pull", {
          owner: Name,
          repo: Name,
          number: Line,
          tab: Schema.Literals(["checks", "commits"])
        }),
        Schema.TaggedStruct("Pull", { ...DiffView, number: Line, tab: Schema.Literal("files") }),
        Schema.TaggedStruct("Pulls", {
          owner: Name,
          repo: Name,
          state: Schema.optionalKey(Schema.Literal("closed")),
          page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 99_999 })))
        }),
        Schema.TaggedStruct("UnindexedFiles", { owner: Name, repo: Name }),
        Schema.TaggedStruct("Tree", { ...Place, path: Schema.Union([Schema.Literal(""), Text]) }),
        Schema.TaggedStruct("File", {
          ...Place,
          path: Text,
          blame: Schema.optionalKey(Schema.Literal(true)),
          side: Schema.optionalKey(Schema.Literals(Route.sidePanels)),
          uses: Schema.optionalKey(
            Schema.Struct({
              name: Schema.Literals(["distance", "$el_2", "größe"]),
              at: Schema.optionalKey(Schema.Struct({ path: Text, line: Line, column: Line }))
            })
          )
        })
      ]),
      Line,
      Line
    ],
    ([route, a, b]) => {
      const whole: Route.Route =
        route._tag === "File" ? { ...route, lines: { first: Math.min(a, b), last: Math.max(a, b) } } : route
      assert.deepStrictEqual(parse(Route.href(whole)), whole)
      assert.deepStrictEqual(parse(Route.href(route)), route)
    }
  )
})
