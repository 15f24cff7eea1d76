/** The packages that an import can mean, by the rules of each language. */
import { builtinModules } from "node:module"
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import { type Ecosystem, keyOf } from "./Manifests.ts"

/** Maximum number of names of an import that are compared with packages. */
const MAX_NAMES = 12

const byExtension: Readonly<Record<string, Ecosystem>> = {
  go: "go",
  py: "python",
  pyi: "python",
  rs: "cargo",
  java: "maven",
  vue: "npm",
  svelte: "npm"
}

/** Returns the ecosystem whose packages a file imports. Undefined for a language without packages. */
export const ecosystemOf = (path: string): Ecosystem | undefined => {
  const extension = path.slice(path.lastIndexOf(".") + 1)
  return /^[cm]?[jt]sx?$/.test(extension) ? "npm" : byExtension[extension]
}

/** Returns the keys of the packages that an import of a file can mean, the longest name first. */
export const keysOf = (
  path: string,
  { imported, target }: Pick<Import, "imported" | "target">
): ReadonlyArray<string> => {
  const ecosystem = ecosystemOf(path)
  switch (ecosystem) {
    case "npm": {
      const name = /^(?:@[\w.~-]+\/)?[\w-][\w.~-]*(?=\/|$)/.exec(target)?.[0]
      return name === undefined || builtin.has(name) ? [] : [keyOf(ecosystem, name)]
    }
    case "go":
      return prefixes(target.split("/")).map((names) => keyOf(ecosystem, names.join("/")))
    case "python": {
      if (target.startsWith(".")) return []
      const names = target.split(".")
      if (standardModules.has(names[0] ?? "")) return []
      // A part of a package, such as `google.cloud.storage`, can be imported from its namespace.
      const all = imported === undefined || imported === "*" ? names : [...names, imported]
      return prefixes(all).map((names) => keyOf(ecosystem, names.join("-")))
    }
    case "cargo": {
      const name = target.split("::")[0] ?? ""
      return /^[a-z_]\w*$/.test(name) && !standardCrates.has(name) ? [keyOf(ecosystem, name)] : []
    }
    case "maven": {
      const names = target.split(".")
      const end = names.findIndex((name) => /^[A-Z]/.test(name))
      return prefixes(end === -1 ? names : names.slice(0, end))
        .filter(({ length }) => length > 1)
        .map((names) => keyOf(ecosystem, names.join(".")))
    }
    default:
      return []
  }
}

const prefixes = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const all = names.slice(0, MAX_NAMES)
  return all.map((_, at) => all.slice(0, all.length - at))
}

const builtin: ReadonlySet<string> = new Set(builtinModules)

const standardCrates: ReadonlySet<string> = new Set([
  "std",
  "core",
  "alloc",
  "proc_macro",
  "test",
  "crate",
  "self",
  "super"
])

/** The top modules of Python 3, which hide installed packages of the same name. */
const standardModules: ReadonlySet<string> = new Set(
  (
    "abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath cmd code codecs " +
    "codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes " +
    "curses dataclasses datetime dbm decimal difflib dis doctest email encodings ensurepip enum errno faulthandler " +
    "fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip " +
    "hashlib heapq hmac html http idlelib imaplib importlib inspect io ipaddress itertools json keyword linecache " +
    "locale logging lzma mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc numbers operator " +
    "optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix posixpath pprint profile " +
    "pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy " +
    "sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat " +
    "statistics string stringprep struct subprocess symtable sys sysconfig syslog tabnanny tarfile tempfile termios " +
    "textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types " +
    "typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xml " +
    "xmlrpc zipapp zipfile zipimport zlib zoneinfo __future__"
  ).split(" ")
)
