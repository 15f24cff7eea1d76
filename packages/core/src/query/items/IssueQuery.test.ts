import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Qualifier from "../Qualifier.ts"
import * as IssueQuery from "./IssueQuery.ts"

const { and, not, or } = IssueQuery
const text = (text: string): IssueQuery.Condition => ({ _tag: "Text", text })
const filter = (filter: IssueQuery.Filter): IssueQuery.Condition => ({ _tag: "Filter", filter })
const named = (name: (typeof IssueQuery.namedFilters)[number], value: string) => filter({ name, value })
const label = (value: string) => named("label", value)

const read = (query: string) => Result.getOrThrow(IssueQuery.parse(query))
const problems = (query: string) =>
  Result.match(IssueQuery.parse(query), {
    onFailure: (all) => all.map(({ length, message, start }) => [query.slice(start, start + length), message] as const), // a pair
    onSuccess: () => []
  })

const open = filter({ name: "state", value: "open" })
const issue = filter({ name: "kind", value: "issue" })
const locked = filter({ name: "is", value: "locked" })

/** Queries with the condition. */
const conditions: ReadonlyArray<readonly [query: string, condition: IssueQuery.Condition]> = [
  ["", and([])],
  ["crash", text("crash")],
  ["crash log", and([text("crash"), text("log")])],
  ['"crash log"', text("crash log")],
  ['"say \\"hi\\" \\\\"', text('say "hi" \\')],
  ["NOT crash", not(text("crash"))],
  ["-crash", not(text("crash"))],
  ["->next --flag", and([text("->next"), text("--flag")])],
  ["f(x) std::vector http://x", and([text("f(x)"), text("std::vector"), text("http://x")])],
  ["unknown:value", text("unknown:value")],
  ["and or not", and([text("and"), text("or"), text("not")])],
  ["a b OR c AND d", or([and([text("a"), text("b")]), and([text("c"), text("d")])])],
  ["a (b OR c)", and([text("a"), or([text("b"), text("c")])])],
  ["NOT (a OR b)", not(or([text("a"), text("b")]))],
  ["-(a OR b)", not(or([text("a"), text("b")]))],
  ["NOT -a", text("a")],
  ["( x ) repo:o/r state:open type:issue", and([text("x"), named("repo", "o/r"), open, issue])],
  ["repo:a/b crash repo:c/d", and([or([named("repo", "a/b"), named("repo", "c/d")]), text("crash")])],
  ["user:a org:b", or([named("user", "a"), named("org", "b")])],
  ["-repo:a/b -repo:c/d", and([not(named("repo", "a/b")), not(named("repo", "c/d"))])],
  ["involves:a involves:b", or([named("involves", "a"), named("involves", "b")])],
  ["label:a label:b", and([label("a"), label("b")])],
  ["label:a,b", or([label("a"), label("b")])],
  ['label:"help wanted",bug', or([label("help wanted"), label("bug")])],
  ["-label:a,b", not(or([label("a"), label("b")]))],
  ["(label:bug)", label("bug")],
  ["author:@me", named("author", "@me")],
  ["author:app/robot", named("author", "app/robot")],
  ["AUTHOR:Ann", named("author", "Ann")],
  ["assignee:*", not(filter({ name: "no", value: "assignee" }))],
  ["no:Label", filter({ name: "no", value: "label" })],
  ["-no:label", not(filter({ name: "no", value: "label" }))],
  ["is:open", open],
  ["state:Open", open],
  ["is:issue type:issue", and([issue, issue])],
  ["is:pr", filter({ name: "kind", value: "pr" })],
  ["type:pull-request", filter({ name: "kind", value: "pr" })],
  ['type:"Bug"', named("type", "Bug")],
  ["is:locked", locked],
  ["is:unlocked", not(locked)],
  ["is:private", filter({ name: "is", value: "private" })],
  ["archived:false", not(filter({ name: "archived", value: "true" }))],
  ['reason:"not planned"', filter({ name: "reason", value: "not planned" })],
  ["review:changes-requested", filter({ name: "review", value: "changes_requested" })],
  ["user-review-requested:@me", named("user-review-requested", "@me")],
  ["team-review-requested:acme/core", filter({ name: "team-review-requested", value: "acme/core" })],
  ["reason:not_planned", filter({ name: "reason", value: "not planned" })],
  ['milestone:"v1, v2"', named("milestone", "v1, v2")],
  ["milestone:v1,v2", named("milestone", "v1,v2")],
  ["comments:5", filter({ name: "comments", min: 5, max: 5 })],
  ["comments:>5", filter({ name: "comments", min: 6 })],
  ["reactions:<=5", filter({ name: "reactions", max: 5 })],
  ["interactions:5..9", filter({ name: "interactions", min: 5, max: 9 })],
  ["comments:*..9 comments:1..*", and([filter({ name: "comments", max: 9 }), filter({ name: "comments", min: 1 })])],
  ["created:2026-02-28", filter({ name: "created", from: "2026-02-28T00:00:00Z", to: "2026-02-28T23:59:59Z" })],
  ["created:>2026-02-28", filter({ name: "created", from: "2026-03-01T00:00:00Z" })],
  ["updated:<2026-02-28", filter({ name: "updated", to: "2026-02-27T23:59:59Z" })],
  ["closed:<=2026-02-28", filter({ name: "closed", to: "2026-02-28T23:59:59Z" })],
  [
    "created:2017-01-01T01:00:00+07:00..2017-03-01T15:30:15+07:00",
    filter({ name: "created", from: "2016-12-31T18:00:00Z", to: "2017-03-01T08:30:15Z" })
  ],
  ["closed:>2026-02-28T12:00:00Z", filter({ name: "closed", from: "2026-02-28T12:00:01Z" })],
  ["merged:>=2026-02-28", filter({ name: "merged", from: "2026-02-28T00:00:00Z" })],
  ["closed:2026-02-28..*", filter({ name: "closed", from: "2026-02-28T00:00:00Z" })]
]

/** Invalid queries with the parts and the messages. */
const invalid: ReadonlyArray<readonly [query: string, problems: ReadonlyArray<readonly [string, string]>]> = [
  ['"a', [['"a', "Close the quotation mark, or remove it."]]],
  ['""', [['""', "Write words between the quotation marks."]]],
  ["(a", [["(", "Close the parenthesis, or write it in quotation marks."]]],
  ["a) b", [[")", "Remove the parenthesis, or write it in quotation marks."]]],
  ["a ()", [["(", "Write a condition between the parentheses."]]],
  ["a OR", [["OR", "Put a condition on both sides of OR."]]],
  ["AND a", [["AND", "Put a condition on both sides of AND."]]],
  ["a AND AND b", [["AND", "Put a condition on both sides of AND."]]],
  ["a NOT", [["NOT", "Put a word, a qualifier or a group after NOT."]]],
  ["a OR in:title", [["OR", "Put a condition on both sides of OR."]]],
  ["-in:title", [["-in:title", "Remove NOT or the minus from in:."]]],
  ["((((((a))))))", [["(", "Nest at most 5 parentheses."]]],
  [
    "state: open",
    [["state:", "Write a value right after state: (no space between), or put the word in quotation marks."]]
  ],
  ["state:shut", [["state:shut", "Write state:open or state:closed."]]],
  [
    "is:shut",
    [
      [
        "is:shut",
        "Write is:issue, is:pr, is:open, is:closed, is:locked, is:unlocked, is:public, is:private, is:blocked, is:blocking, is:draft or is:merged."
      ]
    ]
  ],
  ["linked:pr", [["linked:pr", "Remove linked: this search does not support it."]]],
  ["repo:a", [["repo:a", "Write the repository with its owner. Write repo:OWNER/NAME."]]],
  [
    "comments:many",
    [["comments:many", "comments: takes a number or a range. Write comments:>=5, comments:5..10 or comments:*..5."]]
  ],
  [
    "created:2026-02-30",
    [
      [
        "created:2026-02-30",
        "created: takes a date or a range of dates. Write created:>=2026-01-31, created:2026-01-01..2026-01-31 or created:<2026-01-31T12:00:00Z."
      ]
    ]
  ],
  ["no:time", [["no:time", "Write no:label, no:milestone, no:assignee, no:type or no:parent-issue."]]],
  ["a OR b OR c OR d OR e OR f OR g", [["OR", "A query can have at most 5 operators (AND, OR, NOT). Remove one."]]],
  [`${"is:pr ".repeat(250)}label:a,b`, [["label:a,b", "A query can have at most 250 qualifiers. Remove some."]]],
  ["x".repeat(257), [["x".repeat(257), "Shorten the words to 256 characters. They have 257."]]]
]

const words = [
  "crash",
  "AND",
  "-x",
  "->x",
  "a:b",
  "a::b",
  "f(x)",
  "(",
  'say "hi"',
  "two words",
  "#1",
  "Größe",
  "\\",
  "in:body"
]
const Filter = Schema.Literals([
  "repo:a/b",
  "user:c",
  "-org:d",
  "involves:@me",
  "author:app/robot",
  "assignee:*",
  "label:a,b",
  '-label:"help wanted",c',
  'milestone:"v1, (x)"',
  "type:bug",
  "is:pr",
  "is:unlocked",
  "archived:false",
  "reason:not_planned",
  "no:type",
  "comments:>3",
  "-interactions:*..5",
  "created:>=2026-01-31",
  "closed:2026-01-31T12:00:00+02:00..2026-02-03"
])
const Atom = Schema.Union([
  Filter,
  Schema.Struct({
    not: Schema.Boolean,
    text: Schema.Union([Schema.Literals(words), Schema.String.check(Schema.isPattern(/\S/))])
  })
])
const Group = Schema.Struct({
  not: Schema.Boolean,
  operator: Schema.Literals(["", "AND", "OR"]),
  parts: Schema.NonEmptyArray(Atom)
})
const Query = Schema.Array(Schema.Union([Atom, Group, Schema.Literals(["in:title,body", "sort:updated-asc"])]))

const written = (part: (typeof Query.Type)[number]): string => {
  if (typeof part === "string") return part
  const sign = part.not ? "-" : ""
  return "text" in part
    ? `${sign}${Qualifier.quote(part.text)}`
    : `${sign}(${part.parts.map(written).join(` ${part.operator} `)})`
}

describe("parse", () => {
  it.each(conditions)("reads %s", (query, condition) => {
    assert.deepStrictEqual(read(query), { condition, places: IssueQuery.places, sort: undefined })
  })

  it("reads the options of the whole query, also in parentheses", () => {
    const found = read("(crash in:comment,title sort:reactions-+1-asc) is:open")
    assert.deepStrictEqual(found, {
      condition: and([text("crash"), open]),
      places: ["title", "comments"],
      sort: { by: "reactions-+1", order: "asc" }
    })
    assert.deepStrictEqual(read("sort:reactions--1").sort, { by: "reactions--1", order: "desc" })
    assert.deepStrictEqual(read("in:body in:title").places, ["title", "body"])
  })

  it.each(invalid)("rejects %s", (query, expected) => {
    assert.deepStrictEqual(problems(query), [...expected])
  })

  it.prop("accepts any text", [Schema.Array(Schema.Literals([...'a:-()"\\, ORNT*.>']))], ([characters]) => {
    assert.doesNotThrow(() => IssueQuery.parse(characters.join("")))
  })

  it("accepts deep and long queries", () => {
    for (const part of ["(", ")", '"', "-", "label:a,", "a OR ", "((a) "]) {
      assert.doesNotThrow(() => IssueQuery.parse(part.repeat(8_000 / part.length)))
    }
  })

  it.prop(
    "reads printed queries",
    [Query],
    ([parts]) => {
      const text = parts.map(written).join(" ")
      const parsed = IssueQuery.parse(text)
      const isLimited = problems(text).every(([, message]) => /at most 5 operators|to 256 characters/.test(message))
      assert.isTrue(isLimited, text)
      if (Result.isSuccess(parsed)) {
        const printed = IssueQuery.print(parsed.success)
        if (!problems(printed).some(([, message]) => /operators/.test(message))) {
          assert.deepStrictEqual(read(printed), parsed.success, printed)
        }
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
