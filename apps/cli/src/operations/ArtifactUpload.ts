/**
 * `tongs artifacts upload`: adds an artifact to the embedded forge. The API has no operation for uploads, because
 * workflow runs upload the artifacts of a remote forge.
 */
import { basename, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { ServedRepository } from "@tongs/service/repositories/RepositoryRegistry"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as Session from "../session/Session.ts"
import { UsageError } from "../base/UsageError.ts"

const config = {
  words: [
    Argument.String("OWNER/REPO").pipe(
      Argument.optional,
      Argument.withDescription("The repository; by default the only one of the embedded forge")
    ),
    Argument.String("FILE").pipe(Argument.optional, Argument.withDescription("A zip file, or a file or folder to zip"))
  ] as const, // two words, not any number
  name: Flag.String("name").pipe(
    Flag.optional,
    Flag.withDescription("Name of the artifact; by default the file's name without .zip")
  ),
  run: Flag.Int("run").pipe(
    Flag.optional,
    Flag.withMetavar("ID"),
    Flag.withDescription("Id of the workflow run that the artifact belongs to, at the default branch's newest commit")
  ),
  days: Flag.Int("days").pipe(
    Flag.filter(
      (days) => days >= 1,
      () => "at least one day"
    ),
    Flag.optional,
    Flag.withDescription("Retention in days; by default the organization's setting")
  )
}

type Config = Command.Command.Config.Infer<typeof config>

const wrong = (detail: string, hint = "") => Effect.fail(new UsageError({ detail, hint }))

const unusable = ({ message }: Error) => new UsageError({ detail: message, hint: "" })

const repositoryOf = Effect.fnUntraced(function* (
  fullName: string | undefined,
  adopted: ReadonlyArray<ServedRepository>
) {
  const { RepositoryRegistry } = yield* Effect.promise(() => import("@tongs/service/repositories/RepositoryRegistry"))
  if (fullName === undefined) {
    const [only, ...others] = adopted
    return only !== undefined && others.length === 0
      ? only
      : yield* wrong("The forge does not have exactly one repository.", "Name the repository as OWNER/REPO.")
  }
  const [owner = "", name = ""] = fullName.split("/", 2)
  const found = yield* Effect.orElseSucceed((yield* RepositoryRegistry).find(owner, name), () => undefined)
  return (
    found ??
    (yield* wrong(`No repository ${fullName}.`, "Name one of the embedded forge's repositories as OWNER/REPO."))
  )
})

const runOf = Effect.fnUntraced(function* ({ fullName, git }: ServedRepository, id: number) {
  const read = Effect.all({ headBranch: git.head, headSha: git.resolve("HEAD") })
  const { headBranch, headSha } = yield* Effect.mapError(read, unusable)
  return headSha === undefined
    ? yield* wrong(`${fullName} has no commits.`, "Omit --run, or push a commit first.")
    : { id, headBranch, headSha }
})

const upload = Effect.fnUntraced(function* ({ days, name, run, words }: Config) {
  const [{ EmbeddedForge }, { Uploads }] = yield* Effect.promise(() =>
    Promise.all([import("@tongs/service/main/EmbeddedForge"), import("@tongs/service/features/artifacts/Uploads")])
  )
  const given = words.flatMap(Option.toArray)
  const file = given.at(-1)
  if (file === undefined) return yield* wrong("No file to upload.", "Write `tongs artifacts upload [OWNER/REPO] FILE`.")
  const { adopted } = yield* EmbeddedForge
  const repository = yield* repositoryOf(given.length > 1 ? given[0] : undefined, adopted)
  const uploads = yield* Uploads
  const uploading = uploads.upload({
    repository: repository.row,
    file: resolve(file),
    name: Option.getOrElse(name, () => basename(resolve(file)).replace(/\.zip$/i, "")),
    run: Option.isSome(run) ? yield* runOf(repository, run.value) : undefined,
    expiresAt: Option.isSome(days) ? (yield* Clock.currentTimeMillis) + days.value * 86_400_000 : undefined
  })
  const artifact = yield* Effect.mapError(uploading, unusable)
  if (yield* JsonOutput.isWanted) return yield* JsonOutput.print(artifact)
  const { note } = yield* Output
  return yield* note(
    `Uploaded ${artifact.name} as artifact ${artifact.id} of ${repository.fullName}, ${artifact.size_in_bytes} bytes.`
  )
})

const inForge = Effect.fnUntraced(function* (given: Config) {
  const { forgeLayer } = yield* Effect.promise(() => import("@tongs/connection/EmbeddedConnection"))
  const settings = { ...(yield* Session.settings), url: undefined }
  return yield* upload(given).pipe(Effect.scoped, Effect.provide(forgeLayer(settings)))
})

export const uploadArtifact = Command.make("upload", config, inForge).pipe(
  Command.withDescription("Add a file to the embedded forge as an artifact, as a workflow run would"),
  Command.withExamples([{ command: "tongs artifacts upload octo/hello ./dist --name build --run 7" }])
)
