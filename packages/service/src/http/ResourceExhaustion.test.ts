import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { gitError, unavailable } from "../git/values/GitError.ts"
import * as Sqlite from "../storage/Sqlite.ts"
import * as ApiError from "../api/ApiError.ts"
import * as ResourceExhaustion from "./ResourceExhaustion.ts"

const folders = { data: "/the/data", repository: "/the/repository" }
const nobody = { data: undefined, repository: undefined }

const answer = (failure: unknown, known: ResourceExhaustion.ReportedFolders = folders) => {
  const apiError = ResourceExhaustion.toApiError(failure, known)
  return apiError === undefined ? undefined : `${ApiError.status(apiError)} ${apiError.detail}`
}

const failed = (stderr: string) => gitError({ _tag: "CommandFailed", args: ["update-ref"], exitCode: 128, stderr })

describe("ResourceExhaustion", () => {
  it.effect("maps a full store to 507 with the data folder", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE texts (text TEXT)`
      yield* sql`PRAGMA max_page_count = 3`
      const error = yield* Effect.flip(sql`INSERT INTO texts (text) VALUES (${"x".repeat(100_000)})`)
      assert.include(answer(error), "507 No space left on the disk of /the/data")
    }).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" }).pipe(Layer.orDie)))
  )

  it("maps a full disk to 507, with the folder for authorized callers", () => {
    const write = Object.assign(new Error("write"), { code: "ENOSPC", path: "/the/archives/a.zip" })
    assert.include(answer(new Error("outer", { cause: write })), "507 No space left on the disk of /the/archives.")
    assert.include(answer(failed("fatal: write error: No space left on device")), "507 No space left on the disk of")
    assert.include(answer(write, nobody), "507 No space left on the disk of the forge.")
  })

  it("maps missing file descriptors to 503", () => {
    const limit =
      process.platform === "linux" ? /^503 Too many open files: the limit of the forge is \d+\. / : /^503 Too/
    for (const failure of [
      Object.assign(new Error("open"), { code: "EMFILE" }),
      failed("fatal: cannot open x: Too many open files"),
      failed("spawn git EMFILE"),
      unavailable("Cannot start git: spawn git EMFILE")
    ]) {
      assert.match(answer(failure) ?? "", limit)
    }
  })

  it("ignores other failures", () => {
    const circular: { cause?: unknown } = {}
    circular.cause = circular
    const wrong = (() => {
      try {
        new DatabaseSync(":memory:").exec("SELECT")
      } catch (error) {
        return error
      }
      return undefined
    })()
    for (const failure of [undefined, null, "text", 1, {}, circular, wrong, failed("fatal: no"), unavailable("busy")]) {
      assert.isUndefined(answer(failure))
    }
  })
})
