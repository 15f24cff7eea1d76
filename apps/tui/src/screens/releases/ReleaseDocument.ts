/** A release: its state, assets and notes. */
import * as Effect from "effect/Effect"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { ReleaseAsset } from "@tongs/core/contract/groups/ReleaseAssets"
import type { Release } from "@tongs/core/contract/groups/Releases"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as Markdown from "../../text/Markdown.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"

/** Returns the marks of a release in words. `latest` is the id of the latest release. */
export const marks = ({ draft, id, prerelease }: Release, latest: number | undefined): Line => [
  ...(id === latest ? [StyledLine.span("latest", "success")] : []),
  ...(prerelease ? [StyledLine.span("pre-release", "warning")] : []),
  ...(draft ? [StyledLine.span(prerelease ? " draft" : "draft", "muted")] : [])
]

/** Returns the title of a release, by default its tag. */
export const titleOf = ({ name, tag_name: tag }: Release): string => (name === null || name === "" ? tag : name)

const field = (name: string, value: Line, more: Omit<DocumentLine, "line"> = {}): DocumentLine => ({
  line: [...StyledLine.fit(StyledLine.line(name, "muted"), NAME_WIDTH), ...value],
  ...more
})

const NAME_WIDTH = 11

/** Creates the document. */
export const make = (
  release: Release,
  notes: Markdown.Markdown,
  values: Arguments,
  latest: number | undefined
): Document.Document => {
  const { owner, repo } = values
  return Document.make(
    release.tag_name,
    (columns) => {
      const shown = marks(release, latest)
      const head: ReadonlyArray<DocumentLine | LineAtTime> = [
        ...StyledLine.wrap(titleOf(release), columns).map((part) => ({ line: StyledLine.line(part, "title") })),
        { line: StyledLine.empty },
        field("tag", StyledLine.line(release.tag_name, release.draft ? "plain" : "link"), {
          copy: release.tag_name,
          ...(release.draft ? {} : { route: Route.make("commits.list", { owner, repo, sha: release.tag_name }) })
        }),
        ...(shown.length === 0 ? [] : [field("state", shown)]),
        (now) =>
          field(
            release.published_at === null ? "created" : "published",
            [
              StyledLine.span(RelativeTime.format(Date.parse(release.published_at ?? release.created_at), now)),
              StyledLine.span(`  by ${release.author?.login ?? "a deleted account"}`, "muted")
            ],
            { copy: release.published_at ?? release.created_at }
          )
      ]
      const { lines, links } = Markdown.layout(notes, columns)
      return Document.fromLines([
        ...head,
        ...(release.assets.length === 0
          ? []
          : [
              { line: StyledLine.empty },
              { line: StyledLine.line(NumberFormat.quantity(release.assets.length, "asset"), "strong") },
              ...release.assets.flatMap((asset) => assetLines(asset, values))
            ]),
        { line: StyledLine.empty },
        ...(lines.length === 0
          ? [{ line: StyledLine.line("no notes", "muted") }]
          : lines.map((line, index) => ({ line, url: links.find((link) => link.line === index)?.url })))
      ])
    },
    { value: release, webUrl: release.html_url }
  )
}

const assetLines = (asset: ReleaseAsset, { owner, repo }: Arguments): ReadonlyArray<DocumentLine> => {
  const { digest, download_count: downloads, id, label, name, size } = asset
  const facts = {
    route: Route.make("releaseAssets.get", { owner, repo, asset_id: id }),
    arguments: { asset_id: id },
    entry: entriesOfGroup("releaseAssets").find((entry) => entry.name === "get"),
    value: asset,
    title: `asset ${name}`
  }
  return [
    {
      ...facts,
      line: [
        StyledLine.span("● ", "accent"),
        StyledLine.span(name, "strong"),
        StyledLine.span(label === null || label === "" ? "" : `  ${label}`),
        StyledLine.span(`  ${NumberFormat.bytes(size)}, ${NumberFormat.quantity(downloads, "download")}`, "muted")
      ],
      copy: name
    },
    ...(digest === undefined || digest === null
      ? []
      : [{ ...facts, line: [StyledLine.span("  "), StyledLine.span(digest, "id")], copy: digest }])
  ]
}

/** Creates the screen of one release. */
const screen = (
  name: "get" | "getByTag" | "getLatest",
  required: ReadonlyArray<string>,
  read: (
    forge: Parameters<Parameters<typeof Source.fromEffect<Release>>[1]>[0],
    values: Arguments,
    options: Source.LoadOptions
  ) => ReturnType<Parameters<typeof Source.fromEffect<Release>>[1]>
): Screen => ({
  id: `releases.${name}`,
  label: "release",
  get entry(): CatalogEntry | undefined {
    return entriesOfGroup("releases").find((entry) => entry.name === name)
  },
  required: ["owner", "repo", ...required],
  title: (values) => `release ${text(values, "tag") || text(values, "release_id") || "latest"}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const release = yield* read(forge, values, options)
          const latest =
            name === "getLatest"
              ? release.id
              : yield* forge.releases.getLatest(repositoryOf(values), options).pipe(
                  Effect.map(({ id }): number | undefined => id),
                  Effect.catchTag("NotFound", () => Effect.succeed(undefined))
                )
          return { release, latest, notes: yield* Markdown.parse(release.body ?? "", { breaks: true }) }
        }),
      ({ latest, notes, release }) => make(release, notes, values, latest),
      ({ release }) => ResponseAge.age(release)
    )
})

const repositoryOf = (values: Arguments) => ({ owner: text(values, "owner"), repo: text(values, "repo") })

/** The screens of a release. */
export const screens: ReadonlyArray<Screen> = [
  screen("get", ["release_id"], (forge, values, options) =>
    forge.releases.get({ ...repositoryOf(values), release_id: Number(text(values, "release_id")) }, options)
  ),
  screen("getByTag", ["tag"], (forge, values, options) =>
    forge.releases.getByTag({ ...repositoryOf(values), tag: text(values, "tag") }, options)
  ),
  screen("getLatest", [], (forge, values, options) => forge.releases.getLatest(repositoryOf(values), options))
]
