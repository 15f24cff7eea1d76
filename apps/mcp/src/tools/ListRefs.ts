/** The tool `list_refs`: branches and tags, with commits. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import { repositoryOf } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as Tool from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as ListScan from "../lists/ListScan.ts"

export const make = (): Tool.Tool =>
  Tool.make({
    name: "list_refs",
    description: "List branches (default), tags or all, with commits and protection.",
    uses: ["branches.list", "tags.list", "repositories.get"],
    isList: true,
    input: Schema.Struct({
      repo: ToolInput.repo,
      kind: Schema.optionalKey(Schema.Literals(["branches", "tags", "all"])),
      prefix: Schema.optionalKey(Schema.String),
      limit: ToolInput.limit(Listing.MAX_LIMIT)
    }),
    run: Effect.fnUntraced(function* ({ kind = "branches", limit, prefix = "", repo: given }, call) {
      const forge = yield* Forge
      const { owner, repo } = yield* repositoryOf(given, call)
      const heading = (name: string) => (kind === "all" ? { heading: name } : {})
      const defaultBranch =
        kind === "tags"
          ? undefined
          : (yield* forge.repositories.get({ owner, repo }, { deadline: call.deadline })).default_branch
      const branches = ListScan.source(
        (options) => forge.branches.list({ owner, repo }, options),
        ({ commit, name, protected: isProtected }) => {
          if (!name.startsWith(prefix)) return undefined
          const isDefault = name === defaultBranch
          const marks = [isDefault ? "default" : "", isProtected ? "protected" : ""].filter((mark) => mark !== "")
          return {
            data: { branch: name, sha: commit.sha, default: isDefault, protected: isProtected },
            text: `${name} ${AbbreviatedId.of(commit.sha)}${marks.length === 0 ? "" : ` ${marks.join(", ")}`}`,
            ...heading("branches:")
          }
        }
      )
      const tags = ListScan.source(
        (options) => forge.tags.list({ owner, repo }, options),
        ({ commit, name }) =>
          name.startsWith(prefix)
            ? {
                data: { tag: name, sha: commit.sha },
                text: `${name} ${AbbreviatedId.of(commit.sha)}`,
                ...heading("tags:")
              }
            : undefined
      )
      const about = { source: { repo: `${owner}/${repo}`, prefix }, noun: kind === "all" ? "refs" : kind }
      const { items, next, scanned } = yield* ListScan.read(
        call,
        kind === "tags" ? [tags] : kind === "branches" ? [branches] : [branches, tags],
        { limit: limit ?? Listing.MAX_LIMIT, perPage: Listing.MAX_LIMIT, ...about }
      )
      return {
        ...about,
        items,
        next,
        isLarge: limit !== undefined,
        notes: items.length === 0 && prefix !== "" ? [`None of ${scanned} names read so far has this prefix.`] : []
      }
    })
  })
