/** The queries of the search benchmark, in the languages of all compared programs. */
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

/** A query. Undefined for a program that cannot run the query. */
export interface SearchQuestion {
  readonly what: string
  /** Query for Tongs. */
  readonly tongs: string
  /** True for the contract's search, without streaming. */
  readonly isContract?: boolean
  readonly zoekt?: string
  /** Arguments of ripgrep, for paths below the work tree. */
  readonly ripgrep?: ReadonlyArray<string>
  /** Arguments of `git grep`. */
  readonly gitGrep?: ReadonlyArray<string>
}

/** Words of a corpus. */
interface Words {
  readonly common: string
  /** Defined in one file. */
  readonly rare: string
  /** A part of the rare word that few other words start with. */
  readonly rareStart: string
  /** A folder with some files. */
  readonly folder: string
}

const linux: Words = {
  common: "return",
  rare: "xa_for_each_marked",
  rareStart: "xa_for_each_m",
  folder: "net/ipv4"
}

/** Number of files from which the words of another corpus are taken. */
const SAMPLED_FILES = 300

/** Returns whether a repository contains Linux. */
export const isLinux = (path: string) =>
  Effect.isSuccess(
    BenchmarkEnvironment.runCommand("git", ["-C", path, "cat-file", "-e", "HEAD:include/linux/xarray.h"])
  )

/** Chooses the words: the words for Linux if the corpus contains Linux, otherwise words from a sample of the files. */
const wordsOf = Effect.fnUntraced(function* (path: string) {
  const git = (...args: ReadonlyArray<string>) => BenchmarkEnvironment.runCommand("git", ["-C", path, ...args])
  if (yield* isLinux(path)) return linux
  const paths = (yield* git("ls-tree", "-r", "--name-only", "HEAD")).split("\n").filter((one) => /\.\w+$/.test(one))
  const step = Math.max(1, Math.floor(paths.length / SAMPLED_FILES))
  const sample = paths.filter((_, at) => at % step === 0)
  const words = (yield* git("grep", "-ohIwE", "[A-Za-z_]{5,30}", "HEAD", "--", ...sample)).split("\n")
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => ({ word, count: all.length }))
  const common = counts.toSorted((a, b) => b.count - a.count)[0]?.word ?? "return"
  const rare = counts.find(({ count, word }) => count <= 3 && word.length >= 12)?.word ?? common
  const folder = paths[Math.floor(paths.length / 2)]?.split("/").slice(0, -1).join("/") ?? ""
  return { common, rare, rareStart: rare.slice(0, -4), folder: folder === "" ? "." : folder }
})

const ignoringCase = ["-i"]

/** A literal text in the content and in paths. The other programs search the content only. */
const literal = (what: string, text: string, flags = ignoringCase): SearchQuestion => ({
  what,
  tongs: flags === ignoringCase ? `"${text}"` : `"${text}" case:yes`,
  zoekt: `content:"${text}" case:${flags === ignoringCase ? "no" : "yes"}`,
  ripgrep: [...flags, "-F", "-e", text],
  gitGrep: [...flags, "-F", "-e", text]
})

const regex = (what: string, source: string): SearchQuestion => ({
  what,
  tongs: `/${source}/`,
  zoekt: `content:"${source.replace(/["\\]/g, "\\$&")}" case:no`,
  ripgrep: ["-i", "-e", source],
  gitGrep: ["-i", "-P", "-e", source]
})

/** Returns the queries for a corpus. */
export const make = Effect.fnUntraced(function* (path: string) {
  const { common, folder, rare, rareStart } = yield* wordsOf(path)
  const middle = common.slice(1)
  const contract = (what: string, text: string): SearchQuestion => ({
    ...literal(what, text),
    tongs: text,
    isContract: true
  })
  const questions: ReadonlyArray<SearchQuestion> = [
    contract("contract, commonest word", "the"),
    contract("contract, common word", common),
    contract("contract, rare word", rare),
    literal("substring, common", middle),
    literal("substring, rare", rare.slice(1)),
    literal("case-sensitive, rare", rare, []),
    regex("regex, rare", `${rareStart}\\w+`),
    regex("regex, rare, with alternatives", `(?:${rareStart}|${rare.slice(0, -1)}_)\\w+\\s*\\(`),
    regex("regex, three letters", `${middle.slice(0, 3)}\\w*\\(`),
    regex("regex, common", `${common}\\s*\\(`),
    { what: "symbol", tongs: `symbol:"${rare}"`, zoekt: `sym:"^${rare}$" case:no` },
    {
      what: "two words",
      tongs: `${rare} ${common}`,
      zoekt: `content:"${rare}" content:"${common}" case:no`,
      gitGrep: ["-i", "-F", "--all-match", "-e", rare, "-e", common]
    },
    {
      what: "whole word",
      tongs: `"${rare}" word:yes`,
      zoekt: `content:"\\\\b${rare}\\\\b" case:no`,
      ripgrep: ["-i", "-w", "-F", "-e", rare],
      gitGrep: ["-i", "-w", "-F", "-e", rare]
    },
    {
      what: "in a folder",
      tongs: `"${common}" path:${folder}`,
      zoekt: `content:"${common}" file:"^${folder}/" case:no`,
      ripgrep: ["-i", "-F", "-e", common, folder],
      gitGrep: ["-i", "-F", "-e", common, "HEAD", "--", folder]
    }
  ]
  return questions
})

/** The question without results. */
export const NOTHING_FOUND = "nothing found"

/**
 * Fifteen questions about Linux 6.1, of which every program finds all results. The questions were named before the work
 * on the index that these results measure.
 */
export const forAllResults: ReadonlyArray<SearchQuestion> = [
  literal("literal", "vfs_read"),
  literal("literal, hundreds of files", "schedule_timeout"),
  literal("rare literal", linux.rare),
  literal("common word", "mutex_lock"),
  literal(NOTHING_FOUND, "GFP_KERNEL_NOWHERE"),
  literal("case-sensitive", "Kconfig", []),
  literal("non-ASCII", "\u5185\u6838"),
  {
    what: "whole word",
    tongs: `"inode" word:yes`,
    zoekt: String.raw`content:"\\binode\\b" case:no`,
    ripgrep: ["-i", "-w", "-F", "-e", "inode"],
    gitGrep: ["-i", "-w", "-F", "-e", "inode"]
  },
  {
    what: "in a folder",
    tongs: `"skb" path:/net/ipv4`,
    zoekt: `content:"skb" file:"^net/ipv4/" case:no`,
    ripgrep: ["-i", "-F", "-e", "skb", "net/ipv4"],
    gitGrep: ["-i", "-F", "-e", "skb", "HEAD", "--", "net/ipv4"]
  },
  {
    // ripgrep finds no conjunctions.
    what: "two words",
    tongs: "mutex_lock usb_submit_urb",
    zoekt: `content:"mutex_lock" content:"usb_submit_urb" case:no`,
    gitGrep: ["-i", "-F", "--all-match", "-e", "mutex_lock", "-e", "usb_submit_urb"]
  },
  regex("regex, rare", String.raw`define\s+GFP_\w+`),
  regex("regex with alternatives", String.raw`(?:kmalloc|kzalloc|vmalloc)_node\s*\(`),
  regex("regex, anchored", String.raw`^EXPORT_SYMBOL_GPL\(\w+_register\);`),
  regex("regex, common", String.raw`struct\s+\w+_operations\s+\w+\s*=`),
  regex("regex without text", "[0-9]{7}[a-z]")
]
