import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as DemoClient from "../DemoClient.test-support.ts"
import * as Files from "../tools/Repository.test-support.ts"

const TEMPLATE = "forge://{owner}/{repo}/contents/{path}{?ref}"

layer(Files.repository)("resources", (it) => {
  const text = (uri: string) =>
    Effect.gen(function* () {
      const client = yield* DemoClient.connect()
      const { contents } = yield* client.readResource({ uri })
      const [first] = contents
      assert.lengthOf(contents, 1)
      assert.deepInclude(first, { uri, mimeType: "text/plain" })
      return first !== undefined && "text" in first ? first.text : ""
    })

  it.effect("are listed with their templates", () =>
    Effect.gen(function* () {
      const client = yield* DemoClient.connect()
      const { resources } = yield* client.listResources({})
      assert.deepStrictEqual(
        resources.map(({ uri }) => uri),
        ["forge://limits"]
      )
      const { resourceTemplates } = yield* client.listResourceTemplates({})
      assert.deepStrictEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        [TEMPLATE, "forge://{owner}/{repo}/commits/{sha}", "forge://{owner}/{repo}/refs"]
      )
      const restricted = yield* DemoClient.connect({ toolsets: ["branches"] })
      assert.deepStrictEqual((yield* restricted.listResources({})).resources, [])
      const failure = yield* Effect.flip(restricted.readResource({ uri: "forge://root/hello/refs" }))
      assert.include(failure.message, "not found")
    })
  )

  it.effect("have the answers of tools", () =>
    Effect.gen(function* () {
      for (const path of ["src/deep/a%20file.ts", "src%2Fdeep%2Fa%20file.ts", "src/deep/a file.ts"]) {
        const shown = yield* text(`forge://root/hello/contents/${path}?ref=main`)
        assert.match(shown, /^root\/hello, ref main, path src\/deep\/a file.ts: 1 line\n/)
        assert.deepStrictEqual(Files.body(shown), ["1\texport const other = 1"])
      }
      assert.deepStrictEqual(Files.body(yield* text("forge://root/hello/contents/src/")), [
        "src/: greet.ts main.ts",
        'src/deep/: "a file.ts"',
        "src/deep/er/: x.test.ts"
      ])
      assert.match(
        yield* text("forge://root/hello/contents/numbers.txt"),
        /\nMore: call read_file with \{.*"lines":"\d+-3000"\}$/
      )
      assert.include(yield* text("forge://root/hello/commits/main"), "second")
      assert.include(yield* text("forge://root/hello/refs"), "main")
      assert.isAbove((yield* text("forge://limits")).length, 10)
    })
  )

  it.effect("have the bytes of a binary file", () =>
    Effect.gen(function* () {
      const client = yield* DemoClient.connect()
      const uri = "forge://root/hello/contents/image.png"
      const { contents } = yield* client.readResource({ uri })
      assert.deepInclude(contents[0], {
        uri,
        mimeType: "image/png",
        blob: new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3])
      })
    })
  )

  it.effect("that do not exist fail with the code of the protocol version", () =>
    Effect.gen(function* () {
      const uris = [
        "forge://root/hello/contents/nowhere",
        "forge://root/hello/contents/%zz",
        "forge://root/nowhere/refs",
        "file:///etc/passwd"
      ]
      const codes = { "2026-07-28": -32602, "2025-11-25": -32002, "2025-06-18": -32002 } as const // literal types
      for (const version of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
        const client = yield* DemoClient.connect({}, version)
        for (const uri of uris) {
          const { code, message } = yield* Effect.flip(client.readResource({ uri }))
          assert.deepStrictEqual([code, message], [codes[version], `Resource '${uri}' not found`])
        }
      }
    })
  )

  it.effect("complete their variables", () =>
    Effect.gen(function* () {
      const client = yield* DemoClient.connect()
      const complete = (name: string, value: string, known: Readonly<Record<string, string>> = {}) =>
        Effect.map(
          client.complete({
            ref: { type: "ref/resource", uri: TEMPLATE },
            argument: { name, value },
            context: { arguments: known }
          }),
          ({ completion }) => completion.values
        )
      const hello = { owner: "root", repo: "hello" }
      assert.deepStrictEqual(yield* complete("owner", "R"), ["root"])
      assert.deepStrictEqual(yield* complete("repo", "", { owner: "root" }), ["hello"])
      assert.deepStrictEqual(yield* complete("repo", "", { owner: "nobody" }), [])
      assert.deepStrictEqual(yield* complete("ref", "ma", hello), ["main"])
      assert.deepStrictEqual(yield* complete("path", "src/", hello), ["src/deep/", "src/greet.ts", "src/main.ts"])
      assert.deepStrictEqual(yield* complete("path", "src/g", { ...hello, ref: "main" }), ["src/greet.ts"])
      assert.deepStrictEqual(yield* complete("path", "nowhere/", hello), [])
    })
  )
})
