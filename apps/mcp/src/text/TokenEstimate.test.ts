import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import * as TokenEstimate from "./TokenEstimate.ts"
import { expensiveTexts, ordinaryTexts, repeatedTokens } from "./TokenEstimate.test-support.ts"
import { selectedTokens } from "./TokenVocabulary.test-support.ts"
import * as TokenVocabulary from "./TokenVocabulary.ts"

/** Texts, and the number of tokens in `o200k_base`, counted with gpt-tokenizer. */
const samples: ReadonlyArray<readonly [name: string, text: string, tokens: number]> = [
  [
    "TypeScript",
    'export const page = Effect.fn("Search.page")(function* (q: string, number: number) {\n  const parsed = Query.parse(q)\n  if (Result.isFailure(parsed)) {\n    return yield* new Failure.ValidationFailed({ request: "GET /search/code", errors: [] })\n  }\n})\n',
    63
  ],
  [
    "Go",
    'func (s *Server) handle(ctx context.Context, w http.ResponseWriter) error {\n\tif err := s.limiter.Wait(ctx); err != nil {\n\t\treturn fmt.Errorf("waiting for limiter: %w", err)\n\t}\n\treturn nil\n}\n',
    51
  ],
  [
    "Python",
    'def parse_query(text: str) -> Query:\n    """Parse a query."""\n    tokens = tokenize(text)\n    if not tokens:\n        raise ValueError(\'empty query\')\n    return Query([Term(token.value) for token in tokens])\n',
    48
  ],
  [
    "JSON of commits",
    '[{"sha":"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8","commit":{"author":{"name":"Mona Lisa","email":"mona@example.com","date":"2026-01-31T12:00:00Z"},"message":"limits: count 304 latency as CPU time"},"parents":[{"sha":"e0c9035898dd52fc65c41454cec9c4d2611bfb37"}]},{"sha":"e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98","commit":{"author":{"name":"Mona Lisa","email":"mona@example.com","date":"2026-01-31T12:00:00Z"},"message":"limits: count 304 latency as CPU time"},"parents":[{"sha":"9a900f538965a426994e1e90600920aff0b4e8d2"}]}]',
    214
  ],
  [
    "JSON of a tree",
    '[{"path":"apps/mcp/src/Compact.ts","type":"blob","size":1234},{"path":"packages/core/src/contract/Operation.ts","type":"blob","size":2468},{"path":"README.md","type":"blob","size":3702}]',
    55
  ],
  [
    "English",
    "Search the files of the default branches of every repository. Words side by side must all be in the file, in any case, and may be parts of longer names.",
    34
  ],
  [
    "German",
    "Die Suche im Quelltext findet Dateien der Standardzweige aller Repositorys. Wörter nebeneinander müssen alle in der Datei vorkommen, gleich in welcher Schreibung.",
    34
  ],
  [
    "Russian",
    "Поиск кода в репозитории: слова, стоящие рядом, должны все присутствовать в файле, в любом регистре, и могут быть частями более длинных имён.",
    40
  ],
  [
    "Chinese",
    "仓库的代码搜索：在所有仓库的默认分支中查找文件。单词必须全部出现在文件中，大小写不限，也可以是较长名称的一部分。",
    40
  ],
  [
    "Japanese",
    "リポジトリのコード検索：すべてのリポジトリの既定のブランチのファイルを検索します。単語はすべてファイルに含まれている必要があります。",
    48
  ],
  [
    "Korean",
    "저장소의 코드 검색: 모든 저장소의 기본 브랜치에 있는 파일을 검색합니다. 단어는 모두 파일에 있어야 하며 대소문자를 구분하지 않습니다.",
    41
  ],
  [
    "hexadecimal",
    "356a192b7913b04c54574d18c28d46e6395428abda4b9237bacccdf19c0760cab7aec4a8359010b077de68daecd823babbb58edb1c8e14d7106e83bb1b6453892473a467d07372d45eb05abc2031647a",
    85
  ],
  [
    "base64",
    "rDR41po8gfpi5g9cNpYWWk5easTB39lu6ozCtieFJ1vKOKwmElbieA==kCujzaGIOAFZS24bRSeQzFOUj9r+XbvOpc5+KYi4xpvP396JBKq8Hw==",
    74
  ],
  [
    "numbers",
    "0,7919,15838,23757,31676,39595,47514,55433,63352,71271,79190,87109,95028,102947,110866,118785,126704,134623,142542,150461,158380,166299,174218,182137,190056,197975,205894,213813,221732,229651,237570,245489,253408,261327,269246,277165,285084,293003,300922,308841",
    118
  ],
  [
    "a patch",
    "@@ -105,7 +105,9 @@ interface Around {\n   readonly forge: Forge\n-  readonly names: ReadonlyArray<string>\n+  /** The tools that the server offers. */\n+  readonly names: ReadonlySet<string>\n }\n",
    51
  ],
  ["emoji", "🎉🚀 fixed 🐛 in 🧪 done ✅", 14],
  ["Amharic", "አማርኛ የኢትዮጵያ ቋንቋ ነው። ".repeat(8), 288],
  ["Khmer", "ភាសាខ្មែរ គឺជាភាសា ".repeat(8), 97]
]

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code))

/** Counts the real tokens. Names of special tokens are ordinary text. */
const realTokens = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

describe("the estimate", () => {
  for (const [name, text, tokens] of samples) {
    it(`is within 25 % of the real number of tokens: ${name}`, () => {
      assert.strictEqual(realTokens(text), tokens)
      const ratio = TokenEstimate.estimateTokens(text) / tokens
      assert.isAtLeast(ratio, 0.75, name)
      assert.isAtMost(ratio, 1.25, name)
    })
  }

  for (const [name, text] of Object.entries(ordinaryTexts())) {
    it(`is within ${name === "paths" ? 25 : 15} % of the real number of tokens: ${name}`, () => {
      const ratio = TokenEstimate.estimateTokens(text) / realTokens(text)
      assert.isAtLeast(ratio, 0.85, name)
      assert.isAtMost(ratio, name === "paths" ? 1.25 : 1.15, name)
    })
  }

  for (const [name, text] of Object.entries(expensiveTexts())) {
    it(`bounds the real number of tokens, also of a prefix: ${name}`, () => {
      assert.isAtMost(realTokens(text), TokenEstimate.estimateTokens(text) * TokenEstimate.MAX_RATIO)
      const prefix = TokenEstimate.tokenPrefix(text, 1_000)
      assert.isAtMost(realTokens(prefix), 1_000 * TokenEstimate.MAX_RATIO)
    })
  }

  it("bounds the real number of tokens of any repeated run of tokens", () => {
    for (const text of repeatedTokens(isLong ? 5_000 : 1_500))
      assert.isAtMost(
        realTokens(text) / TokenEstimate.estimateTokens(text),
        TokenEstimate.MAX_RATIO,
        JSON.stringify(text.slice(0, 40))
      )
  })

  it("bounds the real number of tokens of every run of a character", () => {
    for (const character of `${ascii}\u00a0\u2003\u2028\u3000éя中한😀—│■`)
      for (let length = 1; length <= 200; length += isLong ? 1 : 7) {
        const text = character.repeat(length)
        const ratio = realTokens(text) / TokenEstimate.estimateTokens(text)
        assert.isAtMost(ratio, TokenEstimate.MAX_RATIO, `${JSON.stringify(character)} × ${length}`)
      }
  })

  it("bounds the real number of tokens of repeated words, which the tokenizer merges across their ends", () => {
    for (const word of ["response", "nullable", "services", "uild"]) {
      const text = word.repeat(1_000)
      assert.isAtMost(realTokens(text) / TokenEstimate.estimateTokens(text), TokenEstimate.MAX_RATIO, word)
    }
  })

  it.effect.prop(
    "of a prefix is within the limit, and a text within the limit is not shortened",
    [Schema.String, Schema.Int],
    ([text, seed]) =>
      Effect.sync(() => {
        const limit = Math.abs(seed % 50)
        const prefix = TokenEstimate.tokenPrefix(text, limit)
        assert.isTrue(text.startsWith(prefix))
        assert.isAtMost(TokenEstimate.estimateTokens(prefix), limit)
        if (TokenEstimate.estimateTokens(text) <= limit) assert.strictEqual(prefix, text)
      })
  )

  it("never splits a surrogate pair, and shortens a text without spaces", () => {
    for (let limit = 0; limit < 12; limit++)
      assert.isTrue(TokenEstimate.tokenPrefix("😀".repeat(200), limit).isWellFormed())
    assert.isAbove(TokenEstimate.tokenPrefix("x".repeat(8_000), 500).length, 1_000)
  })

  it("stops counting above the limit", () => {
    const text = "word ".repeat(1_000_000)
    assert.isBelow(TokenEstimate.estimateTokens(text, 100), 110)
  })
})

describe("the frequent tokens", () => {
  it("are those of o200k_base. Otherwise run TokenVocabulary.test-support.ts", () => {
    assert.deepStrictEqual(Array.from(TokenVocabulary.load().keys()), selectedTokens().split(TokenVocabulary.SEPARATOR))
  })
})
