import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { folder, git } from "../git/Fixture.test-support.ts"
import * as Support from "../main/Forge.test-support.ts"
import { CommitSigning } from "./CommitSigning.ts"
import { hasGpg } from "./SignedCommits.test-support.ts"

const { TestForge } = Support

const open = (data: string, enabled: boolean) =>
  Effect.flatMap(Layer.build(CommitSigning.layer(data, enabled)), (context) => Effect.provide(CommitSigning, context))

const publicKeyOf = ({ key }: CommitSigning["Service"]) => Effect.map(key, (pair) => pair?.publicKey)

describe("the key of the forge", () => {
  it.effect("is one for processes that start at once, and stays when signing is off", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const off = yield* open(data, false)
      assert.deepStrictEqual([off.sign, yield* publicKeyOf(off), readdirSync(data)], [undefined, undefined, []])

      const [one, other] = yield* Effect.all([open(data, true), open(data, true)], { concurrency: 2 })
      const publicKey = yield* publicKeyOf(one)
      assert.match(publicKey ?? "", /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n/)
      assert.strictEqual(yield* publicKeyOf(other), publicKey)
      assert.strictEqual(yield* publicKeyOf(yield* open(data, true)), publicKey)
      // Also for a process that started before the key was created.
      assert.strictEqual(yield* publicKeyOf(off), publicKey)
      assert.deepStrictEqual(readdirSync(data), ["commit-signing.key"])
      assert.strictEqual(statSync(join(data, "commit-signing.key")).mode & 0o777, 0o600)
    })
  )

  it.effect("fails the start if its file is damaged, unless signing is off", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const path = join(data, "commit-signing.key")
      writeFileSync(path, "damaged")
      const error = yield* Effect.flip(open(data, true))
      assert.deepInclude(error, { _tag: "StorageFailed", path })
      assert.isUndefined(yield* publicKeyOf(yield* open(data, false)))
    })
  )
})

const content = (text: string) => Buffer.from(text).toString("base64")

const send = Effect.fnUntraced(function* (method: string, path: string, body: object, token?: string) {
  const { ask } = yield* TestForge
  const answer = yield* ask(method, path, { body, ...(token === undefined ? {} : { token }) })
  assert.isBelow(answer.status, 300, answer.text)
  return answer.json
})

const put = (at: string, path: string, more: object = {}, token?: string) =>
  send("PUT", `${at}/contents/${path}`, { message: `Put ${path}`, content: content(path), ...more }, token)

const create = Effect.fnUntraced(function* (name: string) {
  const { base } = yield* TestForge
  yield* send("POST", "/user/repos", { name, auto_init: true })
  return `${base}/${name}`
})

/** Reads the verification of the tip of a branch. */
const verificationOf = Effect.fnUntraced(function* (at: string, branch = "main") {
  const { get } = yield* TestForge
  return (yield* get(`${at}/commits/${branch}`)).json.commit.verification
})

/** Creates a branch with a commit by another program, so that it is unsigned. */
const unsignedBranch = Effect.fnUntraced(function* (at: string, name: string) {
  const { get } = yield* TestForge
  const { sha, tree } = (yield* get(`${at}/git/commits/${(yield* get(`${at}/commits/main`)).json.sha}`)).json
  const entries = [{ path: `${name}.txt`, mode: "100644", type: "blob", content: name }]
  const changed = yield* send("POST", `${at}/git/trees`, { base_tree: tree.sha, tree: entries })
  const commit = yield* send("POST", `${at}/git/commits`, { message: name, tree: changed.sha, parents: [sha] })
  assert.strictEqual(commit.verification.reason, "unsigned")
  yield* send("POST", `${at}/git/refs`, { ref: `refs/heads/${name}`, sha: commit.sha })
})

const pull = Effect.fnUntraced(function* (at: string, head: string) {
  yield* unsignedBranch(at, head)
  return (yield* send("POST", `${at}/pulls`, { title: head, head, base: "main" })).number
})

layer(
  Support.layer(
    (repos) => {
      mkdirSync(repos)
      for (const format of ["sha1", "sha256"]) {
        git(repos, [
          "init",
          "--quiet",
          "--bare",
          "--initial-branch=main",
          `--object-format=${format}`,
          join(repos, format)
        ])
      }
    },
    { signCommits: true }
  ),
  { excludeTestServices: true }
)("a forge that signs commits", (it) => {
  it.effect("signs files that are written, the first commit, and merges", () =>
    Effect.gen(function* () {
      const at = yield* create("files")
      const valid = { verified: true, reason: "valid" }
      assert.deepInclude(yield* verificationOf(at), valid)
      const written = yield* put(at, "a.txt")
      assert.deepInclude(written.commit.verification, valid)
      assert.match(written.commit.verification.verified_at, /^20\d\d-/)
      const { sha } = written.content
      const removed = yield* send("DELETE", `${at}/contents/a.txt`, { message: "Delete", sha })
      assert.deepInclude(removed.commit.verification, valid)

      yield* unsignedBranch(at, "topic")
      const merged = yield* send("POST", `${at}/merges`, { base: "main", head: "topic" })
      assert.deepInclude(merged.commit.verification, valid)
      assert.deepInclude(yield* verificationOf(at), valid)
    })
  )

  it.effect("signs merges, squashes and updates of pull requests, and no rebase", () =>
    Effect.gen(function* () {
      const at = yield* create("pulls")
      for (const [method, reason] of [
        ["merge", "valid"],
        ["squash", "valid"],
        ["rebase", "unsigned"]
      ] as const) {
        const number = yield* pull(at, method)
        yield* send("PUT", `${at}/pulls/${number}/merge`, { merge_method: method })
        assert.strictEqual((yield* verificationOf(at)).reason, reason, method)
      }
      const number = yield* pull(at, "topic")
      yield* put(at, "more.txt")
      yield* send("PUT", `${at}/pulls/${number}/update-branch`, {})
      assert.strictEqual((yield* verificationOf(at, "topic")).reason, "valid")
    })
  )

  it.effect("signs merges into forks, and copies of templates", () =>
    Effect.gen(function* () {
      const { base, token, user } = yield* TestForge
      const at = yield* create("upstream")
      const anna = yield* token({ userId: yield* user({ login: "anna" }), kind: "classic", scopes: ["repo"] })
      yield* send("POST", `${at}/forks`, {}, anna)
      yield* put(at, "theirs.txt")
      yield* put("/repos/anna/upstream", "own.txt", {}, anna)
      const merged = yield* send("POST", "/repos/anna/upstream/merge-upstream", { branch: "main" }, anna)
      assert.strictEqual(merged.merge_type, "merge")
      assert.strictEqual((yield* verificationOf("/repos/anna/upstream")).reason, "valid")

      yield* send("PATCH", at, { is_template: true })
      yield* send("POST", `${at}/generate`, { name: "generated" })
      assert.strictEqual((yield* verificationOf(`${base}/generated`)).reason, "valid")
    })
  )

  it.effect("does not sign for people that the caller names", () =>
    Effect.gen(function* () {
      const at = yield* create("named")
      const person = { name: "Olga", email: "olga@example.org" }
      for (const [path, people] of Object.entries({ a: { committer: person }, b: { author: person } })) {
        const { commit } = yield* put(at, path, people)
        assert.deepInclude(commit.verification, { verified: false, reason: "unsigned" })
      }
    })
  )

  it.effect("needs no statement for a signature", () =>
    Effect.gen(function* () {
      const at = yield* create("statements")
      const count = (path: string, more: object) => Support.statements(Effect.orDie(put(at, path, more)))
      const named = { committer: { name: "Olga", email: "olga@example.org" } }
      yield* count("a", named)
      assert.strictEqual(yield* count("signed", {}), yield* count("unsigned", named))
    })
  )

  it.effect("rejects an altered commit, also of an account that added the forge's key", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const at = yield* create("altered")
      const { commit } = yield* put(at, "a.txt")
      const { author, committer, message, parents, tree } = commit
      const copy = (message: string) =>
        send("POST", `${at}/git/commits`, {
          message,
          tree: tree.sha,
          parents: parents.map(({ sha }: { sha: string }) => sha),
          author,
          committer,
          signature: commit.verification.signature
        })
      const check = Effect.gen(function* () {
        const same = yield* copy(message)
        assert.deepStrictEqual([same.sha, same.verification.reason], [commit.sha, "valid"])
        const altered = yield* copy(`${message}!`)
        assert.deepInclude(altered.verification, { verified: false, reason: "invalid", verified_at: null })
      })
      yield* check
      const armored_public_key = (yield* get("/meta")).json.commit_signing_key
      yield* send("POST", "/user/gpg_keys", { armored_public_key })
      yield* check
      assert.strictEqual((yield* copy(`${message}?`)).verification.reason, "invalid")
    })
  )

  it.effect.skipIf(!hasGpg)(
    "gives signatures that git accepts with gpg, also in SHA-256 repositories",
    () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const home = join(repos, "..", "gnupg")
        mkdirSync(home, { mode: 0o700 })
        const file = join(home, "forge.asc")
        writeFileSync(file, (yield* get("/meta")).json.commit_signing_key)
        const gpg = (...args: ReadonlyArray<string>) =>
          execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", ...args], { stdio: "ignore" })
        gpg("--import", file)
        const config = ["-c", `gpg.program=${join(home, "gpg.sh")}`]
        writeFileSync(join(home, "gpg.sh"), `#!/bin/sh\nexec gpg --homedir '${home}' "$@"\n`, { mode: 0o700 })
        for (const [name, header] of [
          ["sha1", "gpgsig"],
          ["sha256", "gpgsig-sha256"]
        ] as const) {
          const path = join(repos, name)
          const { commit } = yield* put(`${base}/${name}`, "b.txt")
          assert.strictEqual(commit.verification.reason, "valid")
          const text = git(path, ["cat-file", "commit", commit.sha])
          assert.include(text, `\n${header} -----BEGIN PGP SIGNATURE-----\n`)
          git(path, [...config, "verify-commit", commit.sha])
          const altered = git(path, ["hash-object", "-t", "commit", "-w", "--stdin"], `${text}!`)
          assert.throws(() => git(path, [...config, "verify-commit", altered]))
          assert.strictEqual((yield* get(`${base}/${name}/git/commits/${altered}`)).json.verification.reason, "invalid")
        }
        execFileSync("gpgconf", ["--homedir", home, "--kill", "all"])
      }),
    { timeout: 60_000 }
  )
})
