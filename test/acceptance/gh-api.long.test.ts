/**
 * Command lines of `gh api`, run verbatim by tongs, and by an installed gh, against one forge. Both print the same
 * bytes, except the date of a response, and the pages of an old gh.
 */
import { expect, it } from "vitest"
import { sample } from "../LongTests.test-support.ts"
import { hasGh } from "./GhCommand.test-support.ts"
import { openSession, type ShellResult } from "./GhSession.test-support.ts"

/** Arguments in shell syntax, the exit code of `tongs`, and a part of the output. gh has code 1 for all failures. */
type Case = readonly [line: string, code: number, output: string | RegExp]

const reads: ReadonlyArray<Case> = [
  ["user", 0, '{"login":"olive",'],
  ["/user", 0, '{"login":"olive",'],
  ["/user --silent", 0, /^$/],
  ["users/piers --jq .name", 0, /^Piers Quay\n$/],
  ["repos/{owner}/{repo}", 0, '"full_name":"harbor/hello"'],
  ["repos/:owner/:repo/branches", 0, '[{"name":"clash"'],
  ["repos/harbor/hello/branches --paginate", 0, '[{"name":"clash"'],
  ["'repos/harbor/hello/branches?per_page=2' --paginate", 0, '},{"name":"old"'],
  ["'repos/harbor/hello/branches?per_page=1' --paginate --jq '.[].name'", 0, /^clash\nmain\nold\nside\n$/],
  ["--paginate 'repos/harbor/hello/actions/artifacts?per_page=1'", 0, ']}{"total_count":3'],
  [
    "--paginate 'repos/harbor/hello/actions/artifacts?per_page=1' --jq '.artifacts[].name'",
    0,
    /^spare\nreport\nold\n$/
  ],
  ["--paginate user", 0, '{"login":"olive",'],
  ["-X GET search/code -f q='ahoy repo:harbor/hello'", 0, '{"total_count":2,'],
  ["-XGET search/code -fq='ahoy repo:harbor/hello' -F per_page=1 --jq '.items[].path'", 0, /^src\/greet.ts\n$/],
  ["--method GET repos/harbor/hello/commits -f sha=main -F per_page=1", 0, "Write a manual"],
  ["-H 'Accept: application/vnd.github.raw' repos/harbor/hello/contents/README.md", 0, /^# Hello\n\nships\n$/],
  ["-H 'Accept: application/vnd.github.v3.raw+json' repos/harbor/hello/contents/docs/manual.md", 0, "Ahoy"],
  ["-H 'Accept: application/vnd.github.diff' repos/harbor/hello/commits/main", 0, /^diff --git a\/docs\/manual.md/],
  ["repos/harbor/hello/commits/main -H 'Accept: application/vnd.github.sha'", 0, /^[0-9a-f]{40}$/],
  ["-i user", 0, /^HTTP\/1.1 200 OK\n[^]*\r\nX-Oauth-Scopes: [^]*\r\n\r\n\{"login"/],
  ["--include --silent user", 0, /\r\n\r\n$/],
  ["-iq .login user", 0, /\r\n\r\nolive\n$/],
  ["repos/harbor/hello --method HEAD -i", 0, /\r\n\r\n$/],
  ["'repos/harbor/hello/contents/docs?ref=main' --jq '.[].name'", 0, /^manual.md\n$/],
  ["'repos/harbor/hello/git/trees/main?recursive=1' -q '[.tree[].path]'", 0, /^\["LICENSE","README.md","docs",/],
  ["repos/{owner}/{repo}/git/commits/$COMMIT -q '.message, .tree.sha'", 0, /^Write a manual\n\n[0-9a-f]{40}\n$/],
  ["repos/harbor/hello --jq '{name, private, topics: (.topics|length)}'", 0, /^\{"name":"hello","private":false,/],
  ["repos/harbor/hello --jq '.homepage, .fork, .id, .license, [.topics[]|ascii_upcase]'", 0, "false\n1\n"],
  ["repos/harbor/hello/branches -q '.[] | [.name, .protected] | @tsv'", 0, "main\tfalse\n"],
  ['repos/harbor/hello/contents/README.md -q \'.content | gsub("\\n"; "") | @base64d\'', 0, "# Hello\n\nships\n"],
  ["repos/harbor/hello/languages", 0, '{"TypeScript":28'],
  ["-p nebula,baptiste repos/harbor/hello", 0, '"full_name":"harbor/hello"'],
  ["user --cache 1h", 0, '{"login":"olive",'],
  ["/", 0, '{"current_user_url":'],
  ["repos/harbor/hello/tarball/main", 0, /^\u001f\u008b/],
  ["repos/harbor/hello/zipball", 0, /^PK/],
  ["repos/harbor/hello/actions/artifacts/2/zip", 0, /^PK/],
  ["orgs/harbor/rulesets --jq '.[].name'", 0, /\n$/]
]

const failures: ReadonlyArray<Case> = [
  ["repos/harbor/none", 4, '{"message":"Not Found"'],
  ["repos/harbor/none --jq .name", 4, '{"message":"Not Found"'],
  ["repos/harbor/none --silent", 4, /^$/],
  ["-i repos/harbor/none", 4, /^HTTP\/1.1 404 Not Found\n/],
  ["rate_limit", 4, "Rate limiting is not enabled"],
  ["-X POST user/keys -f title=x -f key=bad", 1, '{"message":"Validation Failed"'],
  ["-X DELETE user", 1, '"message"'],
  ["repos/harbor/hello --jq '.name | .x'", 1, /^$/],
  ["user --jq '.['", 2, /^$/],
  ["", 2, /^$/],
  ["user --paginate --input README.md", 2, /^$/],
  ["-X POST user --paginate", 2, /^$/],
  ["repos/harbor/hello/git/refs -f ref", 2, /^$/],
  ["user -H nothing", 2, /^$/]
]

const LIST = 'query($endCursor:String){repositoryOwner(login:"harbor"){repositories(first:1,after:$endCursor)'
const NAMES = `${LIST}{nodes{nameWithOwner} pageInfo{hasNextPage endCursor}}}}`
const OF = "query($owner:String!,$name:String!){repository(owner:$owner,name:$name){nameWithOwner isPrivate}}"

const graphQl: ReadonlyArray<Case> = [
  ["graphql -f query='query { viewer { login } }'", 0, /^\{"data":\{"viewer":\{"login":"olive"\}\}\}/],
  [
    `graphql -F owner='{owner}' -F name=':repo' --jq .data.repository.nameWithOwner -f query='${OF}'`,
    0,
    "harbor/hello\n"
  ],
  [`graphql --paginate -f query='${NAMES}'`, 0, '}{"data"'],
  [
    `graphql --paginate --jq '.data.repositoryOwner.repositories.nodes[].nameWithOwner' -f query='${NAMES}'`,
    0,
    "harbor/"
  ],
  ["graphql -f query='{ nothing }'", 1, '{"errors":[{']
]

/** `$BY` differs between the programs, so that both can create the same thing. */
const writes: ReadonlyArray<Case> = [
  [
    "-X PATCH repos/harbor/hello -f description='Says {owner}' -F has_wiki=false --jq .description",
    0,
    "Says {owner}\n"
  ],
  ["-X PUT orgs/harbor/actions/permissions -f enabled_repositories=all", 0, /^$/],
  [
    "orgs/harbor/rulesets -f name=$BY -f target=branch -f enforcement=disabled -f 'conditions[ref_name][include][]=~DEFAULT_BRANCH' -F 'conditions[ref_name][exclude][]' -f 'conditions[repository_name][include][]=hello' -F 'conditions[repository_name][exclude][]' -f 'rules[][type]=deletion' -f 'rules[][type]=creation' --jq '.conditions.ref_name.exclude, [.rules[].type]'",
    0,
    '[]\n["deletion","creation"]'
  ],
  [
    "repos/{owner}/{repo}/git/commits -f message=m -f tree=$(git rev-parse HEAD^{tree}) -f parents[]=$COMMIT -f author[name]=A -f author[email]=a@example.org -f author[date]=2026-01-02T03:04:05Z --jq '.sha, .parents[].sha'",
    0,
    /^[0-9a-f]{40}\n[0-9a-f]{40}\n$/
  ],
  ["repos/harbor/hello/git/refs -f ref=refs/heads/$BY -f sha=$COMMIT", 0, '{"ref":"refs/heads/by-'],
  ["-X PATCH repos/{owner}/{repo}/git/refs/heads/$BY -f sha=$PARENT -F force=true", 0, '{"ref":"refs/heads/by-'],
  ["-X DELETE repos/harbor/hello/git/refs/heads/$BY", 0, /^$/],
  ['repos/harbor/hello/git/refs --input - <<< \'{"ref":"refs/heads/\'$BY\'","sha":"\'$COMMIT\'"}\'', 0, '{"ref":'],
  ["repos/harbor/hello/git/blobs -F content=@README.md -f encoding=utf-8", 0, '"sha":"'],
  ["repos/harbor/hello/git/blobs -F content=@- -f encoding=utf-8 < README.md --jq .sha", 0, /^[0-9a-f]{40}\n$/],
  [
    "repos/harbor/hello/git/trees -f 'tree[][path]=a' -f 'tree[][mode]=100644' -f 'tree[][type]=blob' -f 'tree[][content]=hi' -f 'tree[][path]=b' -f 'tree[][mode]=100644' -f 'tree[][type]=blob' -f 'tree[][content]=ho'",
    0,
    '"path":"b"'
  ],
  [
    "repos/harbor/hello/hooks -f name=web -F active=false -f 'events[]=push' -f 'events[]=create' -f config[url]=http://127.0.0.1:9/$BY -f 'config[content_type]=json' --jq '.config.url, .active, .events'",
    0,
    '\nfalse\n["push","create"]\n'
  ]
]

/** Flags that gh has had since version 2.48. */
const newer: ReadonlyArray<Case> = [
  ["'repos/harbor/hello/branches?per_page=3' --paginate --slurp", 0, /^\[\[\{"name":"clash"[^]*\}\],\[\{[^]*\}\]\]$/],
  ["user --verbose", 0, /^\* Request to http[^]*\n> GET [^]*\n< HTTP\/1.1 200 OK\n[^]*\n\{\n {2}"login": "olive"/],
  ["repos/harbor/hello/git/refs -f a=1 -f a=2", 2, /^$/],
  ["user --slurp", 2, /^$/],
  ["user --silent --verbose", 2, /^$/],
  ["user --template '{{.login}}'", 2, /^$/]
]

/** The output without the parts that differ between two requests, or between two connections of one client. */
const comparable = (stdout: string) =>
  stdout
    .replaceAll("by-tongs", "by-gh")
    .replace(/"node_id":"[^"]*"/g, "")
    .replace(/"(id|ping_url|test_url|deliveries_url|url)":("[^"]*\/hooks\/[^"]*"|\d+)/g, "")
    // Before version 2.31, gh prints each page as an array.
    .replaceAll("][", ",")
    .replace(/^(Date|Connection|Keep-Alive|Content-Length|X-Request-Id|X-Tongs-Cache): .*\r\n/gm, "")

it.each([
  ["reads", sample(reads)],
  ["failures", sample(failures)],
  ["GraphQL", sample(graphQl, 2)],
  ["writes", writes]
])(
  `\`tongs api\` does ${hasGh ? "the same as" : "(not compared with gh and openssl)"} \`gh api\`: %s`,
  async (_, cases) => {
    const { run } = await openSession()
    for (const [line, code, output] of cases) {
      const nothing: ShellResult = { code: 0, stdout: "", stderr: "" }
      const [tongs, gh] = await Promise.all([
        run(`tongs api ${line}`, { BY: "by-tongs" }),
        hasGh ? run(`gh api ${line}`, { BY: "by-gh" }) : nothing
      ])
      expect
        .soft([line, tongs.code, tongs.stdout], tongs.stderr)
        .toEqual([line, code, expect.stringMatching(pattern(output))])
      if (hasGh) expect.soft([line, comparable(tongs.stdout)]).toEqual([line, comparable(gh.stdout)])
      if (hasGh) expect.soft([line, tongs.code === 0], gh.stderr).toEqual([line, gh.code === 0])
    }
  },
  180_000
)

const pattern = (output: string | RegExp) =>
  typeof output === "string" ? new RegExp(output.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : output

it("`tongs api` has the flags of newer versions of gh", async () => {
  const { run } = await openSession()
  for (const [line, code, output] of newer) {
    const { stderr, stdout, ...tongs } = await run(`tongs api ${line}`)
    expect.soft([line, tongs.code, stdout], stderr).toEqual([line, code, expect.stringMatching(pattern(output))])
  }
}, 60_000)

it("`tongs api --cache` repeats no request of an earlier process, in a file for the user alone", async () => {
  const { run } = await openSession()
  const read = async (lifetime: string) => {
    const { stdout } = await run(`tongs api repos/harbor/hello --cache ${lifetime}`)
    return JSON.parse(stdout).description
  }
  expect(await read("1h")).toBe("Greets every ship")
  await run("tongs api -X PATCH repos/harbor/hello -f description=New --silent")
  expect(await read("1h30m")).toBe("Greets every ship")
  expect(await read("1ms")).toBe("New")
  expect(await read("1h")).toBe("New")
  expect((await run("stat -c %a ~/.cache/tongs ~/.cache/tongs/api.sqlite")).stdout).toBe("700\n600\n")
}, 60_000)
