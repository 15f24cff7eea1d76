/** Fixtures of releases. */
import { createReadStream, existsSync } from "node:fs"
import { resolve } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { Git } from "../../git/process/Git.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as ReactionFixtures from "../../issues/ReactionFixtures.ts"
import { ReactionRows } from "../../issues/ReactionRows.ts"
import { AssetFiles } from "../../releases/AssetFiles.ts"
import * as GeneratedNotes from "../../releases/GeneratedNotes.ts"
import { ReleaseAssetRows } from "../../releases/ReleaseAssetRows.ts"
import { ReleaseRows } from "../../releases/ReleaseRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"

const optional = Schema.optionalKey
const { failAt } = FixtureSection

const Asset = Schema.Struct({
  name: Schema.String,
  label: optional(Schema.String),
  content_type: optional(Schema.String),
  /** The content, or the path of a file with it. */
  text: optional(Schema.String),
  file: optional(Schema.String)
})

const Release = Schema.Struct({
  repository: Schema.String,
  author: Schema.String,
  /** Created if it is missing, except for a draft. */
  tag_name: Schema.String,
  /** Branch or commit of a missing tag; the default branch by default. */
  target_commitish: optional(Schema.String),
  name: optional(Schema.String),
  body: optional(Schema.String),
  draft: optional(Schema.Boolean),
  prerelease: optional(Schema.Boolean),
  published_at: optional(FixtureTimestamp),
  assets: optional(Schema.Array(Asset)),
  reactions: ReactionFixtures.member
})

const unreadable = () => failAt("tag_name", "the repository cannot be read or written")

/** Returns the time of the commit of the release. Creates a missing tag of a published one. */
const tagged = Effect.fnUntraced(function* (row: typeof Release.Type) {
  const [owner = "", name = ""] = row.repository.split("/", 2)
  const registry = yield* RepositoryRegistry
  const found = yield* registry.find(owner, name)
  if (found === undefined) return yield* failAt("repository", `${row.repository} cannot be opened`)
  const { git } = found
  const target = row.target_commitish ?? (yield* git.head)
  const present = yield* GeneratedNotes.commitOfTag(git, row.tag_name)
  const commit = present ?? (yield* GeneratedNotes.commitOfTarget(git, target))
  if (commit === undefined) return yield* failAt("target_commitish", `no branch or commit ${JSON.stringify(target)}`)
  const ref = RefName.tag(row.tag_name)
  if (!RefName.isCreatable(ref)) return yield* failAt("tag_name", "not a name for a tag")
  if (present === undefined && row.draft !== true)
    yield* Effect.provideService(git.createRef(ref, commit), Git, yield* Git)
  const at = (yield* git.commit(commit))?.committer.seconds ?? 0
  return { target, created_at: timestamp(at * 1000) }
})

const add = (folder: string) =>
  Effect.fnUntraced(function* (row: typeof Release.Type) {
    const { id: repository_id } = yield* FixtureSection.repository("repository", row.repository)
    const author = yield* FixtureSection.user("author", row.author)
    const rows = yield* ReleaseRows
    const isDraft = row.draft === true
    if (!isDraft && (yield* rows.byTag(repository_id, row.tag_name)) !== undefined) return
    const { created_at, target } = yield* Effect.catchTag(tagged(row), "GitError", unreadable)
    const now = timestamp(yield* Clock.currentTimeMillis)
    const published_at = row.published_at === undefined ? now : timestamp(Date.parse(row.published_at))
    const id = yield* rows.add({
      repository_id,
      author_id: author.id,
      tag_name: row.tag_name,
      target_commitish: target,
      name: row.name ?? null,
      body: row.body ?? null,
      draft: isDraft ? 1 : 0,
      prerelease: row.prerelease === true ? 1 : 0,
      immutable: 0,
      latest: isDraft || row.prerelease === true ? null : yield* rows.nextLatest(repository_id),
      mentions_count: 0,
      created_at,
      published_at: isDraft ? null : published_at,
      updated_at: published_at
    })
    if (id === undefined) return
    const files = yield* AssetFiles
    const assets = yield* ReleaseAssetRows
    for (const { content_type = "application/octet-stream", file, label = null, name, text } of row.assets ?? []) {
      const path = file === undefined ? undefined : resolve(folder, file)
      if (path !== undefined && !existsSync(path)) return yield* failAt("assets", `no such file: ${path}`)
      const bytes =
        path === undefined
          ? Stream.succeed(Buffer.from(text ?? ""))
          : NodeStream.fromReadable({ evaluate: () => createReadStream(path) })
      const store = Effect.flatMap(files.receive(Stream.orDie(bytes)), ({ digest, keep, size }) =>
        Effect.andThen(
          keep,
          assets.add({
            release_id: id,
            uploader_id: author.id,
            name,
            label,
            content_type,
            size,
            digest,
            created_at: published_at
          })
        )
      )
      if ((yield* Effect.scoped(store)) === undefined) return yield* failAt("assets", `${name} is there twice`)
    }
    const reactions = yield* ReactionRows
    for (const [content, ids] of Object.entries(yield* ReactionFixtures.idsOf("reactions", row.reactions)))
      for (const userId of ids) yield* reactions.add({ column: "release_id", id }, userId, content)
  })

/** Section `releases`. Paths in the file are relative to `folder`. */
export const sections = (folder: string) => [
  FixtureSection.make(
    "releases",
    Release,
    ({ draft, repository, tag_name: tag }) =>
      draft === true ? [] : [FixtureSection.identity("tag_name", FixtureSection.foldCase(repository), tag)],
    add(folder)
  )
]
