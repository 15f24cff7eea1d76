import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { TokenRows } from "../../access/TokenRows.ts"
import * as Fixture from "../../git/Fixture.test-support.ts"
import { EmbeddedForge, IN_PROCESS_URL } from "../../main/EmbeddedForge.ts"
import { Owner } from "../../main/Owner.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

const OTHER_TOKEN = "other-token"

/** Requests of the owner, to a forge that serves the repository at a path and reads the work tree. */
const withForge = <A, E, R>(
  path: string,
  use: (forge: {
    readonly data: string
    /** Default: the owner's own token. */
    readonly get: (
      path: string,
      secret?: string
    ) => Effect.Effect<{ readonly status: number; readonly text: string; readonly location: string }>
    /** Gets the bytes at a URL without a token. */
    readonly download: (url: string) => Effect.Effect<Uint8Array>
    /** Creates a branch at a commit, and gives the status. */
    readonly branch: (commit: string) => Effect.Effect<number>
    readonly base: string
  }) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const data = yield* Fixture.folder
    return yield* Effect.gen(function* () {
      const { adopted, client } = yield* EmbeddedForge
      const { token, user } = yield* Owner
      const get = (path: string, secret = Redacted.value(token)) =>
        Effect.orDie(
          Effect.flatMap(
            client.execute(
              HttpClientRequest.get(`${IN_PROCESS_URL}${path}`, {
                headers: { "user-agent": "test", authorization: `Bearer ${secret}` }
              })
            ),
            ({ headers: { location = "" }, status, text }) => Effect.map(text, (text) => ({ status, text, location }))
          )
        )
      const download = (url: string) =>
        client.get(url, { headers: { "user-agent": "test" } }).pipe(
          Effect.flatMap(({ arrayBuffer }) => arrayBuffer),
          Effect.map((bytes) => new Uint8Array(bytes)),
          Effect.orDie
        )
      const base = `/repos/${adopted[0]?.fullName}`
      const authorization = `Bearer ${Redacted.value(token)}`
      const branch = (sha: string) =>
        HttpClientRequest.post(`${IN_PROCESS_URL}${base}/git/refs`, {
          headers: { "user-agent": "test", authorization }
        }).pipe(
          HttpClientRequest.bodyJson({ ref: "refs/heads/new", sha }),
          Effect.flatMap(client.execute),
          Effect.map(({ status }) => status),
          Effect.orDie
        )
      // Another token of the same account.
      const tokens = yield* TokenRows
      yield* tokens.add({ userId: user.id, kind: "classic", scopes: ["repo"] }, Redacted.make(OTHER_TOKEN))
      return yield* use({ data, get, download, branch, base })
    }).pipe(
      Effect.provide(
        TestDatabase.forgeLayer({ data, cwd: path, repos: [], dialect: "service", searchesWorkTrees: true }),
        {
          local: true
        }
      )
    )
  })

const write = (path: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
}

it.live("reads files on disk through a commit, and gives the same commit for the same files", () =>
  Effect.gen(function* () {
    const path = yield* Fixture.folder
    Fixture.git(path, ["init", "--quiet", "--initial-branch=main"])
    write(path, { "a.txt": "one\n", "d/b.txt": "two\n", gone: "x\n", ".gitignore": "*.log\n" })
    Fixture.git(path, ["add", "."])
    Fixture.git(path, ["commit", "--quiet", "-m", "first"])
    const head = Fixture.git(path, ["rev-parse", "HEAD"])
    yield* withForge(path, ({ base, branch, data, download, get }) =>
      Effect.gen(function* () {
        const view = Effect.map(get(`/tongs${base}/work-tree`), ({ text }) => JSON.parse(text))
        const clean = yield* view
        assert.deepInclude(clean, { available: true, commit: head, head, branch: "main", changed_files: 0, files: [] })
        write(path, { "a.txt": "one\nmore\r\n", "new/c.txt": "three\n", "x.log": "no\n" })
        rmSync(join(path, "gone"))
        symlinkSync("a.txt", join(path, "link"))
        symlinkSync("/etc/passwd", join(path, "outside"))
        chmodSync(join(path, "d/b.txt"), 0o755)
        const dirty = yield* view
        assert.deepStrictEqual(
          dirty.files.map(
            ({ path, status }: { readonly path: string; readonly status: string }) => `${status} ${path}`
          ),
          ["modified a.txt", "modified d/b.txt", "removed gone", "added link", "added new/c.txt", "added outside"]
        )
        assert.deepInclude(dirty, { head, incomplete_results: false, notes: [] })
        assert.strictEqual((yield* view).commit, dirty.commit)
        const read = (file: string) =>
          Effect.map(get(`${base}/contents/${file}?ref=${dirty.commit}`), ({ status, text }) => {
            const { content = "", target, type } = JSON.parse(text)
            return type === "symlink"
              ? `link to ${target}`
              : status === 200
                ? Buffer.from(content, "base64").toString()
                : status
          })
        assert.strictEqual(yield* read("a.txt"), "one\nmore\r\n")
        assert.strictEqual(yield* read("new/c.txt"), "three\n")
        assert.strictEqual(yield* read("outside"), "link to /etc/passwd")
        assert.strictEqual(yield* read("gone"), 404)
        assert.strictEqual(yield* read("x.log"), 404)
        const archive = yield* get(`${base}/tarball/${dirty.commit}`)
        assert.strictEqual(archive.status, 302)
        const listed = execFileSync("tar", ["-tz"], { input: yield* download(archive.location) }).toString()
        assert.include(listed, "/new/c.txt\n")
        assert.strictEqual((yield* get(`${base}/tarball/${dirty.commit}`, OTHER_TOKEN)).status, 404)
        const commit = `${base}/commits/${dirty.commit}`
        assert.strictEqual((yield* get(commit)).status, 200)
        assert.notStrictEqual((yield* get(commit, OTHER_TOKEN)).status, 200)
        const refused = JSON.parse((yield* get(`/tongs${base}/work-tree`, OTHER_TOKEN)).text)
        assert.deepInclude(refused, { available: false, commit: head, files: [] })
        assert.strictEqual(yield* branch(dirty.commit), 422)
        // Nothing is written to the repository, and no reference can point to the commit.
        assert.isFalse(Fixture.git(path, ["cat-file", "--batch-all-objects", "--batch-check"]).includes(dirty.commit))
        assert.strictEqual(Fixture.git(path, ["for-each-ref", "--format=%(refname)"]), "refs/heads/main")
        Fixture.git(path, ["checkout", "--quiet", "."])
        for (const name of ["new", "link", "outside"]) rmSync(join(path, name), { recursive: true })
        assert.strictEqual((yield* view).commit, head)
        assert.isAbove(readdirSync(join(data, "git")).filter((name) => name.startsWith(".new-")).length, 0)
      })
    )
  })
)

it.live("serves the first files of a repository without commits, and the commit of a detached HEAD", () =>
  Effect.gen(function* () {
    const path = yield* Fixture.folder
    Fixture.git(path, ["init", "--quiet", "--initial-branch=main"])
    write(path, { "a/b.txt": "one\n" })
    yield* withForge(path, ({ base, get }) =>
      Effect.gen(function* () {
        const view = Effect.map(get(`/tongs${base}/work-tree`), ({ text }) => JSON.parse(text))
        const unborn = yield* view
        assert.deepInclude(unborn, { available: true, head: null, branch: "main", changed_files: 1 })
        const tree = JSON.parse((yield* get(`${base}/git/trees/${unborn.commit}?recursive=1`)).text)
        assert.deepStrictEqual(
          tree.tree.map((one: { readonly path: string }) => one.path),
          ["a", "a/b.txt"]
        )
        Fixture.git(path, ["add", "."])
        Fixture.git(path, ["commit", "--quiet", "-m", "first"])
        const first = Fixture.git(path, ["rev-parse", "HEAD"])
        Fixture.git(path, ["commit", "--quiet", "--allow-empty", "-m", "second"])
        Fixture.git(path, ["checkout", "--quiet", first])
        assert.deepInclude(yield* view, { head: first, branch: null, commit: first, changed_files: 0 })
      })
    )
  })
)

it.live("keeps the commit's version of a file that cannot be read, and says so", () =>
  Effect.gen(function* () {
    const path = yield* Fixture.workTree
    Fixture.git(path, ["reset", "--quiet", "--hard"])
    yield* withForge(path, ({ base, get }) =>
      Effect.gen(function* () {
        writeFileSync(join(path, "large"), Buffer.alloc(33 * 1024 * 1024))
        appendFileSync(join(path, "a.txt"), "two\n")
        const view = JSON.parse((yield* get(`/tongs${base}/work-tree`)).text)
        assert.deepInclude(view, { changed_files: 1, incomplete_results: true })
        assert.deepStrictEqual(view.notes, ["large: too large, so the commit's version is shown."])
        renameSync(join(path, "a.txt"), join(path, "b.txt"))
        rmSync(join(path, "large"))
        const renamed = JSON.parse((yield* get(`/tongs${base}/work-tree`)).text)
        assert.deepStrictEqual(renamed.files, [{ path: "b.txt", previous_path: "a.txt", status: "renamed" }])
      })
    )
  })
)
