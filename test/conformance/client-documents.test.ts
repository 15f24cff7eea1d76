/** The GraphQL documents of clients, executed over the demonstration. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Demonstration, MAIN } from "./Demonstration.test-support.ts"

const folder = fileURLToPath(new URL("graphql/", import.meta.url))

interface ClientDocument {
  readonly name: string
  readonly text: string
}

/** Returns the documents of a client. A comment with the name begins each document. */
const documentsOf = (text: string): ReadonlyArray<ClientDocument> => {
  const parts = text.split(/^# document (.*)$/m).slice(1)
  return parts.flatMap((name, index) => (index % 2 === 0 ? [{ name, text: parts[index + 1] ?? "" }] : []))
}

const decodeRecords = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ name: Schema.String, query: Schema.String })))
)

/** Returns the named queries of a recording of gh, except for those that name accounts of the recorded forge. */
const recordedQueries = (text: string): ReadonlyArray<ClientDocument> =>
  decodeRecords(text)
    .filter(({ name, query }) => name !== "" && query.startsWith("query") && !query.includes('"harbor"'))
    .map(({ name, query }) => ({ name, text: query }))

/** Reads the documents of a file. */
const read = (file: string) => {
  const text = readFileSync(join(folder, file), "utf8")
  return file.endsWith(".json") ? recordedQueries(text) : documentsOf(text)
}

type Values = Readonly<Record<string, unknown>>

/** Reads the values of variables, by the name or the type of the variable. */
const values = Effect.gen(function* () {
  const { change, get } = yield* Demonstration
  // A pull request without the required review can be merged automatically.
  yield* change("PATCH", MAIN, { allow_auto_merge: true })
  yield* change("PUT", `${MAIN}/branches/main/protection`, {
    required_pull_request_reviews: { required_approving_review_count: 1 },
    required_status_checks: null,
    enforce_admins: false,
    restrictions: null
  })
  const issue = yield* get(`${MAIN}/issues/1`)
  const pull = yield* get(`${MAIN}/pulls/37`)
  const other = yield* get(`${MAIN}/pulls/38`)
  const blocked = yield* get(`${MAIN}/pulls/42`)
  const repository = yield* get(MAIN)
  const [label] = yield* get(`${MAIN}/labels`)
  const [file] = yield* get(`${MAIN}/pulls/38/files`)
  const branch = yield* get(`${MAIN}/git/ref/heads/${pull.head.ref}`)
  const search = "repo:north-pier/lighthouse is:open sort:updated"
  const byName: Values = {
    owner: "north-pier",
    org: "north-pier",
    name: "lighthouse",
    repo: "lighthouse",
    login: "ada",
    user: "ada",
    viewer: "ada",
    author: "ada",
    assignee: "ada",
    teamSlug: "keepers",
    number: 1,
    issueNumber: 1,
    pr_number: 38,
    prNum: 38,
    pullRequestNumber: 38,
    pullRequestId: blocked.node_id,
    id: other.node_id,
    ids: [issue.node_id],
    url: other.html_url,
    query: search,
    q: search,
    viewerQuery: `${search} is:pr author:@me`,
    reviewerQuery: `${search} is:pr review-requested:@me`,
    searchAssigns: "assignee:@me state:open archived:false",
    searchReviews: "review-requested:@me state:open archived:false",
    type: "ISSUE",
    headRefName: pull.head.ref,
    headRef: pull.head.ref,
    targetBranch: "main",
    baseRef: "refs/heads/main",
    targetRef: `refs/heads/${pull.head.ref}`,
    ref: "refs/heads/main",
    path: "README.md",
    expression: "main:",
    tagName: "v1.0.0",
    since: "2020-01-01T00:00:00Z",
    labels: ["bug"],
    issueFieldValues: [],
    filter: { labels: ["bug"] },
    direction: "DESC",
    orderByDirection: "DESC",
    orderByField: "ISSUE_COUNT",
    mergeMethod: "MERGE",
    limit: 20,
    first: 20,
    num: 20,
    count: 20,
    perPage: 20,
    per_page: 10,
    commentsPerThread: 20
  }
  const { node_id: id } = label
  const subject = { pullRequestId: other.node_id }
  const byType: Values = {
    "IssueOrderField!": "CREATED_AT",
    "[IssueState!]!": ["OPEN", "CLOSED"],
    "[PullRequestState!]": ["OPEN"],
    "[MilestoneState!]!": ["OPEN"],
    LabelOrder: { field: "CREATED_AT", direction: "ASC" },
    "CloseIssueInput!": { issueId: issue.node_id, stateReason: "COMPLETED" },
    "ReopenIssueInput!": { issueId: issue.node_id },
    "CreateLabelInput!": { repositoryId: repository.node_id, name: "tides", color: "0e8a16" },
    "UpdateLabelInput!": { id, name: "broken" },
    "DeleteLabelInput!": { id },
    "AddPullRequestReviewInput!": subject,
    "AddPullRequestReviewThreadInput!": { ...subject, path: file.filename, body: "Here", subjectType: "FILE" },
    "SubmitPullRequestReviewInput!": { ...subject, event: "COMMENT", body: "Fine" },
    "ConvertPullRequestToDraftInput!": subject,
    "MarkPullRequestReadyForReviewInput!": subject,
    "CreateRefInput!": { repositoryId: repository.node_id, name: "refs/heads/changes/1", oid: branch.object.sha },
    "UpdateRefInput!": { refId: branch.node_id, oid: branch.object.sha, force: true },
    "CreateCommitOnBranchInput!": {
      branch: { id: branch.node_id },
      expectedHeadOid: branch.object.sha,
      message: { headline: "Release" },
      fileChanges: { additions: [{ path: "CHANGELOG.md", contents: Buffer.from("1.0.0\n").toString("base64") }] }
    }
  }
  return { byName, byType }
})

/** Returns the variables that a document declares and that have a value. */
const variablesOf = (text: string, { byName, byType }: { readonly byName: Values; readonly byType: Values }) => {
  const declared = [...text.matchAll(/\$(\w+):\s*([[\]\w!]+)/g)].map(([, name = "", type = ""]) => {
    const value = byName[name] ?? byType[type]
    return [name, value] as const // a pair
  })
  return Object.fromEntries(declared.filter(([, value]) => value !== undefined))
}

layer(Demonstration.layer, { excludeTestServices: true, timeout: 60_000 })(
  "the demonstration executes the documents of",
  (it) => {
    for (const file of readdirSync(folder).toSorted()) {
      it.effect(file.replace(/\.[a-z]+$/, ""), () =>
        Effect.gen(function* () {
          const { execute, get } = yield* Demonstration
          const known = yield* values
          const documents = read(file)
          assert.isNotEmpty(documents)
          for (const { name, text } of documents) {
            // The document of @changesets/ghcommit deletes the branch that it created before.
            const created = name === "deleteRef" ? (yield* get(`${MAIN}/git/ref/heads/changes/1`)).node_id : undefined
            const byType = { ...known.byType, "DeleteRefInput!": { refId: created } }
            const own = {
              ...known.byName,
              ...(text.includes("pullRequest(number: $number)") ? { number: known.byName["prNum"] } : {}),
              ...(text.includes("organization(login: $login)") ? { login: known.byName["org"] } : {}),
              ...(name === "RepositoryListSearch" ? { query: "user:north-pier" } : {})
            }
            const variables = variablesOf(text, { byName: own, byType })
            const { data, errors } = yield* execute(text, variables)
            assert.isUndefined(errors, `${name}: ${JSON.stringify(errors)}`)
            assert.isObject(data, name)
          }
        })
      )
    }
  }
)
