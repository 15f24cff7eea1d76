/**
 * Typical queries and the relevant files, any of which is a correct first result. Chosen from the sources, before the
 * ranking was run.
 */
import type { RepositoryName } from "./RankingCorpus.test-support.ts"

export interface RelevanceJudgement {
  readonly repository: RepositoryName
  readonly query: string
  readonly wanted: ReadonlyArray<string>
}

/** Relevant files by repository and query. Paths are relative to `src`. */
const judged: Readonly<Record<RepositoryName, Readonly<Record<string, string>>>> = {
  effect: {
    RateLimiter: "persistence/RateLimiter.ts",
    "ratelimit window": "persistence/RateLimiter.ts",
    "circuit breaker": "persistence/CircuitBreaker.ts",
    exponential: "Schedule.ts",
    fibonacci: "Schedule.ts",
    levenshtein: "cli/internal/auto-suggest.ts",
    acquireRelease: "Effect.ts internal/effect.ts",
    HttpClientError: "http/HttpClientError.ts",
    "base64 decode": "encoding/Base64.ts",
    "parse cron": "Cron.ts",
    "multipart boundary":
      "http/MultipartParser.ts http/Multipart.ts http/MultipartParser/internal/multipart.ts http/MultipartParser/internal/contentType.ts",
    etag: "http/Etag.ts",
    "cookie parse": "http/Cookies.ts",
    "TestClock adjust": "testing/TestClock.ts",
    snowflake: "cluster/Snowflake.ts",
    md5: "crypto/internal/md5.ts",
    chacha20: "crypto/internal/chacha.ts",
    "xml escape": "encoding/Xml.ts",
    "bash completion": "cli/internal/completions/bash.ts",
    "json pointer": "JsonPointer.ts",
    "json patch": "JsonPatch.ts",
    dijkstra: "Graph.ts internal/graph.ts",
    prometheus: "observability/PrometheusMetrics.ts",
    Redacted: "Redacted.ts",
    interruptible: "Effect.ts internal/effect.ts",
    gzip: "http/internal/compression.ts http/internal/compressionBody.ts http/internal/decompression.ts",
    inflate: "internal/inflate.ts",
    SqlError: "sql/SqlError.ts",
    migrations: "sql/Migrator.ts",
    "prompt select": "cli/Prompt.ts",
    FiberMap: "FiberMap.ts",
    longestPrefixOf: "Trie.ts internal/trie.ts",
    McpServer: "ai/McpServer.ts",
    swagger: "http-api/HttpApiSwagger.ts http-api/internal/httpApiSwagger.ts",
    cidr: "net/IpNetwork.ts",
    "problem+json": "http/ProblemDetails.ts",
    "ByteSize parse": "ByteSize.ts"
  },
  zod: {
    "email regex": "v4/core/regexes.ts",
    ZodError: "v3/ZodError.ts v4/classic/errors.ts",
    discriminatedUnion: "v4/classic/schemas.ts v4/core/schemas.ts v3/types.ts",
    toJSONSchema: "v4/core/to-json-schema.ts v4/core/json-schema-processors.ts",
    fromJSONSchema: "v4/classic/from-json-schema.ts",
    stringbool: "v4/classic/schemas.ts v4/core/api.ts",
    prefault: "v4/classic/schemas.ts v4/core/schemas.ts",
    treeifyError: "v4/core/errors.ts",
    prettifyError: "v4/core/errors.ts",
    globalRegistry: "v4/core/registries.ts",
    safeParseAsync: "v4/core/parse.ts v4/classic/parse.ts",
    coerce: "v4/classic/coerce.ts v4/mini/coerce.ts",
    "standard schema": "v4/core/standard-schema.ts v3/standard-schema.ts",
    "Ungültige Eingabe": "v4/locales/de.ts",
    '"Entrée invalide"': "v4/locales/fr.ts",
    deepPartial: "v4/classic/deep-partial.ts v4/mini/deep-partial.ts",
    ZodIssueCode: "v3/ZodError.ts v4/classic/compat.ts",
    allowsEval: "v4/core/util.ts",
    memoizer: "v4/core/memoizer.ts",
    isValidJWT: "v4/core/schemas.ts v3/types.ts",
    ZodParsedType: "v3/helpers/util.ts",
    "iso datetime": "v4/classic/iso.ts v4/mini/iso.ts v4/core/regexes.ts",
    JSONSchemaGenerator: "v4/core/json-schema-generator.ts",
    setErrorMap: "v3/errors.ts v4/classic/compat.ts",
    ParseStatus: "v3/helpers/parseUtil.ts"
  },
  flask: {
    Blueprint: "blueprints.py sansio/blueprints.py",
    url_for: "helpers.py app.py",
    "session cookie": "sessions.py",
    SecureCookieSessionInterface: "sessions.py",
    jsonify: "json/__init__.py",
    "class Config": "config.py",
    from_prefixed_env: "config.py",
    run_command: "cli.py",
    shell_command: "cli.py",
    load_dotenv: "cli.py",
    AppContext: "ctx.py",
    after_this_request: "ctx.py",
    test_client: "app.py testing.py",
    FlaskClient: "testing.py",
    render_template: "templating.py",
    MethodView: "views.py",
    teardown_appcontext: "sansio/app.py",
    add_url_rule: "sansio/app.py sansio/scaffold.py",
    before_request: "sansio/scaffold.py",
    stream_with_context: "helpers.py",
    send_from_directory: "helpers.py",
    TaggedJSONSerializer: "json/tag.py",
    DefaultJSONProvider: "json/provider.py",
    has_level_handler: "logging.py",
    "signal request_started": "signals.py",
    current_app: "globals.py"
  },
  fzf: {
    FuzzyMatchV2: "algo/algo.go",
    "fuzzy match score bonus": "algo/algo.go",
    NormalizeRunes: "algo/normalize.go",
    extractColor: "ansi.go",
    "ansi state": "ansi.go",
    ChunkCache: "cache.go",
    ChunkList: "chunklist.go",
    NewHistory: "history.go",
    Matcher: "matcher.go",
    Merger: "merger.go",
    ParseOptions: "options.go",
    parseKeyChords: "options.go",
    BuildPattern: "pattern.go",
    "inverse term": "pattern.go",
    Reader: "reader.go",
    "walker skip": "options.go reader.go",
    buildResult: "result.go",
    "http server listen": "server.go",
    Tokenize: "tokenizer.go",
    "tmux popup": "tmux.go",
    LightRenderer: "tui/light.go",
    FullscreenRenderer: "tui/tcell.go",
    EventBox: "util/eventbox.go",
    Slab: "util/slab.go",
    AtomicBool: "util/atomicbool.go",
    previewWindow: "terminal.go options.go"
  }
}

/** The judgements for some repositories. */
export const of = (names: ReadonlyArray<RepositoryName>): ReadonlyArray<RelevanceJudgement> =>
  names.flatMap((repository) =>
    Object.entries(judged[repository]).map(([query, wanted]) => ({
      repository,
      query,
      wanted: wanted.split(" ").map((path) => `src/${repository === "flask" ? "flask/" : ""}${path}`)
    }))
  )
