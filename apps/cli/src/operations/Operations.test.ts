import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"
import * as Catalog from "@tongs/core/contract/Catalog"
import * as CatalogEntries from "@tongs/core/contract/CatalogEntry"
import { toKebabCase } from "@tongs/core/contract/Operation"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as Terminal from "@tongs/core/text/Terminal"
import * as RootCommand from "../RootCommand.ts"
import { runner } from "../CommandRunner.test-support.ts"
import type * as Stub from "../ForgeStub.test-support.ts"
import * as Input from "./Input.ts"
import * as OperationFlags from "./OperationFlags.ts"

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

/** Every command as the words of a command line. */
const paths = (command: Named): ReadonlyArray<ReadonlyArray<string>> =>
  command.subcommands.flatMap(({ commands }) =>
    commands.flatMap((one) => [[one.name], ...paths(one).map((path) => [one.name, ...path])])
  )

/** A value for the flag of a field: the member of a sample, or a name or number of a path. */
const sample = (field: InputField, values: Readonly<Record<string, unknown>>): string => {
  const member = values[field.name]
  if (member !== undefined && member !== null) return typeof member === "string" ? member : JSON.stringify(member)
  return field.values[0] ?? (field.kind === "integer" ? "7" : "x")
}

/** The command line of an operation with a value for each field. */
const sampleOf = (entry: CatalogEntry): ReadonlyArray<string> => {
  const schemas = [entry.endpoint.query, Catalog.payloadSchema(entry.endpoint)]
  const values = Object.assign({}, ...schemas.map((schema) => (schema === undefined ? {} : Samples.of(schema))))
  return [
    ...entry.command.split(" "),
    ...entry.fields.map((field) =>
      field.kind === "boolean" ? `--${Input.flagName(field)}` : `--${Input.flagName(field)}=${sample(field, values)}`
    ),
    ...(entry.operation.effect !== "read" ? ["--yes"] : [])
  ]
}

describe("every command", () => {
  it.effect("has a help text of at most 80 columns", () =>
    Effect.gen(function* () {
      const tongs = runner(() => undefined)
      for (const path of [[], ...paths(RootCommand.make(CatalogEntries.groups.map(toKebabCase)))]) {
        const { code, stderr, stdout } = yield* tongs(...path, "--help")
        assert.deepStrictEqual([path.join(" "), code, stderr], [path.join(" "), 0, ""])
        // A path is one word.
        const wide = stdout.split("\n").filter((line) => Terminal.width(line) > 80 && !/^ +\/\S+$/.test(line))
        assert.deepStrictEqual(wide, [], path.join(" "))
      }
    })
  )

  it.effect("of an operation sends its flags and prints the result", () =>
    Effect.gen(function* () {
      const entries = Catalog.entries.filter(
        ({ group, status }) => group !== "search" && status !== FileRedirect.status
      )
      for (const entry of entries) {
        const { endpoint, status } = entry
        const name = `${entry.group}.${entry.name}`
        const asked: Array<Stub.StubRequest> = []
        const tongs = runner((one) => {
          asked.push(one)
          return { status, ...(status === 204 ? {} : { body: Samples.of(Catalog.successSchema(endpoint)) }) }
        })
        const { code, stderr } = yield* tongs(...sampleOf(entry))
        assert.deepStrictEqual(
          [
            name,
            code,
            stderr.replace(
              /^(Done|Cached|Accepted|Declined|Locked|Unlocked|The forge stopped early|The repository is deleted).*\n/,
              ""
            )
          ],
          [name, 0, ""]
        )
        const [sent] = asked
        assert.isDefined(sent, name)
        assert.strictEqual(sent.method, endpoint.method, name)
        assert.match(sent.path, new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/?]+")}(\\?|$)`))
        const { bytesBody, textBody } = entry.operation
        const whole = textBody ?? bytesBody
        const members =
          whole === undefined ? Object.keys(typeof sent.body === "object" ? (sent.body ?? {}) : {}) : [whole]
        if (whole !== undefined) assert.isString(sent.body, name)
        assert.sameMembers(
          members,
          entry.fields.flatMap((field) => (field.in === "body" ? [field.name] : [])),
          name
        )
      }
    })
  )
})

describe("a wrong value", () => {
  for (const words of [
    ["commits", "list", "--since", "yesterday"],
    ["commits", "list", "--limit", "-1"],
    ["commits", "list", "--limit", "0"],
    ["commits", "list", "--limit", "abc"],
    ["repositories", "mine", "--sort", "size"],
    ["repositories", "update", "--private=perhaps"],
    ["commit-comments", "get", "seven"],
    ["git-commits", "create", "--message", "x", "--tree", "y", "--author", "{"],
    ["git-commits", "create", "--message", "x", "--tree", "y", "--author", '{"name":1}'],
    ["git-refs", "get", ".."],
    ["--api-version", "new", "users", "me"]
  ]) {
    it.effect(`${words.join(" ")} exits 2 and sends nothing`, () =>
      Effect.gen(function* () {
        let count = 0
        const tongs = runner(() => {
          count += 1
          return undefined
        })
        const { code, stderr, stdout } = yield* tongs(...words)
        assert.deepStrictEqual([code, stdout, count], [2, "", 0], stderr)
        assert.match(stderr, /^tongs: ./)
      })
    )
  }
})

describe("flags", () => {
  it("of a field give way to those of the command, and none is there twice", () => {
    assert.strictEqual(Input.flagName({ name: "body" }), "body")
    assert.strictEqual(Input.flagName({ name: "input" }), "field-input")
    assert.strictEqual(Input.flagName({ name: "url" }), "field-url")
    const [entry] = Catalog.entries
    const [field] = Catalog.entries.flatMap(({ fields }) => fields)
    assert.isDefined(entry)
    assert.isDefined(field)
    const twice = ["tree_sha", "tree-sha"].map((name) => ({ ...field, name }))
    assert.throws(() => OperationFlags.assertUniqueFlags({ ...entry, fields: twice }), /--tree-sha/)
  })

  it.effect("give a body as text, or whole from a file or stdin", () =>
    Effect.gen(function* () {
      const bodies: Array<unknown> = []
      const tongs = runner(({ body }) => {
        bodies.push(body)
        return undefined
      })
      const folder = mkdtempSync(join(tmpdir(), "tongs-input-"))
      const file = join(folder, "body.json")
      writeFileSync(file, '{"body":"from a file"}')
      yield* tongs("commit-comments", "update", "7", "--body", "text")
      yield* tongs("commit-comments", "update", "7", "--input", file)
      assert.deepStrictEqual(bodies, [{ body: "text" }, { body: "from a file" }])
      writeFileSync(file, "[1]")
      for (const given of [file, join(folder, "none"), folder]) {
        assert.strictEqual((yield* tongs("commit-comments", "update", "7", "--input", given)).code, 2, given)
      }
      rmSync(folder, { recursive: true })
    })
  )

  it.effect("give the content of a file as text or as a file, and send it in Base64", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "tongs-cli-"))
      const file = join(folder, "bytes")
      writeFileSync(file, Uint8Array.of(0, 255))
      const sent: Array<unknown> = []
      const tongs = runner(({ body }) => {
        sent.push(body)
        return undefined
      })
      const put = ["contents", "create-or-update", "octo/hello", "a.txt", "--message", "m", "--content"]
      yield* tongs(...put, "é")
      yield* tongs(...put, `@${file}`)
      yield* tongs(...put, "data:;base64,AP8=")
      const blob = ["git-blobs", "create", "octo/hello", "--content"]
      yield* tongs(...blob, `@${file}`)
      yield* tongs(...blob, "w6k=", "--encoding", "base64")
      rmSync(folder, { recursive: true })
      assert.deepStrictEqual(sent, [
        { message: "m", content: "w6k=" },
        { message: "m", content: "AP8=" },
        { message: "m", content: "AP8=" },
        { content: "AP8=", encoding: "base64" },
        { content: "w6k=", encoding: "base64" }
      ])
      assert.strictEqual((yield* tongs(...put, `@${file}`)).code, 2, "the file is gone")
      const missing = yield* tongs(...put.slice(0, -1))
      const help = yield* tongs(...put.slice(0, 2), "--help")
      for (const text of [missing.stderr, help.stdout.replaceAll(/\s+/g, " ")]) {
        assert.include(text, "Content of the file: a text, @FILE, @- for stdin, or data:;base64,… for Base64")
      }
    })
  )

  it.effect("name the repository in one or in two", () =>
    Effect.gen(function* () {
      const paths: Array<string> = []
      const tongs = runner(({ path }) => {
        paths.push(path)
        return undefined
      })
      yield* tongs("branches", "list", "--repo", "mona/other")
      yield* tongs("branches", "list", "-R", "mona/other")
      yield* tongs("branches", "list", "--owner", "mona", "--repo", "other")
      assert.deepStrictEqual(
        paths,
        Array.from({ length: 3 }, () => "/repos/mona/other/branches")
      )
      assert.strictEqual((yield* tongs("branches", "list", "--owner", "a", "--repo", "b/c")).code, 2)
      assert.strictEqual((yield* tongs("branches", "list", "--repo", "a/b/c")).code, 2)
    })
  )
})

describe("a question", () => {
  const asked = (status: number, headers: Readonly<Record<string, string>> = {}) =>
    runner(() => ({ status, headers, ...(status === 204 ? {} : { body: { message: "Not Found" } }) }))

  it.effect("has a sentence as its answer, and an exit code for scripts", () =>
    Effect.gen(function* () {
      const check = ["blocks", "check", "dan"]
      assert.deepStrictEqual(yield* asked(204)(...check), { code: 0, stdout: "dan is blocked.\n", stderr: "" })
      assert.deepStrictEqual(yield* asked(404)(...check), { code: 4, stdout: "dan is not blocked.\n", stderr: "" })
      assert.deepInclude(yield* asked(204)(...check, "--json"), { code: 0, stdout: "true\n" })
      assert.deepInclude(yield* asked(404)(...check, "--json"), { code: 4, stdout: "false\n", stderr: "" })
    })
  )

  it.effect("has no answer if the token may not ask it", () =>
    Effect.gen(function* () {
      const hidden = asked(404, { "x-accepted-oauth-scopes": "user", "x-oauth-scopes": "repo" })
      const { code, stderr, stdout } = yield* hidden("blocks", "check", "dan")
      assert.deepStrictEqual([code, stdout], [4, ""])
      assert.include(stderr, "the scope user")
    })
  )

  it.effect("names the forge, not the name, if there are no rate limits", () =>
    Effect.gen(function* () {
      const text = "This forge has no rate limits."
      assert.deepStrictEqual(yield* asked(404)("rate-limit", "get"), { code: 4, stdout: `${text}\n`, stderr: "" })
      assert.deepInclude(yield* asked(404)("rate-limit", "get", "--json"), { stdout: "", stderr: `tongs: ${text}\n` })
    })
  )
})

describe("a media type", () => {
  const seen: Array<string | undefined> = []
  const tongs = runner(({ headers, path }) => {
    seen.push(headers["accept"])
    return path.startsWith("/repos/octo/hello/comments/")
      ? { body: { message: "no comment" }, status: 404 }
      : { body: "diff --git a b\n", headers: { "content-type": "text/plain" } }
  })

  it.effect("that is text is printed as it is; one that is JSON is read", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tongs("commits", "get", "main", "--media-type", "diff"), {
        code: 0,
        stdout: "diff --git a b\n",
        stderr: ""
      })
      assert.deepInclude(yield* tongs("contents", "get", "a.txt", "--media-type", "raw"), {
        stdout: "diff --git a b\n"
      })
      assert.strictEqual((yield* tongs("commit-comments", "get", "1", "--media-type", "raw")).code, 4)
      assert.deepStrictEqual(seen.slice(0, 3), [
        "application/vnd.service.diff",
        "application/vnd.service.raw+json",
        "application/vnd.service.raw+json"
      ])
      assert.strictEqual((yield* tongs("commits", "get", "main", "--media-type", "gif")).code, 2)
    })
  )
})

describe("a deletion", () => {
  const deleting = (answers?: ReadonlyArray<string>) => {
    const asked: Array<string> = []
    const forge = ({ method, path }: Stub.StubRequest) => {
      asked.push(`${method} ${path}`)
      return { status: 204 }
    }
    return { asked, tongs: runner(forge, answers === undefined ? {} : { answers }) }
  }
  const words = ["git-refs", "delete", "heads/old"]

  it.effect("asks for confirmation with the target", () =>
    Effect.gen(function* () {
      for (const [answer, code] of [
        ["y", 0],
        ["Yes", 0],
        ["", 1],
        ["n", 1],
        ["yellow", 1]
      ] as const) {
        const { asked, tongs } = deleting([answer])
        const ran = yield* tongs(...words)
        assert.deepStrictEqual([answer, ran.code, asked.length], [answer, code, code === 0 ? 1 : 0])
        assert.match(ran.stderr, /^Delete a reference: octo\/hello heads\/old\? \[y\/N\] /)
      }
    })
  )

  it.effect("requires --yes without a terminal", () =>
    Effect.gen(function* () {
      const { asked, tongs } = deleting()
      const refused = yield* tongs(...words)
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "--yes")
      assert.include(refused.stderr, "delete a reference: octo/hello heads/old")
      assert.strictEqual((yield* tongs(...words, "--yes")).code, 0)
      assert.deepStrictEqual(asked, ["DELETE /repos/octo/hello/git/refs/heads%2Fold"])
      // Reversible: the user can be blocked again.
      assert.strictEqual((yield* tongs("blocks", "unblock", "mona")).code, 0)
    })
  )
})

describe("a call that gives something to others", () => {
  const adding = (answers?: ReadonlyArray<string>) => {
    const asked: Array<string> = []
    const forge = ({ method, path }: Stub.StubRequest) => {
      asked.push(`${method} ${path}`)
      return { body: { id: 1, key: "ssh-ed25519 AAAA", title: "", verified: true, read_only: false }, status: 201 }
    }
    return { asked, tongs: runner(forge, answers === undefined ? {} : { answers }) }
  }
  const words = ["keys", "create", "--key", "ssh-ed25519 AAAA"]

  it.effect("asks in a terminal, and says what it gives", () =>
    Effect.gen(function* () {
      const declined = adding(["n"])
      const refused = yield* declined.tongs(...words)
      assert.deepStrictEqual([refused.code, declined.asked], [1, []])
      assert.match(refused.stderr, /Anyone with the private key can read and change .*\nAdd an SSH key\? \[y\/N\] /s)
      const accepted = adding(["y"])
      yield* accepted.tongs(...words)
      assert.deepStrictEqual(accepted.asked, ["POST /user/keys"])
    })
  )

  it.effect("does not ask without a terminal, with --yes, or if it gives nothing", () =>
    Effect.gen(function* () {
      for (const [answers, more] of [
        [undefined, []],
        [["n"], ["--yes"]]
      ] as const) {
        const { asked, tongs } = adding(answers)
        const { stderr } = yield* tongs(...words, ...more)
        assert.notInclude(stderr, "[y/N]")
        assert.deepStrictEqual(asked, ["POST /user/keys"])
      }
      const { stderr } = yield* adding(["n"]).tongs(
        "workflow-policies",
        "set-permissions",
        "octo",
        "--enabled-repositories",
        "none"
      )
      assert.notInclude(stderr, "[y/N]")
    })
  )
})
