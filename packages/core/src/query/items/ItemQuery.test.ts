import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Diagnostic } from "../Diagnostic.ts"
import * as CommitQuery from "./CommitQuery.ts"
import * as IssueQuery from "./IssueQuery.ts"
import * as ItemQuery from "./ItemQuery.ts"
import * as RepositoryQuery from "./RepositoryQuery.ts"
import * as TopicQuery from "./TopicQuery.ts"
import * as UserQuery from "./UserQuery.ts"

type Read = (
  text: string
) => Result.Result<ItemQuery.ItemQuery<ItemQuery.AnyFilter, string, string>, ReadonlyArray<Diagnostic>>

/** A language with valid qualifiers. */
const languages: ReadonlyArray<readonly [name: string, read: Read, usual: ReadonlyArray<string>, valid: string]> = [
  [
    "repositories",
    RepositoryQuery.parse,
    ["name", "description", "topics"],
    "repo:a/b user:@me language:go topic:cli license:mit is:public archived:false mirror:true template:true fork:only " +
      "size:>9 followers:1 forks:1..2 stars:<9 topics:3 good-first-issues:>2 help-wanted-issues:1 created:2026-01-01 " +
      "pushed:>2026-01-01 in:name,readme sort:help-wanted-issues-asc"
  ],
  [
    "users",
    UserQuery.parse,
    UserQuery.places,
    'user:a fullname:"Ann Lee" location:Oslo language:go type:org repos:>1 followers:2 created:<2026-01-01 in:login ' +
      "sort:joined"
  ],
  [
    "commits",
    CommitQuery.parse,
    [],
    "user:a author:@me author-name:ann author-email:a@b.c author-date:>2026-01-01 committer:b committer-name:b " +
      "committer-email:b@c.d committer-date:2026-01-01..2026-02-01 hash:ABCD parent:0123 tree:4567 merge:false is:private " +
      "sort:author-date"
  ],
  ["topics", TopicQuery.parse, [], "is:curated is:not-featured repositories:>5 created:<2026-01-01"]
]

const messages = (parsed: ReturnType<Read>) =>
  Result.match(parsed, { onFailure: (all) => all.map(({ message }) => message), onSuccess: () => [] })

describe.each(languages)("the query language of %s", (_, parse, usual, valid) => {
  it("has the documented qualifiers, and reads what it prints", () => {
    const query = Result.getOrThrow(parse(`word ${valid}`))
    assert.isAtLeast(ItemQuery.filters(query.condition).length, 4)
    assert.deepStrictEqual(Result.getOrThrow(parse(ItemQuery.print(query, usual))), query)
  })

  it("names qualifiers of other searches", () => {
    assert.deepStrictEqual(messages(parse("label:x")), ["Remove label: this search does not support it."])
    assert.deepStrictEqual(messages(parse("std::vector http://x path:y")), [])
  })

  it.prop(
    "accepts any text",
    [Schema.Array(Schema.Literals(["a", ":", "-", "(", ")", '"', " OR ", "is:", "sort:", ">"]))],
    ([parts]) => {
      assert.doesNotThrow(() => parse(parts.join("")))
    }
  )
})

describe("invalid values", () => {
  it.each([
    [RepositoryQuery.parse("fork:no"), "Write fork:true, fork:only or fork:false."],
    [RepositoryQuery.parse("is:sponsorable"), "Write is:public or is:private."],
    [RepositoryQuery.parse("sort:name"), "Write sort:stars, sort:forks-asc, sort:help-wanted-issues or sort:updated."],
    [RepositoryQuery.parse("in:body"), "Write in:name, in:description, in:topics or in:readme."],
    [UserQuery.parse("type:bot"), "Write type:user or type:org."],
    [CommitQuery.parse("hash:xyz"), "hash: takes the hexadecimal digits of an object id, at least 4."],
    [CommitQuery.parse("in:message"), "Remove in: this search does not support it."],
    [TopicQuery.parse("is:new"), "Write is:curated, is:featured, is:not-curated or is:not-featured."],
    [TopicQuery.parseLabels("is:new"), "Remove is: this search does not support it."],
    [IssueQuery.parse("stars:>5"), "Remove stars: this search does not support it."]
  ])("%# are errors", (parsed, message) => {
    assert.deepStrictEqual(messages(parsed), [message])
  })
})

describe("evaluate", () => {
  const value = (self: ItemQuery.Condition<never>) =>
    ItemQuery.evaluate(self, (leaf) =>
      leaf._tag === "Text" && leaf.text !== "unknown" ? leaf.text === "yes" : undefined
    )
  const parse = (query: string) => Result.getOrThrow(TopicQuery.parseLabels(query)).condition

  it.each([
    ["yes no", false],
    ["yes unknown", undefined],
    ["unknown no", false],
    ["unknown OR yes", true],
    ["unknown OR no", undefined],
    ["-no", true],
    ["-unknown", undefined],
    ["-(unknown no)", true]
  ] as const)("%s", (query, expected) => {
    assert.strictEqual(value(parse(query)), expected)
  })
})
