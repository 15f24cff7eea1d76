/** Reading commands of gh and the counterparts in tongs, which print the same data of one forge. */
import { expect, it } from "vitest"
import { hasGh } from "./GhCommand.test-support.ts"
import { openSession } from "./GhSession.test-support.ts"

/** Two lines of shell code, and the output of both. Without gh, only the second runs. */
type Pair = readonly [gh: string, tongs: string, output: string | RegExp]

const UNPACK = "gzip --decompress --stdout --suffix .zip ~/report.zip"

const pairs: ReadonlyArray<Pair> = [
  [
    "gh repo view harbor/hello --json name,description,isPrivate,url --jq '.name, .description, .isPrivate, .url'",
    "tongs repositories get harbor/hello --jq '.name, .description, .private, .html_url'",
    /^hello\nGreets every ship\nfalse\nhttp/
  ],
  [
    "gh repo view harbor/hello --json defaultBranchRef --jq .defaultBranchRef.name",
    "tongs repositories get harbor/hello --jq .default_branch",
    "main\n"
  ],
  [
    "gh repo view harbor/hello --json repositoryTopics --jq '.repositoryTopics[].name'",
    "tongs repositories get harbor/hello --jq '.topics[]'",
    "ships\ngreetings\n"
  ],
  [
    "gh repo view harbor/hello --json languages --jq '.languages[] | \"\\(.node.name) \\(.size)\"'",
    "tongs repositories languages harbor/hello --jq 'to_entries[] | \"\\(.key) \\(.value)\"'",
    "TypeScript 28\nYAML 48\nMarkdown 38\n"
  ],
  [
    "gh repo list harbor --json nameWithOwner --jq '[.[].nameWithOwner] | sort[]'",
    "tongs repositories list-for-organization harbor --jq '[.[].full_name] | sort[]'",
    "harbor/empty\nharbor/hello\nharbor/secret\n"
  ],
  [
    "gh repo list harbor --visibility private --json nameWithOwner,isPrivate --jq '.[] | [.nameWithOwner, .isPrivate] | @tsv'",
    "tongs repositories list-for-organization harbor --type private --jq '.[] | [.full_name, .private] | @tsv'",
    "harbor/secret\ttrue\n"
  ],
  [
    "gh repo list --json nameWithOwner --jq '[.[].nameWithOwner] | sort[]'",
    "tongs repositories mine --affiliation owner --jq '[.[].full_name] | sort[]'",
    /^(olive\/\S+\n)*$/
  ],
  [
    "gh ssh-key list 2> /dev/null | cut --fields 1-4",
    "tongs keys mine --jq '.[] | [.title, .key, .created_at, (.id|tostring)] | @tsv'",
    /^lamp\tssh-ed25519 \S+\t\S+\t1\nspare\t/
  ],
  [
    "gh run download 7 --name report --dir ~/run && cat ~/run/report.txt",
    `tongs artifacts download harbor/hello $(tongs artifacts list-for-run harbor/hello 7 --jq '.[] | select(.name == "report").id') --output ~/report.zip 2> /dev/null && ${UNPACK}`,
    "all is well\n"
  ],
  ["gh auth status 2>&1 | grep -o -m 1 olive", "tongs auth status | grep -o -m 1 olive", "olive\n"],
  ["gh browse --no-browser", "tongs repositories get harbor/hello --jq .html_url", /\/harbor\/hello\n$/],
  ["gh api user --jq .login", "tongs users me --jq .login", "olive\n"],
  [
    "gh api -X GET search/code -f q='ahoy repo:harbor/hello' --jq '[.items[].path] | sort[]'",
    "tongs search 'ahoy repo:harbor/hello' --jq '[.items[].path] | sort[]'",
    "docs/manual.md\nsrc/greet.ts\n"
  ],
  [
    "gh api orgs/harbor/rulesets --jq '.[] | [.name, .enforcement] | @tsv'",
    "tongs rulesets list harbor --jq '.[] | [.name, .enforcement] | @tsv'",
    /\tactive\n/
  ],
  [
    "gh repo clone harbor/hello ~/copy -- --quiet && git -C ~/copy log --format='%h %s'",
    "tongs commits list harbor/hello --jq '.[] | .sha[0:7] + \" \" + .commit.message' | sed '/^$/d'",
    / Write a manual\n/
  ]
]

it(`${hasGh ? "" : "(not compared with gh and openssl) "}commands of gh have counterparts with the same data`, async () => {
  const { run } = await openSession()
  for (const [ghLine, tongsLine, output] of pairs) {
    const tongs = await run(tongsLine)
    const expected = typeof output === "string" ? output : expect.stringMatching(output)
    expect.soft([tongsLine, tongs.code, tongs.stdout], tongs.stderr).toEqual([tongsLine, 0, expected])
    if (!hasGh) continue
    const gh = await run(ghLine)
    expect.soft([ghLine, gh.stdout], gh.stderr).toEqual([ghLine, tongs.stdout])
  }
}, 180_000)
