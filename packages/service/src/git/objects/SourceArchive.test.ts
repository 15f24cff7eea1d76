import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { assert, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { commit, folder, git, workTree } from "../Fixture.test-support.ts"
import { GitRepositories } from "../GitRepositories.ts"
import type { Format } from "./SourceArchive.ts"

/** Creates the tar.gz archive of a commit, or the zip. */
const archive = Effect.fnUntraced(function* (path: string, oid: string, format: Format = "tar.gz") {
  const repository = yield* (yield* GitRepositories).open(path)
  const chunks = yield* Stream.runCollect(repository.archive({ commit: oid, format, folder: "top" }))
  return Buffer.concat(chunks)
})

const tar = (args: ReadonlyArray<string>, input: Uint8Array) => execFileSync("tar", args, { input }).toString()
const names = (bytes: Uint8Array) => tar(["-tz"], bytes).trim().split("\n")
const file = (bytes: Uint8Array, name: string) => tar(["-xzO", `top/${name}`], bytes)

/** A program that records the start in the file `ran`, and copies input to output. */
const spy = Effect.fnUntraced(function* (name: string) {
  const bin = yield* folder
  const ran = join(bin, "ran")
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${ran}'\nexec cat\n`)
  chmodSync(path, 0o755)
  return { bin, path, ran }
})

it.live("an archive runs no program of the repository's configuration", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const { path: program, ran } = yield* spy("program")
    const oid = commit(path, { ".gitattributes": "*.txt filter=evil diff=evil export-subst\n", "b.txt": "two\n" }, "x")
    for (const [name, value] of [
      ["filter.evil.smudge", program],
      ["filter.evil.process", program],
      ["filter.evil.required", "true"],
      ["diff.evil.textconv", program],
      ["tar.tar.gz.command", program],
      ["tar.tar.gz.remote", "true"],
      ["core.fsmonitor", program],
      ["core.sshCommand", program]
    ] as const) {
      git(path, ["config", name, value])
    }
    mkdirSync(join(path, ".git", "info"), { recursive: true })
    writeFileSync(join(path, ".git", "info", "attributes"), "a.txt export-ignore\n")
    try {
      git(path, ["archive", "--format=tar.gz", "HEAD"])
    } catch {
      // The program does not speak the protocol of filters.
    }
    assert.isTrue(existsSync(ran), "git itself runs it")
    rmSync(ran)
    const bytes = yield* archive(path, oid)
    assert.deepStrictEqual(names(bytes), ["top/", "top/.gitattributes", "top/a.txt", "top/b.txt"])
    assert.strictEqual(file(bytes, "b.txt"), "two\n")
    yield* archive(path, oid, "zip")
    assert.isFalse(existsSync(ran))
  }).pipe(Effect.provide(GitRepositories.layer))
)

it.live("an archive verifies no signature, which would run gpg", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const { bin, ran } = yield* spy("gpg")
    const text = { ".gitattributes": "*.txt export-subst\n", "a.txt": "$Format:%H [%G?] [%GS]$\n" }
    const body = git(path, ["cat-file", "commit", commit(path, text, "x")])
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n =abcd\n -----END PGP SIGNATURE-----"
    const signed = body.replace("\n\n", `\n${signature}\n\n`)
    const oid = git(path, ["hash-object", "-t", "commit", "-w", "--stdin"], `${signed}\n`)
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"]}`)
    yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
    git(path, ["archive", "--format=tar", oid])
    assert.isTrue(existsSync(ran), "git itself runs it")
    rmSync(ran)
    const bytes = yield* Effect.provide(archive(path, oid), GitRepositories.layer)
    assert.strictEqual(file(bytes, "a.txt"), `${oid} [N] []\n`)
    assert.isFalse(existsSync(ran))
  })
)

it.live("an archive obeys export-ignore and export-subst of the commit", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const attributes = "secret export-ignore\nversion export-subst\n"
    const first = commit(path, { ".gitattributes": attributes, secret: "s\n", version: "$Format:%h %s$\n" }, "one")
    commit(path, { ".gitattributes": "a.txt export-ignore\n" }, "two")
    const bytes = yield* archive(path, first)
    assert.deepStrictEqual(names(bytes), ["top/", "top/.gitattributes", "top/a.txt", "top/version"])
    assert.strictEqual(file(bytes, "version"), `${first.slice(0, 7)} one\n`)
  }).pipe(Effect.provide(GitRepositories.layer))
)
