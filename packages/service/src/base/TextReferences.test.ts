import { assert, it } from "@effect/vitest"
import * as TextReferences from "./TextReferences.ts"

const describe = (reference: TextReferences.TextReference): string => {
  switch (reference._tag) {
    case "Issue":
    case "Commit": {
      const { repository, url } = reference
      const name = repository === undefined ? "" : [repository.owner, repository.name ?? "*"].join("/")
      const target = reference._tag === "Issue" ? `#${reference.number}` : `@${reference.id}`
      const keyword = reference._tag === "Issue" && reference.isClosing ? "closes " : ""
      return keyword + name + target + (url === undefined ? "" : " by URL")
    }
    case "User":
      return `user ${reference.login}`
    case "Team":
      return `team ${reference.organization}/${reference.slug}`
  }
}

const found = (text: string) => TextReferences.find(text).map(({ reference }) => describe(reference))

const SHA = "a5c3785ed8d6a35868bc169f07e40e889087fd2e"

const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  // GitHub's documentation, "Autolinked references and URLs".
  ["#26", ["#26"]],
  ["GH-26", ["#26"]],
  ["jlord/sheetsee.js#26", ["jlord/sheetsee.js#26"]],
  ["github-linguist/linguist#4039", ["github-linguist/linguist#4039"]],
  ["https://github.com/jlord/sheetsee.js/issues/26", ["jlord/sheetsee.js#26 by URL"]],
  [`https://github.com/jlord/sheetsee.js/commit/${SHA}`, [`jlord/sheetsee.js@${SHA} by URL`]],
  [SHA, [`@${SHA}`]],
  [`jlord@${SHA}`, [`jlord/*@${SHA}`]],
  [`jlord/sheetsee.js@${SHA}`, [`jlord/sheetsee.js@${SHA}`]],
  ["@github/support What do you think?", ["team github/support"]],
  // GitHub's documentation, "Using keywords in issues and pull requests".
  ["Closes #10", ["closes #10"]],
  ["Fixes octo-org/octo-repo#100", ["closes octo-org/octo-repo#100"]],
  [
    "Resolves #10, resolves #123, resolves octo-org/octo-repo#100",
    ["closes #10", "closes #123", "closes octo-org/octo-repo#100"]
  ],
  ["Closes: #10", ["closes #10"]],
  ["CLOSES #10", ["closes #10"]],
  ["CLOSES: #10", ["closes #10"]],
  ...["close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"].map(
    (keyword) => [`x ${keyword} #1`, ["closes #1"]] as const // a pair
  ),
  ["Fixes #1 and #2, closes GH-3", ["closes #1", "#2", "closes #3"]],
  ["fixes https://a.test/o/r/issues/3.", ["closes o/r#3 by URL"]],
  ["fixes\n#4", ["closes #4"]],
  ["prefixes #1, closing #2, bug-fix #3, fix#4, fixes::: #5, fixes the #6", ["#1", "#2", "#3", "#5", "#6"]],
  // Word boundaries.
  ["(#1) [#2] '#3' #4. #5, #6: #7-a é #8", ["#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8"]],
  ["a#1 #1a #a1 #0 #01 ##1 /#1 &#38; #1234567890 GH-x AGH-1 x-gh-1 GH-1x", []],
  ["a/b/c#1 ./a/b#1 a/b#1x -a/b#1 a/#1 a//b#1", []],
  ["@a, (@b) .@c @d. @e... @f: 'é@g' @h's", ["a", "b", "c", "d", "e", "f", "g", "h"].map((login) => `user ${login}`)],
  ["a@b a@b.test @a.b @a/ @a/b/c @-a @@ x_@a a.b+c@d.test @a...b", []],
  // No login ends with a hyphen, so this mention has no account.
  ["@a-", ["user a-"]],
  ["@a/b, @a/b-c.", ["team a/b", "team a/b-c"]],
  [
    "abcdef1 (abcdef2) abcdef3, abcdef4..abcdef5 1234567",
    ["1", "2", "3", "4", "5"].map((n) => `@abcdef${n}`).concat("@1234567")
  ],
  [
    "abcdef abcdef1g gabcdef1 abcdef1.js v1.abcdef1 #abcdef1 a/abcdef1 abcdef1/a abcdef1-b b-abcdef1 ABCDEF1 abcdef1@b.test x=abcdef1 " +
      "a".repeat(41),
    []
  ],
  ["abcdef12@deadbeef.test a/b@abcdef a/b@abcdef1x", []],
  // URLs of anything else are skipped as a whole.
  ["https://a.test/o/r/issues/1/x https://a.test/#12 https://a.test/@user ssh://git@a.test/o/r#1", []],
  [
    "https://a.test/o/r/pull/7#discussion_r8 (https://a.test/o/r/issues/9#issuecomment-1)",
    ["o/r#7 by URL", "o/r#9 by URL"]
  ],
  ["https://a.test/o/r/issues/1?q=1 https://a.test/o/r/tree/abcdef1", []]
]

it("finds the references of GitHub's documentation, at word boundaries", () => {
  for (const [text, references] of cases) assert.deepStrictEqual(found(text), references, text)
})

it("gives the offsets of references, without the keyword and the punctuation", () => {
  const text = "Fixes #1, see https://a.test/o/r/issues/2). @me!"
  assert.deepStrictEqual(
    TextReferences.find(text).map(({ end, start }) => text.slice(start, end)),
    ["#1", "https://a.test/o/r/issues/2", "@me"]
  )
})

/** Maximum length of the bodies of issues, in characters. */
const MAX_BODY = 65_536

it("reads hostile texts in linear time, and at most 1,000 references", () => {
  const parts = [
    "a",
    "a/",
    "@a",
    "@a.",
    ".",
    "#",
    "a#",
    "a@",
    "https://",
    "://a",
    "fix ",
    "fixes: ",
    "a/b",
    "-",
    "GH-",
    "0",
    "@a/"
  ]
  for (const one of parts)
    for (const other of ["", "!", " ", "\n", "#1", "@"]) {
      const unit = one + other
      const text = unit.repeat(Math.ceil(MAX_BODY / unit.length))
      const start = performance.now()
      assert.isAtMost(TextReferences.find(text).length, TextReferences.MAX_REFERENCES)
      assert.isBelow(performance.now() - start, 500, unit)
    }
  assert.lengthOf(found("#1 ".repeat(2000)), 1000)
})
