/** What files on the default branch say about a repository: contact links, funding, and the security policy. */
import * as Effect from "effect/Effect"
import * as YamlText from "../../base/YamlText.ts"
import { kindOfMode } from "../../git/objects/Objects.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** Folders in which git hosts look for these files, in this order. The empty one is the root. */
const folders = [".github", "", "docs"]

/** Maximum number of links. */
const MAX_LINKS = 50

/** GitHub's names of funding platforms by the members of `FUNDING.yml`, and the URL of an account. */
const platforms: Readonly<Record<string, readonly [platform: string, url: string]>> = {
  github: ["GITHUB", "https://github.com/sponsors/"],
  patreon: ["PATREON", "https://www.patreon.com/"],
  open_collective: ["OPEN_COLLECTIVE", "https://opencollective.com/"],
  ko_fi: ["KO_FI", "https://ko-fi.com/"],
  tidelift: ["TIDELIFT", "https://tidelift.com/funding/github/"],
  community_bridge: ["COMMUNITY_BRIDGE", "https://crowdfunding.lfx.linuxfoundation.org/projects/"],
  liberapay: ["LIBERAPAY", "https://liberapay.com/"],
  issuehunt: ["ISSUEHUNT", "https://issuehunt.io/r/"],
  lfx_crowdfunding: ["LFX_CROWDFUNDING", "https://crowdfunding.lfx.linuxfoundation.org/projects/"],
  polar: ["POLAR", "https://polar.sh/"],
  buy_me_a_coffee: ["BUY_ME_A_COFFEE", "https://buymeacoffee.com/"],
  thanks_dev: ["THANKS_DEV", "https://thanks.dev/"],
  custom: ["CUSTOM", ""]
}

type Yaml = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Yaml => typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const textOf = (value: unknown) => (typeof value === "string" ? value : "")

/** Returns the files of a folder by name, in lower case. */
const filesOf = Effect.fnUntraced(function* ({ git }: ServedRepository, folder: string) {
  const commit = yield* git.resolve("HEAD")
  if (commit === undefined) return []
  const entry = folder === "" ? undefined : yield* git.entryAt(commit, folder)
  const tree = folder === "" ? (yield* git.commit(commit))?.tree : entry?.kind === "dir" ? entry.oid : undefined
  const entries = tree === undefined ? [] : ((yield* git.tree(tree)) ?? [])
  return entries.filter(({ mode }) => kindOfMode(mode) === "file")
})

/** Reads a YAML file of a folder. Returns an object without members if there is no such file, or another value in it. */
const readYaml = Effect.fnUntraced(function* (served: ServedRepository, folder: string, name: RegExp) {
  const file = (yield* filesOf(served, folder)).find((one) => name.test(one.name))
  const blob = file === undefined ? undefined : yield* served.git.blob(file.oid, YamlText.MAX_SIZE)
  const value = blob === undefined ? undefined : yield* YamlText.parse(blob.bytes)
  return isRecord(value) ? value : {}
})

/** Returns the links to other places, and whether an issue can be created without a template. */
export const issueConfig = Effect.fnUntraced(function* (served: ServedRepository) {
  const config = yield* readYaml(served, ".github/ISSUE_TEMPLATE", /^config\.ya?ml$/)
  const links = listOf(config["contact_links"])
    .filter(isRecord)
    .map(({ about, name, url }) => ({ about: textOf(about), name: textOf(name), url: textOf(url) }))
    .filter(({ name, url }) => name !== "" && URL.canParse(url))
  return { links: links.slice(0, MAX_LINKS), hasBlankIssues: config["blank_issues_enabled"] !== false }
})

/** Returns the accounts on funding platforms. */
export const funding = Effect.fnUntraced(function* (served: ServedRepository) {
  const config = yield* readYaml(served, ".github", /^funding\.ya?ml$/i)
  const links = Object.entries(platforms).flatMap(([member, [platform, prefix]]) =>
    listOf(config[member])
      .map(textOf)
      .filter((account) => account !== "")
      .map((account) => ({ platform, url: prefix === "" ? account : prefix + encodeURI(account) }))
  )
  return links.filter(({ url }) => URL.canParse(url)).slice(0, MAX_LINKS)
})

/** Returns the path of the security policy. Undefined if the repository has none. */
export const securityPolicy = Effect.fnUntraced(function* (served: ServedRepository) {
  for (const folder of folders) {
    const file = (yield* filesOf(served, folder)).find(({ name }) => /^security\.md$/i.test(name))
    if (file !== undefined) return folder === "" ? file.name : `${folder}/${file.name}`
  }
  return undefined
})
