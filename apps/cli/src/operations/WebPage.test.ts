import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runner } from "../CommandRunner.test-support.ts"
import * as Stub from "../ForgeStub.test-support.ts"
import * as ExplorerPage from "./ExplorerPage.ts"

const withPage = (html_url: string, kind: "remote" | "embedded" = "remote") =>
  runner(() => ({ body: { ...Stub.repository(), html_url } }), { connection: { kind } })

describe("--web", () => {
  for (const [address, path, page] of [
    ["octo/hello/commit/0f1c", undefined, "commit?repo=octo/hello&ref=0f1c"],
    ["octo/hello/compare/main...fix/a%20b", undefined, "compare?repo=octo/hello&base=main&head=fix/a+b"],
    ["octo/hello/blob/fix/one/src/a%23.ts", "src/a#.ts", "file?repo=octo/hello&path=src/a%23.ts&ref=fix/one"],
    ["octo/hello/tree/main/src", "src", "tree?repo=octo/hello&path=src&ref=main"],
    ["octo/hello/blob/main/src", "other", undefined],
    ["octo/hello/issues/7", undefined, "issue?repo=octo/hello&number=7"],
    ["octo/hello/pull/7#issuecomment-9", undefined, "pull?repo=octo/hello&number=7#issuecomment-9"],
    ["octo/hello/milestone/1", undefined, undefined],
    ["octo/hello/pulls", undefined, undefined],
    ["octo", undefined, undefined]
  ] as const) {
    it(`knows the explorer's page of ${address}`, () => {
      assert.strictEqual(ExplorerPage.of({ html_url: `http://forge.localhost/${address}`, path }), page)
    })
  }

  it.live("prints the URL of the page without a browser", () =>
    Effect.gen(function* () {
      const { BROWSER } = process.env
      process.env.BROWSER = "/nowhere/browser"
      const result = yield* withPage("https://forge.test/octo/hello")("repositories", "get", "--web")
      if (BROWSER === undefined) delete process.env.BROWSER
      else process.env.BROWSER = BROWSER
      assert.deepStrictEqual(result, { code: 0, stdout: "https://forge.test/octo/hello\n", stderr: "" })
    })
  )

  for (const url of ["file:///etc/passwd", "javascript:alert(1)", ""]) {
    it.live(`does not open ${JSON.stringify(url)}`, () =>
      Effect.map(withPage(url)("repositories", "get", "--web"), ({ code, stderr, stdout }) => {
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, /has no web page/)
      })
    )
  }

  it.live("names the page of the explorer on the embedded forge, and is no flag of lists", () =>
    Effect.gen(function* () {
      const tongs = withPage("http://forge.localhost/octo/hello", "embedded")
      assert.deepStrictEqual(yield* tongs("repositories", "get", "--web", "--repos", "it's here"), {
        code: 2,
        stdout: "",
        stderr:
          "tongs: The embedded forge has no web pages.\nRun `tongs explore --open --page 'tree?repo=octo/hello' --repos 'it'\\''s here'` to see it in the explorer.\n"
      })
      assert.strictEqual((yield* tongs("branches", "list", "--web")).code, 2)
    })
  )
})
