import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as RipgrepPattern from "./RipgrepPattern.ts"

const translate = (pattern: string) => Result.getOrThrow(RipgrepPattern.parse(pattern))

const matches = (pattern: string, text: string, flags = "gmu") => {
  const found = [...text.matchAll(new RegExp(translate(pattern).source, flags))]
  return found.map(([match]) => match)
}

const problem = (pattern: string) => {
  const parsed = RipgrepPattern.parse(pattern)
  return Result.isFailure(parsed) ? RipgrepPattern.formatError(pattern, parsed.failure).split("\n\n")[0] : "valid"
}

describe("RipgrepPattern", () => {
  it.each([
    ["foo", "foo"],
    ['\\-\\"\\#\\ \\/\\%', '-"# \\/%'],
    ["/usr/bin", "\\/usr\\/bin"],
    ["(?i)foo", "(?i:foo)"],
    ["a(?i)b|c(?-i:D)", "a(?i:b)|(?i:c)(?:(?-i:D))"],
    ["(?U)a+b+?", "a+?b+"],
    ["(?x) a b # c", "ab"],
    ["(?s).", "[^\\n]"],
    ["[[:alpha:]_]", "[A-Za-z_]"],
    ["[^[:digit:]]", "[^0-9]"],
    ["[]a]", "[\\]a]"],
    ["[^]a-]", "[^\\]a\\-]"],
    ["[a-z&&[^aeiou]]", "(?:(?=[a-z])[^aeiou])"],
    ["[a-z--b]", "(?:(?![b])[a-z])"],
    ["\\Afoo\\z", "^foo$"],
    ["\\x{1F600}\\x41\\u0042\\U00000043", "😀ABC"],
    ["\\pL\\p{^L}\\P{Greek}\\p{lowercase letter}", "[\\p{L}][^\\p{L}][^\\p{Script=Greek}][\\p{Lowercase_Letter}]"],
    ["(?P<first>a)(b)", "(a)(b)"],
    ["a**", "(?:a*)*"],
    ["", "(?:)"]
  ])("translates %s", (pattern, expected) => {
    assert.strictEqual(translate(pattern).source, expected)
  })

  it.each([
    ["foo(", "       ^\nerror: unclosed group"],
    ["foo)", "       ^\nerror: unopened group"],
    ["*a", "    ^\nerror: repetition operator missing expression"],
    ["a|*", "      ^\nerror: repetition operator missing expression"],
    ["a{2,1}", "     ^^^^^\nerror: invalid repetition count range, the start must be <= the end"],
    ["a{", "     ^\nerror: unclosed counted repetition"],
    ["(?=a)", "    ^^^\nerror: look-around, including look-ahead and look-behind, is not supported"],
    ["\\1", "    ^^\nerror: backreferences are not supported"],
    ["ab\\y", "      ^^\nerror: unrecognized escape sequence"],
    ["(?z)a", "      ^\nerror: unrecognized flag"],
    ["\\p{Foo}", "    ^^^^^^^\nerror: Unicode property not found"],
    ["[z-a]", "     ^^^\nerror: invalid character class range, the start must be <= the end"],
    ["[a-\\d]", "       ^^\nerror: invalid range boundary, must be a literal"],
    ["\\", "    ^\nerror: incomplete escape sequence, reached end of pattern prematurely"],
    ["\\xZZ", "      ^\nerror: invalid hexadecimal digit"]
  ])("refuses %s and shows the position", (pattern, expected) => {
    assert.strictEqual(problem(pattern), `regex parse error:\n    ${pattern}\n${expected}`)
  })

  it("refuses line feeds and unclosed classes", () => {
    for (const pattern of ["a\\nb", "a\nb"])
      assert.include(problem(pattern), 'the literal "\\n" is not allowed in a regex')
    assert.include(problem("[a"), "unclosed character class")
    assert.include(problem("[]"), "unclosed character class")
  })

  it("matches words, digits and white space of all scripts", () => {
    assert.deepStrictEqual(matches("\\w+", "größe 名前 x_1"), ["größe", "名前", "x_1"])
    assert.deepStrictEqual(matches("\\d+", "12 ٣"), ["12", "٣"])
    assert.deepStrictEqual(matches("\\bö", "ö nö"), ["ö"])
    assert.deepStrictEqual(matches("a\\sb", "a\u0085b"), ["a\u0085b"])
    assert.deepStrictEqual(matches("(?-u:\\w)+", "größe"), ["gr", "e"])
  })

  it("folds case as Unicode's simple folding", () => {
    const folds = (pattern: string, text: string) => matches(pattern, text, "gimu").length
    assert.deepStrictEqual([folds("i", "I"), folds("i", "İ"), folds("ı", "I")], [1, 0, 0])
    assert.deepStrictEqual([folds("ß", "ẞ"), folds("ß", "SS")], [1, 0])
    assert.deepStrictEqual([folds("k", "\u212a"), folds("σ", "ς"), folds("Σ", "ς")], [1, 1, 1])
  })

  it("knows the literal text, its case and the names of groups", () => {
    assert.strictEqual(translate("a\\.b").literal, "a.b")
    assert.isUndefined(translate("a.b").literal)
    assert.isUndefined(translate("(?i)ab").literal)
    assert.isTrue(translate("[A]b").hasUppercase)
    assert.isFalse(translate("\\W\\pL").hasUppercase)
    assert.isFalse(translate("\\W\\pL").hasLiteral)
    assert.deepStrictEqual(translate("(a)(?P<x>b)(?<y>c)").groups, [undefined, "x", "y"])
  })

  it("finds whole words only", () => {
    assert.lengthOf([..."foo foobar (foo)".matchAll(new RegExp(RipgrepPattern.wholeWord("foo"), "gmu"))], 2)
    assert.strictEqual(RipgrepPattern.escape("a.b/\u202e"), "a\\.b\\/\\u{202e}")
  })
})
