/** The tool `search_code`: matching lines of the best files, of the code index or of the documented code search. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import type { Answer } from "../answer/Answer.ts"
import { repositoryOf, type RepositoryName } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import * as ScopeNote from "../lists/ScopeNote.ts"
import * as Tool from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as QueryHints from "../search/QueryHints.ts"
import * as DocumentedSearch from "../search/DocumentedSearch.ts"
import * as IndexSearch from "../search/IndexSearch.ts"

const Input = Schema.Struct({
  query: Schema.String,
  repo: ToolInput.repo,
  context: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))),
  limit: ToolInput.limit(Listing.MAX_LIMIT)
})

export const make = (): Tool.Tool =>
  Tool.make({
    name: "search_code",
    description:
      'Search code of default branches, locally with uncommitted files: words (all must match), "a phrase", OR, NOT, /regex/, symbol:name, kind:function|class|field|…, path:src/**/*.ts, language:, repo:name, rev:branch; type:commit or type:diff with author:, after:. Lines that define a match name its kind. context: lines around.',
    uses: ["search.code", "codeSearch.search", "codeSearch.getMatches"],
    isList: true,
    input: Input,
    run: Effect.fnUntraced(function* (input, call) {
      const query = yield* Effect.mapError(
        Effect.fromResult(CodeQueryParser.parse(input.query)),
        (errors) => new ToolError({ detail: QueryHints.describeErrors(input.query, errors, CodeQueryParser.parse) })
      )
      const repository = input.repo === undefined ? undefined : yield* repositoryOf(input.repo, call)
      const answer: Answer = yield* IndexSearch.search(
        restrict(query, repository),
        { ...input, repository },
        call
      ).pipe(Effect.catchTag("Unsupported", () => DocumentedSearch.search(input.query, input, call)))
      const hidden = repository === undefined ? ScopeNote.of(Tool.entryOf("search.code"), yield* Forge) : []
      return { ...answer, isContent: true, notes: [...(answer.notes ?? []), ...hidden] }
    })
  })

const restrict = (query: CodeQuery.CodeQuery, repository: RepositoryName | undefined): CodeQuery.CodeQuery =>
  repository === undefined
    ? query
    : {
        ...query,
        expression: CodeQuery.and([
          query.expression,
          {
            _tag: "Filter",
            filter: { name: "repo", value: `${repository.owner}/${repository.repo}` },
            span: { start: 0, length: 0 }
          }
        ])
      }
