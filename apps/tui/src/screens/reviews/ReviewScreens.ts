/** The screens of review comments and of comments on commits: threads, and single comments. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import type { Page } from "@tongs/core/paging/Page"
import type { Content } from "../../content/Content.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import { type Screen, text } from "../Screen.ts"
import * as Comment from "./Comment.ts"
import * as ThreadDocument from "./ThreadDocument.ts"

/** Comments per page: the maximum of the API. */
const PER_PAGE = 100

/** Maximum number of comments to load. */
const MAX_COMMENTS = 500

interface CommentPage {
  readonly comments: ReadonlyArray<Comment.Comment>
  readonly age: number
}

/** The requests of one kind of comments. */
interface Requests {
  readonly group: "reviewComments" | "commitComments"
  readonly label: string
  readonly emptyTitle: string
  readonly entry: (name: string) => CatalogEntry | undefined
  readonly pages: (
    forge: Forge["Service"],
    values: Arguments,
    options: Source.LoadOptions & { readonly perPage: number; readonly limit: number }
  ) => Stream.Stream<CommentPage, Failure>
  readonly get: (
    forge: Forge["Service"],
    values: Arguments,
    options: Source.LoadOptions
  ) => Effect.Effect<Comment.Comment, Failure>
}

const repositoryOf = (values: Arguments) => ({ owner: text(values, "owner"), repo: text(values, "repo") })
const commentOf = (values: Arguments) => ({ ...repositoryOf(values), comment_id: Number(text(values, "comment_id")) })

const toPage =
  <A>(make: (item: A, values: Arguments) => Comment.Comment, values: Arguments) =>
  (page: Page<A>): CommentPage => ({
    comments: page.items.map((item) => make(item, values)),
    age: ResponseAge.age(page)
  })

const reviews: Requests = {
  group: "reviewComments",
  label: "review comments",
  emptyTitle: "No review comments",
  entry: Comment.reviewEntry,
  pages: (forge, values, options) =>
    forge.reviewComments
      .listForRepo({ ...repositoryOf(values), sort: "updated", direction: "desc" }, options)
      .pages.pipe(Stream.map(toPage(Comment.ofReview, values))),
  get: (forge, values, options) =>
    Effect.map(forge.reviewComments.get(commentOf(values), options), (comment) => Comment.ofReview(comment, values))
}

const commits: Requests = {
  group: "commitComments",
  label: "commit comments",
  emptyTitle: "No comments on commits",
  entry: Comment.commitEntry,
  pages: (forge, values, options) =>
    forge.commitComments
      .listForRepo(repositoryOf(values), options)
      .pages.pipe(Stream.map(toPage(Comment.ofCommit, values))),
  get: (forge, values, options) =>
    Effect.map(forge.commitComments.get(commentOf(values), options), (comment) => Comment.ofCommit(comment, values))
}

const contentOf = Effect.fnUntraced(function* (
  requests: Requests,
  values: Arguments,
  comments: ReadonlyArray<Comment.Comment>
) {
  if (comments.length === 0) {
    const hint = "Comments on lines of code and on commits are shown here"
    return { _tag: "Notice", id: requests.label, title: requests.emptyTitle, hint } satisfies Content
  }
  const threads = yield* ThreadDocument.format(Comment.threads(comments))
  const note = comments.length < MAX_COMMENTS ? undefined : `Only ${MAX_COMMENTS} comments are shown`
  return ThreadDocument.make(requests.label, threads, values, { note })
})

/** Creates the screen of all comments of a repository. */
const list = (requests: Requests): Screen => ({
  id: `${requests.group}.listForRepo`,
  label: requests.label,
  get entry() {
    return requests.entry("listForRepo")
  },
  required: ["owner", "repo"],
  title: () => requests.label,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const pages = requests.pages(forge, values, { ...options, perPage: PER_PAGE, limit: MAX_COMMENTS })
          const found = yield* Stream.runCollect(pages)
          return {
            content: yield* contentOf(
              requests,
              values,
              found.flatMap(({ comments }) => comments)
            ),
            age: Math.max(0, ...found.map(({ age }) => age))
          }
        }),
      ({ content }) => content,
      ({ age }) => age
    )
})

/** Creates the screen of one comment. */
const single = (requests: Requests): Screen => ({
  id: `${requests.group}.get`,
  label: "comment",
  get entry() {
    return requests.entry("get")
  },
  required: ["owner", "repo", "comment_id"],
  title: (values) => `comment ${text(values, "comment_id")}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const comment = yield* requests.get(forge, values, options)
          return { comment, threads: yield* ThreadDocument.format(Comment.threads([comment])) }
        }),
      ({ comment, threads }) =>
        ThreadDocument.make(String(comment.id), threads, values, { value: comment.value, webUrl: comment.webUrl }),
      ({ comment }) => ResponseAge.age(comment.value)
    )
})

/** The screens of comments. */
export const screens: ReadonlyArray<Screen> = [reviews, commits].flatMap((requests) => [
  list(requests),
  single(requests)
])
